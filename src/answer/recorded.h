#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "answer/answer.h"
#include "recorded/run_recorded.h"

namespace speclab {

/// The answer to a question about a recorded pair, from what was run for it.
Answer recorded_answer(const Question& question, const RecordedResults& results);

/// Answers questions about recorded pairs, all verifiers and lengths of a pair at the first of
/// them.
class RecordedBench {
 public:
  /// @param request  for every pair
  RecordedBench(RecordedRequest request, std::function<void(std::int64_t)> progress)
      : request_(std::move(request)), progress_(std::move(progress)) {}

  /// @pre recording_of(*question.pair); verifier and gamma are in the request
  /// @throws InputError where the question goes beyond one iteration
  Answer answer(const Question& question);

 private:
  RecordedRequest request_;
  std::function<void(std::int64_t)> progress_;
  std::map<PairPointer, RecordedResults> known_;
};

}  // namespace speclab
