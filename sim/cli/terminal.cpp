#include "sim/cli/terminal.hpp"

#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace hotline::cli {

report::Style terminal_style() {
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return {::isatty(STDOUT_FILENO) != 0 && !is_dumb && std::getenv("NO_COLOR") == nullptr};
}

}  // namespace hotline::cli
