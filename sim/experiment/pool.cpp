#include "sim/experiment/pool.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace hotline::experiment {

void for_each_job(std::size_t count, unsigned host_threads,
                  const std::function<void(std::size_t)>& job) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> has_failed{false};
  std::vector<std::exception_ptr> failures(count);
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !has_failed; i = next++) {
      try {
        job(i);
      } catch (...) {
        failures[i] = std::current_exception();
        has_failed = true;
      }
    }
  };
  const unsigned wanted = host_threads != 0 ? host_threads : std::thread::hardware_concurrency();
  const std::size_t helpers = std::min<std::size_t>(std::max(wanted, 1U), count);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace hotline::experiment
