#pragma once

#include "sim/workload/workload.hpp"

namespace hotline::tests {

/// Threads that take turns on a lock: their rate is bound by `path` while they are few and by
/// `hold` when they are many.
inline workload::Workload turns(const std::string& ranges = "") {
  return workload::Workload::parse(R"(
machine: skylake-client-4c
measure: {threads: 4, duration: 60us, warm_up: 10us}
variables:
  hold: 250ns  # to be fitted
  path: 900ns
objects: {lock: {model: mcs}}
threads:
  workers:
    count: threads
    program: [{repeat: [{with: {lock: lock, do: [{compute: hold}]}}, {compute: path}, {count: operations}]}]
variants:
  lock: {}
  none: {set: {"threads.workers.program[0].repeat": [{compute: hold}, {compute: path}, {count: operations}]}}
)" + ranges,
                                   "turns.yaml");
}

}  // namespace hotline::tests
