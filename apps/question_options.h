#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/bench.h"
#include "answer/cost_model.h"
#include "answer/documents/answers.h"
#include "command.h"
#include "progress.h"
#include "report/report.h"

namespace speclab {

/// The most combinations of pair, verifier and draft length that one command asks.
inline constexpr std::size_t kMostCombinations = 100'000;

/// The options that `exact` and `simulate` share around those of the command's own, in the order of
/// the help.
std::vector<Option> question_options(std::vector<Option> own);

/// What the shared options ask: every combination of pair, verifier and draft length.
struct QuestionOptions {
  std::vector<PairPointer> pairs;
  std::vector<Verifier> verifiers;
  std::vector<Lengths> lengths;  ///< one a draft length
  bool law = false;
  bool variance = false;
  bool long_run = false;
  std::optional<CostModel> costs;
  Format format = Format::table;
  TableLook look;
  bool rates = false;  ///< what engines take for benchmarks, as JSON
  std::optional<std::string> output;

  [[nodiscard]] std::size_t combinations() const {
    return pairs.size() * verifiers.size() * lengths.size();
  }

  /// The combinations in order of pair, verifier and draft length.
  template <class Visit>
  void each_question(Arithmetic arithmetic, const Visit& visit) const {
    for (const PairPointer& pair : pairs) {
      for (const Verifier& verifier : verifiers) {
        for (const Lengths& each : lengths) {
          visit(Question{.pair = pair,
                         .verifier = verifier,
                         .lengths = each,
                         .law = law,
                         .arithmetic = arithmetic,
                         .long_run = long_run,
                         .variance = variance});
        }
      }
    }
  }
};

/// @throws UsageError naming the option and the fix; InputError for a spec text
QuestionOptions read_question_options(const Arguments& arguments, Bench& bench,
                                      bool needs_verifier = true);

/// Of `--verifier all` keeps those that fit; a note names the others behind `why`.
void leave_out(const Arguments& arguments, QuestionOptions& options, const std::string& why,
               const std::function<bool(const Verifier&)>& fits);

/// Calls ask(question) for every combination in order of pair, verifier, gamma, and adds the views
/// of each answer. Writes what was finished, also where a limit or an interruption ends the run
/// early, once `bar` is hidden.
ExitCode run_questions(const QuestionOptions& options, Arithmetic arithmetic, Bench& bench,
                       const std::function<Answer(const Question&)>& ask, ProgressBar& bar);

}  // namespace speclab
