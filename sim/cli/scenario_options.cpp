#include "sim/cli/scenario_options.hpp"

#include <charconv>
#include <iostream>
#include <stdexcept>

#include <spdlog/spdlog.h>

#include "models/catalog.hpp"
#include "sim/cli/log.hpp"
#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

constexpr std::uint32_t kMostReplications = 100'000;

std::uint32_t parse_replications(const std::string& text) {
  const auto number = input::parse_unsigned(text).value;
  if (number && *number >= 1 && *number <= kMostReplications) {
    return static_cast<std::uint32_t>(*number);
  }
  throw UserError("--replications: \"" + text + "\" is no number from 1 to " +
                  std::to_string(kMostReplications) + "; " +
                  (number ? "write one, or auto" : input::suggestion(text, {"auto"})));
}

/// `1%`, or nothing; `wanted` is then 1%.
std::optional<double> parse_precision(const std::optional<std::string>& text, bool wanted) {
  constexpr double kUsual = 0.01;
  if (!text) return wanted ? std::optional(kUsual) : std::nullopt;
  const auto share = input::parse_share(*text).value;
  if (share && share->of_one > 0 && share->of_one < 1) return share->of_one;
  throw UserError("--precision: \"" + *text + "\" is no share; write one such as 1% or 0.5%");
}

engine::TieOrder parse_tie_order(const std::string& text) {
  if (text == "fifo") return {};
  constexpr std::string_view kShuffle = "shuffle:";
  if (text.starts_with(kShuffle)) {
    engine::TieOrder order{true, 0};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + kShuffle.size(), end, order.seed);
    if (error == std::errc() && rest == end) return order;
  }
  throw UserError("--tie-order: \"" + text + "\" is no order; write fifo or shuffle:SEED");
}

}  // namespace

void ScenarioOptions::add_to(CLI::App& command, bool optional) {
  command.add_option("workload", file, "workload file")->required(!optional)->type_name("FILE");
  command.add_option("--set", changes, "change the workload: what stands at PATH becomes VALUE")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  command.add_option("--machine", machine, "machine by name or file")->type_name("NAME");
  command.add_option("--with", parameters, "parameter of the machine")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command.add_option("--configs", configs, "folder in which machines are looked for first")
      ->type_name("FOLDER");
  command.add_option("--models", libraries, "shared library with more models")
      ->type_name("FILE.so")
      ->expected(1)
      ->take_all();
  command.add_option("--seed", seed, "of the first replication (default: the workload's)")
      ->type_name("N");
  command
      .add_option("--replications", replications,
                  "independent runs (default: the workload's); auto: until --precision, 1% without")
      ->type_name("N|auto");
  command
      .add_option("--precision", precision,
                  "more replications until the 95 % interval of each rate is so tight, each way")
      ->type_name("PERCENT");
  command.add_option("--max-replications", max_replications, "at most, however precise (100)")
      ->check(CLI::Range(1U, kMostReplications))
      ->type_name("N");
  command.add_option("--tie-order", tie_order, "order of simultaneous events (default: fifo)")
      ->type_name("fifo|shuffle:SEED");
  command.add_flag("--no-batching", no_batching,
                   "serve waiters one by one: slower, same result, to check the simulator");
  command.add_option("--host-threads", host_threads, "simulations at a time (default: all cores)")
      ->type_name("N");
  command.add_option("--json", json, "write everything as JSON; - is standard output")
      ->type_name("FILE");
  command.add_option("--csv", csv, "write everything as CSV; - is standard output")
      ->type_name("FILE");
  command.add_flag("--quiet", quiet, "print only what was asked for: no summary, no progress");
}

workload::Library make_library(const std::vector<std::string>& plugins,
                               const std::string& configs) {
  auto models = std::make_shared<model::Catalog>(models::built_in());
  for (const std::string& plugin : plugins) {
    try {
      models->load(plugin);
    } catch (const std::invalid_argument& error) {
      throw UserError(plugin + ": " + error.what());
    }
  }
  return {std::move(models), machine::machine_folders(configs)};
}

workload::Workload ScenarioOptions::load(const std::string& path) const {
  workload::Workload workload = workload::Workload::load(path, make_library(libraries, configs));
  for (const std::string& warning : workload.warnings()) spdlog::warn("{}", warning);
  return workload;
}

workload::Overrides ScenarioOptions::overrides() const {
  workload::Overrides result;
  if (machine) result.changes.push_back({"machine", input::make_scalar(*machine, "--machine")});
  for (const std::string& parameter : parameters) {
    result.changes.push_back(workload::parse_change("machine.with." + parameter, "--with"));
  }
  for (const std::string& change : changes) {
    result.changes.push_back(workload::parse_change(change, "--set"));
  }
  return result;
}

experiment::Settings ScenarioOptions::settings(const workload::MeasureSpec& measure) const {
  experiment::Settings result;
  result.seed = seed.value_or(measure.seed);
  result.replications = measure.replications;
  result.max_replications = max_replications;
  result.precision = parse_precision(precision, replications == "auto");
  if (replications && replications != "auto") {
    result.replications = parse_replications(*replications);
  }
  result.tie_order = parse_tie_order(tie_order);
  result.batching = !no_batching;
  result.host_threads = host_threads;
  return result;
}

std::string ScenarioOptions::takes_stdout() const {
  if (json == "-") return "--json";
  return csv == "-" ? "--csv" : "";
}

void ScenarioOptions::check_outputs() const {
  for (const std::string* path : {&json, &csv}) {
    if (!path->empty() && *path != "-") report::check_can_write(*path);
  }
  if (json == "-" && csv == "-") {
    throw UserError("--json - and --csv - cannot both go to standard output");
  }
}

void ScenarioOptions::write(const report::Document& document) const {
  if (!json.empty()) write_output(json, report::to_json(document));
  if (!csv.empty()) write_output(csv, report::to_csv(document));
}

void write_output(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
  } else {
    report::write_whole(path, text);
  }
}

}  // namespace hotline::cli
