#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::run_hotline;

TEST_CASE("every command has help with an example") {
  const std::vector<std::vector<std::string>> commands{{},
                                                       {"run"},
                                                       {"compare"},
                                                       {"machines"},
                                                       {"machines", "list"},
                                                       {"machines", "show"},
                                                       {"models"},
                                                       {"workloads"},
                                                       {"workloads", "list"},
                                                       {"workloads", "schema"},
                                                       {"workloads", "check"},
                                                       {"explain"},
                                                       {"explain", "transfer"},
                                                       {"explain", "grace-period"}};
  for (std::vector<std::string> command : commands) {
    CAPTURE(command);
    command.emplace_back("--help");
    const Finished finished = run_hotline(command);
    CHECK(finished.exit_code == 0);
    CHECK(finished.err.empty());
    CHECK_THAT(finished.out, contains_text("Example"));
  }
}

TEST_CASE("the top-level help lists all commands") {
  const Finished finished = run_hotline({"--help"});
  for (const char* command : {"run", "compare", "machines", "models", "workloads", "explain"}) {
    CHECK_THAT(finished.out, contains_text(std::string("\n  ") + command + " "));
  }
}

TEST_CASE("the version is printed") {
  const Finished finished = run_hotline({"--version"});
  CHECK(finished.exit_code == 0);
  CHECK(finished.out.starts_with("hotline 0."));
}

TEST_CASE("no command at all is a usage error that shows the help") {
  const Finished finished = run_hotline({});
  CHECK(finished.exit_code == 2);
  CHECK(finished.out.empty());
  CHECK_THAT(finished.err, contains_text("compare"));
}

TEST_CASE("an unknown command gets the nearest spelling") {
  const Finished finished = run_hotline({"comparr"});
  CHECK(finished.exit_code == 2);
  CHECK(finished.out.empty());
  CHECK_THAT(finished.err, contains_text("unknown command \"comparr\"; did you mean \"compare\"?"));
}

TEST_CASE("an unknown subcommand gets the nearest spelling") {
  const Finished finished = run_hotline({"workloads", "chek"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("unknown command \"chek\"; did you mean \"check\"?"));
}

TEST_CASE("an unknown option gets the nearest spelling and names the command's help") {
  const Finished finished = run_hotline({"run", "tests/cli/tiny.yaml", "--thraeds", "4"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("unknown option --thraeds; did you mean --threads?"));
  CHECK_THAT(finished.err, contains_text("Try: hotline run --help"));
}

TEST_CASE("a missing argument is a usage error") {
  CHECK(run_hotline({"run"}).exit_code == 2);
  CHECK(run_hotline({"explain", "transfer", "--machine", "hps448"}).exit_code == 2);
}

TEST_CASE("a number that is none is a usage error") {
  for (const char* number : {"0", "-1", "many", "1e3", "4294967296"}) {
    CAPTURE(number);
    CHECK(run_hotline({"run", "tests/cli/tiny.yaml", "--threads", number}).exit_code == 2);
  }
}
