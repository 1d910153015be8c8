#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/model/describe.hpp"

namespace hotline::cli {

namespace {

struct ModelsOptions {
  std::string name;
  std::vector<std::string> libraries;
};

const char* kind_name(model::Kind kind) {
  switch (kind) {
    case model::Kind::kLock:
      return "lock";
    case model::Kind::kCounter:
      return "counter";
    case model::Kind::kReference:
      return "reference";
    case model::Kind::kLockref:
      return "lock and reference";
    case model::Kind::kReadWriteLock:
      return "rw lock";
    case model::Kind::kSequenceLock:
      return "sequence lock";
    case model::Kind::kConditionVariable:
      return "condition";
    case model::Kind::kRcu:
      return "rcu";
  }
  return "";
}

const char* who_goes_first(model::Prefers prefers) {
  switch (prefers) {
    case model::Prefers::kNobody:
      return "promises no order of readers and writers";
    case model::Prefers::kReaders:
      return "readers go first, so writers may starve";
    case model::Prefers::kWriters:
      return "writers go first, so readers may starve";
    case model::Prefers::kArrival:
      return "readers and writers wait for those before them";
  }
  return "";
}

std::string promises_of(const model::Entry& entry) {
  if (entry.kind == model::Kind::kLock) {
    return entry.promises.fifo ? "serves in the order of arrival" : "promises no order";
  }
  if (model::has_readers(entry.kind)) return who_goes_first(entry.promises.prefers);
  if (entry.kind == model::Kind::kConditionVariable) return "waits may end for no reason";
  if (entry.kind == model::Kind::kRcu) {
    return entry.promises.needs_ticks ? "needs an os section with ticks" : "needs no ticks";
  }
  return entry.promises.exact ? "loses no update" : "may lose updates";
}

void print_list(const model::Catalog& catalog, const report::Style& style) {
  report::TextTable table;
  for (const char* title : {"MODEL", "KIND", "WHAT IT IS"}) {
    table.column(title, report::Align::kLeft);
  }
  for (const model::Entry& entry : catalog.entries()) {
    table.row({std::string(entry.name), kind_name(entry.kind), std::string(entry.summary)});
  }
  std::cout << table.text(style) << "\nhotline models NAME prints a model's parameters.\n";
}

void print_model(const model::Entry& entry, const report::Style& style) {
  std::cout << style.heading(std::string(entry.name)) << ": " << kind_name(entry.kind) << ", "
            << promises_of(entry) << "\n"
            << report::wrap(std::string(entry.summary));
  const std::vector<model::ParamSpec> params = model::describe(entry);
  if (params.empty()) {
    std::cout << "It has no parameters.\n";
    return;
  }
  report::TextTable table;
  for (const char* title : {"PARAMETER", "TYPE", "DEFAULT", "BOUNDS", "WHAT IT DOES"}) {
    table.column(title, report::Align::kLeft);
  }
  for (const model::ParamSpec& param : params) {
    table.row({param.name, param.type, param.fallback, param.bounds, param.description});
  }
  std::cout << "\n" << table.text(style);
}

int show_models(const ModelsOptions& options) {
  const workload::Library library = make_library(options.libraries, "");
  if (options.name.empty()) {
    print_list(*library.models, terminal_style());
    return kDone;
  }
  const model::Entry* entry = library.models->find(options.name);
  if (entry == nullptr) {
    throw UserError(fmt::format("there is no model \"{}\"; {}", options.name,
                                library.models->suggestion(options.name)));
  }
  print_model(*entry, terminal_style());
  return kDone;
}

}  // namespace

void add_models(CLI::App& app, Work& work) {
  auto options = std::make_shared<ModelsOptions>();
  CLI::App* command = app.add_subcommand("models", "List locks and counters, or one's parameters");
  command->add_option("name", options->name, "of a model")->type_name("NAME");
  command->add_option("--models", options->libraries, "shared library with more models")
      ->type_name("FILE.so")
      ->expected(1)
      ->take_all();
  command->footer("Example: hotline models qspinlock");
  command->callback([options, &work] { work = [options] { return show_models(*options); }; });
}

}  // namespace hotline::cli
