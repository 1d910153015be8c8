#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hotline::tests {

/// What a finished program left behind.
struct Finished {
  int exit_code = -1;  ///< -1 if a signal ended it
  std::string out;
  std::string err;
};

/// Runs the program hotline (HOTLINE_BINARY, else build/release/hotline) with these arguments, not
/// on a terminal, and waits for it.
Finished run_hotline(const std::vector<std::string>& arguments);

/// The same, but no file may become longer than this.
Finished run_hotline_with_short_files(const std::vector<std::string>& arguments,
                                      std::uint64_t most_bytes);

/// Runs any program by its name or path.
Finished run_program(const std::vector<std::string>& words);

/// The words that call the program hotline with these arguments.
std::vector<std::string> hotline_with(const std::vector<std::string>& arguments);

/// A program while it runs, its output thrown away.
class Running {
 public:
  explicit Running(const std::vector<std::string>& words);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  /// As kill -9 does; nothing if it has ended.
  void kill();
  /// Waits for its end; -1 if a signal ended it.
  int wait();
  [[nodiscard]] bool has_ended();
  [[nodiscard]] int process() const { return child_; }

 private:
  int child_;
  std::optional<int> exit_code_;
};

/// The same with standard error on a terminal, whose text becomes `err`.
Finished run_hotline_on_terminal(const std::vector<std::string>& arguments);

/// The text of a file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// A folder of its own that goes at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] std::ptrdiff_t entries() const;
  /// Writes a file into it and returns its path.
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace hotline::tests
