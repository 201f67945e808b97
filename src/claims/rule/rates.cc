#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "answer/optima.h"
#include "answer/own_verifier.h"
#include "base/spec.h"
#include "claims/engine/compared.h"
#include "claims/rule/rule_check.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// A verifier's spec text with another value of one parameter; nothing where it does not have it as
/// a plain value.
std::optional<std::string> with_value(const Verifier& verifier, std::string_view key, int value) {
  Spec spec = verifier.spec;
  bool found = false;
  for (SpecArgument& argument : spec.arguments) {
    if (argument.key != key || argument.is_list) continue;
    argument.values = {std::to_string(value)};
    found = true;
  }
  if (!found) return std::nullopt;
  return spec_text(spec);
}

Rational accepted_by(std::string_view verifier, const Instance& instance) {
  return rule_answer(verifier, instance).fraction(QuantityId::expected_accepted);
}

/// Nothing beyond a limit.
template <class Ask>
auto within_limits(const Ask& ask) -> decltype(ask()) {
  try {
    return ask();
  } catch (const LimitError&) {
    return {};
  }
}

std::optional<Rational> accepted_within(std::string_view verifier, const Instance& instance) {
  return within_limits([&] { return std::optional(accepted_by(verifier, instance)); });
}

/// E[N(i)]; nothing beyond a limit, nor of a rule with a carry on more than some paths: each of
/// its iterations starts in as many contexts as there are carries.
std::vector<Rational> tokens_of(const Verifier& verifier, const Instance& instance) {
  constexpr double kMostCarries = 64;
  const double paths = std::pow(static_cast<double>(instance.pair().vocabulary()), instance.gamma);
  if (verifier.runs->carried != nullptr && paths > kMostCarries) return {};
  return within_limits([&] {
    return rule_answer(verifier.name, instance, std::nullopt, kRuleIterations)
        .fractions(QuantityId::expected_tokens);
  });
}

RuleRate rate_on(const Verifier& verifier, const Instance& instance) {
  const std::string_view greedy = "greedy-block";
  RuleRate rate{.pair = instance.name(),
                .gamma = instance.gamma,
                .accepted = accepted_by(verifier.name, instance),
                .block = accepted_within("block", instance),
                .greedy = accepted_within(greedy, instance)};
  if (verifier.drafts_iid && verifier.drafts > 0) {
    Optima optima(*instance.bench);
    const auto most = optima.optimum(question_of(verifier.name, instance));
    if (most && most->fraction) rate.optimum = most->fraction;
  }
  if (!instance.pair().length()) {
    rate.tokens = tokens_of(verifier, instance);
    rate.block_tokens = tokens_of(make_verifier("block"), instance);
    rate.greedy_tokens = tokens_of(make_verifier(greedy), instance);
  }
  return rate;
}

/// E[accepted]; nothing where the verifier does not take these numbers.
std::optional<Rational> accepted_or_refused(std::string_view verifier, const Instance& instance) {
  try {
    return accepted_by(verifier, instance);
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted) throw;
    return std::nullopt;
  }
}

/// Compares E[accepted] at each value 2 .. most of a parameter with that at the value before.
/// @param parameter  what stands before the value: "gamma ", "K = "
template <class Accepted>
void compare_growth(RuleGrowth& growth, const Instance& instance, std::string_view parameter,
                    int most, const Accepted& accepted) {
  check_interrupted();
  std::optional<Rational> before = accepted(1);
  for (int value = 2; value <= most; ++value) {
    const std::optional<Rational> now = accepted(value);
    if (before && now) {
      ++growth.comparisons;
      if (*now < *before && growth.falls.empty()) {
        growth.falls =
            fmt::format("E[accepted] {0} at {1}{2}, {3} at {1}{4}, on {5}", number_text(*before),
                        parameter, value - 1, number_text(*now), value, instance.name());
      }
    }
    before = now;
  }
}

}  // namespace

std::vector<RuleRate> rule_rates(const Verifier& verifier, const RuleRequest& request) {
  std::vector<RuleRate> rates;
  const auto add = [&](const Instance& instance) {
    check_interrupted();
    try {
      rates.push_back(rate_on(verifier, instance));
    } catch (const Error& error) {
      // A pair beyond a limit has no rates; the reason is with those that are not checked.
      if (error.code() == ExitCode::interrupted) throw;
    }
  };
  const auto fixed = fixed_gamma(verifier);
  for (const PairPointer& pair : request.pairs) {
    for (const int gamma : fixed ? std::vector{*fixed} : request.gammas) {
      if (pair->length().value_or(gamma) >= gamma) add(make_instance(pair, gamma));
    }
  }
  if (!request.pairs.empty()) return rates;
  for (const auto& [pair, gamma] :
       {std::pair("iid(draft=[2/3,1/3],target=[1/3,2/3])", 2),
        std::pair("iid(draft=[2/3,1/3],target=[1/3,2/3])", 3),
        std::pair("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2),
        std::pair("tree(vocabulary=2,depth=3,seed=8,denominator=12)", 2)}) {
    const bool again = fixed && gamma == 3;
    if (!again) add(make_instance(pair, fixed.value_or(gamma)));
  }
  return rates;
}

RuleGrowth growth_in_gamma(const Verifier& verifier, const std::vector<Instance>& instances) {
  RuleGrowth growth;
  if (verifier.info->drafting == Drafting::none) {
    growth.unasked = "it drafts nothing";
    return growth;
  }
  if (fixed_gamma(verifier)) {
    growth.unasked = "its tree has one depth";
    return growth;
  }
  for (Instance instance : instances) {
    const int most = instance.pair().vocabulary() > 2 ? 2 : 3;
    compare_growth(growth, instance, "gamma ", most, [&](int gamma) {
      instance.gamma = gamma;
      return accepted_or_refused(verifier.name, instance);
    });
  }
  return growth;
}

RuleGrowth growth_in_drafts(const Verifier& verifier, const std::vector<Instance>& instances) {
  RuleGrowth growth;
  const std::string_view key = verifier.info->drafts;
  if (key.empty() || !with_value(verifier, key, 1)) {
    growth.unasked = "it takes no number of drafts";
    return growth;
  }
  constexpr int kMostDrafts = 3;
  for (Instance instance : instances) {
    if (instance.pair().vocabulary() > 2) continue;
    instance.gamma = 1;
    compare_growth(growth, instance, fmt::format("{} = ", key), kMostDrafts, [&](int count) {
      return accepted_or_refused(*with_value(verifier, key, count), instance);
    });
  }
  return growth;
}

}  // namespace speclab
