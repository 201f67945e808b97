#include "answer/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace speclab {
namespace {

/// How far a result may be above and below a closed form without differing from it.
struct Slack {
  double above = 0;
  double below = 0;
};

/// The verdict on `difference` = result - prediction.
Verdict judge(Relation relation, double difference, Slack slack) {
  const bool not_above = difference <= slack.above;
  const bool not_below = difference >= -slack.below;
  switch (relation) {
    case Relation::equals:
      return not_above && not_below ? Verdict::agrees : Verdict::differs;
    case Relation::at_most:
      return not_above ? Verdict::bound_holds : Verdict::bound_missed;
    case Relation::at_least:
      return not_below ? Verdict::bound_holds : Verdict::bound_missed;
  }
  return Verdict::not_compared;
}

/// What an estimate may be away, and how many standard errors it is.
void allow_estimate(const Estimate& e, double difference, Slack& slack, Comparison& result) {
  slack.above += e.mean - e.least;
  slack.below += e.most - e.mean;
  if (result.prediction.quantity == QuantityId::tv_to_target) {
    result.z_missing = "the estimate of a distance is biased upward; see its interval";
  } else if (e.standard_error > 0) {
    result.z = difference / e.standard_error;
  } else {
    result.z_missing = "the standard error is 0";
  }
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"agrees", "differs", "bound holds",
                                                  "bound missed", "not compared"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view relation_name(Relation relation) {
  constexpr std::array<std::string_view, 3> names{"equals", "at_most", "at_least"};
  return names[static_cast<std::size_t>(relation)];
}

QuantityIndex index_of(const Prediction& prediction) {
  return prediction.index ? QuantityIndex{*prediction.index} : QuantityIndex{};
}

Comparison compare(const Answer& answer, Prediction prediction) {
  Comparison result;
  result.prediction = std::move(prediction);
  const Prediction& form = result.prediction;
  const Value* value = answer.find(form.quantity, index_of(form));
  if (value == nullptr) {
    result.z_missing = "the result has no such quantity";
    return result;
  }
  double difference = value->number - form.value;
  const double rounding = kAgreementTolerance * std::max(1.0, std::abs(form.value));
  Slack slack{rounding, rounding};
  if (value->fraction && form.exact) {
    difference = to_double(Rational(*value->fraction - *form.exact));
    slack = {};
  }
  if (value->estimate) allow_estimate(*value->estimate, difference, slack, result);
  result.difference = difference;
  result.verdict = judge(form.relation, difference, slack);
  return result;
}

std::vector<Comparison> comparisons(const Answer& answer) {
  std::vector<Comparison> all;
  all.reserve(answer.predictions.size());
  for (const Prediction& prediction : answer.predictions)
    all.push_back(compare(answer, prediction));
  return all;
}

}  // namespace speclab
