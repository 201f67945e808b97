#include "experiment/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "experiment/store_statement.h"
#include "system/interrupt.h"
#include "system/read_file.h"

namespace speclab {
namespace {

/// A column of any bytes, so that no two rows give the same text.
std::string framed(const std::string& text) { return fmt::format("{}:{} ", text.size(), text); }

constexpr int kLook = 20;          ///< milliseconds between looks for another process and a signal
constexpr int kPatience = 60'000;  ///< milliseconds to wait for another process

/// Called while another process holds the file; whether to try again.
int wait_for_other(void*, int looks) {
  if (interrupted() || looks >= kPatience / kLook) return 0;
  sqlite3_sleep(kLook);
  return 1;
}

const char* fix_of(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another process holds it: wait for that to end, or give another folder for results";
    case SQLITE_FULL:
      return "; free some space on its disk and run again: what was finished is kept";
    case SQLITE_IOERR:
      return "; see to its disk and run again: what was finished is kept";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "; make it and its folder writable, or give another folder for results";
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return "; there is too little memory for it: ask for less at once";
    default:
      return "; give another folder for results, or remove the file";
  }
}

}  // namespace

void Store::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

void Store::fail(int code) const {
  check_interrupted();
  const bool known = database_ && sqlite3_errcode(database_.get()) != SQLITE_OK;
  const char* reason = known ? sqlite3_errmsg(database_.get()) : sqlite3_errstr(code);
  throw InputError("the results file " + quoted_path(path_) + " cannot be used: " + reason +
                   fix_of(code));
}

std::uint64_t Store::Row::checksum() const {
  const std::string trials =
      chunk ? fmt::format("{} {} {} ", seed, range.first, range.count) : std::string();
  return task_hash(fmt::format("{} {}{}{}{}", table(), framed(task), framed(kResultsVersion),
                               trials, framed(text)));
}

void Store::refuse_row(const Row& row, std::uint64_t checksum, const std::string& why) const {
  throw InputError(fmt::format(
      "the results file {} holds a damaged row of {} of '{}': {}; give another folder for results, "
      "remove the file, or remove the row by DELETE FROM {} WHERE checksum = {}",
      quoted_path(path_), row.table(), abbreviate(row.task), why, row.table(),
      static_cast<std::int64_t>(checksum)));
}

void Store::check_row(const Row& row, std::uint64_t checksum) const {
  if (checksum != row.checksum()) refuse_row(row, checksum, "its checksum is another");
}

void Store::refuse_answer(const std::string& task, const std::string& body,
                          const std::string& why) const {
  const Row row{false, task, 0, {}, body};
  refuse_row(row, row.checksum(), why);
}

Store::Store(const std::string& path) : path_(path) {
  sqlite3* database = nullptr;
  const int code = sqlite3_open(path.c_str(), &database);
  database_.reset(database);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_handler(database, wait_for_other, nullptr);
  // Nothing that a file's own tables say is run.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // What is committed outlives the process, and the machine nearly always; the file is whole.
  // A new file has pages that answers of 1 KB fit into.
  execute("PRAGMA synchronous = NORMAL; PRAGMA page_size = 16384");
  prepare_tables();
}

void Store::prepare_tables() {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  // A journal is made beside the file, so that it is not written where its folder may not be.
  read_only_ = sqlite3_db_readonly(database_.get(), "main") == 1 ||
               ::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0;
  execute(read_only_ ? "BEGIN" : "BEGIN IMMEDIATE");
  const bool made = Statement(*this, "SELECT 1 FROM sqlite_schema").step();
  if (!made && read_only_) fail(SQLITE_READONLY);
  std::uint64_t schema = 0;
  if (Statement query(*this, "PRAGMA user_version"); query.step()) schema = query.number(0);
  if (made && schema != kStoreSchema) {
    throw InputError(fmt::format(
        "the results file {} has tables of version {}, and this speclab reads version {} (0 is "
        "that without checksums): give another folder for results, or move the file away",
        quoted_path(path_), schema, kStoreSchema));
  }
  if (!made) {
    execute(
        "CREATE TABLE answer (task TEXT NOT NULL, version TEXT NOT NULL, body TEXT NOT NULL, "
        "checksum INTEGER NOT NULL, PRIMARY KEY (task, version)) WITHOUT ROWID");
    execute(
        "CREATE TABLE chunk (task TEXT NOT NULL, seed INTEGER NOT NULL, version TEXT NOT NULL, "
        "first INTEGER NOT NULL, count INTEGER NOT NULL, tally TEXT NOT NULL, checksum INTEGER NOT "
        "NULL, PRIMARY KEY (task, seed, version, first, count)) WITHOUT ROWID");
    execute(
        "CREATE TABLE session (number INTEGER PRIMARY KEY, started TEXT NOT NULL DEFAULT "
        "CURRENT_TIMESTAMP, finished TEXT, body TEXT NOT NULL)");
    execute(fmt::format("PRAGMA user_version = {}", kStoreSchema));
  }
  execute("COMMIT");
}

