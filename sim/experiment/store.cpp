#include "sim/experiment/store.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <sqlite3.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "sim/experiment/owner.hpp"

namespace hotline::experiment {

namespace {

namespace fs = std::filesystem;

/// "hotl": tells a store from other SQLite files (PRAGMA application_id).
constexpr int kApplication = 0x686f746c;
/// Of the table below (PRAGMA user_version); stores of other layouts are not touched.
constexpr int kLayout = 1;
/// Another process may be writing thousands of samples of its own.
constexpr int kPatienceMilliseconds = 60'000;

/// Integers of 64 bits without a sign go into SQLite's signed ones bit by bit.
constexpr const char* kTable = R"(
CREATE TABLE IF NOT EXISTS samples (
  inputs TEXT NOT NULL, seed INTEGER NOT NULL, tie_order TEXT NOT NULL, batching INTEGER NOT NULL,
  version TEXT NOT NULL,
  workload TEXT NOT NULL, variant TEXT NOT NULL, changes TEXT NOT NULL,
  machine TEXT NOT NULL, threads INTEGER NOT NULL, cpus INTEGER NOT NULL,
  length_ps INTEGER NOT NULL, work TEXT NOT NULL, count INTEGER NOT NULL,
  first_half INTEGER NOT NULL, second_half INTEGER NOT NULL,
  jain REAL NOT NULL, min_over_max REAL NOT NULL,
  work_ps INTEGER NOT NULL, lock_wait_ps INTEGER NOT NULL, line_stall_ps INTEGER NOT NULL,
  scheduling_ps INTEGER NOT NULL, other_ps INTEGER NOT NULL, lock_sleep_ps INTEGER NOT NULL,
  hottest_line TEXT NOT NULL, hottest_ps INTEGER NOT NULL,
  events INTEGER NOT NULL, fingerprint INTEGER NOT NULL, stuck TEXT NOT NULL,
  PRIMARY KEY (inputs, seed, tie_order, batching, version)
) WITHOUT ROWID, STRICT)";

/// Who simulates what at present. A claim goes with its sample, or with its owner.
constexpr const char* kClaims = R"(
CREATE TABLE IF NOT EXISTS claims (
  inputs TEXT NOT NULL, seed INTEGER NOT NULL, tie_order TEXT NOT NULL, batching INTEGER NOT NULL,
  version TEXT NOT NULL, owner TEXT NOT NULL,
  PRIMARY KEY (inputs, seed, tie_order, batching, version)
) WITHOUT ROWID, STRICT)";

constexpr const char* kOwner =
    "SELECT owner FROM claims"
    " WHERE inputs = ? AND seed = ? AND tie_order = ? AND batching = ? AND version = ?";
constexpr const char* kClaim = "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, ?)";
constexpr const char* kRelease =
    "DELETE FROM claims"
    " WHERE inputs = ? AND seed = ? AND tie_order = ? AND batching = ? AND version = ?";

constexpr const char* kFind =
    "SELECT machine, threads, cpus, length_ps, work, count, first_half, second_half, jain,"
    " min_over_max, work_ps, lock_wait_ps, line_stall_ps, scheduling_ps, other_ps,"
    " lock_sleep_ps, hottest_line, hottest_ps, events, fingerprint, stuck FROM samples"
    " WHERE inputs = ? AND seed = ? AND tie_order = ? AND batching = ? AND version = ?";

constexpr const char* kPut =
    "INSERT OR IGNORE INTO samples VALUES"
    " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::string tie_order_text(const engine::TieOrder& order) {
  return order.shuffle ? "shuffle:" + std::to_string(order.seed) : "fifo";
}

/// Fills in a statement's question marks one after the other.
class Binder {
 public:
  explicit Binder(SQLite::Statement& statement) : statement_(statement) {}

  Binder& text(std::string_view value) {
    statement_.bind(++index_, std::string(value));
    return *this;
  }
  Binder& number(std::uint64_t value) {
    statement_.bind(++index_, static_cast<std::int64_t>(value));
    return *this;
  }
  Binder& time(engine::Duration value) { return number(value.ps()); }
  Binder& real(double value) {
    statement_.bind(++index_, value);
    return *this;
  }
  Binder& key(const SampleKey& key) {
    return text(key.inputs)
        .number(key.seed)
        .text(tie_order_text(key.tie_order))
        .number(key.batching ? 1 : 0)
        .text(simulator_version());
  }

