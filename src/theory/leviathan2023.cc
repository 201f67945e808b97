#include "theory/leviathan2023.h"

#include "theory/step_rows.h"

namespace speclab {
namespace leviathan2023 {
namespace {

/// a = 1 - TV of a memoryless pair.
template <class Real>
Real acceptance(const Inquiry<Real>& inquiry) {
  inquiry.require(inquiry.setting().pair->memoryless());
  return 1 - total_variation<Real>(inquiry.rows.draft(0), inquiry.rows.target(0));
}

/// One target call per token; nothing is drafted.
constexpr auto baseline = []<class Real>(Inquiry<Real>& inquiry) {
  inquiry.add_lossless();
  inquiry.add_calls(Real(inquiry.any_horizon()));
};

/// Lenience 1 is token verification.
constexpr auto without_lenience = [](auto& inquiry) {
  inquiry.require(inquiry.setting().verifier.name == "token" ||
                  inquiry.parameters().number("l") == 1);
  inquiry.add_lossless();
};

constexpr auto tokens = []<class Real>(Inquiry<Real>& inquiry) {
  const Real a = acceptance(inquiry);
  const int gamma = inquiry.drafts();
  inquiry.spend(gamma);
  const Real expected = expected_tokens(a, gamma);
  inquiry.add(QuantityId::expected_accepted, expected - 1);
  std::vector<Real> after;
  for (int i = 1; i <= inquiry.iterations(); ++i) after.push_back(i * expected);
  inquiry.add_tokens(after);
  // Wald: T <= E[iterations] * expected, because only the last iteration is cut.
  if (inquiry.setting().lengths.horizon)
    inquiry.add(QuantityId::acceptance_length, expected, Relation::at_most);
};

constexpr auto improvement = []<class Real>(Inquiry<Real>& inquiry) {
  const Latency& latency = inquiry.latency();
  const int gamma = inquiry.setting().lengths.gamma;
  inquiry.require(gamma != kUnbounded && latency.flat() && latency.target > 0 &&
                  latency.draft >= 0);
  const Real a = acceptance(inquiry);
  const Real cost = from_rational<Real>(exact(latency.draft) / exact(latency.target));
  inquiry.spend(gamma);
  inquiry.add(QuantityId::first_tokens_per_call, expected_improvement(a, gamma, cost));
};

constexpr auto lenience = []<class Real>(Inquiry<Real>& inquiry) {
  const Real l = inquiry.number("l");
  inquiry.require(l > 0);
  const StepRule<Real> rule = [&](auto draft, auto target) {
    auto law = lenient_step<Real>(draft, target, l);
    if (!law) throw OutsideHypotheses();
    return *std::move(law);
  };
  add_step_tail(inquiry, rule);
  const int horizon = inquiry.any_horizon();
  add_step_counts(inquiry, rule, horizon);
  inquiry.require(inquiry.setting().lengths.gamma >= horizon);
  add_step_tv(inquiry, rule, horizon);
};

constexpr PredictionRow kRows[] = {
    {"autoregressive.lossless", about("autoregressive"),
     "autoregressive: TV(output, target) = 0, a target call a token", "by definition", baseline},
    {"leviathan.lossless", about("token", "lenient"), "token, lenient(1): TV(output, target) = 0",
     "leviathan2023, Appendix A.1", without_lenience},
    {"leviathan.expected_tokens", about("token"),
     "token, memoryless: tokens of an iteration = (1 - a^(gamma+1)) / (1 - a), a = 1 - TV",
     "leviathan2023, Equation (1)", tokens},
    {"leviathan.theorem3.8", about("token"),
     "token, memoryless: tokens of an iteration in a target call's time = (1 - a^(gamma+1)) / "
     "((1 - a) (gamma c + 1)), c = t_d / t_t",
     "leviathan2023, Theorem 3.8", nullptr, improvement},
    {"leviathan.lenience", about("lenient"),
     "lenient(l): a token is accepted with probability sum of min(d, t/l)",
     "leviathan2023, Appendix A.5", lenience},
};

}  // namespace
}  // namespace leviathan2023

std::span<const PredictionRow> leviathan2023_rows() { return leviathan2023::kRows; }

}  // namespace speclab
