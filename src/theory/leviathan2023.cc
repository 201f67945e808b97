#include "theory/leviathan2023.h"

#include "theory/inquiry.h"

namespace speclab {
namespace leviathan2023 {
namespace {

constexpr std::string_view kBaseline = "autoregressive.lossless";
constexpr std::string_view kLossless = "leviathan.lossless";
constexpr std::string_view kTokens = "leviathan.expected_tokens";
constexpr std::string_view kImprovement = "leviathan.theorem3.8";
constexpr std::string_view kLenience = "leviathan.lenience";

/// a = 1 - TV of a memoryless pair.
template <class Inquiry>
auto acceptance(const Inquiry& inquiry) {
  using Real = typename Inquiry::Real;
  inquiry.require(inquiry.setting().pair->memoryless());
  return Real(1 - total_variation<Real>(inquiry.rows.draft(0), inquiry.rows.target(0)));
}

/// One target call per token; nothing is drafted.
std::vector<Prediction> baseline(const Setting& setting) {
  if (!speaks_of(setting, {"autoregressive"})) return {};
  return answer(setting, kBaseline, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.add_lossless();
    inquiry.add_calls(Real(inquiry.any_horizon()));
  });
}

/// Lenience 1 is token verification.
std::vector<Prediction> lossless(const Setting& setting) {
  if (!speaks_of(setting, {"token", "lenient"})) return {};
  return answer(setting, kLossless, [&](auto& inquiry) {
    inquiry.require(setting.verifier.name == "token" || inquiry.parameters().number("l") == 1);
    inquiry.add_lossless();
  });
}

std::vector<Prediction> tokens(const Setting& setting) {
  if (!speaks_of(setting, {"token"})) return {};
  return answer(setting, kTokens, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const Real a = acceptance(inquiry);
    const int gamma = inquiry.drafts();
    inquiry.budget.template spend<Real>(gamma);
    const Real expected = expected_tokens(a, gamma);
    inquiry.add(QuantityId::expected_accepted, expected - 1);
    std::vector<Real> after;
    for (int i = 1; i <= inquiry.iterations(); ++i) after.push_back(i * expected);
    inquiry.add_tokens(after);
    // Wald: T <= E[iterations] * expected, because only the last iteration is cut.
    if (setting.lengths.horizon)
      inquiry.add(QuantityId::acceptance_length, expected, Relation::at_most);
  });
}

std::vector<Prediction> improvement(const Setting& setting, const Latency& latency) {
  if (!speaks_of(setting, {"token"}) || setting.lengths.gamma == kUnbounded) return {};
  return answer(setting, kImprovement, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(latency.flat() && latency.target > 0 && latency.draft >= 0);
    const Real a = acceptance(inquiry);
    const Real cost = from_rational<Real>(exact(latency.draft) / exact(latency.target));
    inquiry.budget.template spend<Real>(setting.lengths.gamma);
    inquiry.add(QuantityId::first_tokens_per_call,
                expected_improvement(a, setting.lengths.gamma, cost));
  });
}

std::vector<Prediction> lenience(const Setting& setting) {
  if (!speaks_of(setting, {"lenient"})) return {};
  return answer(setting, kLenience, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const Real l = inquiry.number("l");
    inquiry.require(l > 0);
    const StepRule<Real> rule = [&](auto draft, auto target) {
      auto law = lenient_step<Real>(draft, target, l);
      if (!law) throw OutsideHypotheses();
      return *std::move(law);
    };
    inquiry.add_accepted(
        stepwise_tail(inquiry.rows, inquiry.start, rule, inquiry.drafts(), inquiry.budget));
    const int horizon = inquiry.any_horizon();
    const auto counts = stepwise_counts(inquiry.rows, inquiry.start, rule, setting.lengths.gamma,
                                        horizon, inquiry.budget);
    inquiry.add(QuantityId::rejections, counts.rejections);
    inquiry.add_calls(counts.calls);
    inquiry.require(setting.lengths.gamma >= horizon);
    inquiry.add(QuantityId::tv_to_target,
                stepwise_tv(inquiry.rows, inquiry.start, rule, horizon, inquiry.budget));
  });
}

constexpr PredictionRow kRows[] = {
    {kBaseline, "autoregressive: TV(output, target) = 0, a target call a token", "by definition",
     baseline},
    {kLossless, "token, lenient(1): TV(output, target) = 0", "leviathan2023, Appendix A.1",
     lossless},
    {kTokens, "token, memoryless: tokens of an iteration = (1 - a^(gamma+1)) / (1 - a), a = 1 - TV",
     "leviathan2023, Equation (1)", tokens},
    {kImprovement,
     "token, memoryless: tokens of an iteration in a target call's time = (1 - a^(gamma+1)) / "
     "((1 - a) (gamma c + 1)), c = t_d / t_t",
     "leviathan2023, Theorem 3.8", nullptr, improvement},
    {kLenience, "lenient(l): a token is accepted with probability sum of min(d, t/l)",
     "leviathan2023, Appendix A.5", lenience},
};

}  // namespace
}  // namespace leviathan2023

std::span<const PredictionRow> leviathan2023_rows() { return leviathan2023::kRows; }

}  // namespace speclab
