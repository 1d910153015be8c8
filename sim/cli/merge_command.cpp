#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/experiment/store.hpp"

namespace hotline::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> stores;
  std::string output;
};

int merge(const MergeOptions& options) {
  for (const std::string& store : options.stores) {
    if (!std::filesystem::exists(store)) throw UserError("there is no store " + store);
  }
  experiment::Store output(options.output);
  for (const std::string& store : options.stores) {
    std::cout << output.merge(store) << " new samples from " << store << "\n";
  }
  std::cout << output.size() << " samples in " << options.output << "\n";
  return kDone;
}

}  // namespace

void add_merge(CLI::App& app, Work& work) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = app.add_subcommand("merge", "Put the results of several stores into one");
  command->add_option("stores", options->stores, "stores of `hotline sweep --shard`")
      ->required()
      ->type_name("STORE");
  command->add_option("-o,--output", options->output, "where they go; may have samples already")
      ->required()
      ->type_name("STORE");
  command->footer("Example:\n  hotline merge shard-1.db shard-2.db shard-3.db -o all.db");
  command->callback([options, &work] { work = [options] { return merge(*options); }; });
}

}  // namespace hotline::cli
