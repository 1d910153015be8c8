#include <string>

#include <boost/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::TemporaryFolder;

namespace {

/// tiny.yaml with what follows `published:` replaced.
std::string tiny(const std::string& name, const std::string& published) {
  std::string text = read_text("tests/cli/tiny.yaml");
  text.replace(text.find("name: tiny"), 10, "name: " + name);
  const std::size_t begin = text.find("published:");
  return text.replace(begin, text.find("variables:") - begin, published);
}

const char* const kLockFigure =
    "published:\n  - {name: util, variant: after, quantity: {lock: gate, column: utilisation}, "
    "value: 90, at: {threads: 4}, source: made up}\n";

}  // namespace

TEST_CASE("all workloads of a folder come in one table, those without figures left out") {
  const TemporaryFolder folder;
  (void)folder.file("b.yaml", tiny("second", kLockFigure));
  (void)folder.file("a.yaml", read_text("tests/cli/tiny.yaml"));
  (void)folder.file("c.yaml", tiny("third", ""));
  (void)folder.file("notes.txt", "no workload");
  const std::string path = (folder / "").string();
  const Finished text = run_hotline({"compare", "--all", path});
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.out, contains_text("\ntiny\n  made up, after / before at 4 threads"));
  CHECK_THAT(text.out, contains_text("\nsecond\n  util, after at 4 threads"));
  CHECK(text.out.find("tiny") < text.out.find("second"));
  CHECK_THAT(text.out, !contains_text("third"));

  const Finished json = run_hotline({"compare", "--all", path, "--json", "-"});
  const auto root = boost::json::parse(json.out);
  const auto& rows = root.at("tables").at("published").at("rows").as_array();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("scenario") == "tiny");
  CHECK(rows[1].at("unit") == "%");
  CHECK(rows[1].at("simulated").to_number<double>() > 0);
}

TEST_CASE("a prediction beyond what is asked for makes the exit code 1") {
  const TemporaryFolder folder;
  (void)folder.file("b.yaml", tiny("second", kLockFigure));
  const std::string path = (folder / "").string();
  const Finished far = run_hotline({"compare", "--all", path, "--within", "5"});
  CHECK(far.exit_code == 1);
  CHECK_THAT(far.out, contains_text("! 1 prediction farther than 5%"));
  const Finished near = run_hotline({"compare", "--all", path, "--within", "99"});
  CHECK(near.exit_code == 0);
  CHECK_THAT(near.out, contains_text("! 0 predictions"));
}

TEST_CASE("what compare cannot do with a folder is wrong input") {
  const TemporaryFolder folder;
  const std::string path = (folder / "").string();
  CHECK_THAT(run_hotline({"compare", "--all", path}).err, contains_text("has published figures"));
  const Finished missing = run_hotline({"compare", "--all", "no/such/folder"});
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.err, contains_text("cannot read folder no/such/folder"));
  CHECK(run_hotline({"compare"}).exit_code == 2);
  CHECK(run_hotline({"compare", "tests/cli/tiny.yaml", "--all", path}).exit_code == 2);
  CHECK(run_hotline({"compare", "tests/cli/tiny.yaml", "--within", "5"}).exit_code == 2);
  (void)folder.file("a.yaml", "machine: nowhere\n");
  CHECK(run_hotline({"compare", "--all", path}).exit_code == 2);
}
