#include "audit/smallest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "audit/binomial.h"
#include "audit/verify_cases.h"
#include "base/error.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// From the smallest on.
constexpr std::array kExponents{1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0};

/// The laws of a case's aspects under a fault; empty: it does not show there.
using FaultLaws = std::function<std::vector<KeyLaw>(std::size_t at)>;

/// Whether one of the plan's tests shows the fault with this power.
bool is_shown(const AuditPlan& plan, double power, const FaultLaws& laws_at) {
  for (std::size_t at = 0; at < plan.cases.size(); ++at) {
    const CasePlan& each = plan.cases[at];
    if (!each.asked) continue;
    check_interrupted();
    const std::vector<KeyLaw> laws = laws_at(at);
    for (std::size_t aspect = 0; aspect < laws.size(); ++aspect) {
      for (const auto& [key, p] : each.aspects[aspect].law) {
        const double q = probability_of(laws[aspect], key);
        const double right = std::min(1.0, p);
        if (std::abs(right - q) < 1e-9) continue;
        if (binomial_power(each.shape.trials, right, q, plan.level) >= power) return true;
      }
    }
  }
  return false;
}

/// The law to a power, with the same total.
KeyLaw tempered(const KeyLaw& law, double exponent) {
  double total = 0, raised = 0;
  for (const auto& [key, p] : law) {
    total += p;
    raised += std::pow(p, exponent);
  }
  KeyLaw made;
  for (const auto& [key, p] : law) made[key] = std::pow(p, exponent) * total / raised;
  return made;
}

/// The laws where those of one kind of decision are to a power.
std::vector<KeyLaw> with_tempered(const CasePlan& plan, DecisionKind kind, double exponent) {
  std::vector<KeyLaw> laws;
  if (plan.shape.drafted.size() != 1) return laws;
  for (const Aspect& aspect : plan.aspects) {
    laws.push_back(aspect.kind == kind && !aspect.law.empty() ? tempered(aspect.law, exponent)
                                                              : aspect.law);
  }
  return laws;
}

/// Changes a row's probabilities one by one.
RowChange each_changed(const std::function<double(double probability)>& change) {
  return [change](std::span<const double> row) {
    std::vector<Rational> law;
    for (const double p : row) law.push_back(exact(p > 0 ? change(p) : 0));
    return law;
  };
}

/// A double with so many bits after the first.
double rounded(double value, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits + 1)), exponent - bits - 1);
}

/// The largest distance (TV) from an aspect's law that may be unseen, in shares of all decisions.
double unseen_distance(const CasePlan& of, const Aspect& aspect, double level, double power) {
  const SeenDeviation other = deviation_seen(of.shape.trials, 0, level, power);
  double more = other.more, less = 0;
  for (const auto& [key, p] : aspect.law) {
    const SeenDeviation each = deviation_seen(of.shape.trials, p, level, power);
    more += each.more;
    less += each.less;
  }
  return std::min({more, less, 1.0});
}

}  // namespace

std::vector<SeenDistance> seen_distances(const AuditPlan& plan, const DecisionOrder& order,
                                         double power) {
  std::map<DecisionKind, SeenDistance> found;
  for (const CasePlan& each : plan.cases) {
    if (!each.asked) continue;
    check_interrupted();
    std::map<DecisionKind, double> here;
    for (const Aspect& aspect : each.aspects) {
      if (aspect.law.empty()) continue;
      const double unseen = unseen_distance(each, aspect, plan.level, power);
      double& sum = here[aspect.kind];
      sum = aspect.given_first ? sum + unseen : std::max(sum, unseen);
    }
    for (const auto& [kind, distance] : here) {
      const auto [place, fresh] = found.try_emplace(kind, SeenDistance{kind, distance, distance});
      if (fresh) continue;
      place->second.best = std::min(place->second.best, distance);
      place->second.every = std::max(place->second.every, distance);
    }
  }
  if (const auto pairs = smallest_dependence(plan, order, power)) {
    found[DecisionKind::dependence] = {DecisionKind::dependence, *pairs, *pairs};
  }
  std::vector<SeenDistance> all;
  for (const auto& [kind, distance] : found) all.push_back(distance);
  return all;
}

std::vector<SmallestFault> smallest_faults(const AuditPlan& plan,
                                           const std::vector<const AuditPlace*>& places,
                                           const Verifier& rule, double power) {
  std::vector<SmallestFault> all;
  const auto ladder = [&](const std::string& fault, const auto& laws_of) {
    SmallestFault found{fault, "", ""};
    for (const double exponent : kExponents) {
      const bool seen =
          is_shown(plan, power, [&](std::size_t at) { return laws_of(at, exponent); });
      (seen ? found.seen : found.unseen) = fmt::format("a = {}", exponent);
      if (seen) break;
    }
    all.push_back(std::move(found));
  };
  const auto ruled = [&](std::size_t at, const RowChange& draft, const RowChange& target) {
    try {
      return split_law(law_at(rule, changed_place(*places[at], draft, target)), places[at]->gamma,
                       places[at]->chains.size());
    } catch (const Error& error) {
      if (error.code() == ExitCode::interrupted) throw;
      return std::vector<KeyLaw>{};
    }
  };
  const RowChange same = each_changed([](double p) { return p; });
  for (const auto& [kind, name] : {std::pair(DecisionKind::bonus, "bonus tokens from t^a"),
                                   std::pair(DecisionKind::correction, "corrections from r^a")}) {
    ladder(name, [&, of = kind](std::size_t at, double exponent) {
      return with_tempered(plan.cases[at], of, exponent);
    });
  }
  ladder("tests against d^a where d was sampled", [&](std::size_t at, double exponent) {
    return ruled(at, each_changed([exponent](double p) { return std::pow(p, exponent); }), same);
  });
  for (const auto& [bits, name] : {std::pair(10, "rows in fp16"), std::pair(7, "rows in bf16")}) {
    const RowChange round = each_changed([bits = bits](double p) { return rounded(p, bits); });
    const bool seen =
        is_shown(plan, power, [&](std::size_t at) { return ruled(at, round, round); });
    all.push_back({name, seen ? "yes" : "", seen ? "" : "yes"});
  }
  return all;
}

}  // namespace speclab
