#include "answer/bench.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "answer/estimator.h"
#include "answer/iteration_law.h"
#include "base/error.h"
#include "base/text.h"
#include "exact/exact.h"
#include "model/memory.h"
#include "model/registry.h"
#include "system/memory.h"

namespace speclab {
namespace {

Answer new_answer(const Question& question, AnswerKind kind) {
  Answer answer;
  answer.question = question;
  answer.kind = kind;
  const Lengths& lengths = question.lengths;
  if (question.verifier.info->drafting == Drafting::run && lengths.gamma != kUnbounded &&
      (!lengths.horizon || lengths.gamma < *lengths.horizon)) {
    answer.notes.push_back(fmt::format(
        "{} has no window and no bonus token: gamma={} cuts a run there, the target is not called, "
        "and the next iteration drafts on",
        question.verifier.info->name, lengths.gamma));
  }
  return answer;
}

/// Everything an interpreter found, as values.
template <class T>
void take(Answer& answer, const Findings<T>& found) {
  for (const FoundQuantity<T>& quantity : found.all()) {
    if (!quantity.missing.empty()) answer.add_missing(quantity.id, quantity.missing);
    for (const Finding<T>& value : quantity.values) {
      answer.add(quantity.id, value_of(value.value), value.index);
    }
  }
}

/// Of the paths that a question may take, the share that the law of its first iteration may.
constexpr double kLawShare = 1e-3;

template <class Real>
Answer enumerated(const Question& question, const std::shared_ptr<const Rows<Real>>& rows,
                  const ByEnumeration& method, double max_memory) {
  const ExactRequest request{.lengths = question.lengths,
                             .law = question.law,
                             .variance = question.variance,
                             .long_run = question.long_run,
                             .max_paths = method.max_paths,
                             .max_memory = max_memory,
                             .threads = method.threads};
  Answer answer = new_answer(question, AnswerKind::exact);
  take(answer, run_exact<Real>(question.verifier, *rows, request));
  if (question.law) add_iteration_law<Real>(answer, rows, kLawShare * method.max_paths);
  if (method.predictions) answer.add_predictions(predict(setting_of(question)));
  return answer;
}

SimulateRequest request_of(const Question& question, const BySimulation& method) {
  SimulateRequest request;
  request.lengths = question.lengths;
  request.law = question.law;
  request.variance = question.variance;
  request.drafting = question.verifier.info->drafting;
  request.first_trial = method.first_trial;
  request.trials = method.trials;
  request.seed = method.seed;
  request.threads = method.threads;
  return request;
}

/// Seconds until E[tau]'s 95% half-width is a thousandth of it, at the speed and spread of the run.
std::optional<double> seconds_to_permille(const Estimate& accepted, double seconds) {
  const double half_width = accepted.high - accepted.mean;
  if (!(accepted.mean > 0) || !(half_width > 0)) return std::nullopt;
  const double factor = half_width / (1e-3 * accepted.mean);
  return seconds * factor * factor;
}

}  // namespace

Bench::Bench(std::optional<std::uint64_t> max_memory)
    : max_memory_(most_memory(max_memory)),
      most_kept_(max_memory ? max_memory_ / 2 : std::min(kMostKept, max_memory_ / 2)) {}

double Bench::held_beside(const void* rows) {
  const std::scoped_lock lock(making_);
  double held = 0;
  const auto add = [&](const auto& known) {
    for (const auto& [pair, other] : known) {
      if (other.get() != rows) held += static_cast<double>(other->bytes() + other->index_bytes());
    }
  };
  add(doubles_);
  add(bounded_);
  add(rationals_);
  return held;
}

template <class Real>
void Bench::check_memory(const Rows<Real>& rows, const MemoryForecast& forecast) {
  const double held = held_beside(&rows);
  if (forecast.bytes() + held <= max_memory_) return;
  throw LimitError(fmt::format(
      "the rows and tables of {} may come to {} (states: {:.0f}, {} each){}, over the limit of {}; "
      "lower the horizon or the vocabulary, or allow more memory (max-memory)",
      abbreviate(rows.pair().name()), size_text(forecast.bytes()), forecast.states,
      size_text(forecast.per_state),
      held > 0 ? fmt::format(" beside {} of other rows", size_text(held)) : "",
      size_text(max_memory_)));
}

PairPointer Bench::pair(const std::string& text) {
  const std::scoped_lock lock(making_);
  PairPointer& known = pairs_[text];
  if (!known) known = speclab::make_pair(text, max_memory_);
  return known;
}

Question Bench::question(const std::string& pair_text, std::string_view verifier, Lengths lengths,
                         Arithmetic arithmetic) {
  return {.pair = pair(pair_text),
          .verifier = make_verifier(verifier),
          .lengths = lengths,
          .arithmetic = arithmetic};
}

std::shared_ptr<const Rows<double>> Bench::doubles(const PairPointer& pair) {
  const std::scoped_lock lock(making_);
  auto& known = doubles_[pair];
  if (!known) known = std::make_shared<const Rows<double>>(pair);
  return known;
}

std::shared_ptr<const Rows<double>> Bench::sampled(const Question& question) {
  if (tables_forecast(*question.pair, question.lengths) <= most_kept_) {
    return doubles(question.pair);
  }
  const std::scoped_lock lock(making_);
  auto& known = bounded_[question.pair];
  if (!known) {
    known =
        std::make_shared<const Rows<double>>(question.pair, static_cast<std::size_t>(most_kept_));
  }
  return known;
}

std::shared_ptr<const Rows<Rational>> Bench::rationals(const PairPointer& pair) {
  const std::scoped_lock lock(making_);
  auto& known = rationals_[pair];
  if (!known) known = std::make_shared<const Rows<Rational>>(pair);
  return known;
}

void Bench::clear() {
  const std::scoped_lock lock(making_);
  pairs_.clear();
  doubles_.clear();
  bounded_.clear();
  rationals_.clear();
}

Answer Bench::answer(const Question& question, const AnswerMethod& method,
                     const Progress& progress) {
  if (const auto* exactly = std::get_if<ByEnumeration>(&method)) {
    const auto enumerate = [&](const auto& rows) {
      check_memory(*rows, forecast_memory(*rows, question.lengths));
      return enumerated(question, rows, *exactly, max_memory_);
    };
    return question.arithmetic == Arithmetic::rational ? enumerate(rationals(question.pair))
                                                       : enumerate(doubles(question.pair));
  }
  if (const auto* trials = std::get_if<BySimulation>(&method)) {
    return estimate(question, *trials, sample(question, *trials, progress));
  }
  Answer answer = new_answer(question, AnswerKind::closed_form);
  answer.add_predictions(predict(setting_of(question)));
  return answer;
}

Tallied Bench::sample(const Question& question, const BySimulation& method,
                      const Progress& progress) {
  const auto rows = sampled(question);
  const int threads = method.threads > 0 ? method.threads : omp_get_max_threads();
  check_memory(*rows, forecast_memory(*rows, question.lengths)
                          .bounded(most_kept_, threads * states_at_once(question.lengths,
                                                                        question.verifier.drafts)));
  return run_trials(method.estimator, question.verifier, *rows, request_of(question, method),
                    progress);
}

Answer Bench::estimate(const Question& question, const BySimulation& method, const Tallied& tallied,
                       const std::optional<std::vector<Prediction>>& forms) {
  const auto rows = sampled(question);
  const Estimates estimates =
      speclab::estimate(method.estimator, tallied.tally, *rows, request_of(question, method));
  Answer answer = new_answer(question, AnswerKind::simulate);
  take(answer, estimates.found);
  answer.moments = estimates.decode;
  answer.run =
      Provenance{.trials = tallied.tally.trials,
                 .seed = method.seed,
                 .threads = tallied.threads,
                 .seconds = tallied.seconds,
                 .estimator = method.estimator,
                 .variance_ratio = estimates.variance_ratio,
                 .seconds_to_permille = seconds_to_permille(
                     *estimates.found.find(QuantityId::expected_accepted, {}), tallied.seconds),
                 .table_bytes = rows->bytes(),
                 .undefined_trials = tallied.tally.undefined_trials,
                 .interrupted = tallied.interrupted};
  try {
    answer.add_predictions(forms ? *forms : predict(setting_of(question)));
  } catch (const Error& error) {
    // The trials that are done are not lost with them.
    if (error.code() != ExitCode::interrupted) throw;
    answer.notes.emplace_back("the closed forms are left out: interrupted");
    answer.run->interrupted = true;
  }
  return answer;
}

}  // namespace speclab
