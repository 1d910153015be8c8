#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include "sim/experiment/sweep.hpp"

namespace hotline::cluster {

/// Another process could not run a simulation; what() is its message. Exit code 2.
class RemoteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The processes that one `mpirun` has started, seen from one of them. The first of them (rank 0)
/// hands jobs out one by one, keeps the store and prints; all of them simulate, one at a time each.
/// Only the thread that made this object calls MPI.
class Cluster {
 public:
  Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  /// Releases the others, or waits to be released, whatever has happened.
  ~Cluster();

  [[nodiscard]] bool is_first() const;

  /// The first process: lets the others work through the schedule with it. Throws what the local
  /// simulations and the store throw, and RemoteError.
  void lead(experiment::Schedule& schedule, experiment::SweepRunner& runner,
            const experiment::Progress& progress);

  /// Any other: waits for the first one to have read everything. False if it has given up, which it
  /// says itself.
  [[nodiscard]] bool wait_for_begin();
  /// Any other: simulates what it is told until there is no more.
  void follow(const experiment::SweepRunner& runner);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace hotline::cluster
