#include "theory/zhong2025.h"

#include "theory/inquiry.h"

namespace speclab {
namespace {

constexpr std::string_view kLaw = "zhong2025.theorem3.1";
constexpr std::string_view kAcceptance = "zhong2025.theoremA.4";
constexpr std::string_view kCalls = "zhong2025.iid_labels";

template <class Inquiry>
auto rates_of(const Inquiry& inquiry) {
  using Real = typename Inquiry::Real;
  VerifierRates<Real> rates;
  SpecReader reader = inquiry.parameters();
  for (const Rational& fp : reader.number_or_list("fp")) {
    rates.fp.push_back(from_rational<Real>(fp));
  }
  rates.tp = from_rational<Real>(reader.number("tp"));
  inquiry.require(rates.fp.size() == 1 ||
                  rates.fp.size() == static_cast<std::size_t>(inquiry.rows.vocabulary()));
  return rates;
}

/// As printed, Algorithm 2 misses the theorem's own value, which is stated for it too.
std::vector<Prediction> law(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter", "sprinter-printed"})) return {};
  return answer(setting, kLaw, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const auto rates = rates_of(inquiry);
    const int horizon = inquiry.unbroken_horizon();
    const StepRule<Real> rule = [&](auto draft, auto target) {
      return sprinter_step<Real>(draft, target, rates);
    };
    const State root = inquiry.only_start();
    if (horizon == 1) {
      inquiry.add("output.tv_to_target",
                  sprinter_tv<Real>(inquiry.rows.draft(root), inquiry.rows.target(root), rates));
      return;
    }
    inquiry.add("output.tv_to_target",
                stepwise_tv(inquiry.rows, inquiry.start, rule, horizon, inquiry.budget));
  });
}

std::vector<Prediction> acceptance(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter"})) return {};
  return answer(setting, kAcceptance, [](auto& inquiry) {
    inquiry.add("rejections.expected",
                sprinter_counts(inquiry.rows, inquiry.start, rates_of(inquiry),
                                inquiry.unbroken_horizon(), inquiry.budget)
                    .rejections);
  });
}

std::vector<Prediction> calls(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter"})) return {};
  return answer(setting, kCalls, [](auto& inquiry) {
    inquiry.add("target_calls.expected",
                sprinter_counts(inquiry.rows, inquiry.start, rates_of(inquiry),
                                inquiry.unbroken_horizon(), inquiry.budget)
                    .calls);
  });
}

constexpr PredictionRow kRows[] = {
    {kLaw, "sprinter: a token's law is (1 - fp) t + fp d, TV = fp TV(d, t)",
     "zhong2025, Theorem 3.1", law},
    {kAcceptance, "sprinter: a position is corrected with probability (1 - fp) TV(d, t)",
     "zhong2025, Theorem A.4", acceptance},
    {kCalls,
     "sprinter: a position ends the iteration with probability 1 - rho, rho = a tp + (1 - a) fp",
     "zhong2025, Theorem 3.3 with i.i.d. labels", calls},
};

}  // namespace

std::span<const PredictionRow> zhong2025_rows() { return kRows; }

}  // namespace speclab