 private:
  SQLite::Statement& statement_;
  int index_ = 0;
};

/// Reads a row's columns one after the other.
class Row {
 public:
  explicit Row(SQLite::Statement& statement) : statement_(statement) {}

  std::string text() { return statement_.getColumn(index_++).getString(); }
  std::uint64_t number() {
    return static_cast<std::uint64_t>(statement_.getColumn(index_++).getInt64());
  }
  std::uint32_t count() { return static_cast<std::uint32_t>(number()); }
  engine::Duration time() { return engine::Duration::from_ps(number()); }
  double real() { return statement_.getColumn(index_++).getDouble(); }

 private:
  SQLite::Statement& statement_;
  int index_ = 0;
};

Sample read_sample(Row row) {
  Sample sample;
  sample.machine = row.text();
  sample.threads = row.count();
  sample.cpus = row.count();
  sample.length = row.time();
  sample.work = row.text();
  sample.count = row.number();
  sample.halves.first = row.number();
  sample.halves.second = row.number();
  sample.jain = row.real();
  sample.min_over_max = row.real();
  for (engine::Duration& account : sample.accounts) account = row.time();
  sample.hottest_line = row.text();
  sample.hottest_stalled = row.time();
  sample.events = row.number();
  sample.fingerprint = row.number();
  sample.stuck = row.text();
  return sample;
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

[[noreturn]] void fail(const fs::path& path, const SQLite::Exception& error) {
  const std::string reason = error.what();
  const std::string name = path.string();
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB:
      throw StoreError("store " + name + " is damaged, or no store at all (" + reason +
                       "); move it away, or name another with --store");
    case SQLITE_CORRUPT:
      throw StoreError("store " + name + " is damaged (" + reason +
                       "); move it away and repeat, or first save what can be read: sqlite3 " +
                       name + " .recover | sqlite3 NEW");
    case SQLITE_FULL:
    case SQLITE_IOERR:
      throw StoreError("cannot write to store " + name + ": " + reason +
                       "; what has been finished before is safe: make room and repeat the command");
    case SQLITE_BUSY:
      throw StoreError("store " + name + " has been locked by another process for a minute; " +
                       "what has been finished before is safe: repeat the command");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      throw StoreError("cannot open store " + name + " for writing: " + reason +
                       "; name another with --store");
    default:
      throw StoreError("store " + name + ": " + reason);
  }
}

}  // namespace

std::string digest(std::string_view text) {
  const boost::uuids::name_generator_sha1 name(boost::uuids::ns::oid());
  return boost::uuids::to_string(name(text.data(), text.size()));
}

struct Store::Connection {
  explicit Connection(const fs::path& file)
      : path(file),
        database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                 kPatienceMilliseconds) {}

  fs::path path;
  std::mutex mutex;
  SQLite::Database database;
  std::optional<SQLite::Statement> find;
  std::optional<SQLite::Statement> put;
  std::optional<SQLite::Statement> owner;
  std::optional<SQLite::Statement> claim;
  std::optional<SQLite::Statement> release;
  std::string self = this_owner();  ///< empty: nobody could tell whether this process lives

  /// Calls `work` alone; what SQLite says becomes a StoreError.
  template <class Work>
  auto alone(Work work) {
    const std::lock_guard lock(mutex);
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      fail(path, error);
    }
  }

  [[nodiscard]] int pragma(const std::string& name) {
    return database.execAndGet("PRAGMA " + name).getInt();
  }

  /// A file with something in it must be a store of this layout, and whole.
  void check() {
    const bool is_empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
    if (!is_empty && pragma("application_id") != kApplication) {
      throw StoreError("store " + path.string() +
                       " is an SQLite file of another program; name another with --store");
    }
    if (!is_empty && pragma("user_version") != kLayout) {
      throw StoreError("store " + path.string() +
                       " has another layout than this version of hotline writes; name another "
                       "with --store");
    }
    const std::string found = database.execAndGet("PRAGMA quick_check(1)").getString();
    if (found != "ok") fail(path, SQLite::Exception(in_one_line(found), SQLITE_CORRUPT));
  }

  /// Write-ahead logging lets others read while one writes. It survives the end of the process at
  /// any instruction without waiting for the disk at every sample (sqlite.org/wal.html).
  void prepare() {
    check();
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec("PRAGMA application_id = " + std::to_string(kApplication));
    database.exec("PRAGMA user_version = " + std::to_string(kLayout));
    database.exec(kTable);
    database.exec(kClaims);
    transaction.commit();
    find.emplace(database, kFind);
    put.emplace(database, kPut);
    owner.emplace(database, kOwner);
    claim.emplace(database, kClaim);
    release.emplace(database, kRelease);
  }

  std::optional<Sample> look_up(const SampleKey& key) {
    find->tryReset();  // reset() would repeat the last error
    Binder(*find).key(key);
    if (!find->executeStep()) return std::nullopt;
    Sample sample = read_sample(Row(*find));
    find->reset();
    return sample;
  }

  /// Whoever has claimed it and still lives; empty if nobody.
  std::string claimant(const SampleKey& key) {
    owner->tryReset();
    Binder(*owner).key(key);
    if (!owner->executeStep()) return "";
    std::string found = owner->getColumn(0).getString();
    owner->reset();
    return is_alive(found) ? found : "";
  }

  static void run(SQLite::Statement& statement) {
    statement.exec();
    statement.reset();
  }
};

