#include "answer/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "model/registry.h"
#include "system/memory.h"
#include "system/openmp.h"

namespace speclab {
namespace {

/// The rows of a pair in `known`, made where they are new.
template <class Known, class... Limit>
auto rows_in(Known& known, const PairPointer& pair, Limit... limit) {
  if (const auto found = known.find(pair); found != known.end()) return found->second;
  using Made = typename Known::mapped_type::element_type;
  return known.emplace(pair, std::make_shared<Made>(pair, limit...)).first->second;
}

}  // namespace

Planner::Planner(std::optional<std::uint64_t> max_memory)
    : max_memory_(most_memory(max_memory)),
      most_kept_(max_memory ? max_memory_ / 2 : std::min(kMostKept, max_memory_ / 2)) {}

double Planner::held_beside(const void* rows) {
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
void Planner::check(const Rows<Real>& rows, const MemoryForecast& forecast) {
  const double held = held_beside(&rows);
  if (forecast.bytes() + held <= max_memory_) return;
  throw LimitError(fmt::format(
      "the rows and tables of {} may take {} (states: {:.0f}, {} each){}, over the limit of {}; "
      "lower the horizon or the vocabulary, or allow more memory (max-memory)",
      abbreviate(rows.pair().name()), size_text(forecast.bytes()), forecast.states,
      size_text(forecast.per_state),
      held > 0 ? fmt::format(" beside {} of other rows", size_text(held)) : "",
      size_text(max_memory_)));
}

PairPointer Planner::pair(const std::string& text) {
  const std::scoped_lock lock(making_);
  PairPointer& known = pairs_[text];
  if (!known) known = speclab::make_pair(text, max_memory_);
  return known;
}

std::shared_ptr<const Rows<double>> Planner::doubles(const PairPointer& pair) {
  const std::scoped_lock lock(making_);
  return rows_in(doubles_, pair);
}

std::shared_ptr<const Rows<double>> Planner::sampled(const Question& question) {
  const bool whole = tables_forecast(*question.pair, question.lengths) <= most_kept_;
  if (whole) return doubles(question.pair);
  const std::scoped_lock lock(making_);
  return rows_in(bounded_, question.pair, static_cast<std::size_t>(most_kept_));
}

std::shared_ptr<const Rows<Rational>> Planner::rationals(const PairPointer& pair) {
  const std::scoped_lock lock(making_);
  return rows_in(rationals_, pair);
}

void Planner::clear() {
  const std::scoped_lock lock(making_);
  pairs_.clear();
  doubles_.clear();
  bounded_.clear();
  rationals_.clear();
}

Plan Planner::plan(const Question& question, const AnswerMethod& method) {
  const Lengths& lengths = question.lengths;
  Plan plan{question, max_memory_, nullptr, nullptr};
  if (const auto* trials = std::get_if<BySimulation>(&method)) {
    plan.doubles = sampled(question);
    const int threads = thread_count(trials->threads);
    check(*plan.doubles,
          forecast_memory(*plan.doubles, lengths)
              .bounded(most_kept_, threads * states_at_once(lengths, question.verifier.drafts)));
  } else if (std::holds_alternative<ByEnumeration>(method)) {
    const auto checked = [&](auto rows) {
      check(*rows, forecast_memory(*rows, lengths));
      return rows;
    };
    if (question.arithmetic == Arithmetic::rational) {
      plan.fractions = checked(rationals(question.pair));
    } else {
      plan.doubles = checked(doubles(question.pair));
    }
  }
  return plan;
}

}  // namespace speclab
