#include "sim/experiment/store.hpp"

#include <fstream>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>

#include "sim/experiment/owner.hpp"
#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using namespace hotline;
using experiment::Sample;
using experiment::SampleKey;
using experiment::Store;
using experiment::StoreError;
using tests::contains_text;
using tests::TemporaryFolder;

namespace {

Sample sample(std::uint64_t count) {
  Sample result;
  result.machine = "generic";
  result.threads = 4;
  result.cpus = 3;
  result.length = engine::Duration::from_ps(123'456'789'012);
  result.work = "rounds";
  result.count = count;
  result.halves = {count / 2, count - count / 2};
  result.jain = 1.0 / 3.0;
  result.min_over_max = 0.1;
  for (std::size_t a = 0; a < os::kAccounts; ++a) {
    result.accounts[a] = engine::Duration::from_ps(a + count);
  }
  result.hottest_line = "a line, with \"quotes\" and 'more'";
  result.hottest_stalled = engine::Duration::from_ps(7);
  result.events = 99;
  result.fingerprint = 0xfedcba9876543210U;  // beyond what a signed integer holds
  result.stuck = "first\nsecond";
  return result;
}

SampleKey key(std::uint64_t seed) { return {experiment::digest("inputs"), seed, {}, true}; }

const experiment::SampleLabels kLabels{"w", "before", "threads=4"};

std::string problem(const std::filesystem::path& path) {
  try {
    const Store store(path);
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a sample comes back from a store as it went in, also in another process' life") {
  const TemporaryFolder folder;
  {
    Store store(folder / "s.db");
    CHECK_FALSE(store.find(key(1)));
    store.put(key(1), kLabels, sample(10));
    CHECK(store.find(key(1)) == sample(10));
  }
  Store store(folder / "s.db");
  CHECK(store.find(key(1)) == sample(10));
  CHECK(store.size() == 1);
}

TEST_CASE("inputs, seed, order of events and batching each make another key") {
  const TemporaryFolder folder;
  Store store(folder / "s.db");
  store.put(key(1), kLabels, sample(1));
  SampleKey other = key(1);
  other.inputs = experiment::digest("other inputs");
  CHECK_FALSE(store.find(other));
  other = key(1);
  other.tie_order = {true, 1};
  CHECK_FALSE(store.find(other));
  other = key(1);
  other.batching = false;
  CHECK_FALSE(store.find(other));
  CHECK_FALSE(store.find(key(2)));
  CHECK(store.find(key(1)));
}

TEST_CASE("what another version of the simulator has stored is not taken up") {
  const TemporaryFolder folder;
  {
    Store store(folder / "s.db");
    store.put(key(1), kLabels, sample(1));
  }
  {
    SQLite::Database database((folder / "s.db").string(), SQLite::OPEN_READWRITE);
    CHECK(database.exec("UPDATE samples SET version = '0.0.1'") == 1);
  }
  Store store(folder / "s.db");
  CHECK_FALSE(store.find(key(1)));
  CHECK(store.size() == 1);
}

TEST_CASE("several users of one store lose nothing") {
  const TemporaryFolder folder;
  constexpr std::uint64_t kEach = 200;
  std::vector<std::thread> users;
  for (std::uint64_t user = 0; user < 3; ++user) {
    users.emplace_back([&, user] {
      Store store(folder / "s.db");
      for (std::uint64_t i = 0; i < kEach; ++i) {
        store.put(key(user * kEach / 2 + i), kLabels, sample(i));
      }
    });
  }
  for (std::thread& user : users) user.join();
  Store store(folder / "s.db");
  CHECK(store.size() == 2 * kEach);  // the users' ranges overlap by half
}

TEST_CASE("a sample is reserved for this process until it is put") {
  const TemporaryFolder folder;
  Store store(folder / "s.db");
  const auto first = store.reserve(key(1));
  CHECK(first.is_ours);
  CHECK_FALSE(first.sample);
  store.put(key(1), kLabels, sample(1));
  const auto later = store.reserve(key(1));
  CHECK_FALSE(later.is_ours);
  CHECK(later.sample == sample(1));
}

TEST_CASE("what another process has reserved is not ours while it lives") {
  const TemporaryFolder folder;
  Store store(folder / "s.db");
  CHECK(store.reserve(key(1)).is_ours);
  SQLite::Database database((folder / "s.db").string(), SQLite::OPEN_READWRITE);
  const auto set_owner = [&](const std::string& owner) {
    SQLite::Statement statement(database, "UPDATE claims SET owner = ?");
    statement.bind(1, owner);
    CHECK(statement.exec() == 1);
  };
  const tests::Running other({"sleep", "600"});
  const std::string alive = experiment::owner_of(other.process());
  REQUIRE_FALSE(alive.empty());
  set_owner(alive);
  CHECK_FALSE(store.reserve(key(1)).is_ours);
  set_owner(alive + "0");  // its number, used again later
  CHECK(store.reserve(key(1)).is_ours);
  set_owner("another host 1 1");
  CHECK(store.reserve(key(1)).is_ours);
}

TEST_CASE("a process lives until it ends, whether or not its parent has noticed") {
  tests::Running other({"sleep", "600"});
  const std::string owner = experiment::owner_of(other.process());
  CHECK(experiment::is_alive(owner));
  CHECK(experiment::is_alive(experiment::this_owner()));
  other.kill();
  while (experiment::is_alive(owner)) {  // the signal is on its way
  }
  other.wait();
  CHECK_FALSE(experiment::is_alive(owner));
  CHECK_FALSE(experiment::is_alive(""));
}

TEST_CASE("merging takes what is new and leaves what was there") {
  const TemporaryFolder folder;
  {
    Store first(folder / "1.db");
    first.put(key(1), kLabels, sample(1));
    first.put(key(2), kLabels, sample(2));
  }
  Store store(folder / "all.db");
  store.put(key(2), kLabels, sample(2));
  store.put(key(3), kLabels, sample(3));
  CHECK(store.merge(folder / "1.db") == 1);
  CHECK(store.merge(folder / "1.db") == 0);
  CHECK(store.size() == 3);
  CHECK(store.find(key(1)) == sample(1));
  CHECK_THROWS_AS(store.merge(folder / "no.db"), StoreError);
}

TEST_CASE("a file that is no store is told and not touched") {
  const TemporaryFolder folder;
  const auto text = folder / "notes.txt";
  std::ofstream(text) << std::string(5000, 'x');
  CHECK_THAT(problem(text), contains_text("damaged, or no store"));
  CHECK(std::filesystem::file_size(text) == 5000);

  const auto foreign = folder / "foreign.db";
  SQLite::Database(foreign.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE recipes (name TEXT)");
  CHECK_THAT(problem(foreign), contains_text("of another program"));

  const auto newer = folder / "newer.db";
  { const Store store(newer); }
  SQLite::Database(newer.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 77");
  CHECK_THAT(problem(newer), contains_text("another layout"));
}

TEST_CASE("a damaged store is told with how to save what can be read") {
  const TemporaryFolder folder;
  const auto path = folder / "s.db";
  {
    Store store(path);
    for (std::uint64_t i = 0; i < 500; ++i) store.put(key(i), kLabels, sample(i));
  }
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(3 * 4096);
  file << std::string(8 * 4096, '\x5a');
  file.close();
  const std::string told = problem(path);
  CHECK_THAT(told, contains_text("is damaged"));
  CHECK_THAT(told, contains_text(".recover"));
}

TEST_CASE("a store in no folder, or that is a folder, is told by name") {
  const TemporaryFolder folder;
  CHECK_THAT(problem(folder / "no" / "s.db"), contains_text("cannot open store"));
  CHECK_THAT(problem(folder / "."), contains_text("cannot open store"));
}

TEST_CASE("a digest is that of RFC 4122, version 5, in the namespace of object identifiers") {
  // Computed by Python 3: uuid.uuid5(uuid.NAMESPACE_OID, "hotline")
  CHECK(experiment::digest("hotline") == "a4027fe9-e341-53da-b159-a58485928aa9");
  CHECK(experiment::digest("a") != experiment::digest("b"));
}
