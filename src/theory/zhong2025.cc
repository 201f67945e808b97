#include "theory/zhong2025.h"

#include "theory/inquiry.h"

namespace speclab {
namespace zhong2025 {
namespace {

constexpr std::string_view kLaw = "zhong2025.theorem3.1";
constexpr std::string_view kLawByToken = "zhong2025.theorem3.1-by-token";
constexpr std::string_view kPassed = "zhong2025.theorem3.3";
constexpr std::string_view kAcceptance = "zhong2025.theoremA.4";
constexpr std::string_view kStopping = "zhong2025.theorem3.4";
constexpr std::string_view kCalls = "zhong2025.iid_labels";
constexpr std::string_view kTokenWork = "zhong2025.equation5";
constexpr std::string_view kWork = "zhong2025.equation6";

/// The verifiers whose last token the target checks, as Theorem 3.1 assumes. No extra token follows
/// a run cut by its window, so a decode's law, rejections and calls do not depend on the window.
bool is_sprinter(const Setting& setting) { return speaks_of(setting, {"sprinter"}); }

bool is_any_sprinter(const Setting& setting) {
  return is_sprinter(setting) || speaks_of(setting, {"sprinter-printed"});
}

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

/// Calls compute(rates) with the rates of the setting's verifier: the given ones, or a file's.
template <class Inquiry, class Compute>
void with_rates(const Inquiry& inquiry, const Compute& compute) {
  SpecReader reader = inquiry.parameters();
  if (!reader.has("rates")) return compute(rates_of(inquiry));
  const auto rates = read_pass_rates(reader.path("rates"))->of(inquiry.setting().pair);
  compute(FileRates<typename Inquiry::Real>{*rates});
}

/// TV of T tokens.
template <class Inquiry, class Rates>
void add_tv(Inquiry& inquiry, const Rates& rates) {
  using Real = typename Inquiry::Real;
  const int horizon = inquiry.any_horizon();
  if (horizon == 1) {
    const auto value = [&](State state) {
      inquiry.budget.template spend<Real>(2.0 * inquiry.rows.vocabulary());
      return sprinter_tv<Real>(inquiry.rows.draft(state), inquiry.rows.target(state),
                               rates.at(state));
    };
    inquiry.add(QuantityId::tv_to_target, average(inquiry.start, value));
    return;
  }
  const StepRule<Real> rule = [&](State state, std::span<const Real> draft,
                                  std::span<const Real> target) {
    return sprinter_step<Real>(draft, target, rates.at(state));
  };
  inquiry.add(QuantityId::tv_to_target,
              stepwise_tv(inquiry.rows, inquiry.start, rule, horizon, inquiry.budget));
}

/// The theorem is also stated for the printed Algorithm 2, which does not satisfy it.
std::vector<Prediction> law(const Setting& setting) {
  if (!speaks_of(setting, {"sprinter", "sprinter-printed"})) return {};
  return answer(setting, kLaw, [](auto& inquiry) {
    inquiry.require(!inquiry.parameters().has("rates"));
    const auto rates = rates_of(inquiry);
    inquiry.require(rates.by_class());
    add_tv(inquiry, rates);
  });
}

std::vector<Prediction> law_by_token(const Setting& setting) {
  if (!is_sprinter(setting)) return {};
  return answer(setting, kLawByToken, [](auto& inquiry) {
    with_rates(inquiry, [&](const auto& rates) {
      if constexpr (requires { rates.by_class(); }) inquiry.require(!rates.by_class());
      add_tv(inquiry, rates);
    });
  });
}

std::vector<Prediction> acceptance(const Setting& setting) {
  if (!is_sprinter(setting)) return {};
  return answer(setting, kAcceptance, [](auto& inquiry) {
    with_rates(inquiry, [&](const auto& rates) {
      inquiry.add(QuantityId::rejections, sprinter_counts(inquiry.rows, inquiry.start, rates,
                                                          inquiry.any_horizon(), inquiry.budget)
                                              .rejections);
    });
  });
}

std::vector<Prediction> passed(const Setting& setting) {
  if (!is_any_sprinter(setting)) return {};
  return answer(setting, kPassed, [](auto& inquiry) {
    with_rates(inquiry, [&](const auto& rates) {
      inquiry.add_accepted(
          passed_tail(inquiry.rows, inquiry.start, rates, inquiry.drafts(), inquiry.budget));
    });
  });
}

/// The time or work of one call, as an exact number.
template <class Real>
Real cost(double value) {
  return from_rational<Real>(exact(value));
}

std::vector<Prediction> stopping(const Setting& setting, const Latency& latency) {
  if (!is_any_sprinter(setting)) return {};
  return answer(setting, kStopping, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    with_rates(inquiry, [&](const auto& rates) {
      const auto tail =
          passed_tail(inquiry.rows, inquiry.start, rates, inquiry.drafts(), inquiry.budget);
      inquiry.add(QuantityId::time_to_stop, cost<Real>(latency.draft) * expected_drafted(tail));
    });
  });
}

/// Calls use(inquiry, rho) with the probability that a drafted token of a memoryless pair passes.
template <class Use>
std::vector<Prediction> with_passing(const Setting& setting, const Use& use) {
  if (!is_any_sprinter(setting)) return {};
  return answer(setting, kCalls, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(setting.pair->memoryless());
    with_rates(inquiry, [&](const auto& rates) {
      inquiry.budget.template spend<Real>(2.0 * inquiry.rows.vocabulary());
      const Real rho = passing<Real>(inquiry.rows.draft(0), inquiry.rows.target(0), rates.at(0));
      inquiry.require(rho < 1 && inquiry.drafts() > 0);
      use(inquiry, rho);
    });
  });
}

/// E[N] = rho / (1 - rho) and E[T_stop] = t_d / (1 - rho) are without a horizon; a run that is
/// cut has fewer.
std::vector<Prediction> iid_passed(const Setting& setting) {
  return with_passing(setting, [](auto& inquiry, const auto& rho) {
    inquiry.add(QuantityId::expected_accepted, expected_passed_iid(rho), Relation::at_most);
  });
}

std::vector<Prediction> iid_stopping(const Setting& setting, const Latency& latency) {
  return with_passing(setting, [&](auto& inquiry, const auto& rho) {
    using Real = std::decay_t<decltype(rho)>;
    inquiry.add(QuantityId::time_to_stop,
                expected_stopping_time_iid(rho, cost<Real>(latency.draft)), Relation::at_most);
  });
}

std::vector<Prediction> calls(const Setting& setting) {
  if (!is_sprinter(setting)) return {};
  return answer(setting, kCalls, [](auto& inquiry) {
    with_rates(inquiry, [&](const auto& rates) {
      inquiry.add_calls(
          sprinter_counts(inquiry.rows, inquiry.start, rates, inquiry.any_horizon(), inquiry.budget)
              .calls);
    });
  });
}

/// Equation (5) is for one run with a full window; the last runs of a decode may be cut.
std::vector<Prediction> work_of_token(const Setting& setting, const Latency& latency) {
  if (!speaks_of(setting, {"token"})) return {};
  return answer(setting, kTokenWork, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(latency.flat() && !setting.pair->end_token());
    const int horizon = inquiry.any_horizon();
    const auto counts = stepwise_counts<Real>(inquiry.rows, inquiry.start, token_step<Real>,
                                              setting.lengths.gamma, horizon, inquiry.budget);
    const Real run = speculative_flops<Real>(std::min(setting.lengths.gamma, horizon),
                                             cost<Real>(latency.draft), cost<Real>(latency.target));
    inquiry.add(QuantityId::work_of_decode, counts.calls * run, Relation::at_most);
  });
}

