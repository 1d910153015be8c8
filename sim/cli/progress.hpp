#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace hotline::cli {

/// A line on stderr that tells how far the simulations are. It appears only if stderr is a terminal
/// and the work takes longer than a second, and is wiped at the end of this object's life.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what, bool silent = false);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// So much is done; from any thread.
  void update(std::size_t done, std::size_t all);

 private:
  void show_until_stopped();
  [[nodiscard]] std::string line() const;

  std::string what_;
  std::chrono::steady_clock::time_point began_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::size_t done_ = 0;
  std::size_t all_ = 0;
  std::thread shower_;  // last: it uses all of the above
};

}  // namespace hotline::cli
