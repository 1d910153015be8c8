#pragma once

#include <functional>
#include <stdexcept>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace hotline::cli {

/// Exit codes of the program; an abort is a bug of the program itself.
inline constexpr int kDone = 0;
inline constexpr int kFoundProblem = 1;  ///< the run found something, such as a deadlock
inline constexpr int kWrongInput = 2;    ///< what the user wrote or asked for cannot be used

/// The user asked for what does not exist or cannot be; what() says so. Ends with kWrongInput.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What the command line asked for; returns an exit code.
using Work = std::function<int()>;

// Each adds its command to `app`; when the command line names it, `work` becomes what it asks for.
void add_run(CLI::App& app, Work& work);
void add_compare(CLI::App& app, Work& work);
void add_sweep(CLI::App& app, Work& work);
void add_merge(CLI::App& app, Work& work);
void add_machines(CLI::App& app, Work& work);
void add_models(CLI::App& app, Work& work);
void add_workloads(CLI::App& app, Work& work);
void add_explain(CLI::App& app, Work& work);
/// What `explain` does with a workload; `command` is explain itself.
void add_explain_stretch(CLI::App& command, Work& work);
void add_learn(CLI::App& app, Work& work);
void add_report(CLI::App& app, Work& work);
void add_validate(CLI::App& app, Work& work);
void add_fit(CLI::App& app, Work& work);
void add_sensitivity(CLI::App& app, Work& work);
void add_uncertainty(CLI::App& app, Work& work);

}  // namespace hotline::cli
