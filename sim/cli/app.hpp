#pragma once

namespace hotline::cli {

/// Does what the command line says and returns the exit code; every message goes to stderr.
int run_command_line(int argc, const char* const* argv);

}  // namespace hotline::cli
