#pragma once

#include <cstdint>
#include <string_view>

namespace hotline::bench {

/// What the queue benchmarks are asked for on the command line.
struct Options {
  std::uint64_t processes = 64;
  std::uint64_t events = 4'000'000;
  std::string_view only;  ///< one contestant's name, or empty for all
  bool mixed = false;     ///< delays of very different lengths instead of one mean
};

/// Reads `--processes N --events M --only NAME --delays exponential|mixed`; ends the program with a
/// message and exit code 2 if it cannot.
Options read_options(int argc, char** argv);

/// CPU seconds that this process has used: other work on the machine does not count.
double cpu_seconds();

}  // namespace hotline::bench
