#include "sim/report/whole_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

#include "tests/catch.hpp"

using namespace hotline::report;
namespace fs = std::filesystem;
using hotline::tests::contains_text;

namespace {

/// A folder of its own that goes when the test ends.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "hotline-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a file is written whole and nothing is left beside it") {
  const Folder folder;
  write_whole(folder / "out.csv", "one\n");
  write_whole(folder / "out.csv", "two\n");
  CHECK(read(folder / "out.csv") == "two\n");
  CHECK(folder.entries() == 1);
}

TEST_CASE("checking that a file can be written leaves no trace") {
  const Folder folder;
  check_can_write(folder / "out.csv");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a folder that does not exist is named with the reason") {
  const Folder folder;
  const fs::path path = folder / "missing" / "out.csv";
  CHECK_THROWS_AS(check_can_write(path), OutputError);
  try {
    write_whole(path, "text");
    FAIL("written");
  } catch (const OutputError& error) {
    CHECK(error.what() == "cannot write " + path.string() + ": No such file or directory");
  }
}

TEST_CASE("a folder cannot be written as a file") {
  const Folder folder;
  fs::create_directory(folder / "sub");
  CHECK_THROWS_WITH(write_whole(folder / "sub", "text"), contains_text("Is a directory"));
}

TEST_CASE("a device is written directly and stays what it is") {
  write_whole("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a full device gives a message") {
  if (!fs::exists("/dev/full")) return;
  CHECK_THROWS_WITH(write_whole("/dev/full", "text"), contains_text("No space left on device"));
}

TEST_CASE("a symbolic link stays a link and its target is written") {
  const Folder folder;
  fs::create_symlink(folder / "target", folder / "link");
  write_whole(folder / "target", "old");
  write_whole(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read(folder / "target") == "new");
}
