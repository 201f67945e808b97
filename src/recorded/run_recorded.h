#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recorded/recorded_pair.h"
#include "verifiers/registry.h"

namespace speclab {

// The law of iterations from a recording (docs/recorded.md). Each iteration that begins at a
// recorded start has its drafts; given them everything else is enumerated by the verifier's own
// program, so that each gives an exact conditional expectation. Its average over iterations has the
// expectation of decoding one iteration from such a context, and the drafts' randomness is all its
// variance (Rao-Blackwell). A verifier of K drafts has those of the first K paths of a prompt.

struct RecordedRequest {
  std::vector<Verifier> verifiers;
  std::vector<int> gammas;
  /// Only starts at which the longest of the gammas fits in every path that is used, so that all
  /// speak of the same iterations: for differences between them.
  bool common_starts = false;
  int threads = 0;                          ///< 0: as many as the machine gives; the same bits
  std::optional<std::uint64_t> max_memory;  ///< bytes; see most_memory
};

/// One verifier at one draft length: sums over the iterations of each prompt, [prompt].
struct RecordedResult {
  std::string verifier;  ///< canonical spec text
  int gamma = 1;
  std::vector<double> iterations;        ///< begun at the starts where gamma drafts are recorded
  std::vector<double> tokens;            ///< E[emitted tokens | drafts]
  std::vector<double> accepted;          ///< E[tau | drafts]
  std::vector<double> undefined;         ///< P(undefined | drafts)
  std::vector<std::vector<double>> law;  ///< [i][prompt]: P(tau = i | drafts), i = 0 .. gamma
  std::int64_t skipped = 0;              ///< starts with fewer drafts than gamma before the next
  std::int64_t undefined_iterations = 0;
};

/// The drafts from a start to the next one; of several paths those that all of them have.
struct RecordedSegment {
  std::int64_t prompt = 0;
  int position = 0;
  int tokens = 0;
};

struct RecordedResults {
  std::vector<RecordedResult> results;  ///< verifier by verifier, each gamma by gamma
  RecordedSegment longest;              ///< the first of the longest
  int threads = 1;
  double seconds = 0;

  /// @throws std::out_of_range where it was not asked for
  [[nodiscard]] const RecordedResult& of(const std::string& verifier, int gamma) const;
};

/// Why a recording cannot answer for a verifier; empty where it may.
std::string why_not_recorded(const Verifier& verifier, const RecordingShape& shape);

/// Reads each row that is needed once, for all verifiers and gammas, some prompts at a time.
/// @param pair  a recorded one
/// @param progress  called now and then with the number of prompts done
/// @throws InputError for what the recording does not contain, naming verifier, prompt or position,
/// and where the drafted tokens do not follow the draft's rows; LimitError for memory
RecordedResults run_recorded(const PairPointer& pair, const RecordedRequest& request,
                             const std::function<void(std::int64_t)>& progress = {});

/// What one request finds for recorded pairs, each read when it is first asked for. Safe to ask
/// from several threads at once.
class RecordedRuns {
 public:
  explicit RecordedRuns(RecordedRequest request, std::function<void(std::int64_t)> progress = {})
      : request_(std::move(request)), progress_(std::move(progress)) {}

  /// @pre recording_of(*pair)  @throws as run_recorded does
  const RecordedResults& of(const PairPointer& pair) {
    const std::scoped_lock lock(making_);
    const auto found = known_.find(pair);
    if (found != known_.end()) return found->second;
    return known_.emplace(pair, run_recorded(pair, request_, progress_)).first->second;
  }

 private:
  RecordedRequest request_;
  std::function<void(std::int64_t)> progress_;
  std::mutex making_;
  std::map<PairPointer, RecordedResults> known_;
};

}  // namespace speclab
