#pragma once

#include <cstddef>
#include <functional>

namespace hotline::experiment {

/// Calls job(0) ... job(count - 1), each once, on up to `host_threads` threads of the host (0: as
/// many as it has), and returns when all have ended. Jobs begin in the order of their numbers. What
/// a job throws keeps further jobs from beginning; the exception of the lowest number is rethrown.
void for_each_job(std::size_t count, unsigned host_threads,
                  const std::function<void(std::size_t)>& job);

}  // namespace hotline::experiment
