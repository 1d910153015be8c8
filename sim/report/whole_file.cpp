#include "sim/report/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace hotline::report {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw OutputError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

/// A file descriptor that is closed, and a file that is removed unless it was kept.
class Draft {
 public:
  /// Creates `path`, which must not exist yet; `target` is the file named in messages.
  Draft(fs::path path, const fs::path& target) : path_(std::move(path)), target_(target) {
    constexpr mode_t kReadableAsUmaskSays = 0666;
    descriptor_ =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableAsUmaskSays);
    if (descriptor_ < 0) fail(target_, errno);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_, errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void become_target() {
    if (::fsync(descriptor_) != 0) fail(target_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    path_.clear();
  }

 private:
  fs::path path_;
  const fs::path& target_;
  int descriptor_ = -1;
};

/// The file that `path` means, through symbolic links, so that a link stays one.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  return error ? path : target;
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

fs::path draft_path(const fs::path& target) {
  fs::path draft = target;
  draft.replace_filename(fmt::format(".{}.{}.part", target.filename().string(), ::getpid()));
  return draft;
}

void write_special(const fs::path& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      ::close(descriptor);
      fail(path, error);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  ::close(descriptor);
}

}  // namespace

void check_can_write(const fs::path& path) {
  if (path.filename().empty()) fail(path, EISDIR);
  const fs::path target = resolved(path);
  if (fs::is_directory(target)) fail(path, EISDIR);
  if (is_special(target)) return;
  const bool exists = fs::exists(target);
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, errno);
  const Draft draft(draft_path(target), path);
}

void write_whole(const fs::path& path, std::string_view text) {
  check_can_write(path);
  const fs::path target = resolved(path);
  if (is_special(target)) {
    write_special(target, text);
    return;
  }
  Draft draft(draft_path(target), target);
  draft.write(text);
  draft.become_target();
}

}  // namespace hotline::report
