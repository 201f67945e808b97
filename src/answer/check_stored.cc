#include <cmath>

#include "answer/stored.h"
#include "base/error.h"
#include "base/text.h"
#include "simulate/plan.h"

namespace speclab {
namespace {

void demand(bool holds, const std::string& why) {
  if (!holds) throw InputError(why);
}

/// How far sums in doubles may be off.
constexpr double kStoredRounding = 1e-9;

std::size_t indices_of(const QuantityInfo& info, const QuantityIndex& index) {
  switch (info.shape) {
    case QuantityShape::single:
      return 0;
    case QuantityShape::list:
      return 1;
    case QuantityShape::grid:
      return 2;
    default:
      return index.size();
  }
}

void check_value(const QuantityInfo& info, const Finding<Value>& finding) {
  const Value& value = finding.value;
  const std::string place = info.path() + "[" + abbreviate(index_text(finding.index)) + "]";
  demand(finding.index.size() == indices_of(info, finding.index), place + " has no such index");
  for (const int part : finding.index) demand(part >= 0, place + " has an index below 0");
  demand(std::isfinite(value.number), place + " is not finite");
  if (value.fraction) {
    demand(*value.fraction >= 0, place + " is below 0");
    demand(value.number == to_double(*value.fraction), place + " is not what its fraction is");
  } else {
    demand(value.number >= -kStoredRounding, place + " is below 0");
  }
}

/// The law of the accepted tokens and its mean.
void check_law(const Answer& answer) {
  const auto law = answer.found.list(QuantityId::accepted_law);
  const Value* mean = answer.find(QuantityId::expected_accepted);
  demand(!law.empty() && mean != nullptr, "it has no law of the accepted tokens");
  Rational sum(0), expected(0);
  bool exactly = mean->fraction.has_value();
  for (std::size_t i = 0; i < law.size(); ++i) {
    exactly = exactly && law[i].fraction;
    const Rational share = law[i].fraction ? *law[i].fraction : exact(law[i].number);
    sum += share;
    expected += share * i;
  }
  const Rational off = abs(sum - 1);
  const Rational slip = abs(expected - (exactly ? *mean->fraction : exact(mean->number)));
  const Rational most = exactly ? Rational(0) : exact(kStoredRounding) * (1 + law.size());
  demand(off <= most, "its law of the accepted tokens does not sum to 1");
  demand(slip <= most, "its expected accepted tokens are not those of their law");
}

void check_prediction(const Prediction& form) {
  demand(!form.claim.empty(), "a closed form has no claim");
  const std::string claim = abbreviate(form.claim);
  demand(std::isfinite(form.value), claim + " is not finite");
  if (!form.exact) return;
  const double number = to_double(*form.exact);
  demand(std::abs(form.value - number) <= kStoredRounding * std::max(1.0, std::abs(number)),
         claim + " is not what its fraction is");
}

WideCount sum_of(const std::vector<std::uint64_t>& counts) {
  WideCount sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

Rational wide(WideCount value) {
  return Rational(static_cast<std::uint64_t>(value >> 64U)) * exact(0x1p64) +
         Rational(static_cast<std::uint64_t>(value));
}

/// Whole numbers are at most their squares, and the square of their mean at most their squares'.
void check_moments(const Moments& moments, std::uint64_t trials, const std::string& name) {
  demand(moments.sum <= moments.squares &&
             wide(moments.sum) * wide(moments.sum) <= wide(moments.squares) * trials,
         "the squares of its " + name + " do not fit their sum");
}

void check_decodes(const Tally& tally, const Lengths& lengths) {
  const auto trials = static_cast<WideCount>(tally.trials);
  const auto horizon = static_cast<WideCount>(lengths.horizon.value_or(0));
  const auto within = [&](const Moments& moments, const std::string& name) {
    check_moments(moments, tally.trials, name);
    demand(moments.sum <= horizon * trials, "its " + name + " are more than the horizon");
  };
  within(tally.tokens, "tokens");
  within(tally.target_calls, "target calls");
  within(tally.rejections, "rejections");
  check_moments(tally.iterations, tally.trials, "iterations");
  check_moments(tally.draft_steps, tally.trials, "draft steps");
  demand(lengths.horizon ? tally.iterations.sum >= trials : tally.iterations.sum == 0,
         "its iterations are too few or too many");
  demand(tally.positions.size() == tally.positions_times_iterations.size() &&
             tally.positions.size() <= kMostPositions,
         "its positions are another number");
  for (const Moments& reached : tally.positions) {
    check_moments(reached, tally.trials, "positions");
    demand(reached.sum <= tally.iterations.sum, "its positions are more than its iterations");
  }
  demand(sum_of(tally.outputs) <= trials, "its outputs are more than its trials");
}

}  // namespace

void check_answer(const Answer& answer) {
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    for (const Finding<Value>& finding : found.values) check_value(quantity(found.id), finding);
  }
  for (const Prediction& form : answer.predictions) check_prediction(form);
  if (answer.kind == AnswerKind::exact) check_law(answer);
}

void check_tally(const Tally& tally, std::uint64_t trials, const Lengths& lengths) {
  demand(tally.trials > 0 && tally.trials == trials,
         "it has another number of trials than its row");
  demand(tally.undefined_trials <= trials && tally.undefined_iterations <= tally.undefined_trials,
         "its undefined trials are more than its trials");
  const bool conditional = !tally.conditional_law.empty();
  demand(sum_of(tally.accepted) == (conditional ? 0 : static_cast<WideCount>(trials)),
         "its counts of accepted tokens do not sum to its trials");
  demand(lengths.gamma == kUnbounded ||
             tally.accepted.size() <= static_cast<std::size_t>(lengths.gamma) + 1,
         "it accepts more tokens than are drafted");
  check_decodes(tally, lengths);
  demand(conditional || tally.emitted.size() == static_cast<std::size_t>(lengths.iterations),
         "it has another number of iterations");
  for (const Moments& emitted : tally.emitted) check_moments(emitted, trials, "emitted tokens");
  for (const auto& counts : tally.emitted_counts) {
    demand(sum_of(counts) == trials, "its counts of tokens do not sum to its trials");
  }
}

}  // namespace speclab
