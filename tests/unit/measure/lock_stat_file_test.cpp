#include "sim/measure/lock_stat_file.hpp"

#include <fstream>
#include <iterator>

#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::input::Diagnostics;
using hotline::measure::LockStatClass;
using hotline::measure::LockStatFile;
using hotline::measure::parse_lock_stat;

namespace {

std::string kernel_file() {
  std::ifstream stream("tests/cases/lock_stat.txt");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The first message about a file that says `text` where the kernel's says `instead_of`.
std::string message(const std::string& instead_of, const std::string& text) {
  std::string file = kernel_file();
  const std::size_t at = file.find(instead_of);
  REQUIRE(at != std::string::npos);
  file.replace(at, instead_of.size(), text);
  Diagnostics diagnostics;
  (void)parse_lock_stat(file, "f", diagnostics);
  REQUIRE(!diagnostics.empty());
  return hotline::input::to_string(diagnostics.sorted().front());
}

}  // namespace

TEST_CASE("a kernel's lock_stat is read whole") {
  Diagnostics diagnostics;
  const LockStatFile file = parse_lock_stat(kernel_file(), "lock_stat", diagnostics);
  CHECK(diagnostics.text().empty());
  CHECK(file.version == "0.4");
  REQUIRE(file.classes.size() == 2);
  const LockStatClass& vmap = file.classes[0];
  CHECK(vmap.name == "vmap_area_lock");
  CHECK(vmap.con_bounces == 2554079);
  CHECK(vmap.contentions == 2554276);
  CHECK(vmap.wait.min == Duration::from_ps(60'000));
  CHECK(vmap.wait.total == Duration::from_ps(11'719'647'670'000));
  CHECK(vmap.acquisitions == 3005712);
  CHECK(vmap.hold.average == Duration::from_ps(1'190'000));
  REQUIRE(vmap.waiters.size() == 2);
  CHECK(vmap.waiters[0].count == 1297948);
  CHECK(vmap.waiters[0].address == "00000000a1b2c3d4");
  CHECK(vmap.waiters[0].symbol == "alloc_vmap_area+0x1c7/0x910");
  REQUIRE(vmap.holders.size() == 2);
  CHECK(vmap.holders[0].count == 1256330);
  CHECK(file.classes[1].name == "&rq->lock");
}

TEST_CASE("names of classes may hold colons, keys and sides") {
  const char* numbers = " 0 0 0.00 0.00 0.00 0.00 1 2 0.10 0.20 0.30 0.15\n";
  std::string text = "lock_stat version 0.4\n";
  for (const char* name : {"&ei->socket.wq.wait", "key#3:1", "rw-W", "rw-R"}) {
    text += std::string(name) + ":" + numbers;
  }
  text += "rw 3 [<00ff>] reader+0x1/0x2\n";
  Diagnostics diagnostics;
  const LockStatFile file = parse_lock_stat(text, "f", diagnostics);
  REQUIRE(file.classes.size() == 4);
  CHECK(file.classes[1].name == "key#3:1");
  CHECK(hotline::measure::without_side(file.classes[3].name) == "rw");
  // The point has no line of dashes above it.
  CHECK_THAT(diagnostics.text(), hotline::tests::contains_text("f:6:1: error: a contention point"));
}

TEST_CASE("what is damaged is told with line and column") {
  CHECK(message("lock_stat version 0.4", "lock_stat version 9")
            .starts_with("f:1:19: error: version \"9\" is not known"));
  CHECK(message("lock_stat version 0.4", "class")
            .starts_with("f:1:1: error: expected \"lock_stat version 0.4\", found \"class\""));
  CHECK(message("acq-bounces", "acc-bounces")
            .starts_with("f:3:135: error: expected the column acq-bounces, found \"acc-bounces\""));
  CHECK(message("2554276 ", "255x276 ")
            .starts_with("f:6:64: error: contentions: \"255x276\" is no number of times"));
  CHECK(message(" 4.59 ", "-4.59 ")
            .starts_with("f:6:126: error: waittime-avg: \"-4.59\" is no time in microseconds"));
  CHECK(message("           1.19", "")
            .starts_with("f:6:206: error: the line ends before holdtime-avg"));
  CHECK(message("1.19\n", "1.19 7\n")
            .starts_with("f:6:222: error: expected the end of the line, found \"7\""));
  CHECK(message("vmap_area_lock        1297948", "other_lock            1297948")
            .starts_with("f:8:27: error: a contention point of \"other_lock\" below the class"));
  CHECK(message(" 0.06 ", "999.06").starts_with("f:6:"));
}

TEST_CASE("a lock_stat cut off or altered at any place never crashes the parser") {
  const std::string text = kernel_file();
  for (std::size_t cut = 0; cut < text.size(); cut += 7) {
    Diagnostics diagnostics;
    CHECK_NOTHROW(parse_lock_stat(text.substr(0, cut), "f", diagnostics));
    for (const char character : {'\n', ':', '.', '-', '<', '\0', '9'}) {
      std::string altered = text;
      altered[cut] = character;
      CHECK_NOTHROW(parse_lock_stat(altered, "f", diagnostics));
    }
  }
}
