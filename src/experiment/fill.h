#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "experiment/expand.h"
#include "experiment/store.h"
#include "system/workers.h"

namespace speclab {

/// Fills the store with what a sweep's tasks will ask it for, by all ranks: answers and chunks of
/// trials are handed out a few at a time, and put into the store as they arrive, by this rank
/// alone. What fails anywhere is left out: the sweep meets it again, in order, and says where. So
/// is what depends on results: the chunks of a task that ends at a precision.
class Fill {
 public:
  Fill(Store& store, const SweepOptions& options) : store_(store), options_(options) {}

  /// @param bench     where this rank answers
  /// @param progress  told of the trials done by this call
  /// @returns false where a signal came first; what was finished is in the store
  bool run(const Experiment& experiment, const std::vector<SweepTask>& tasks, Bench& bench,
           const std::function<void(double trials)>& progress);

  /// Whether an entry of the store was made here rather than found; told once, as the next who asks
  /// for it finds it.
  bool made(const std::string& task_key);
  bool made(const std::string& task_key, TrialRangeDone range);

 private:
  /// Something to be made; `range.count` is 0 for an answer.
  struct Piece {
    std::size_t task;
    AnswerKind kind;
    TrialRangeDone range;
  };
  std::optional<std::string> next();
  std::optional<Piece> next_piece();
  void plan(std::size_t task);
  void plan_chunks(std::size_t task);
  void take(std::size_t number, const std::string& text);
  void keep(const Piece& piece, const std::string& made);

  Store& store_;
  const SweepOptions& options_;
  std::unordered_set<std::uint64_t> made_;  ///< hashes of the keys planned

  // Of one run.
  const Experiment* experiment_ = nullptr;
  const std::vector<SweepTask>* tasks_ = nullptr;
  std::size_t planned_ = 0;                ///< tasks
  std::deque<Piece> pieces_;               ///< planned and not dealt
  std::vector<std::vector<Piece>> dealt_;  ///< by number; emptied when taken
  double bundle_ = 1;                      ///< pieces handed out together
  bool failed_ = false;
  double trials_ = 0;
};

/// What another rank does for it.
std::string do_pieces(const std::string& task);
inline constexpr WorkKind kPiecesWork{"pieces", &do_pieces};

}  // namespace speclab
