#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
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

  /// So much is done; from any thread. `cost_left`: of the rest, in any unit, for the time left.
  void update(std::size_t done, std::size_t all, double cost_left);
  /// The same where every simulation costs about the same.
  void update(std::size_t done, std::size_t all) {
    update(done, all, static_cast<double>(all - done));
  }

 private:
  void show_until_stopped();
  [[nodiscard]] std::string line() const;
  [[nodiscard]] std::string time_left() const;

  using Clock = std::chrono::steady_clock;

  std::string what_;
  Clock::time_point began_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::size_t done_ = 0;
  std::size_t all_ = 0;
  double cost_left_ = 0;
  std::optional<double> first_cost_;  // left when it was first told, and when that was
  Clock::time_point first_told_;
  std::thread shower_;  // last: it uses all of the above
};

}  // namespace hotline::cli
