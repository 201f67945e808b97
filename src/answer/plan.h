#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "answer/question.h"
#include "model/memory.h"
#include "model/rows.h"
#include "recorded/run_recorded.h"
#include "simulate/simulate.h"

namespace speclab {

/// Every sequence of the verifier's decisions.
struct ByEnumeration {
  double max_paths = 1e8;      ///< most sequences of decisions, see run_exact
  int threads = 0;             ///< 0: as many as the machine gives; the result is the same
  bool predictions = true;     ///< the closed forms too
  bool iteration_law = false;  ///< where the question asks for laws, Answer::iteration_law too
};

/// Trials.
struct BySimulation {
  Estimator estimator = Estimator::plain;
  std::uint64_t first_trial = 0;
  std::uint64_t trials = 100'000;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as the machine gives; the result is the same
  Draws draws = Draws::steps;
  bool decode_counts = false;  ///< tally decodes by their calls, steps and tokens as well
  bool companions = false;     ///< of controlled decodes (simulate/control_variates.h)
};

/// The iterations of a recorded pair, which `runs` reads once for all the questions about it.
struct ByRecording {
  std::shared_ptr<RecordedRuns> runs;
};

/// The closed forms alone.
struct ByClosedForm {};

using AnswerMethod = std::variant<ByEnumeration, BySimulation, ByRecording, ByClosedForm>;

/// What answering a question by a method takes: rows that fit in memory.
struct Plan {
  Question question;
  double max_memory = 0;
  std::shared_ptr<const Rows<Rational>> fractions;  ///< null where it reads doubles or no rows
  std::shared_ptr<const Rows<double>> doubles;
};

/// Pairs by their spec text with their rows and sampling tables, so that questions about one pair
/// share them, and what fits beside them. Safe to ask from several threads at once.
class Planner {
 public:
  /// Bytes of rows and tables that trials about one pair keep, where no limit is given.
  static constexpr double kMostKept = 512.0 * (1 << 20);

  /// @param max_memory  bytes that rows and tables may take; see most_memory where none is
  /// given. Trials keep half of it at most, and make again what they need beyond that.
  explicit Planner(std::optional<std::uint64_t> max_memory = std::nullopt);

  /// The pair that a spec text names, made once. @throws InputError
  PairPointer pair(const std::string& text);
  /// The rows of a pair, made once while this lives.
  std::shared_ptr<const Rows<double>> doubles(const PairPointer& pair);
  std::shared_ptr<const Rows<Rational>> rationals(const PairPointer& pair);
  /// The rows that the question's trials read, within Rows::Reading: those of doubles() where all
  /// that it may ask for fits at once, bounded ones where that is too much.
  std::shared_ptr<const Rows<double>> sampled(const Question& question);
  /// Forgets pairs and rows.
  void clear();

  /// The rows that answering a question by a method takes.
  /// @throws LimitError where the rows and tables that the question may need do not fit beside
  /// those in use, with the bytes and the limit
  Plan plan(const Question& question, const AnswerMethod& method);

 private:
  template <class Real>
  void check(const Rows<Real>& rows, const MemoryForecast& forecast);
  [[nodiscard]] double held_beside(const void* rows);

  double max_memory_;
  double most_kept_;
  std::mutex making_;
  std::map<std::string, PairPointer> pairs_;
  std::map<PairPointer, std::shared_ptr<const Rows<double>>> doubles_;
  std::map<PairPointer, std::shared_ptr<const Rows<double>>> bounded_;
  std::map<PairPointer, std::shared_ptr<const Rows<Rational>>> rationals_;
};

}  // namespace speclab
