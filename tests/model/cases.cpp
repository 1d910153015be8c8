#include "tests/model/cases.hpp"

#include <string>

#include "models/catalog.hpp"
#include "tests/catch.hpp"

namespace hotline::tests {

namespace {

constexpr engine::TieOrder kTies[] = {{}, {true, 1}, {true, 2}, {true, 3}};

}  // namespace

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const model::Entry& row : models::built_in()) all.push_back({row.name});
  all.push_back({"ticket", {{"layout", std::string("split-lines")}}});
  all.push_back({"ticket", {{"layout", std::string("one-line")}, {"pace", std::string("yield")}}});
  all.push_back({"ticket", {{"backoff", std::int64_t{20}}}});
  all.push_back({"ttas", {{"pace", std::string("yield")}}});
  all.push_back({"mutex", {{"spin", false}}});
  all.push_back({"rw-semaphore", {{"spin", false}, {"patience", ns(20'000)}}});
  all.push_back({"pv-qspinlock", {{"polls", std::int64_t{40}}}});
  all.push_back({"futex-mutex-adaptive", {{"spin_count", std::int64_t{1000}}}});
  all.push_back({"ttas",
                 {{"backoff", std::string("exponential")},
                  {"start", std::int64_t{4}},
                  {"cap", std::int64_t{64}}}});
  all.push_back({"debug-spinlock", {{"raw", std::string("ticket")}}});
  all.push_back({"debug-spinlock", {{"lockup_after", ns(200)}}});
  all.push_back({"test-and-set", {{"pauses", std::int64_t{0}}}});
  all.push_back({"qrwlock", {{"context", std::string("interrupt")}}});
  all.push_back({"brlock", {{"lock", std::string("qspinlock")}}});
  all.push_back({"bravo", {{"table", std::int64_t{2}}, {"inhibit", std::int64_t{1}}}});
  all.push_back({"bravo",
                 {{"lock", std::string("rwlock-centralised")},
                  {"table", std::int64_t{64}},
                  {"inhibit", std::int64_t{0}},
                  {"overlap", std::int64_t{1}}}});
  all.push_back({"percpu-rw-semaphore", {{"grace_period", ns(1)}}});
  all.push_back({"seqlock", {{"lock", std::string("ticket")}}});
  all.push_back({"partitioned-ticket", {{"slots", std::int64_t{1}}}});
  all.push_back({"cna", {{"shuffle_reduction", std::int64_t{0}}, {"threshold", ns(500)}}});
  all.push_back({"cna", {{"shuffle_reduction", std::int64_t{0}}}});
  all.push_back({"hmcs", {{"threshold", std::int64_t{2}}}});
  all.push_back(
      {"c-bo-mcs",
       {{"batch", std::int64_t{2}}, {"start", std::int64_t{1}}, {"cap", std::int64_t{8}}}});
  all.push_back({"c-tkt-tkt", {{"batch", std::int64_t{2}}}});
  all.push_back({"shfl-lock", {{"fairness", std::int64_t{2}}}});
  all.push_back({"vmstat", {{"threshold", std::int64_t{3}}}});
  all.push_back({"snzi", {{"leaves", std::string("cpu")}, {"fan_out", std::int64_t{2}}}});
  all.push_back({"percpu-ref", {{"grace_period", ns(1)}}});
  all.push_back({"percpu-counter", {{"batch", std::int64_t{3}}}});
  all.push_back({"striped", {{"stripes", std::int64_t{2}}, {"by", std::string("hash")}}});
  all.push_back({"atomic", {{"returns", true}}});
  return all;
}

std::vector<Shape> shapes() {
  return {{"one socket", one_socket(4)},
          {"two sockets", two_sockets(3)},
          {"SMT", smt_pair_cores()},
          {"clusters without a socket agent", clusters_without_socket_agent()},
          {"load-linked, far adds", load_linked()}};
}

void for_all(const std::function<bool(const model::Entry&)>& wanted,
             const std::function<void(const Rig::Setup&)>& check) {
  for (const Case& each : cases()) {
    if (!wanted(entry(each.model))) continue;
    for (const Shape& shape : shapes()) {
      for (const engine::TieOrder& ties : kTies) {
        INFO(each.model << " on " << shape.name << ", ties "
                        << (ties.shuffle ? "shuffled by " + std::to_string(ties.seed) : "fifo"));
        const machine::Topology topology(shape.machine);
        check(Rig::Setup{shape.machine, topology.cpus(), each.model, each.params, 7, ties});
      }
    }
  }
}

}  // namespace hotline::tests
