#include "experiment/store.h"

#include <sqlite3.h>

#include "base/error.h"
#include "base/read_file.h"
#include "experiment/tally_text.h"

namespace speclab {
namespace {

constexpr int kPatience = 60'000;  ///< milliseconds to wait for another process

}  // namespace

/// A prepared statement with its parameters bound in order.
class Store::Statement {
 public:
  Statement(const Store& store, const char* sql) : store_(store) {
    if (sqlite3_prepare_v2(store.database_.get(), sql, -1, &statement_, nullptr) != SQLITE_OK) {
      store.fail();
    }
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& bind(const std::string& text) {
    return check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                                   SQLITE_TRANSIENT));
  }
  /// Seeds use all 64 bits; SQLite's integers are signed.
  Statement& bind(std::uint64_t value) {
    return check(sqlite3_bind_int64(statement_, ++bound_, static_cast<std::int64_t>(value)));
  }
  /// True while there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) store_.fail();
    return code == SQLITE_ROW;
  }
  [[nodiscard]] std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
  }
  [[nodiscard]] std::string text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, size);
  }

 private:
  Statement& check(int code) {
    if (code != SQLITE_OK) store_.fail();
    return *this;
  }
  const Store& store_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

void Store::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

void Store::fail() const {
  throw InputError("the results file " + quoted_path(path_) +
                   " cannot be used: " + sqlite3_errmsg(database_.get()) +
                   "; give another folder for results, or remove the file");
}

Store::Store(const std::string& path) : path_(path) {
  sqlite3* database = nullptr;
  const int code = sqlite3_open(path.c_str(), &database);
  database_.reset(database);
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(database, kPatience);
  // What is committed outlives the process at once and the machine nearly always; the file is whole
  // in either case.
  execute("PRAGMA synchronous = NORMAL");
  execute("BEGIN IMMEDIATE");
  execute(
      "CREATE TABLE IF NOT EXISTS answer (task TEXT NOT NULL, version TEXT NOT NULL, "
      "body TEXT NOT NULL, PRIMARY KEY (task, version)) WITHOUT ROWID");
  execute(
      "CREATE TABLE IF NOT EXISTS chunk (task TEXT NOT NULL, seed INTEGER NOT NULL, version TEXT "
      "NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, tally TEXT NOT NULL, "
      "PRIMARY KEY (task, seed, version, first, count)) WITHOUT ROWID");
  execute(
      "CREATE TABLE IF NOT EXISTS session (number INTEGER PRIMARY KEY, started TEXT NOT NULL "
      "DEFAULT CURRENT_TIMESTAMP, finished TEXT, body TEXT NOT NULL)");
  execute("COMMIT");
}

void Store::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Store::transact(Statement& statement) {
  execute("BEGIN IMMEDIATE");
  statement.step();
  execute("COMMIT");
}

std::optional<std::string> Store::answer(const std::string& task) {
  Statement query(*this, "SELECT body FROM answer WHERE task = ? AND version = ?");
  query.bind(task).bind(kResultsVersion);
  if (!query.step()) return std::nullopt;
  return query.text(0);
}

void Store::put_answer(const std::string& task, const std::string& body) {
  Statement insert(*this, "INSERT OR IGNORE INTO answer VALUES (?, ?, ?)");
  insert.bind(task).bind(kResultsVersion).bind(body);
  transact(insert);
}

std::vector<TrialRangeDone> Store::chunks(const std::string& task, std::uint64_t seed) {
  Statement query(*this,
                  "SELECT first, count FROM chunk WHERE task = ? AND seed = ? AND version = ? "
                  "ORDER BY first, count");
  query.bind(task).bind(seed).bind(kResultsVersion);
  std::vector<TrialRangeDone> ranges;
  while (query.step()) ranges.push_back({query.number(0), query.number(1)});
  return ranges;
}

Tally Store::tally(const std::string& task, std::uint64_t seed, TrialRangeDone range) {
  Statement query(*this,
                  "SELECT tally FROM chunk WHERE task = ? AND seed = ? AND version = ? AND "
                  "first = ? AND count = ?");
  query.bind(task).bind(seed).bind(kResultsVersion).bind(range.first).bind(range.count);
  if (!query.step()) fail();
  const Tally tally = read_tally(query.text(0));
  if (tally.trials != range.count) throw InputError("a chunk holds other trials than it says");
  return tally;
}

void Store::put_chunk(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                      const Tally& tally) {
  Statement insert(*this, "INSERT OR IGNORE INTO chunk VALUES (?, ?, ?, ?, ?, ?)");
  insert.bind(task).bind(seed).bind(kResultsVersion).bind(range.first).bind(range.count);
  insert.bind(tally_text(tally));
  transact(insert);
}

std::int64_t Store::begin_session(const std::string& body) {
  Statement insert(*this, "INSERT INTO session (body) VALUES (?)");
  insert.bind(body);
  transact(insert);
  return sqlite3_last_insert_rowid(database_.get());
}

void Store::end_session(std::int64_t session, const std::string& body) {
  Statement update(*this,
                   "UPDATE session SET finished = CURRENT_TIMESTAMP, body = ? WHERE number = ?");
  update.bind(body).bind(static_cast<std::uint64_t>(session));
  transact(update);
}

}  // namespace speclab
