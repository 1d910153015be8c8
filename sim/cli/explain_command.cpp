#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/command.hpp"
#include "sim/cli/machine_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/grace_period.hpp"
#include "sim/report/grace_period_report.hpp"
#include "sim/report/machine_report.hpp"

namespace hotline::cli {

namespace {

struct TransferOptions {
  MachineOptions machine;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::optional<std::uint32_t> home;
};

void check_below(const char* option, std::uint32_t value, std::uint32_t limit, const char* what) {
  if (value < limit) return;
  throw UserError(
      fmt::format("{} {}: the machine's {} are numbered 0 to {}", option, value, what, limit - 1));
}

int explain_transfer(const TransferOptions& options) {
  const machine::MachineFile file = options.machine.read();
  const machine::Topology topology(file.description);
  check_below("--from", options.from, topology.cpus(), "CPUs");
  check_below("--to", options.to, topology.cpus(), "CPUs");
  const machine::CpuId from{options.from};
  const machine::CpuId to{options.to};
  machine::NodeId home = topology.node_of(topology.core_of(from));
  if (options.home) {
    check_below("--home", *options.home, topology.nodes(), "NUMA nodes");
    home = {*options.home};
  }
  std::cout << report::transfer_text(topology, from, to, home, terminal_style());
  return kDone;
}

struct GracePeriodOptions {
  MachineOptions machine;
  std::uint32_t hz = os::linux_defaults().hz;
  std::string preemption = "none";
  experiment::GracePeriodSetup setup;
};

int explain_grace_period(const GracePeriodOptions& options) {
  const machine::MachineFile file = options.machine.read();
  const machine::Topology topology(file.description);
  experiment::GracePeriodSetup setup = options.setup;
  if (setup.callers > topology.cpus() || setup.busy > topology.cpus() - setup.callers) {
    throw UserError(fmt::format("--callers {} and --busy {}: the machine has {} CPUs",
                                setup.callers, setup.busy, topology.cpus()));
  }
  setup.os = os::linux_defaults();
  setup.os.hz = options.hz;
  const auto* const chosen = std::find(std::begin(os::kPreemptionNames),
                                       std::end(os::kPreemptionNames), options.preemption);
  setup.os.preemption =
      static_cast<os::Preemption>(std::distance(std::begin(os::kPreemptionNames), chosen));
  const experiment::GracePeriodTimeline timeline = experiment::trace_grace_period(topology, setup);
  std::cout << report::grace_period_text(topology, setup, timeline, terminal_style());
  return timeline.over ? kDone : kFoundProblem;
}

void add_grace_period(CLI::App& explain, Work& work) {
  auto options = std::make_shared<GracePeriodOptions>();
  CLI::App* command = explain.add_subcommand(
      "grace-period", "The timeline of a grace period of the kernel's RCU (docs/rcu.md)");
  command->add_option("--machine", options->machine.name, "machine by name or file")
      ->required()
      ->type_name("NAME");
  options->machine.add_parameters_to(*command);
  command->add_option("--hz", options->hz, "ticks a second (250)")
      ->check(CLI::Range(1U, 10'000U))
      ->type_name("HZ");
  command->add_option("--preemption", options->preemption, "none, voluntary, full or rt (none)")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(os::kPreemptionNames),
                                                     std::end(os::kPreemptionNames))))
      ->type_name("MODEL");
  command->add_flag("--expedited", options->setup.expedited,
                    "synchronize_rcu_expedited() instead of synchronize_rcu()");
  command->add_option("--callers", options->setup.callers, "so many callers at once (1)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->type_name("N");
  command->add_option("--busy", options->setup.busy, "so many more CPUs compute (0)")
      ->type_name("N");
  command->add_flag("--kernel", options->setup.in_kernel, "they compute in the kernel");
  command->add_flag("--details", options->setup.details, "each CPU of an expedited grace period");
  command->add_option("--seed", options->setup.seed, "of the ticks' phases and the request's (1)")
      ->type_name("SEED");
  command->footer(
      "Example: hotline explain grace-period --machine skylake-client-4c --hz 1000 --busy 2");
  command->callback(
      [options, &work] { work = [options] { return explain_grace_period(*options); }; });
}

}  // namespace

void add_explain(CLI::App& app, Work& work) {
  CLI::App* command =
      app.add_subcommand("explain", "Tell a stretch of a run step by step, or explain a latency");
  command->require_subcommand(0, 1);
  command->footer(
      "Examples:\n"
      "  hotline explain workloads/micro/hammer.yaml --threads 3 --from 1us --to 1.2us\n"
      "  hotline explain transfer --machine hps448 --from 3 --to 41");
  add_explain_stretch(*command, work);
  auto options = std::make_shared<TransferOptions>();
  CLI::App* transfer =
      command->add_subcommand("transfer", "One transfer of a line as the sum of its legs");
  transfer->add_option("--machine", options->machine.name, "machine by name or file")
      ->required()
      ->type_name("NAME");
  options->machine.add_parameters_to(*transfer);
  transfer->add_option("--from", options->from, "CPU that holds the line modified")
      ->required()
      ->type_name("CPU");
  transfer->add_option("--to", options->to, "CPU that takes it")->required()->type_name("CPU");
  transfer->add_option("--home", options->home, "NUMA node of its memory (default: --from's)")
      ->type_name("NODE");
  transfer->footer("Example: hotline explain transfer --machine hps448 --from 3 --to 41 --home 0");
  transfer->callback([options, &work] { work = [options] { return explain_transfer(*options); }; });
  add_grace_period(*command, work);
}

}  // namespace hotline::cli
