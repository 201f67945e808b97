#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "answer/stored.h"
#include "experiment/shard.h"
#include "system/stopwatch.h"

struct sqlite3;

namespace speclab {

/// What is kept in a results file depends on it: raised whenever the same task would give other
/// numbers, or is written otherwise. Results of another version stay in the file and are not used.
inline constexpr const char* kResultsVersion = SPECLAB_VERSION "+11";

/// The number of the tables below, SQLite's user_version. A file with tables of another number is
/// refused: 0 is of speclab before checksums.
inline constexpr std::uint64_t kStoreSchema = 2;

/// The trials first .. first + count - 1; count > 0.
struct TrialRangeDone {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Results on disk, an SQLite file with a rollback journal. Every entry is written in one
/// transaction, alone or with others, and depends on its key alone: a process that is killed leaves
/// whole entries only, and two processes that compute the same entry write the same bytes, the
/// second of which are dropped.
///
///   answer(task, version, body, checksum)       answers without trials
///   chunk(task, seed, version, first, count, tally, checksum)
///                                               trials first .. first + count - 1
///   session(number, started, finished, body)    manifests, JSON
///   shard(number, parts, seed, version, work, finished, checksum)
///                                               in a shard's store only: one row
///
/// `task` is a task_key, `body` and `tally` are answer_text and tally_text (answer/stored.h).
/// `checksum` is a 64-bit hash (FNV-1a) of all the other columns: a row in which any bit differs is
/// refused, never used.
///
/// A file that may not be written is read; nothing can be put there.
///
/// Functions throw InputError naming the file, the row and the fix; Error with
/// ExitCode::interrupted where a signal comes while another process is waited for.
class Store {
 public:
  /// Opens the file, or makes it.
  explicit Store(const std::string& path);

  /// Whether the file may only be read.
  [[nodiscard]] bool read_only() const { return read_only_; }

  [[nodiscard]] std::optional<std::string> answer(const std::string& task);
  void put_answer(const std::string& task, const std::string& body);
  /// Refuses an answer found under this key, whose content is impossible.
  [[noreturn]] void refuse_answer(const std::string& task, const std::string& body,
                                  const std::string& why) const;

  /// The stored ranges of trials, by (first, count).
  [[nodiscard]] std::vector<TrialRangeDone> chunks(const std::string& task, std::uint64_t seed);
  /// A range's tally, checked against its range and the task's lengths (check_tally).
  [[nodiscard]] Tally tally(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                            const Lengths& lengths);
  void put_chunk(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                 const Tally& tally);

  /// Writes all that f puts in one transaction: whole or, where f throws, not at all.
  void together(const std::function<void()>& f);
  /// Writes all that f puts in transactions that together take at most a tenth of the time: the
  /// next one begins when ten times as long as the last one took has passed (a second at most), and
  /// the rest is written at the end, where f throws too.
  void soon(const std::function<void()>& f);

  /// The record of a shard's store, checked against its checksum; empty in the store of a whole.
  [[nodiscard]] std::optional<ShardRecord> shard();
  /// Makes the file the store of a shard that is not finished.
  /// @throws InputError where it is the store of other work already
  void begin_shard(const ShardRecord& record);
  /// Records that all of the shard's work is in the file.
  void finish_shard();
  /// Adds the answers of another store, and its trials of this seed; rows that are here stay.
  /// @throws InputError where a row is damaged, or differs from the one that is here
  void add(Store& other, std::uint64_t seed, MergedRows& rows);

  /// @returns the session's number; 0 in a file that may not be written
  std::uint64_t begin_session(const std::string& body);
  void end_session(std::uint64_t session, const std::string& body);

 private:
  class Statement;
  /// A row of `answer`, or of `chunk`, without its checksum.
  struct Row {
    bool chunk;
    std::string task;
    std::uint64_t seed;
    TrialRangeDone range;
    std::string text;

    [[nodiscard]] const char* table() const { return chunk ? "chunk" : "answer"; }
    [[nodiscard]] std::uint64_t checksum() const;
  };
  struct Close {
    void operator()(sqlite3* database) const;
  };
  /// Makes the tables of an empty file; refuses those of another schema.
  void prepare_tables();
  void execute(const std::string& sql);
  /// Runs a statement that writes, in a transaction of its own outside together().
  template <class... Values>
  void write(const char* sql, const Values&... values);
  void put(Row row);
  void insert(const Row& row);
  void write_shard(const ShardRecord& record);
  /// Whether the row is here. @throws InputError where another one is in its place
  bool holds(const Row& row);
  /// Writes the rows that wait.
  void flush();
  [[noreturn]] void fail(int code) const;
  /// @param checksum  of the row as it is stored, by which the message names it
  [[noreturn]] void refuse_row(const Row& row, std::uint64_t checksum,
                               const std::string& why) const;
  void check_row(const Row& row, std::uint64_t checksum) const;

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
  bool read_only_ = false;
  bool together_ = false;     ///< within together()
  bool soon_ = false;         ///< within soon()
  std::vector<Row> waiting_;  ///< to be written, at the latest before their task is read
  std::unordered_set<std::string> waiting_tasks_;
  Stopwatch since_flush_;
  double pause_ = 0;  ///< seconds from one to the next
};

}  // namespace speclab
