#include "theory/zhong2025.h"

#include "theory/inquiry.h"

namespace speclab {
namespace {

constexpr std::string_view kLaw = "zhong2025.theorem3.1";
constexpr std::string_view kLawByToken = "zhong2025.theorem3.1-by-token";
constexpr std::string_view kPassed = "zhong2025.theorem3.3";
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
  return rates;
}

/// TV of T tokens, rates that depend on the class only (`by_class`) or on the token.
std::vector<Prediction> law_of(const Setting& setting, std::string_view claim, bool by_class) {
  return answer(setting, claim, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const auto rates = rates_of(inquiry);
    inquiry.require(rates.by_class() == by_class);
    const int horizon = inquiry.unbroken_horizon();
    if (horizon == 1) {
      const auto value = [&](State state) {
        return sprinter_tv<Real>(inquiry.rows.draft(state), inquiry.rows.target(state), rates);
      };
      inquiry.add("output.tv_to_target", average(inquiry.start, value));
      return;
    }
    const StepRule<Real> rule = [&](auto draft, auto target) {
      return sprinter_step<Real>(draft, target, rates);
    };
    inquiry.add("output.tv_to_target",
                stepwise_tv(inquiry.rows, inquiry.start, rule, horizon, inquiry.budget));
  });
}

/// Stated for the printed Algorithm 2 too, which misses it.
std::vector<Prediction> law(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter", "sprinter-printed"})) return {};
  return law_of(setting, kLaw, true);
}

std::vector<Prediction> law_by_token(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter"})) return {};
  return law_of(setting, kLawByToken, false);
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

std::vector<Prediction> passed(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter", "sprinter-printed"})) return {};
  return answer(setting, kPassed, [](auto& inquiry) {
    inquiry.add_accepted(passed_tail(inquiry.rows, inquiry.start, rates_of(inquiry),
                                     inquiry.drafts(), inquiry.budget));
  });
}

/// E[N] = rho / (1 - rho) counts without a horizon; a run that is cut has fewer.
std::vector<Prediction> iid_passed(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter", "sprinter-printed"})) return {};
  return answer(setting, kCalls, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(setting.pair->memoryless());
    const Real rho =
        passing<Real>(inquiry.rows.draft(0), inquiry.rows.target(0), rates_of(inquiry));
    inquiry.require(rho < 1 && inquiry.drafts() > 0);
    inquiry.add("iteration.expected_accepted", expected_passed_iid(rho), Relation::at_most);
  });
}

std::vector<Prediction> calls(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter"})) return {};
  return answer(setting, kCalls, [](auto& inquiry) {
    inquiry.add_calls(sprinter_counts(inquiry.rows, inquiry.start, rates_of(inquiry),
                                      inquiry.unbroken_horizon(), inquiry.budget)
                          .calls);
  });
}

constexpr PredictionRow kRows[] = {
    {kLaw, "sprinter: a token's law is (1 - fp) t + fp d, TV = fp TV(d, t)",
     "zhong2025, Theorem 3.1", law},
    {kAcceptance, "sprinter: a position is corrected with probability (1 - fp) TV(d, t)",
     "zhong2025, Theorem A.4", acceptance},
    {kLawByToken, "sprinter, a rate a token: TV = sum of fp_x [d - t]+",
     "zhong2025, Theorem 3.1, corrected", law_by_token},
    {kPassed, "sprinter: P(N >= i) = E of prod tp or fp over the drafted tokens, cut at gamma",
     "zhong2025, Theorem 3.3", passed},
    {kCalls, "sprinter, memoryless: E[N] <= rho / (1 - rho), attained without a horizon",
     "zhong2025, Theorem 3.3 with i.i.d. labels", iid_passed},
    {kCalls,
     "sprinter: a position ends the iteration with probability 1 - rho, rho = a tp + (1 - a) fp",
     "zhong2025, Theorem 3.3 with i.i.d. labels", calls},
};

}  // namespace

std::span<const PredictionRow> zhong2025_rows() { return kRows; }

}  // namespace speclab
