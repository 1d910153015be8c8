#include "tests/bench/options.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace hotline::bench {
namespace {

[[noreturn]] void refuse(const char* program) {
  std::fprintf(stderr,
               "usage: %s [--processes N] [--events M] [--only NAME] "
               "[--delays exponential|mixed]\n",
               program);
  std::exit(2);
}

bool read_number(std::string_view text, std::uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && number != 0;
}

}  // namespace

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) refuse(argv[0]);
    const std::string_view key = argv[i];
    const std::string_view value = argv[i + 1];
    bool good = false;
    if (key == "--processes") good = read_number(value, options.processes);
    if (key == "--events") good = read_number(value, options.events);
    if (key == "--only") {
      options.only = value;
      good = true;
    }
    if (key == "--delays") {
      options.mixed = value == "mixed";
      good = options.mixed || value == "exponential";
    }
    if (!good) refuse(argv[0]);
  }
  return options;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace hotline::bench
