#include "sim/experiment/owner.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace hotline::experiment {

namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// State and begin of a process (proc(5): fields 3 and 22); empty if there is none or it has ended
/// and only waits for its parent. The second field, the name, may contain anything.
std::string begin_of(const std::string& process) {
  const std::string line = first_line("/proc/" + process + "/stat");
  std::size_t at = line.rfind(") ");
  if (at == std::string::npos) return "";
  at += 2;
  const char state = line[at];
  if (state == 'Z' || state == 'X') return "";
  constexpr int kFieldsBetween = 19;
  for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = line.find(' ', at + 1);
  if (at == std::string::npos) return "";
  return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

/// What must be equal for process numbers to mean the same.
std::string place() {
  std::error_code error;
  const fs::path names = fs::read_symlink("/proc/self/ns/pid", error);
  return first_line("/proc/sys/kernel/random/boot_id") + " " + names.string();
}

}  // namespace

std::string owner_of(int process) {
  const std::string number = std::to_string(process);
  const std::string begin = begin_of(number);
  return begin.empty() ? "" : place() + " " + number + " " + begin;
}

std::string this_owner() { return owner_of(getpid()); }

bool is_alive(std::string_view owner) {
  const std::string here = place() + " ";
  if (!owner.starts_with(here)) return false;
  owner.remove_prefix(here.size());
  const std::size_t space = owner.find(' ');
  if (space == std::string_view::npos) return false;
  return begin_of(std::string(owner.substr(0, space))) == owner.substr(space + 1);
}

}  // namespace hotline::experiment
