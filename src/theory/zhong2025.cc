#include "theory/zhong2025.h"

#include "theory/step_rows.h"

namespace speclab {
namespace zhong2025 {
namespace {

constexpr std::string_view kCalls = "zhong2025.iid_labels";

/// The verifiers whose last token the target checks, as Theorem 3.1 assumes. No extra token follows
/// a run cut by its window, so a decode's law, rejections and calls do not depend on the window.
constexpr auto kSprinter = about("sprinter");
constexpr auto kAnySprinter = about("sprinter", "sprinter-printed");

template <class Real>
VerifierRates<Real> rates_of(const Inquiry<Real>& inquiry) {
  VerifierRates<Real> rates;
  SpecReader reader = inquiry.parameters();
  for (const Rational& fp : reader.number_or_list("fp")) {
    rates.fp.push_back(from_rational<Real>(fp));
  }
  rates.tp = from_rational<Real>(reader.number("tp"));
  return rates;
}

/// Calls compute(rates) with the rates of the setting's verifier: the given ones, or a file's.
template <class Real, class Compute>
void with_rates(const Inquiry<Real>& inquiry, const Compute& compute) {
  SpecReader reader = inquiry.parameters();
  if (!reader.has("rates")) return compute(rates_of(inquiry));
  const auto rates = read_pass_rates(reader.path("rates"))->of(inquiry.setting().pair);
  compute(FileRates<Real>{*rates});
}

/// TV of T tokens.
template <class Real, class Rates>
void add_tv(Inquiry<Real>& inquiry, const Rates& rates) {
  const int horizon = inquiry.any_horizon();
  if (horizon == 1) {
    const auto value = [&](State state) {
      inquiry.spend(2.0 * inquiry.rows.vocabulary());
      return sprinter_tv<Real>(inquiry.rows.draft(state), inquiry.rows.target(state),
                               rates.at(state));
    };
    inquiry.add(QuantityId::tv_to_target, average(inquiry.start, value));
    return;
  }
  const StepRule<Real> rule = [&](State state, auto draft, auto target) {
    return sprinter_step<Real>(draft, target, rates.at(state));
  };
  add_step_tv(inquiry, rule, horizon);
}

/// The theorem is also stated for the printed Algorithm 2, which does not satisfy it.
constexpr auto law = [](auto& inquiry) {
  inquiry.require(!inquiry.parameters().has("rates"));
  const auto rates = rates_of(inquiry);
  inquiry.require(rates.by_class());
  add_tv(inquiry, rates);
};

constexpr auto law_by_token = [](auto& inquiry) {
  with_rates(inquiry, [&](const auto& rates) {
    if constexpr (requires { rates.by_class(); }) inquiry.require(!rates.by_class());
    add_tv(inquiry, rates);
  });
};

constexpr auto acceptance = [](auto& inquiry) {
  with_rates(inquiry, [&](const auto& rates) {
    inquiry.add(QuantityId::rejections, sprinter_counts(inquiry.rows, inquiry.start, rates,
                                                        inquiry.any_horizon(), inquiry.budget)
                                            .rejections);
  });
};

constexpr auto passed = [](auto& inquiry) {
  with_rates(inquiry, [&](const auto& rates) {
    inquiry.add_accepted(
        passed_tail(inquiry.rows, inquiry.start, rates, inquiry.drafts(), inquiry.budget));
  });
};

/// The time or work of one call, as an exact number.
template <class Real>
Real cost(double value) {
  return from_rational<Real>(exact(value));
}

/// A drafted token's time: the draft's step and the verifier's call.
template <class Real>
Real step_cost(const Latency& latency) {
  return cost<Real>(latency.draft) + cost<Real>(latency.verifier);
}

constexpr auto stopping = []<class Real>(Inquiry<Real>& inquiry) {
  with_rates(inquiry, [&](const auto& rates) {
    const auto tail =
        passed_tail(inquiry.rows, inquiry.start, rates, inquiry.drafts(), inquiry.budget);
    inquiry.add(QuantityId::time_to_stop,
                step_cost<Real>(inquiry.latency()) * expected_drafted(tail));
  });
};

/// Calls use(rho) with the probability that a drafted token of a memoryless pair passes.
template <class Real, class Use>
void with_passing(Inquiry<Real>& inquiry, const Use& use) {
  inquiry.require(inquiry.setting().pair->memoryless());
  with_rates(inquiry, [&](const auto& rates) {
    inquiry.spend(2.0 * inquiry.rows.vocabulary());
    const Real rho = passing<Real>(inquiry.rows.draft(0), inquiry.rows.target(0), rates.at(0));
    inquiry.require(rho < 1 && inquiry.drafts() > 0);
    use(rho);
  });
}

/// E[N] = rho / (1 - rho) and E[T_stop] = (t_d + t_v) / (1 - rho) are without a horizon; a run that
/// is cut has fewer.
constexpr auto iid_passed = []<class Real>(Inquiry<Real>& inquiry) {
  with_passing(inquiry, [&](const Real& rho) {
    inquiry.add(QuantityId::expected_accepted, expected_passed_iid(rho), Relation::at_most);
  });
};

constexpr auto iid_stopping = []<class Real>(Inquiry<Real>& inquiry) {
  with_passing(inquiry, [&](const Real& rho) {
    inquiry.add(QuantityId::time_to_stop,
                expected_stopping_time_iid(rho, step_cost<Real>(inquiry.latency())),
                Relation::at_most);
  });
};

constexpr auto calls = [](auto& inquiry) {
  with_rates(inquiry, [&](const auto& rates) {
    inquiry.add_calls(
        sprinter_counts(inquiry.rows, inquiry.start, rates, inquiry.any_horizon(), inquiry.budget)
            .calls);
  });
};

/// Equation (5) with the target's row of the bonus token, for runs with a full window; the last
/// runs of a decode may be cut.
constexpr auto work_of_token = []<class Real>(Inquiry<Real>& inquiry) {
  const Latency& latency = inquiry.latency();
  const int gamma = inquiry.setting().lengths.gamma;
  inquiry.require(latency.flat() && !inquiry.setting().pair->end_token());
  const int horizon = inquiry.any_horizon();
  const auto counts = stepwise_counts<Real>(inquiry.rows, inquiry.start, token_step<Real>, gamma,
                                            horizon, inquiry.budget);
  const Real target = cost<Real>(latency.target);
  const Real run =
      target + speculative_flops<Real>(std::min(gamma, horizon), cost<Real>(latency.draft), target);
  inquiry.add(QuantityId::work_of_decode, counts.calls * run, Relation::at_most);
};

/// Equation (6) summed over the runs of a decode: every token is drafted and verified once, and
/// each run that ends with a "no" calls the target once.
constexpr auto work = []<class Real>(Inquiry<Real>& inquiry) {
  const Latency& latency = inquiry.latency();
  inquiry.require(!inquiry.setting().pair->end_token());
  const int horizon = inquiry.any_horizon();
  with_rates(inquiry, [&](const auto& rates) {
    const Real calls =
        sprinter_counts(inquiry.rows, inquiry.start, rates, horizon, inquiry.budget).calls;
    inquiry.add(
        QuantityId::work_of_decode,
        sprinter_flops<Real>(horizon, cost<Real>(latency.draft), cost<Real>(latency.verifier),
                             Real(calls * cost<Real>(latency.target))));
  });
};

constexpr PredictionRow kRows[] = {
    {"zhong2025.theorem3.1", kAnySprinter,
     "sprinter: a token's law is (1 - fp) t + fp d, TV = fp TV(d, t)", "zhong2025, Theorem 3.1",
     law},
    {"zhong2025.theoremA.4", kSprinter,
     "sprinter: a position is corrected with probability (1 - fp) TV(d, t)",
     "zhong2025, Theorem A.4", acceptance},
    {"zhong2025.theorem3.1-by-token", kSprinter,
     "sprinter, a rate a token (or a file's): TV = sum of fp_x [d - t]+",
     "zhong2025, Theorem 3.1, corrected", law_by_token},
    {"zhong2025.theorem3.3", kAnySprinter,
     "sprinter: P(N >= i) = E of prod tp or fp over the drafted tokens, cut at gamma",
     "zhong2025, Theorem 3.3", passed},
    {"zhong2025.theorem3.4", kAnySprinter,
     "sprinter: E[T_stop] = (t_d + t_v) E[N + 1], cut at gamma",
     "zhong2025, Theorem 3.4, corrected", nullptr, stopping},
    {kCalls, kAnySprinter,
     "sprinter, memoryless: E[N] <= rho / (1 - rho), E[T_stop] <= (t_d + t_v) / (1 - rho), "
     "attained without a horizon",
     "zhong2025, Theorem 3.3 with i.i.d. labels", iid_passed, iid_stopping},
    {kCalls, kSprinter,
     "sprinter: a position calls the target with probability 1 - rho, rho = a tp + (1 - a) fp",
     "zhong2025, Theorem 3.3 with i.i.d. labels", calls},
    {"zhong2025.equation5", about("token"),
     "token: FLOPs of a decode <= gamma F_d + (gamma + 1) F_t a run, the costs given as times",
     "zhong2025, Equation (5), corrected", nullptr, work_of_token},
    {"zhong2025.equation6", kSprinter,
     "sprinter: FLOPs of a decode = T (F_d + F_v) + F_t a call of the target, the costs given as "
     "times",
     "zhong2025, Equation (6)", nullptr, work},
};

}  // namespace
}  // namespace zhong2025

std::span<const PredictionRow> zhong2025_rows() { return zhong2025::kRows; }

}  // namespace speclab
