#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "sim/cli/command.hpp"
#include "sim/cli/machine_options.hpp"
#include "sim/cli/terminal.hpp"
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

}  // namespace

void add_explain(CLI::App& app, Work& work) {
  CLI::App* command = app.add_subcommand("explain", "Explain where a latency comes from");
  command->require_subcommand(1);
  command->footer("Example: hotline explain transfer --machine hps448 --from 3 --to 41");
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
}

}  // namespace hotline::cli
