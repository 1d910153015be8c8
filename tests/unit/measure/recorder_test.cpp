#include "sim/measure/recorder.hpp"

#include "sim/measure/lock_stats.hpp"
#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::engine::SimTime;
using hotline::measure::LockCounts;
using hotline::measure::Recorder;
using hotline::workload::CallSiteId;
using hotline::workload::LockId;
using hotline::workload::ThreadId;

namespace {

SimTime at(std::uint64_t ps) { return SimTime::from_ps(ps); }
Duration ps(std::uint64_t length) { return Duration::from_ps(length); }

constexpr ThreadId kAlice{0};
constexpr ThreadId kBob{1};
constexpr LockId kLock{0};
constexpr LockId kOther{1};
constexpr CallSiteId kSite{0};
constexpr CallSiteId kElsewhere{1};

/// Begin, possession and release of one acquisition.
void acquire(Recorder& recorder, ThreadId thread, LockId lock, CallSiteId site, std::uint64_t begin,
             std::uint64_t has, std::uint64_t release) {
  recorder.acquire_began(thread, lock, site, at(begin));
  recorder.acquired(thread, lock, site, has != begin, at(has));
  recorder.release_began(thread, lock, at(release));
  recorder.released(thread, lock, at(release + 1));
}

}  // namespace

TEST_CASE("waits and holds are counted by lock and call site") {
  Recorder recorder;
  recorder.measurement_began(at(0));
  acquire(recorder, kAlice, kLock, kSite, 100, 100, 150);
  acquire(recorder, kBob, kLock, kSite, 110, 160, 190);
  acquire(recorder, kAlice, kLock, kElsewhere, 200, 200, 210);
  recorder.measurement_ended(at(1000));

  REQUIRE(recorder.locks().size() == 2);
  const LockCounts& here = recorder.locks().at({kLock, kSite});
  CHECK(here.total == 2);
  CHECK(here.waited == 1);
  CHECK(here.wait.sum() == ps(50));
  CHECK(here.wait.count() == 1);
  CHECK(here.hold.sum() == ps(50 + 30));
  CHECK(here.held == ps(80));
  CHECK(here.waiting == ps(50));
  CHECK(recorder.locks().at({kLock, kElsewhere}).total == 1);
}

TEST_CASE("what happens in the warm-up is not counted") {
  Recorder recorder;
  acquire(recorder, kAlice, kLock, kSite, 10, 20, 30);
  recorder.measurement_began(at(100));
  recorder.measurement_ended(at(200));
  CHECK(recorder.locks().empty());
}

TEST_CASE("an acquisition across the beginning counts from there in the time held and waited") {
  Recorder recorder;
  recorder.acquire_began(kAlice, kLock, kSite, at(10));
  recorder.acquired(kAlice, kLock, kSite, false, at(10));
  recorder.acquire_began(kBob, kLock, kSite, at(20));
  recorder.measurement_began(at(100));
  recorder.release_began(kAlice, kLock, at(140));
  recorder.acquired(kBob, kLock, kSite, true, at(150));
  recorder.release_began(kBob, kLock, at(170));
  recorder.measurement_ended(at(200));

  const LockCounts& counts = recorder.locks().at({kLock, kSite});
  CHECK(counts.total == 1);
  CHECK(counts.held == ps(40 + 20));
  CHECK(counts.waiting == ps(50));
  CHECK(counts.wait.max() == ps(130));
  CHECK(counts.hold.max() == ps(130));
}

TEST_CASE("who still waits or holds at the end counts up to there") {
  Recorder recorder;
  recorder.measurement_began(at(0));
  recorder.acquire_began(kAlice, kLock, kSite, at(10));
  recorder.acquired(kAlice, kLock, kSite, false, at(10));
  recorder.acquire_began(kBob, kLock, kSite, at(20));
  recorder.measurement_ended(at(100));

  const LockCounts& counts = recorder.locks().at({kLock, kSite});
  CHECK(counts.total == 1);
  CHECK(counts.held == ps(90));
  CHECK(counts.waiting == ps(80));
  CHECK(counts.hold.count() == 0);
}

TEST_CASE("nested locks may be released in any order") {
  Recorder recorder;
  recorder.measurement_began(at(0));
  recorder.acquire_began(kAlice, kLock, kSite, at(0));
  recorder.acquired(kAlice, kLock, kSite, false, at(0));
  recorder.acquire_began(kAlice, kOther, kSite, at(10));
  recorder.acquired(kAlice, kOther, kSite, false, at(10));
  recorder.release_began(kAlice, kLock, at(30));
  recorder.release_began(kAlice, kOther, at(70));
  recorder.measurement_ended(at(100));
  CHECK(recorder.locks().at({kLock, kSite}).held == ps(30));
  CHECK(recorder.locks().at({kOther, kSite}).held == ps(60));
}

TEST_CASE("readers hold at the same time, and a section that is begun anew is held all along") {
  Recorder recorder;
  recorder.measurement_began(at(0));
  recorder.acquire_began(kAlice, kLock, kSite, at(10));
  recorder.acquired(kAlice, kLock, kSite, false, at(20));
  recorder.acquire_began(kBob, kLock, kSite, at(15));
  recorder.acquired(kBob, kLock, kSite, false, at(25));
  recorder.read_repeated(kAlice, kLock, at(50));
  recorder.release_began(kBob, kLock, at(75));
  recorder.release_began(kAlice, kLock, at(80));
  recorder.read_repeated(kAlice, kLock, at(90));  // of nothing it holds
  recorder.measurement_ended(at(100));
  const LockCounts& counts = recorder.locks().at({kLock, kSite});
  CHECK(counts.total == 2);
  CHECK(counts.repeated == 1);
  CHECK(counts.held == ps(50 + 60));
  CHECK(counts.hold.max() == ps(60));
}

TEST_CASE("bounces are acquisitions of a lock that was taken last on another CPU") {
  Recorder recorder;  // without a run each thread has a CPU of its own
  recorder.measurement_began(at(0));
  acquire(recorder, kAlice, kLock, kSite, 0, 0, 10);         // nobody had it before
  acquire(recorder, kAlice, kLock, kSite, 20, 20, 30);       // the same CPU
  acquire(recorder, kBob, kLock, kElsewhere, 40, 40, 50);    // bounces
  acquire(recorder, kBob, kLock, kElsewhere, 60, 65, 70);    // waits, but not for another CPU's
  acquire(recorder, kAlice, kLock, kElsewhere, 62, 75, 80);  // waits for Bob's and bounces
  recorder.measurement_ended(at(1000));
  const LockCounts& here = recorder.locks().at({kLock, kSite});
  CHECK(here.acq_bounces == 0);
  CHECK(here.con_bounces == 0);
  CHECK(here.kept_out == 0);
  const LockCounts& elsewhere = recorder.locks().at({kLock, kElsewhere});
  CHECK(elsewhere.acq_bounces == 2);
  CHECK(elsewhere.con_bounces == 1);
  CHECK(elsewhere.kept_out == 2);
  CHECK(recorder.waits_of(kAlice).count == 1);
  CHECK(recorder.waits_of(kAlice).total == ps(13));
  CHECK(recorder.waits_of(kBob).max == ps(5));
}
