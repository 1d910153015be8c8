#include "tests/cli/process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

namespace hotline::tests {

namespace fs = std::filesystem;

namespace {

int to_file(const fs::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

[[noreturn]] void become(std::vector<std::string> words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv.front(), argv.data());
  ::_exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Everything that comes from a terminal until its other side is closed.
std::string drain(int terminal) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

std::vector<std::string> hotline_with(const std::vector<std::string>& arguments) {
  const char* named = std::getenv("HOTLINE_BINARY");
  std::vector<std::string> words{named != nullptr ? named : "build/release/hotline"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

namespace {

Finished run(const std::vector<std::string>& words, std::uint64_t most_bytes) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    ::dup2(to_file(folder / "out"), STDOUT_FILENO);
    ::dup2(to_file(folder / "err"), STDERR_FILENO);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, most_bytes);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    become(words);
  }
  const int exit_code = wait_for(child);
  return {exit_code, read_text(folder / "out"), read_text(folder / "err")};
}

}  // namespace

Finished run_program(const std::vector<std::string>& words) { return run(words, RLIM_INFINITY); }

Finished run_hotline(const std::vector<std::string>& arguments) {
  return run_program(hotline_with(arguments));
}

Finished run_hotline_with_short_files(const std::vector<std::string>& arguments,
                                      std::uint64_t most_bytes) {
  return run(hotline_with(arguments), most_bytes);
}

Running::Running(const std::vector<std::string>& words) : child_(::fork()) {
  if (child_ < 0) throw std::runtime_error("cannot fork");
  if (child_ != 0) return;
  ::dup2(to_file("/dev/null"), STDOUT_FILENO);
  ::dup2(to_file("/dev/null"), STDERR_FILENO);
  become(words);
}

Running::~Running() {
  kill();
  wait();
}

void Running::kill() {
  if (!has_ended()) ::kill(child_, SIGKILL);
}

int Running::wait() {
  if (!exit_code_) exit_code_ = wait_for(child_);
  return *exit_code_;
}

bool Running::has_ended() {
  int status = 0;
  if (!exit_code_ && ::waitpid(child_, &status, WNOHANG) == child_) {
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  return exit_code_.has_value();
}

Finished run_hotline_on_terminal(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) throw std::runtime_error("cannot open a terminal");
  if (child == 0) {
    ::dup2(to_file(folder / "out"), STDOUT_FILENO);
    become(hotline_with(arguments));
  }
  const std::string seen = drain(terminal);
  ::close(terminal);
  const int exit_code = wait_for(child);
  return {exit_code, read_text(folder / "out"), seen};
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "hotline-cli-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::ptrdiff_t TemporaryFolder::entries() const {
  return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
}

std::string TemporaryFolder::file(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return (path_ / name).string();
}

}  // namespace hotline::tests
