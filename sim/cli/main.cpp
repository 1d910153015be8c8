#include "sim/cli/app.hpp"

int main(int argc, char** argv) { return hotline::cli::run_command_line(argc, argv); }
