#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hotline::report {

/// A file cannot be written; what() names it and says why. Ends with exit code 2.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws OutputError if `path` cannot be written as it stands now, so that a long run need not end
/// in one; leaves no trace.
void check_can_write(const std::filesystem::path& path);

/// Writes a file whole or not at all: into a new file beside it, which then takes its name. What is
/// no regular file (/dev/stdout) is written directly. Throws OutputError; then whatever was at
/// `path` before is still there.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace hotline::report
