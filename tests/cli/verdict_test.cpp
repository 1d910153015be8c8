#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

std::string out_of(Words words) {
  const Finished finished = run_hotline(words);
  CAPTURE(words, finished.err);
  CHECK(finished.exit_code == 0);
  words.insert(words.end(), {"--host-threads", "1"});
  CHECK(run_hotline(words).out == finished.out);
  return finished.out;
}

std::string problem(const Words& words) {
  const Finished finished = run_hotline(words);
  CHECK(finished.exit_code == 2);
  return finished.err;
}

}  // namespace

TEST_CASE("a comparison with a precision runs until it is reached, and says what it took") {
  const std::string text =
      out_of({"compare", "tests/cli/tiny.yaml", "--precision", "4%", "--max-replications", "60"});
  CHECK_THAT(text, contains_text(" to "));
  CHECK_THAT(text, contains_text("faster, 95 %"));
  const std::string run = out_of({"run", "tests/cli/tiny.yaml", "--precision", "1%"});
  CHECK_THAT(run, contains_text("replications of 20us"));
  CHECK(run.find("\n3 replications of") == std::string::npos);
}

TEST_CASE("a verdict holds in other orders of simultaneous events, or it is told where not") {
  const std::string text = out_of({"compare", "tests/cli/tiny.yaml", "--tie-order", "shuffle"});
  CHECK_THAT(text, contains_text("Other orders of simultaneous events"));
  CHECK_THAT(text, contains_text("shuffle:"));
  CHECK_THAT(out_of({"compare", "tests/cli/tiny.yaml", "--tie-order", "shuffle", "--csv", "-"}),
             contains_text("# tie_orders"));
}

TEST_CASE("a crossover is found, fresh and from the store") {
  const TemporaryFolder folder;
  // `after` takes longer in all, but holds the lock for less: worse alone, better in company.
  std::string text = read_text("tests/cli/tiny.yaml");
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"exponential: 200ns", "exponential: think"},
           {"{hold: 40ns}", "{hold: 100ns, think: 200ns}"},
           {"{\"variables.hold\": 10ns}",
            "{\"variables.hold\": 10ns, \"variables.think\": 400ns}"}}) {
    REQUIRE(text.find(what) != std::string::npos);
    text.replace(text.find(what), what.size(), by);
  }
  const std::string found =
      out_of({"compare", folder.file("w.yaml", text), "--crossover", "threads=1..4", "--store",
              folder / "s.db", "--precision", "3%"});
  CHECK_THAT(found, contains_text("before is faster up to threads="));
  CHECK_THAT(found, contains_text("after from threads="));
  CHECK_THAT(found, contains_text("after / before"));
}

TEST_CASE("a crossover's range that is none is told") {
  const auto with = [](const std::string& range) {
    return problem({"compare", "tests/cli/tiny.yaml", "--crossover", range});
  };
  CHECK_THAT(with("thread"), contains_text("write threads, or PATH=LOW..HIGH"));
  CHECK_THAT(with("threads=4..1"), contains_text("write threads, or PATH=LOW..HIGH"));
}
