#include "sim/cli/progress.hpp"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace hotline::cli {

namespace {

constexpr auto kQuietAtFirst = std::chrono::seconds(1);
constexpr auto kBetweenUpdates = std::chrono::milliseconds(250);
constexpr std::size_t kBarWidth = 20;
constexpr const char* kWipe = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::string what, bool silent)
    : what_(std::move(what)), began_(std::chrono::steady_clock::now()) {
  if (!silent && ::isatty(STDERR_FILENO) != 0)
    shower_ = std::thread([this] { show_until_stopped(); });
}

ProgressLine::~ProgressLine() {
  if (!shower_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  shower_.join();
}

void ProgressLine::update(std::size_t done, std::size_t all, double cost_left) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  all_ = all;
  cost_left_ = cost_left;
  if (!first_cost_ || cost_left > *first_cost_) {
    first_cost_ = cost_left;
    first_told_ = Clock::now();
  }
}

std::string ProgressLine::line() const {
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_);
  if (all_ == 0) return fmt::format("{}: {} s", what_, elapsed.count());
  const std::size_t filled = kBarWidth * done_ / all_;
  return fmt::format("{}: [{}{}] {} of {} simulations, {} s{}", what_, std::string(filled, '#'),
                     std::string(kBarWidth - filled, '.'), done_, all_, elapsed.count(),
                     time_left());
}

std::string ProgressLine::time_left() const {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  const double paid = first_cost_.value_or(0) - cost_left_;
  if (paid <= 0) return "";
  const double elapsed = std::chrono::duration<double>(Clock::now() - first_told_).count();
  const double left = elapsed * cost_left_ / paid;
  if (left < kMinute) return fmt::format(", about {:.0f} s left", left);
  if (left < kHour) return fmt::format(", about {:.0f} min left", left / kMinute);
  return fmt::format(", about {:.1f} h left", left / kHour);
}

void ProgressLine::show_until_stopped() {
  std::unique_lock lock(mutex_);
  if (stop_.wait_for(lock, kQuietAtFirst, [this] { return stopped_; })) return;
  do {
    const std::string text = kWipe + line();
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  } while (!stop_.wait_for(lock, kBetweenUpdates, [this] { return stopped_; }));
  std::fputs(kWipe, stderr);
  std::fflush(stderr);
}

}  // namespace hotline::cli
