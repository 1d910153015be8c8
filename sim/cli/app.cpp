#include "sim/cli/app.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <spdlog/spdlog.h>

#include "sim/cli/command.hpp"
#include "sim/cli/log.hpp"
#include "sim/experiment/store.hpp"
#include "sim/input/diagnostics.hpp"
#include "sim/input/suggest.hpp"
#include "sim/model/plugin.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

/// The commands directly below `app`.
std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The innermost command that was recognised.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

/// Says what is wrong with the first word that nothing expected, and what it may have meant.
std::string explain_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining(true);
  const CLI::App& command = innermost(app);
  const std::string& word = extras.empty() ? std::string() : extras.front();
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    const std::string near = input::nearest(name, option_names(command));
    return "unknown option " + name + (near.empty() ? "" : "; did you mean " + near + "?");
  }
  const std::vector<std::string> commands = command_names(command);
  if (!commands.empty()) {
    return "unknown command \"" + word + "\"; " + input::suggestion(word, commands);
  }
  return "unexpected argument \"" + word + "\"";
}

int usage_error(const CLI::App& app, const std::string& message) {
  std::string called = "hotline";
  const CLI::App& command = innermost(app);
  for (const CLI::App* at = &command; at != nullptr && at != &app; at = at->get_parent()) {
    called.insert(std::string("hotline").size(), " " + at->get_name());
  }
  std::cerr << "hotline: error: " << message << "\nTry: " << called << " --help\n";
  return kWrongInput;
}

/// Parses, and leaves in `work` what is to be done; otherwise the exit code is in `exit_code`.
bool parse(CLI::App& app, int argc, const char* const* argv, int& exit_code) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success& success) {  // --help, --version
    exit_code = app.exit(success);
  } catch (const CLI::ExtrasError&) {
    exit_code = usage_error(app, explain_extras(app));
  } catch (const CLI::ParseError& error) {
    exit_code = usage_error(app, error.what());
  }
  return false;
}

int do_work(const Work& work) {
  try {
    const int exit_code = work();
    std::cout.flush();
    if (!std::cout) throw report::OutputError("cannot write to standard output");
    return exit_code;
  } catch (const input::InputError& error) {
    std::cerr << error.what();
  } catch (const report::OutputError& error) {
    std::cerr << "hotline: error: " << error.what() << "\n";
  } catch (const model::PluginError& error) {
    std::cerr << "hotline: error: " << error.what() << "\n";
  } catch (const experiment::StoreError& error) {
    std::cerr << "hotline: error: " << error.what() << "\n";
  } catch (const UserError& error) {
    std::cerr << "hotline: error: " << error.what() << "\n";
  }
  return kWrongInput;
}

void describe(CLI::App& app) {
  app.name("hotline");
  app.set_version_flag("--version", std::string("hotline ") + HOTLINE_VERSION);
  app.get_formatter()->column_width(32);
  app.footer(
      "Every command has --help with an example.\n"
      "Exit codes: 0 done, 1 the run found something (a deadlock), 2 wrong input.\n\n"
      "Example: hotline compare workloads/kernel/ipc-msg-percpu.yaml");
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  start_log();
  // A file that has reached the limit of its size is an error of the write, not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Simulates how locks, counters and cache lines behave on many cores.");
  describe(app);
  Work work;
  add_run(app, work);
  add_compare(app, work);
  add_sweep(app, work);
  add_merge(app, work);
  add_machines(app, work);
  add_models(app, work);
  add_workloads(app, work);
  add_explain(app, work);
  add_report(app, work);
  add_learn(app, work);
  add_validate(app, work);
  add_fit(app, work);
  add_sensitivity(app, work);
  add_uncertainty(app, work);
  int exit_code = kDone;
  if (!parse(app, argc, argv, exit_code)) return exit_code;
  if (!work) {
    std::cerr << app.help();
    return kWrongInput;
  }
  return do_work(work);
}

}  // namespace hotline::cli
