#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "answer/answer.h"
#include "answer/estimator.h"
#include "model/memory.h"
#include "model/rows.h"
#include "simulate/simulate.h"

namespace speclab {

/// Every sequence of the verifier's decisions.
struct ByEnumeration {
  double max_paths = 1e8;   ///< most sequences of decisions, see run_exact
  int threads = 0;          ///< 0: as many as the machine gives; the result is the same
  bool predictions = true;  ///< the closed forms too
};

/// Trials.
struct BySimulation {
  Estimator estimator = Estimator::plain;
  std::uint64_t first_trial = 0;
  std::uint64_t trials = 100'000;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as the machine gives; the result is the same
};

/// The closed forms alone.
struct ByClosedForm {};

using AnswerMethod = std::variant<ByEnumeration, BySimulation, ByClosedForm>;

/// Where questions are answered: the library's front door. Owns pairs by their spec text, their
/// rows and sampling tables, so that questions about one pair share them. Safe to ask from several
/// threads at once.
class Bench {
 public:
  /// Bytes of rows and tables that trials about one pair keep, where no limit is given.
  static constexpr double kMostKept = 512.0 * (1 << 20);

  /// @param max_memory  bytes that rows and tables may come to; see most_memory where none is
  /// given. Trials keep half of it at most, and make again what they need beyond that.
  explicit Bench(std::optional<std::uint64_t> max_memory = std::nullopt);

  /// The pair that a spec text names, made once. @throws InputError
  PairPointer pair(const std::string& text);

  /// A question from spec texts.
  Question question(const std::string& pair_text, std::string_view verifier, Lengths lengths,
                    Arithmetic arithmetic = Arithmetic::rational);

  /// What is found, beside the closed forms. The rows and tables that the question may come to are
  /// forecast, and refused where they do not fit beside those that are held.
  /// @throws LimitError, InputError, UsageError as the methods do; Error when interrupted, but for
  /// a simulation, whose answer then holds the trials that were finished and says so
  Answer answer(const Question& question, const AnswerMethod& method,
                const Progress& progress = {});

  /// Trials as a tally, to be kept and added up.
  Tallied sample(const Question& question, const BySimulation& method,
                 const Progress& progress = {});

  /// The answer of `tallied`, all its trials from trial 0 on.
  /// @param forms  the question's closed forms, where they are known already
  /// @pre tallied.tally.trials >= 2
  Answer estimate(const Question& question, const BySimulation& method, const Tallied& tallied,
                  const std::optional<std::vector<Prediction>>& forms = std::nullopt);

  /// The rows of a pair, made once while the bench lives.
  std::shared_ptr<const Rows<double>> doubles(const PairPointer& pair);
  /// The rows that the question's trials read, within Rows::Reading: those of doubles() where all
  /// that it may ask for is held at once, bounded ones where that is too much.
  std::shared_ptr<const Rows<double>> sampled(const Question& question);
  std::shared_ptr<const Rows<Rational>> rationals(const PairPointer& pair);

  /// Forgets pairs and rows.
  void clear();

 private:
  /// @throws LimitError with the bytes and the limit
  template <class Real>
  void check_memory(const Rows<Real>& rows, const MemoryForecast& forecast);
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
