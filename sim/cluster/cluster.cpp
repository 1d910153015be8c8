#include "sim/cluster/cluster.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/string.hpp>

namespace mpi = boost::mpi;

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, hotline::engine::Duration& duration, unsigned /*version*/) {
  std::uint64_t ps = duration.ps();
  archive& ps;
  duration = hotline::engine::Duration::from_ps(ps);
}

template <class Archive>
void serialize(Archive& archive, hotline::experiment::Job& job, unsigned /*version*/) {
  archive& job.item& job.replication;
}

template <class Archive>
void serialize(Archive& archive, hotline::experiment::Sample& sample, unsigned /*version*/) {
  archive& sample.machine& sample.threads& sample.cpus& sample.length& sample.work& sample.count;
  archive& sample.halves.first& sample.halves.second& sample.jain& sample.min_over_max;
  for (hotline::engine::Duration& account : sample.accounts) archive& account;
  archive& sample.hottest_line& sample.hottest_stalled& sample.events& sample.fingerprint;
  archive& sample.stuck;
}

}  // namespace boost::serialization

namespace hotline::cluster {

using experiment::Job;
using experiment::Sample;
using experiment::Schedule;
using experiment::SweepRunner;

namespace {

constexpr int kFirst = 0;
/// How long the first process sleeps when no message has come: its core is for simulations.
constexpr auto kNap = std::chrono::microseconds(300);

/// What messages mean.
enum Tag : int {
  kBegin,  ///< first to others: everything is read and right
  kReady,  ///< to the first: give me a job
  kWork,   ///< first to others: a job
  kDone,   ///< to the first: its sample; also asks for the next
  kFault,  ///< to the first: why there is none
  kEnd,    ///< first to others: there are no more jobs
};

/// A job's answer.
struct Delivery {
  Job job;
  Sample sample;

  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    archive& job& sample;
  }
};

}  // namespace

struct Cluster::Connection {
  mpi::environment environment{mpi::threading::funneled, false};
  mpi::communicator world;
  bool has_ended = false;  ///< kEnd is sent or received
};

namespace {

/// The first process at work: its own simulations run in a second thread.
class Leader {
 public:
  Leader(const mpi::communicator& world, Schedule& schedule, SweepRunner& runner,
         const experiment::Progress& progress)
      : world_(world), schedule_(schedule), runner_(runner), progress_(progress) {}

  void lead() {
    std::thread own([this] { simulate(); });
    {
      std::unique_lock lock(mutex_);
      while (!is_over()) {
        attempt([&] { hand_out(); });
        if (is_over()) break;
        lock.unlock();
        const auto message = world_.iprobe(mpi::any_source, mpi::any_tag);
        if (!message) std::this_thread::sleep_for(kNap);
        lock.lock();
        if (message) receive(*message);
      }
    }
    changed_.notify_all();
    own.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// All is done; or something has failed, and nobody else is at work any more.
  [[nodiscard]] bool is_over() const { return failure_ ? away_ == 0 : schedule_.is_done(); }

  template <class Work>
  void attempt(Work work) {
    try {
      work();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void finish(Job job, double rate) {
    schedule_.finish(job, rate);
    if (progress_) progress_(schedule_.finished(), schedule_.planned());
    changed_.notify_all();
  }

  /// The next job that is neither in the store nor another's.
  std::optional<Job> next() {
    while (!failure_) {
      const std::optional<Job> job = schedule_.take();
      if (!job) return std::nullopt;
      const SweepRunner::Turn turn = runner_.reserve(*job);
      if (turn.is_ours) return job;
      if (turn.rate) {
        finish(*job, *turn.rate);
      } else {
        schedule_.postpone(*job);
      }
    }
    return std::nullopt;
  }

  void hand_out() {
    while (!idle_.empty()) {
      const std::optional<Job> job = next();
      if (!job) return;
      world_.send(idle_.front(), kWork, *job);
      idle_.pop_front();
      ++away_;
    }
  }

  void receive(const mpi::status& message) {
    const int from = message.source();
    if (message.tag() == kReady) {
      world_.recv(from, kReady);
      idle_.push_back(from);
    } else if (message.tag() == kDone) {
      Delivery delivery;
      world_.recv(from, kDone, delivery);
      --away_;
      idle_.push_back(from);
      attempt([&] { finish(delivery.job, runner_.keep(delivery.job, delivery.sample)); });
    } else {
      std::string why;
      world_.recv(from, kFault, why);
      --away_;
      attempt([&] { throw RemoteError(why); });
    }
  }

  void simulate() {
    std::unique_lock lock(mutex_);
    while (!failure_) {
      std::optional<Job> job;
      attempt([&] { job = next(); });
      if (!job) {
        if (failure_ || schedule_.is_done()) return;
        changed_.wait_for(lock, experiment::kLookAgain);
        schedule_.come_back();
        continue;
      }
      lock.unlock();
      std::optional<Sample> sample;
      std::exception_ptr failure;
      try {
        sample = runner_.run(*job);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      attempt([&] {
        if (failure) std::rethrow_exception(failure);
        finish(*job, runner_.keep(*job, *sample));
      });
    }
  }

  const mpi::communicator& world_;
  Schedule& schedule_;
  SweepRunner& runner_;
  const experiment::Progress& progress_;
  std::mutex mutex_;  // of everything below, and of the schedule
  std::condition_variable changed_;
  std::deque<int> idle_;  // others that wait for a job
  std::size_t away_ = 0;  // jobs that others have
  std::exception_ptr failure_;
};

}  // namespace

Cluster::Cluster() : connection_(std::make_unique<Connection>()) {}

Cluster::~Cluster() {
  mpi::communicator& world = connection_->world;
  if (connection_->has_ended) return;
  if (is_first()) {
    for (int other = 1; other < world.size(); ++other) world.send(other, kEnd);
    return;
  }
  // Nothing but the end is of interest any more.
  for (auto message = world.probe(kFirst, mpi::any_tag); message.tag() != kEnd;
       message = world.probe(kFirst, mpi::any_tag)) {
    world.recv(kFirst, message.tag());
  }
  world.recv(kFirst, kEnd);
}

bool Cluster::is_first() const { return connection_->world.rank() == kFirst; }

void Cluster::lead(Schedule& schedule, SweepRunner& runner, const experiment::Progress& progress) {
  const mpi::communicator& world = connection_->world;
  for (int other = 1; other < world.size(); ++other) world.send(other, kBegin);
  Leader(world, schedule, runner, progress).lead();
}

bool Cluster::wait_for_begin() {
  const mpi::communicator& world = connection_->world;
  const mpi::status message = world.probe(kFirst, mpi::any_tag);
  world.recv(kFirst, message.tag());
  connection_->has_ended = message.tag() == kEnd;
  return message.tag() == kBegin;
}

void Cluster::follow(const SweepRunner& runner) {
  const mpi::communicator& world = connection_->world;
  world.send(kFirst, kReady);
  while (true) {
    const mpi::status message = world.probe(kFirst, mpi::any_tag);
    if (message.tag() == kEnd) return;  // which the destructor receives
    Delivery delivery;
    world.recv(kFirst, kWork, delivery.job);
    try {
      delivery.sample = runner.run(delivery.job);
    } catch (const std::exception& error) {
      world.send(kFirst, kFault, std::string(error.what()));
      return;
    }
    world.send(kFirst, kDone, delivery);
  }
}

}  // namespace hotline::cluster
