#include <array>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/cases.hpp"

// Who goes first at locks that readers share.

namespace hotline::tests {
namespace {

/// When a visitor was let in and when it left, in us.
struct Visit {
  double in = 0;
  double out = 0;
};

engine::Task<> visit(Rig& rig, std::uint32_t k, bool reads, engine::Duration arrival, Visit& log) {
  os::Thread& self = rig.thread(k);
  co_await rig.simulator().sleep(arrival);
  model::ReadToken token;
  if (reads) {
    token = co_await rig.read_write_lock().acquire_read(self);
  } else {
    co_await rig.lock().acquire(self);
  }
  log.in = static_cast<double>(rig.simulator().now().ps()) / 1e6;
  co_await self.compute(ns(5000));
  log.out = static_cast<double>(rig.simulator().now().ps()) / 1e6;
  if (reads) {
    co_await rig.read_write_lock().release_read(self, token);
  } else {
    co_await rig.lock().release(self);
  }
}

/// Three visitors, 1 us apart, stay 5 us each.
std::vector<Visit> visits(const Case& lock, std::array<bool, 3> reads) {
  Rig rig({one_socket(4), 4, lock.model, lock.params});
  std::vector<Visit> log(3);
  for (std::uint32_t k = 0; k < 3; ++k) {
    rig.simulator().spawn(visit(rig, k, reads[k], ns(1000 * k), log[k]));
  }
  rig.run();
  return log;
}

TEST_CASE("who goes first is as promised") {
  constexpr bool kReader = true;
  constexpr bool kWriter = false;
  for (const Case& each : cases()) {
    const bool is_read_write = entry(each.model).kind == model::Kind::kReadWriteLock;
    if (!is_read_write || !each.params.empty()) continue;
    INFO(each.model);
    const auto late_reader = visits(each, {kReader, kWriter, kReader});
    const auto late_writer = visits(each, {kWriter, kReader, kWriter});
    switch (entry(each.model).promises.prefers) {
      case model::Prefers::kReaders:
        CHECK(late_reader[2].in < late_reader[0].out);
        CHECK(late_reader[1].in > late_reader[2].out);
        break;
      case model::Prefers::kArrival:
        CHECK(late_reader[1].in > late_reader[0].out);
        CHECK(late_reader[2].in > late_reader[1].out);
        CHECK(late_writer[1].in > late_writer[0].out);
        CHECK(late_writer[2].in > late_writer[1].out);
        break;
      case model::Prefers::kWriters:
        CHECK(late_reader[2].in > late_reader[1].out);
        CHECK(late_writer[2].in < late_writer[1].in);
        break;
      case model::Prefers::kNobody:
        break;
    }
  }
}

TEST_CASE("in an interrupt a reader of a qrwlock passes a writer that waits") {
  const Case lock{"qrwlock", {{"context", std::string("interrupt")}}};
  const auto log = visits(lock, {true, false, true});
  CHECK(log[2].in < log[0].out);
  CHECK(log[1].in > log[2].out);
}

engine::Task<> read_for_long(Rig& rig, std::uint32_t& attempts) {
  os::Thread& self = rig.thread(0);
  for (bool again = true; again; ++attempts) {
    const model::ReadToken token = co_await rig.sequence_lock().read_begin(self);
    co_await self.compute(ns(5000));
    again = co_await rig.sequence_lock().read_retry(self, token);
  }
}

TEST_CASE("a writer of a sequence lock does not wait for readers, who then read again") {
  Rig rig({one_socket(2), 2, "seqlock"});
  std::uint32_t attempts = 0;
  Visit writer;
  rig.simulator().spawn(read_for_long(rig, attempts));
  rig.simulator().spawn(visit(rig, 1, false, ns(1000), writer));
  rig.run();
  CHECK(writer.in < 2);
  CHECK(attempts == 2);
}

}  // namespace
}  // namespace hotline::tests
