#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/plan.h"

namespace speclab {

struct Answer;       // answer/answer.h
struct DecodeMeans;  // simulate/output_means.h
struct Prediction;   // theory/predictions.h

/// Where questions are answered: the library's front door. Plans each question (answer/plan.h) and
/// hands it to the interpreter of its method (answer/interpreters.h). Owns pairs by their spec
/// text, their rows and sampling tables, so that questions about one pair share them. Safe to ask
/// from several threads at once.
class Bench {
 public:
  /// @param max_memory  bytes that rows and tables may take; see most_memory where none is
  /// given. Trials keep half of it at most, and make again what they need beyond that.
  explicit Bench(std::optional<std::uint64_t> max_memory = std::nullopt) : planner_(max_memory) {}

  /// The pair that a spec text names, made once. @throws InputError
  PairPointer pair(const std::string& text) { return planner_.pair(text); }

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

  /// The rows that answering a question by a method takes: see Planner::plan.
  Plan plan(const Question& question, const AnswerMethod& method) {
    return planner_.plan(question, method);
  }
  /// The rows that the question's trials read: see Planner::sampled.
  std::shared_ptr<const Rows<double>> sampled(const Question& question) {
    return planner_.sampled(question);
  }
  /// The rows of a pair, made once while the bench lives.
  std::shared_ptr<const Rows<double>> doubles(const PairPointer& pair) {
    return planner_.doubles(pair);
  }
  std::shared_ptr<const Rows<Rational>> rationals(const PairPointer& pair) {
    return planner_.rationals(pair);
  }

  /// Forgets pairs and rows.
  void clear() { planner_.clear(); }

 private:
  Planner planner_;
};

}  // namespace speclab
