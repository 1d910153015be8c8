#include "sim/cli/progress.hpp"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace hotline::cli {

namespace {

constexpr auto kQuietAtFirst = std::chrono::seconds(1);
constexpr auto kBetweenUpdates = std::chrono::milliseconds(250);
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

void ProgressLine::update(std::size_t done, std::size_t all) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  all_ = all;
}

std::string ProgressLine::line() const {
  const auto elapsed =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
  if (all_ == 0) return fmt::format("{}: {} s", what_, elapsed.count());
  return fmt::format("{}: {} of {} simulations, {} s", what_, done_, all_, elapsed.count());
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
