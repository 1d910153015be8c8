#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>

#include <spdlog/spdlog.h>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/sweep.hpp"
#include "sim/input/quantity.hpp"
#include "sim/report/sweep_report.hpp"
#include "sim/report/whole_file.hpp"
#ifdef HOTLINE_HAS_MPI
#include "sim/cluster/cluster.hpp"
#endif

namespace hotline::cli {

namespace {

struct SweepOptions : ScenarioOptions {
  std::vector<std::string> variants;
  std::string store = kUsualStore;
  std::string plot;
  std::string shard;
};

report::Picture picture_of(const std::string& file) {
  if (file.ends_with(".svg")) return report::Picture::kSvg;
  if (file.ends_with(".png")) return report::Picture::kPng;
  throw UserError("--plot: \"" + file + "\" ends neither in .svg nor in .png");
}

/// `2/8`: the second of eight parts.
void read_shard(const std::string& text, experiment::SweepRequest& request) {
  if (text.empty()) return;
  const std::size_t slash = text.find('/');
  const auto part = input::parse_unsigned(text.substr(0, slash)).value;
  const auto parts = slash == std::string::npos
                         ? std::nullopt
                         : input::parse_unsigned(text.substr(slash + 1)).value;
  constexpr std::uint64_t kMostShards = 1'000'000;
  if (!part || !parts || *part < 1 || *part > *parts || *parts > kMostShards) {
    throw UserError("--shard: \"" + text + "\" is no part; write I/N with I from 1 to N");
  }
  request.shard = static_cast<std::uint32_t>(*part);
  request.shards = static_cast<std::uint32_t>(*parts);
}

experiment::SweepRequest request_of(const SweepOptions& options,
                                    const workload::Workload& workload) {
  experiment::SweepRequest request = sweep_request(options);
  for (const std::string& change : options.changes) {
    request.axes.push_back(experiment::parse_axis(change, "--set"));
  }
  request.variants = options.variants;
  if (request.variants.empty()) {
    for (const workload::Variant& variant : workload.variants()) {
      request.variants.push_back(variant.name);
    }
  }
  read_shard(options.shard, request);
  return request;
}

void write_plot(const SweepOptions& options, const experiment::Sweep& sweep) {
  if (options.plot.empty()) return;
  report::write_whole(options.plot,
                      report::draw(report::sweep_chart(sweep), picture_of(options.plot)));
}

/// Reads, runs and prints: all of a sweep but where it runs.
int sweep_by(const SweepOptions& options, const Drive& drive) {
  options.check_outputs();
  if (!options.plot.empty()) {
    picture_of(options.plot);
    report::check_can_write(options.plot);
  }
  const workload::Workload workload = options.load();
  const experiment::SweepRequest request = request_of(options, workload);
  if (!options.plot.empty()) report::check_can_plot(request.axes);
  (void)options.settings({});  // complains before there is a store
  experiment::Store store(options.store);
  const experiment::Sweep result = run_sweep(workload, request, options, store, drive);
  options.write(report::sweep_document(result));
  write_plot(options, result);
  if (options.wants_text()) std::cout << report::sweep_text(result, terminal_style());
  return result.is_stuck() ? kFoundProblem : kDone;
}

#ifdef HOTLINE_HAS_MPI

/// All but the first process of an `mpirun` print nothing and need no store.
int follow(const SweepOptions& options, cluster::Cluster& cluster) {
  if (!cluster.wait_for_begin()) return kDone;
  spdlog::set_level(spdlog::level::off);
  const workload::Workload workload = options.load();
  experiment::SweepPlan plan = experiment::plan_sweep(workload, request_of(options, workload));
  const experiment::Settings settings = settings_for(plan, options);
  cluster.follow(experiment::SweepRunner(workload, std::move(plan), settings, nullptr));
  return kDone;
}

int sweep_on_cluster(const SweepOptions& options) {
  cluster::Cluster cluster;
  if (!cluster.is_first()) return follow(options, cluster);
  return sweep_by(options, [&](experiment::Schedule& schedule, experiment::SweepRunner& runner,
                               const experiment::Progress& progress) {
    try {
      cluster.lead(schedule, runner, progress);
    } catch (const cluster::RemoteError& error) {
      throw UserError(error.what());
    }
  });
}

#else

int sweep_on_cluster(const SweepOptions& /*options*/) {
  throw UserError("this hotline was built without MPI (docs/experiments.md); use --shard");
}

#endif

/// True if mpirun, or srun with an MPI, has started this process: what Open MPI, MPICH and PMIx
/// set.
bool is_in_cluster() {
  const char* const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};
  return std::any_of(std::begin(names), std::end(names),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

int sweep(const SweepOptions& options) {
  return is_in_cluster() ? sweep_on_cluster(options) : sweep_by(options, {});
}

}  // namespace

void add_sweep(CLI::App& app, Work& work) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command =
      app.add_subcommand("sweep", "Run all combinations of values, and store every result");
  options->add_to(*command);
  command->get_option("--set")
      ->description("vary what stands at PATH: a,b,c or ranges 1..8, 1..64:8, 1..160:log")
      ->type_name("PATH=VALUES");
  command
      ->add_option("--variant,--variants", options->variants,
                   "which; the first is the baseline (default: all)")
      ->delimiter(',')
      ->type_name("A,B,...");
  command->add_option("--store", options->store, "file that keeps every result (hotline.db)")
      ->type_name("FILE");
  command->add_option("--plot", options->plot, "draw the rates with their 95 % bands")
      ->type_name("FILE.svg|png");
  command->add_option("--shard", options->shard, "only part I of N, for `hotline merge`")
      ->type_name("I/N");
  command->footer(
      "A repeat takes what is stored; an interrupted sweep goes on where it was.\n\n"
      "Examples:\n"
      "  hotline sweep workloads/micro/hammer.yaml --set threads=1..160:log --precision 1% \\\n"
      "      --set machine=generic-2socket,generic-4socket --plot hammer.svg\n"
      "  hotline sweep workloads/kernel/ipc-msg-percpu.yaml --variant before,after \\\n"
      "      --set threads=1..32:8 --shard 2/4 --store part-2.db");
  command->callback([options, &work] { work = [options] { return sweep(*options); }; });
}

}  // namespace hotline::cli