void Store::execute(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Store::together(const std::function<void()>& f) {
  if (read_only_) return f();  // which reports it
  execute("BEGIN IMMEDIATE");
  together_ = true;
  try {
    f();
  } catch (...) {
    together_ = false;
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
  together_ = false;
  execute("COMMIT");
}

void Store::soon(const std::function<void()>& f) {
  soon_ = true;
  try {
    f();
  } catch (...) {
    soon_ = false;
    try {
      flush();
    } catch (const Error&) {  // the error of f is the cause
    }
    throw;
  }
  soon_ = false;
  flush();
}

void Store::put(Row row) {
  if (!soon_ || read_only_) return insert(row);
  waiting_tasks_.insert(row.task);
  waiting_.push_back(std::move(row));
  if (since_flush_.seconds() >= pause_) flush();
}

void Store::insert(const Row& row) {
  const auto& [chunk, task, seed, range, text] = row;
  if (chunk) {
    write("INSERT OR IGNORE INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)", task, seed, kResultsVersion,
          range.first, range.count, text, row.checksum());
  } else {
    write("INSERT OR IGNORE INTO answer VALUES (?, ?, ?, ?)", task, kResultsVersion, text,
          row.checksum());
  }
}

void Store::flush() {
  if (waiting_.empty()) return;
  waiting_tasks_.clear();
  const std::vector<Row> rows = std::exchange(waiting_, {});
  const Stopwatch watch;
  together([&] {
    for (const Row& row : rows) insert(row);
  });
  pause_ = std::min(1.0, 10 * watch.seconds());
  since_flush_ = {};
}

std::optional<std::string> Store::answer(const std::string& task) {
  if (waiting_tasks_.contains(task)) flush();
  Statement query(*this, "SELECT body, checksum FROM answer WHERE task = ? AND version = ?", task,
                  kResultsVersion);
  if (!query.step()) return std::nullopt;
  Row row{false, task, 0, {}, query.text(0)};
  check_row(row, query.number(1));
  return std::move(row.text);
}

void Store::put_answer(const std::string& task, const std::string& body) {
  put({false, task, 0, {}, body});
}

std::vector<TrialRangeDone> Store::chunks(const std::string& task, std::uint64_t seed) {
  if (waiting_tasks_.contains(task)) flush();
  Statement query(
      *this,
      "SELECT first, count, checksum FROM chunk WHERE task = ? AND seed = ? AND version = ? "
      "ORDER BY first, count",
      task, seed, kResultsVersion);
  std::vector<TrialRangeDone> ranges;
  while (query.step()) {
    const TrialRangeDone range{query.number(0), query.number(1)};
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (range.count == 0 || range.count > kMost || range.first > kMost - range.count) {
      refuse_row({true, task, seed, range, {}}, query.number(2), "no trials are numbered so");
    }
    ranges.push_back(range);
  }
  return ranges;
}

Tally Store::tally(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                   const Lengths& lengths) {
  if (waiting_tasks_.contains(task)) flush();
  Statement query(*this,
                  "SELECT tally, checksum FROM chunk WHERE task = ? AND seed = ? AND version = ? "
                  "AND first = ? AND count = ?",
                  task, seed, kResultsVersion, range.first, range.count);
  if (!query.step()) {
    throw InputError(
        fmt::format("the results file {} lacks trials of '{}' that it had before; was it changed? "
                    "Run this again",
                    quoted_path(path_), abbreviate(task)));
  }
  const Row row{true, task, seed, range, query.text(0)};
  check_row(row, query.number(1));
  try {
    Tally tally = read_tally(row.text);
    check_tally(tally, range.count, lengths);
    return tally;
  } catch (const InputError& error) {
    refuse_row(row, query.number(1), error.what());
  }
}

void Store::put_chunk(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                      const Tally& tally) {
  put({true, task, seed, range, tally_text(tally)});
}

std::uint64_t Store::begin_session(const std::string& body) {
  if (read_only_) return 0;
  write("INSERT INTO session (body) VALUES (?)", body);
  return static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database_.get()));
}

void Store::end_session(std::uint64_t session, const std::string& body) {
  if (read_only_) return;
  write("UPDATE session SET finished = CURRENT_TIMESTAMP, body = ? WHERE number = ?", body,
        session);
}

}  // namespace speclab
