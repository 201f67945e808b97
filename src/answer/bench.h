#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/plan.h"

namespace speclab {

struct Answer;       // answer/answer.h
struct DecodeMeans;  // simulate/output_means.h
struct Prediction;   // theory/predictions.h

/// Where questions are answered: the library's front door. Plans each question (answer/plan.h) and
/// hands it to the interpreter of its method (answer/interpreters.h). Safe to ask from several
/// threads at once.
class Bench : public Planner {
 public:
  using Planner::Planner;

  /// A question from spec texts.
  Question question(const std::string& pair_text, std::string_view verifier, Lengths lengths,
                    Arithmetic arithmetic = Arithmetic::rational);

  /// What is found, beside the closed forms. The memory of the rows and tables that the question
  /// may need is forecast, and refused where it does not fit beside that of the rows in use.
  /// @throws LimitError, InputError, UsageError as the methods do; Error when interrupted, but for
  /// a simulation, whose answer then has the trials that were finished and reports the interruption
  Answer answer(const Question& question, const AnswerMethod& method,
                const Progress& progress = {});

  /// Trials as a tally, to be kept and added up.
  Tallied sample(const Question& question, const BySimulation& method,
                 const Progress& progress = {});

  /// What the trials' decodes count in expectation given their tokens: see output_means.
  std::vector<DecodeMeans> means(const Question& question, const BySimulation& method);

  /// The answer of `tallied`, all its trials from trial 0 on.
  /// @param forms  the question's closed forms, where they are known already; or null
  /// @pre tallied.tally.trials >= 2
  Answer estimate(const Question& question, const BySimulation& method, const Tallied& tallied,
                  const std::vector<Prediction>* forms = nullptr);
};

}  // namespace speclab
