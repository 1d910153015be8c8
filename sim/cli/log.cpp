#include "sim/cli/log.hpp"

#include <memory>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace hotline::cli {

void start_log() {
  auto logger = std::make_shared<spdlog::logger>(
      "hotline", std::make_shared<spdlog::sinks::stderr_color_sink_st>());
  logger->set_pattern("%n: %^%l%$: %v");
  logger->set_level(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void report_problems(const input::Diagnostics& diagnostics) {
  diagnostics.throw_if_errors();
  for (const input::Diagnostic& diagnostic : diagnostics.sorted()) {
    input::Diagnostic bare = diagnostic;
    spdlog::warn("{}", input::to_string(bare));
  }
}

}  // namespace hotline::cli
