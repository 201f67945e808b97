#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "answer/optima.h"
#include "answer/own_verifier.h"
#include "claims/engine/compared.h"
#include "claims/rule/rule_check.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// A verifier's spec text with another value of one parameter; nothing where it does not have it as
/// a plain value.
std::optional<std::string> with_value(const Verifier& verifier, std::string_view key, int value) {
  std::string text;
  bool found = false;
  for (const SpecArgument& argument : verifier.spec.arguments) {
    if (!argument.rows.empty()) return std::nullopt;
    const bool here = argument.key == key && !argument.is_list;
    found = found || here;
    text += fmt::format("{}{}=", text.empty() ? "" : ",", argument.key);
    if (here) {
      text += std::to_string(value);
    } else if (argument.is_list) {
      text += fmt::format("[{}]", fmt::join(argument.values, ","));
    } else {
      text += argument.values.front();
    }
  }
  if (!found) return std::nullopt;
  return fmt::format("{}({})", verifier.spec.name, text);
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

/// Adds a comparison of E[accepted] at two values of a parameter.
void compare_growth(RuleGrowth& growth, const Instance& instance, const std::string& less,
                    const std::optional<Rational>& at_less, const std::string& more,
                    const std::optional<Rational>& at_more) {
  if (!at_less || !at_more) return;
  ++growth.comparisons;
  if (*at_more >= *at_less || !growth.falls.empty()) return;
  growth.falls = fmt::format("E[accepted] {} at {}, {} at {}, on {}", number_text(*at_less), less,
                             number_text(*at_more), more, instance.name());
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
  const auto at = [&](Instance& instance, int gamma) {
    instance.gamma = gamma;
    return accepted_or_refused(verifier.name, instance);
  };
  for (const Instance& each : instances) {
    check_interrupted();
    Instance instance = each;
    const int most = instance.pair().vocabulary() > 2 ? 2 : 3;
    auto before = at(instance, 1);
    for (int gamma = 2; gamma <= most; ++gamma) {
      const auto now = at(instance, gamma);
      compare_growth(growth, instance, fmt::format("gamma {}", gamma - 1), before,
                     fmt::format("gamma {}", gamma), now);
      before = now;
    }
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
  for (const Instance& each : instances) {
    if (each.pair().vocabulary() > 2) continue;
    check_interrupted();
    Instance instance = each;
    instance.gamma = 1;
    auto before = accepted_or_refused(*with_value(verifier, key, 1), instance);
    for (int count = 2; count <= kMostDrafts; ++count) {
      const auto now = accepted_or_refused(*with_value(verifier, key, count), instance);
      compare_growth(growth, instance, fmt::format("{} = {}", key, count - 1), before,
                     fmt::format("{} = {}", key, count), now);
      before = now;
    }
  }
  return growth;
}

}  // namespace speclab