Store::Store(const fs::path& path) {
  try {
    connection_ = std::make_unique<Connection>(path);
    connection_->prepare();
  } catch (const SQLite::Exception& error) {
    fail(path, error);
  }
}

Store::~Store() = default;

std::optional<Sample> Store::find(const SampleKey& key) {
  return connection_->alone([&] { return connection_->look_up(key); });
}

std::vector<std::optional<Sample>> Store::find(std::span<const SampleKey> keys) {
  return connection_->alone([&] {
    const SQLite::Transaction together(connection_->database);
    std::vector<std::optional<Sample>> samples;
    samples.reserve(keys.size());
    for (const SampleKey& key : keys) samples.push_back(connection_->look_up(key));
    return samples;
  });
}

Reservation Store::reserve(const SampleKey& key) {
  return connection_->alone([&]() -> Reservation {
    // Nobody may write between the look-up and the claim.
    SQLite::Transaction transaction(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
    if (std::optional<Sample> sample = connection_->look_up(key)) return {std::move(sample), false};
    const std::string& self = connection_->self;
    const std::string other = connection_->claimant(key);
    if (!other.empty() && other != self) return {std::nullopt, false};
    if (!self.empty()) {
      connection_->claim->tryReset();
      Binder(*connection_->claim).key(key).text(self);
      connection_->run(*connection_->claim);
    }
    transaction.commit();
    return {std::nullopt, true};
  });
}

void Store::put(const SampleKey& key, const SampleLabels& labels, const Sample& sample) {
  connection_->alone([&] {
    SQLite::Transaction transaction(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement& statement = *connection_->put;
    statement.tryReset();  // reset() would repeat the last error
    Binder binder(statement);
    binder.key(key).text(labels.workload).text(labels.variant).text(labels.changes);
    binder.text(sample.machine).number(sample.threads).number(sample.cpus).time(sample.length);
    binder.text(sample.work).number(sample.count);
    binder.number(sample.halves.first).number(sample.halves.second);
    binder.real(sample.jain).real(sample.min_over_max);
    for (const engine::Duration account : sample.accounts) binder.time(account);
    binder.text(sample.hottest_line).time(sample.hottest_stalled);
    binder.number(sample.events).number(sample.fingerprint).text(sample.stuck);
    connection_->run(statement);
    connection_->release->tryReset();
    Binder(*connection_->release).key(key);
    connection_->run(*connection_->release);
    transaction.commit();
  });
}

std::uint64_t Store::merge(const fs::path& other) {
  if (!fs::exists(other)) throw StoreError("there is no store " + other.string());
  const Store checked(other);  // with its own message if it is no store or damaged
  return connection_->alone([&] {
    SQLite::Database& database = connection_->database;
    SQLite::Statement attach(database, "ATTACH DATABASE ? AS other");
    attach.bind(1, other.string());
    attach.exec();
    const int taken = database.exec("INSERT OR IGNORE INTO samples SELECT * FROM other.samples");
    database.exec("DETACH DATABASE other");
    return static_cast<std::uint64_t>(taken);
  });
}

std::uint64_t Store::size() {
  return connection_->alone([&] {
    const auto count = connection_->database.execAndGet("SELECT count(*) FROM samples").getInt64();
    return static_cast<std::uint64_t>(count);
  });
}

}  // namespace hotline::experiment
