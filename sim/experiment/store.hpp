#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/experiment/sample.hpp"

namespace hotline::experiment {

/// A store cannot be used; what() names it, says why, what is safe and what to do. Exit code 2.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The version with a digest of the sources: results of equal versions are equal.
[[nodiscard]] std::string_view simulator_version();

/// A name of 128 bits made from a text (RFC 4122, version 5: SHA-1): equal for equal texts.
[[nodiscard]] std::string digest(std::string_view text);

/// What a sample is the result of.
struct SampleKey {
  std::string inputs;      ///< digest of everything but what follows, and the simulator's version
  std::uint64_t seed = 0;  ///< of the replication
  engine::TieOrder tie_order;
  bool batching = true;
};

/// What a person sees in a store beside keys and results.
struct SampleLabels {
  std::string workload;
  std::string variant;
  std::string changes;  ///< "threads=4 hold=10ns"
};

/// Whose it is to make a sample.
struct Reservation {
  std::optional<Sample> sample;  ///< it is there already
  bool is_ours = false;          ///< else: true if this process is to simulate it now
};

/// Samples in one SQLite file (docs/experiments.md has its columns). Any number of threads and
/// processes of one host may use it at once. What put() has returned from outlives the process,
/// however that ends; after a loss of power the last few samples may be missing. Everything throws
/// StoreError.
class Store {
 public:
  /// Opens a store; makes it if there is none.
  explicit Store(const std::filesystem::path& path);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  [[nodiscard]] std::optional<Sample> find(const SampleKey& key);
  /// All of them in one transaction.
  [[nodiscard]] std::vector<std::optional<Sample>> find(std::span<const SampleKey> keys);
  /// Claims what is not there for this process, unless another that lives has claimed it: that one
  /// will put it, or end. What a process that has ended has claimed is free, however it ended.
  [[nodiscard]] Reservation reserve(const SampleKey& key);
  void put(const SampleKey& key, const SampleLabels& labels, const Sample& sample);
  /// Takes over what another store has and this one has not, all or nothing; returns how many.
  std::uint64_t merge(const std::filesystem::path& other);
  [[nodiscard]] std::uint64_t size();

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace hotline::experiment
