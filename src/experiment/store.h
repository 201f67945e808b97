#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulate/tally.h"

struct sqlite3;

namespace speclab {

/// What is kept in a results file depends on it: raised whenever the same task would give other
/// numbers, or is written otherwise. Results of another version stay in the file and are not used.
inline constexpr const char* kResultsVersion = SPECLAB_VERSION "+4";

/// The trials first .. first + count - 1.
struct TrialRangeDone {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Results on disk, an SQLite file with a rollback journal. Every entry is written in one
/// transaction and depends on its key alone, so that a process that is killed leaves whole entries
/// only, and two processes that compute the same entry write the same bytes: the second is dropped.
///
///   answer(task, version, body)                        answers without trials (answer_text.h)
///   chunk(task, seed, version, first, count, tally)    trials first .. first + count - 1
///                                                      (tally_text.h)
///   session(number, started, finished, body)           manifests, JSON
///
/// `task` is the text that all it depends on is in (see task_key). Functions throw InputError,
/// naming the file.
class Store {
 public:
  /// Opens the file, or makes it.
  explicit Store(const std::string& path);

  [[nodiscard]] std::optional<std::string> answer(const std::string& task);
  void put_answer(const std::string& task, const std::string& body);

  /// The ranges of trials on record, by (first, count).
  [[nodiscard]] std::vector<TrialRangeDone> chunks(const std::string& task, std::uint64_t seed);
  [[nodiscard]] Tally tally(const std::string& task, std::uint64_t seed, TrialRangeDone range);
  void put_chunk(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                 const Tally& tally);

  /// @returns the session's number
  std::int64_t begin_session(const std::string& body);
  void end_session(std::int64_t session, const std::string& body);

 private:
  class Statement;
  struct Close {
    void operator()(sqlite3* database) const;
  };
  void execute(const char* sql);
  void transact(Statement& statement);
  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace speclab
