#include "theory/yin2024.h"

#include "theory/inquiry.h"

namespace speclab {
namespace yin2024 {
namespace {

constexpr std::string_view kToken = "yin2024.theorem1";
constexpr std::string_view kBatch = "yin2024.theorem3";
constexpr std::string_view kLimit = "yin2024.proposition1";
constexpr std::string_view kBernoulli = "yin2024.batch_bernoulli";
constexpr std::string_view kUniform = "yin2024.batch_uniform";
constexpr std::string_view kLoss = "yin2024.theorem4";
constexpr std::string_view kPareto = "yin2024.theorem5";
constexpr std::string_view kBiased = "yin2024.equation1";

/// Proposition 1 is about M -> infinity, which is a lower bound for each M.
std::vector<Prediction> limit(const Setting& setting) {
  if (!speaks_of(setting, {"batch"})) return {};
  return answer(setting, kLimit, [](auto& inquiry) {
    inquiry.add(QuantityId::rejections,
                batch_rejections(inquiry.rows, inquiry.start, kManyBatches,
                                 inquiry.unbroken_horizon(), inquiry.budget)
                    .expected(),
                Relation::at_least);
  });
}

std::vector<Prediction> token(const Setting& setting) {
  if (!speaks_of(setting, {"token"})) return {};
  return answer(setting, kToken, [](auto& inquiry) {
    inquiry.add_lossless();
    const auto rejections =
        token_rejections(inquiry.rows, inquiry.start, inquiry.unbroken_horizon(), inquiry.budget);
    inquiry.add(QuantityId::rejections, rejections.expected());
    inquiry.add_calls(rejections.target_calls());
  });
}

std::vector<Prediction> batch(const Setting& setting) {
  if (!speaks_of(setting, {"batch", "batch-printed"})) return {};
  return answer(setting, kBatch, [&](auto& inquiry) {
    inquiry.add_lossless();
    const int batches = inquiry.count("M");
    const int horizon = inquiry.unbroken_horizon();
    const auto rejections =
        batch_rejections(inquiry.rows, inquiry.start, batches, horizon, inquiry.budget);
    inquiry.add(QuantityId::rejections, rejections.expected());
    if (setting.verifier.name == "batch-printed") return;
    inquiry.add_calls(rejections.target_calls());
    inquiry.add_accepted(
        batch_tail(inquiry.rows, inquiry.start, batches, inquiry.drafts(), inquiry.budget));
  });
}

/// One token: TV(d, t) minus the improvement.
template <class Inquiry, class Real>
void add_improved(Inquiry& inquiry, const Real& improvement) {
  const Real tv = total_variation<Real>(inquiry.rows.draft(0), inquiry.rows.target(0));
  inquiry.add(QuantityId::rejections, positive_part<Real>(tv - improvement));
}

std::vector<Prediction> bernoulli(const Setting& setting) {
  if (!speaks_of(setting, {"batch"})) return {};
  return answer(setting, kBernoulli, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(setting.pair->memoryless() && setting.pair->vocabulary() == 2 &&
                    inquiry.unbroken_horizon() == 1);
    const auto draft = inquiry.rows.draft(0);
    const auto target = inquiry.rows.target(0);
    const std::size_t x = draft[1] < target[1] ? 0 : 1;  // the token with d > t
    add_improved(inquiry, bernoulli_improvement<Real>(draft[x], target[x], inquiry.count("M")));
  });
}

std::vector<Prediction> uniform(const Setting& setting) {
  if (!speaks_of(setting, {"batch"})) return {};
  return answer(setting, kUniform, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(setting.pair->memoryless() && inquiry.unbroken_horizon() == 1);
    const auto draft = inquiry.rows.draft(0);
    const auto target = inquiry.rows.target(0);
    int drafted = 0, wanted = 0;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      inquiry.require(draft[x] > 0 || !(target[x] > 0));
      if (draft[x] > 0) ++drafted;
      if (target[x] > 0) ++wanted;
    }
    for (std::size_t x = 0; x < draft.size(); ++x) {
      inquiry.require(!(draft[x] > 0) || draft[x] == Real(1) / drafted);
      inquiry.require(!(target[x] > 0) || target[x] == Real(1) / wanted);
    }
    add_improved(inquiry, uniform_improvement<Real>(Real(drafted) / wanted, inquiry.count("M")));
  });
}

Residual residual_of(SpecReader reader) {
  const std::string word =
      reader.word("residual", {"optimal", "target", "draft", "standard"}, "optimal");
  if (word == "optimal") return Residual::optimal;
  if (word == "target") return Residual::target;
  return word == "draft" ? Residual::draft : Residual::standard;
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

std::vector<Prediction> loss(const Setting& setting) {
  if (!speaks_of(setting, {"biased"})) return {};
  return answer(setting, kLoss, [](auto& inquiry) {
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
  });
}

std::vector<Prediction> pareto(const Setting& setting) {
  if (!speaks_of(setting, {"biased"})) return {};
  return answer(setting, kPareto, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
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
    const auto counts =
        stepwise_counts(inquiry.rows, inquiry.start, biased_rule(eps, residual),
                        setting.lengths.gamma, inquiry.unbroken_horizon(), inquiry.budget);
    inquiry.add(QuantityId::rejections, counts.rejections);
    inquiry.add_calls(counts.calls);
  });
}

std::vector<Prediction> biased(const Setting& setting) {
  if (!speaks_of(setting, {"biased"})) return {};
  return answer(setting, kBiased, [](auto& inquiry) {
    const auto rule = biased_rule(inquiry.number("eps"), residual_of(inquiry.parameters()));
    inquiry.add_accepted(
        stepwise_tail(inquiry.rows, inquiry.start, rule, inquiry.drafts(), inquiry.budget));
    inquiry.add(QuantityId::tv_to_target, stepwise_tv(inquiry.rows, inquiry.start, rule,
                                                      inquiry.unbroken_horizon(), inquiry.budget));
  });
}

constexpr PredictionRow kRows[] = {
    {kToken, "token, drafts to the horizon: E[N_rej] = sum_n E_t[TV(d_n, t_n)]",
     "yin2024, Theorem 1", token},
    {kBatch,
     "batch(M): E[N_rej] = sum_n E_t[TV] - sum_n sum_f [TV - prod_m r_m], f by equation (22) with "
     "f(x_0) = 1",
     "yin2024, Theorem 3", batch},
    {kLimit, "batch(M): E[N_rej] >= its limit M -> infinity", "yin2024, Proposition 1", limit},
    {kBernoulli, "batch(M), one Bernoulli token: TV - |u - v| (1 - u^(M-1)), u >= v",
     "yin2024, Section 3.2", bernoulli},
    {kUniform, "batch(M), one uniform token: TV - (1 - 1/r) + (1 - 1/r)^M", "yin2024, Section 3.2",
     uniform},
    {kLoss, "biased(eps, residual), one token: TV >= Loss*(b), attained by the optimal residual",
     "yin2024, Theorem 4", loss},
    {kPareto, "biased(eps, residual): P(reject) + Loss*(b) = TV(d, t)", "yin2024, Theorem 5",
     pareto},
    {kBiased, "biased(eps, residual): TV of the law b d + (1 - sum b d) R at every position",
     "yin2024, Equation (1)", biased},
};

}  // namespace
}  // namespace yin2024

std::span<const PredictionRow> yin2024_rows() { return yin2024::kRows; }

}  // namespace speclab
