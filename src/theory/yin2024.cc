#include "theory/yin2024.h"

#include "theory/step_rows.h"

namespace speclab {
namespace yin2024 {
namespace {

/// Proposition 1 is about M -> infinity, which is a lower bound for each M.
constexpr auto limit = [](auto& inquiry) {
  inquiry.add(QuantityId::rejections,
              batch_rejections(inquiry.rows, inquiry.start, kManyBatches,
                               inquiry.unbroken_horizon(), inquiry.budget)
                  .expected(),
              Relation::at_least);
};

constexpr auto token = [](auto& inquiry) {
  inquiry.add_lossless();
  const auto rejections =
      token_rejections(inquiry.rows, inquiry.start, inquiry.unbroken_horizon(), inquiry.budget);
  inquiry.add(QuantityId::rejections, rejections.expected());
  inquiry.add_calls(rejections.target_calls());
};

constexpr auto batch = [](auto& inquiry) {
  inquiry.add_lossless();
  const int batches = inquiry.count("M");
  const int horizon = inquiry.unbroken_horizon();
  const auto rejections =
      batch_rejections(inquiry.rows, inquiry.start, batches, horizon, inquiry.budget);
  inquiry.add(QuantityId::rejections, rejections.expected());
  if (inquiry.setting().verifier.name == "batch-printed") return;
  inquiry.add_calls(rejections.target_calls());
  inquiry.add_accepted(
      batch_tail(inquiry.rows, inquiry.start, batches, inquiry.drafts(), inquiry.budget));
};

/// One token: TV(d, t) minus the improvement.
template <class Real>
void add_improved(Inquiry<Real>& inquiry, const Real& improvement) {
  const Real tv = total_variation<Real>(inquiry.rows.draft(0), inquiry.rows.target(0));
  inquiry.add(QuantityId::rejections, positive_part<Real>(tv - improvement));
}

constexpr auto bernoulli = []<class Real>(Inquiry<Real>& inquiry) {
  inquiry.require(inquiry.setting().pair->memoryless() &&
                  inquiry.setting().pair->vocabulary() == 2 && inquiry.unbroken_horizon() == 1);
  const auto draft = inquiry.rows.draft(0);
  const auto target = inquiry.rows.target(0);
  const std::size_t x = draft[1] < target[1] ? 0 : 1;  // the token with d > t
  add_improved(inquiry, bernoulli_improvement<Real>(draft[x], target[x], inquiry.count("M")));
};

constexpr auto uniform = []<class Real>(Inquiry<Real>& inquiry) {
  inquiry.require(inquiry.setting().pair->memoryless() && inquiry.unbroken_horizon() == 1);
  const auto ratio = uniform_ratio(inquiry.rows.draft(0), inquiry.rows.target(0));
  inquiry.require(ratio.has_value());
  add_improved(inquiry, uniform_improvement<Real>(*ratio, inquiry.count("M")));
};

Residual residual_of(SpecReader reader) {
  return reader.choice<Residual>("residual", {"optimal", "target", "draft", "standard"}, "optimal");
}

/// The step law at every state, or OutsideHypotheses where it is a 0/0.
template <class Real>
StepRule<Real> biased_rule(const Real& eps, Residual residual) {
  return [eps, residual](auto draft, auto target) {
    auto law = biased_step<Real>(draft, target, eps, residual);
    if (!law) throw OutsideHypotheses();
    return *std::move(law);
  };
}

constexpr auto loss = [](auto& inquiry) {
  const auto eps = inquiry.number("eps");
  inquiry.require(inquiry.unbroken_horizon() == 1);
  // The standard residual is an optimum too, because b >= min(1, t/d).
  const Residual residual = residual_of(inquiry.parameters());
  const bool attained = residual == Residual::optimal || residual == Residual::standard;
  const auto value = [&](State state) {
    return least_loss(inquiry.rows.draft(state), inquiry.rows.target(state), eps);
  };
  inquiry.add(QuantityId::tv_to_target, average(inquiry.start, value),
              attained ? Relation::equals : Relation::at_least);
};

constexpr auto pareto = []<class Real>(Inquiry<Real>& inquiry) {
  const Real eps = inquiry.number("eps");
  const Residual residual = residual_of(inquiry.parameters());
  if (inquiry.unbroken_horizon() == 1 &&
      (residual == Residual::optimal || residual == Residual::standard)) {
    const auto value = [&](State state) {
      const auto draft = inquiry.rows.draft(state);
      const auto target = inquiry.rows.target(state);
      return positive_part<Real>(total_variation<Real>(draft, target) -
                                 biased_rejection(draft, target, eps));
    };
    inquiry.add(QuantityId::tv_to_target, average(inquiry.start, value));
  }
  add_step_counts(inquiry, biased_rule(eps, residual), inquiry.unbroken_horizon());
};

constexpr auto biased = [](auto& inquiry) {
  const auto rule = biased_rule(inquiry.number("eps"), residual_of(inquiry.parameters()));
  add_step_tail(inquiry, rule);
  add_step_tv(inquiry, rule, inquiry.unbroken_horizon());
};

constexpr PredictionRow kRows[] = {
    {"yin2024.theorem1", about("token"),
     "token, drafts to the horizon: E[N_rej] = sum_n E_t[TV(d_n, t_n)]", "yin2024, Theorem 1",
     token},
    {"yin2024.theorem3", about("batch", "batch-printed"),
     "batch(M): E[N_rej] = sum_n E_t[TV] - sum_n sum_f [TV - prod_m r_m], f by equation (22) with "
     "f(x_0) = 1",
     "yin2024, Theorem 3", batch},
    {"yin2024.proposition1", about("batch"), "batch(M): E[N_rej] >= its limit M -> infinity",
     "yin2024, Proposition 1", limit},
    {"yin2024.batch_bernoulli", about("batch"),
     "batch(M), one Bernoulli token: TV - |u - v| (1 - u^(M-1)), u >= v", "yin2024, Section 3.2",
     bernoulli},
    {"yin2024.batch_uniform", about("batch"),
     "batch(M), one uniform token: TV - (1 - 1/r) + (1 - 1/r)^M", "yin2024, Section 3.2", uniform},
    {"yin2024.theorem4", about("biased"),
     "biased(eps, residual), one token: TV >= Loss*(b), attained by the optimal residual",
     "yin2024, Theorem 4", loss},
    {"yin2024.theorem5", about("biased"), "biased(eps, residual): P(reject) + Loss*(b) = TV(d, t)",
     "yin2024, Theorem 5", pareto},
    {"yin2024.equation1", about("biased"),
     "biased(eps, residual): TV of the law b d + (1 - sum b d) R at every position",
     "yin2024, Equation (1)", biased},
};

}  // namespace
}  // namespace yin2024

std::span<const PredictionRow> yin2024_rows() { return yin2024::kRows; }

}  // namespace speclab
