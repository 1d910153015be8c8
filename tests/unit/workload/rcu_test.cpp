#include <string>
#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Steps on RCU domains, deferred steps, and variables that threads share.
namespace hotline::tests {
namespace {

using workload::Ending;
using workload::Run;

constexpr std::string_view kTicking = "os: {hz: 1000, preemption: none}\n";

std::string with(const std::string& head, const std::string& steps) {
  return head + "threads:\n  w: {mode: kernel, program: [" + steps + "]}\n";
}

std::string said(const std::string& head, const std::string& steps) {
  return complaints(with(head, steps));
}

std::string failure(const std::string& text) {
  try {
    Run(scenario(text), {}).run();
    return {};
  } catch (const input::InputError& error) {
    return error.what();
  }
}

bool contains(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

TEST_CASE("a file without a domain has the kernel's") {
  const std::string text = with(std::string(kTicking),
                                "{rcu_read: {do: [{compute: 1us}]}}, {synchronize_rcu: {}}, "
                                "{synchronize_rcu_expedited: {}}, {count: done}");
  Run run(scenario(text), {});
  CHECK(run.run() == Ending::kFinished);
  CHECK(run.work({0}) == 1);
  CHECK(run.measured_to() - run.measured_from() > engine::Duration::from_ps(4'000'000'000));
}

TEST_CASE("a file with one domain means that, and with several must say which") {
  CHECK(said("objects: {d: {model: srcu}}\n", "{synchronize_rcu: {}}").empty());
  const std::string two = "objects: {d: {model: srcu}, e: {model: qsbr}}\n";
  CHECK(said(two, "{synchronize_rcu: {domain: e}}").empty());
  CHECK(contains(said(two, "{synchronize_rcu: {}}"), "there are 2 RCU domains"));
  CHECK(contains(
      said("objects: {l: {model: mcs}}\n", "{rcu_read: {domain: l, do: [{compute: 1ns}]}}"),
      "expected an RCU domain"));
}

TEST_CASE("grace periods of the kernel's need ticks, sections do not") {
  CHECK(said("", "{rcu_read: {do: [{compute: 1ns}]}}").empty());
  CHECK(contains(said("", "{synchronize_rcu: {}}"), "need ticks; give the file an \"os\" section"));
  CHECK(contains(said("os: {hz: 0}\n", "{call_rcu: {do: [{count: x}]}}"), "with hz above 0"));
}

TEST_CASE("deferred steps run after a grace period, with the variables of then") {
  const std::string text =
      "os: {hz: 1000}\nvariables: {mine: 7}\nshared: {sum: 0, length: 0}\nthreads:\n"
      "  w: {mode: kernel, program: [{loop: {times: 3, do: [{set: {length: length + 1}}, "
      "{call_rcu: {do: [{set: {sum: sum + mine, length: length - 1}}, {count: freed}]}}, "
      "{set: {mine: mine * 10}}]}}, {sleep: 20ms}, "
      "{loop: {times: sum, do: [{count: sums}]}}, {loop: {times: length, do: [{count: left}]}}]}\n";
  Run run(scenario(text), {});
  CHECK(run.run() == Ending::kFinished);
  REQUIRE(run.works() == std::vector<std::string>{"freed", "sums", "left"});
  CHECK(run.work({0}) == 3);
  CHECK(run.work({1}) == 777);
  CHECK(run.work({2}) == 0);
}

TEST_CASE("deferred steps cannot block, lock or defer") {
  for (const std::string step :
       {"{sleep: 1us}", "{with: {lock: l, do: [{compute: 1ns}]}}", "{synchronize_rcu: {}}",
        "{call_rcu: {do: [{count: x}]}}", "{wait_for: e}", "{rcu_read: {do: [{compute: 1ns}]}}"}) {
    INFO(step);
    CHECK(contains(
        said("os: {hz: 1000}\nobjects: {l: {model: mcs}}\n", "{call_rcu: {do: [" + step + "]}}"),
        "cannot be deferred"));
  }
}

TEST_CASE("a reader may not wait") {
  const std::string os = "os: {hz: 1000, preemption: full}\n";
  const auto inside = [&](const std::string& step) {
    return failure(with(os, "{rcu_read: {do: [" + step + "]}}"));
  };
  CHECK(contains(inside("{sleep: 1us}"), "waits inside a read-side section that may not block"));
  CHECK(contains(inside("{synchronize_rcu: {}}"), "may not block"));
  CHECK(contains(
      failure(with("objects: {d: {model: srcu}}\n", "{rcu_read: {do: [{synchronize_rcu: {}}]}}")),
      "waits for a grace period that waits for this reader"));
}

TEST_CASE("shared variables are one for all threads") {
  const std::string text =
      "shared: {turn: 0}\nthreads:\n"
      "  w: {count: 4, program: [{set: {turn: turn + 1}}, {compute: 1us}, "
      "{if: {condition: turn == 4, then: [{count: all}]}}]}\n";
  Run run(scenario(text), {});
  CHECK(run.run() == Ending::kFinished);
  CHECK(run.work({0}) == 4);
}

TEST_CASE("the time of a shared variable is a duration where it is one") {
  CHECK(contains(said("shared: {gap: 1us}\n", "{set: {gap: 5}}"), "the variable is a duration"));
  CHECK(contains(said("variables: {gap: 1}\nshared: {gap: 2}\n", "{compute: 1ns}"), "gap"));
}

}  // namespace
}  // namespace hotline::tests
