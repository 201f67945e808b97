#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>

#include "answer/bench.h"
#include "answer/question.h"

namespace speclab {

// Questions as text, for another process to be asked.

/// Spec texts, lengths, and the digests of the files that the pair and the verifier were made from.
/// @throws InputError where a file cannot be read a second time
nlohmann::json question_json(const Question& question);

/// The estimator, the seed and the range of trials; not the threads.
nlohmann::json method_json(const BySimulation& method);
BySimulation read_method(const nlohmann::json& text);

/// A question that another process asks, and the bench to answer it at. The bench is kept from one
/// to the next while they are about one pair. One at a time: a second waits for the first to go.
class Asked {
 public:
  /// @throws InputError where the question is another here: its files are
  explicit Asked(const nlohmann::json& text);
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  [[nodiscard]] Bench& bench() const { return *bench_; }
  [[nodiscard]] const Question& question() const { return *question_; }

 private:
  std::unique_lock<std::mutex> lock_;
  Bench* bench_;
  const Question* question_;
};

}  // namespace speclab