/// Equation (6) summed over the runs of a decode: every token is drafted and verified once, and
/// each run that ends with a "no" calls the target once.
std::vector<Prediction> work(const Setting& setting, const Latency& latency) {
  if (!is_sprinter(setting)) return {};
  return answer(setting, kWork, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(!setting.pair->end_token());
    const int horizon = inquiry.any_horizon();
    with_rates(inquiry, [&](const auto& rates) {
      const Real calls =
          sprinter_counts(inquiry.rows, inquiry.start, rates, horizon, inquiry.budget).calls;
      inquiry.add(
          QuantityId::work_of_decode,
          sprinter_flops<Real>(horizon, cost<Real>(latency.draft), cost<Real>(latency.verifier),
                               Real(calls * cost<Real>(latency.target))));
    });
  });
}

constexpr PredictionRow kRows[] = {
    {kLaw, "sprinter: a token's law is (1 - fp) t + fp d, TV = fp TV(d, t)",
     "zhong2025, Theorem 3.1", law},
    {kAcceptance, "sprinter: a position is corrected with probability (1 - fp) TV(d, t)",
     "zhong2025, Theorem A.4", acceptance},
    {kLawByToken, "sprinter, a rate a token (or a file's): TV = sum of fp_x [d - t]+",
     "zhong2025, Theorem 3.1, corrected", law_by_token},
    {kPassed, "sprinter: P(N >= i) = E of prod tp or fp over the drafted tokens, cut at gamma",
     "zhong2025, Theorem 3.3", passed},
    {kStopping, "sprinter: E[T_stop] = t_d E[N + 1], cut at gamma, the verifier's time neglected",
     "zhong2025, Theorem 3.4", nullptr, stopping},
    {kCalls,
     "sprinter, memoryless: E[N] <= rho / (1 - rho), E[T_stop] <= t_d / (1 - rho), attained "
     "without a horizon",
     "zhong2025, Theorem 3.3 with i.i.d. labels", iid_passed, iid_stopping},
    {kCalls,
     "sprinter: a position calls the target with probability 1 - rho, rho = a tp + (1 - a) fp",
     "zhong2025, Theorem 3.3 with i.i.d. labels", calls},
    {kTokenWork, "token: FLOPs of a decode <= gamma (F_d + F_t) a run, the costs given as times",
     "zhong2025, Equation (5)", nullptr, work_of_token},
    {kWork,
     "sprinter: FLOPs of a decode = T (F_d + F_v) + F_t a call of the target, the costs given as "
     "times",
     "zhong2025, Equation (6)", nullptr, work},
};

}  // namespace
}  // namespace zhong2025

std::span<const PredictionRow> zhong2025_rows() { return zhong2025::kRows; }

}  // namespace speclab
