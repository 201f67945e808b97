#include "audit/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "audit/dependence.h"
#include "base/error.h"
#include "base/spec.h"
#include "verifiers/faults/control_rows.h"
#include "verifiers/faults/fault.h"

namespace speclab {
namespace {

/// Limit on the number of tests of an audit.
constexpr double kTestsAllowed = 20'000;
/// Cases in addition to those that the known faults need, and their trials.
constexpr std::size_t kGeneralPairs = 8;
constexpr std::uint64_t kGeneralTrials = 32'000;

/// For each candidate and fault the trials that show it; 0: it does not.
using Needs = std::vector<std::vector<std::uint64_t>>;

Needs needs_of(const std::vector<CasePlan>& candidates, std::size_t faults,
               const AuditOptions& options) {
  const double level = options.false_alarm / kTestsAllowed;
  Needs needs;
  for (const CasePlan& candidate : candidates) {
    auto& row = needs.emplace_back();
    for (std::size_t fault = 0; fault < faults; ++fault) {
      row.push_back(trials_to_show(candidate, fault, level, options.power, options.most_trials));
    }
  }
  return needs;
}

/// The verifier with another number of drafts, for which it has a parameter; nothing where it does
/// not accept this number: some need at least two.
std::optional<Verifier> with_drafts(const Verifier& verifier, int drafts) {
  Spec spec = verifier.spec;
  for (SpecArgument& argument : spec.arguments) {
    if (argument.key == verifier.info->drafts) argument.values = {std::to_string(drafts)};
  }
  try {
    Verifier made = make_verifier(spec_text(spec));
    if (made.drafts == drafts) return made;
  } catch (const InputError&) {
  }
  return std::nullopt;
}

/// The candidate that shows a fault with the fewest trials; empty where none does.
std::optional<std::size_t> cheapest(const Needs& needs, std::size_t fault) {
  std::optional<std::size_t> best;
  for (std::size_t at = 0; at < needs.size(); ++at) {
    const auto need = needs[at][fault];
    if (need > 0 && (!best || need < needs[*best][fault])) best = at;
  }
  return best;
}

/// Trials by candidate: the fault that is hardest to show first, then the faults that its case
/// leaves.
std::vector<std::uint64_t> cover(const Needs& needs, std::size_t faults) {
  std::vector<std::uint64_t> trials(needs.size(), 0);
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t fault = 0; fault < faults; ++fault) {
    if (const auto at = cheapest(needs, fault)) order.emplace_back(needs[*at][fault], fault);
  }
  std::sort(order.rbegin(), order.rend());
  for (const auto& [need, fault] : order) {
    bool shown = false;
    for (std::size_t at = 0; at < needs.size(); ++at) {
      shown = shown || (needs[at][fault] > 0 && needs[at][fault] <= trials[at]);
    }
    if (!shown) {
      auto& chosen = trials[*cheapest(needs, fault)];
      chosen = std::max(chosen, need);
    }
  }
  return trials;
}

/// Adds the candidates with the most tests, one per pair, so that unknown faults may show, besides
/// those that are in every audit.
void add_general(const std::vector<CasePlan>& candidates, std::vector<std::uint64_t>& trials) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return test_count(candidates[a]) > test_count(candidates[b]);
  });
  const auto choose = [&](std::size_t count, const auto& suits) {
    std::set<std::string> pairs;
    for (const std::size_t at : order) {
      if (pairs.size() == count) break;
      if (candidates[at].least_trials > 0) continue;
      if (!suits(candidates[at].shape) || !pairs.insert(candidates[at].shape.pair).second) continue;
      trials[at] = std::max(trials[at], kGeneralTrials);
    }
  };
  choose(kGeneralPairs, [](const AuditCase&) { return true; });
  // Drafts with a common prefix share a branch of a tree: code that merges them must still count
  // them.
  choose(kGeneralPairs / 2, [](const AuditCase& shape) {
    return shape.drafted.size() > 1 && shape.drafted[0][0] == shape.drafted[1][0];
  });
}

/// Why no candidate shows a fault: where its law is known it is the correct one.
std::string why_none(const std::vector<CasePlan>& candidates, std::size_t fault) {
  for (const CasePlan& candidate : candidates) {
    if (!candidate.unseen[fault].empty()) return candidate.unseen[fault];
  }
  return "on every case tried its law is the correct one";
}

/// Refuses a plan whose cases have only one token, which cannot test a rule.
void check_cases(const AuditPlan& plan) {
  const bool any = std::any_of(plan.cases.begin(), plan.cases.end(),
                               [](const CasePlan& each) { return each.shape.vocabulary > 1; });
  if (!any) {
    throw LimitError(
        "every case of two tokens or more has too many sets of drafts; audit fewer drafts");
  }
}

/// Multiplies the trials of all cases alike, to `decisions` in all or more.
void ask_for_more(std::vector<std::uint64_t>& trials, std::uint64_t decisions) {
  const std::uint64_t all = std::accumulate(trials.begin(), trials.end(), std::uint64_t{0});
  if (all == 0 || decisions <= all) return;
  const std::uint64_t factor = (decisions + all - 1) / all;
  for (std::uint64_t& each : trials) each *= factor;
}

/// Leaves out the cases that are not among those asked for.
void choose_asked(AuditPlan& plan, const std::vector<int>& only) {
  if (only.empty()) return;
  for (CasePlan& each : plan.cases) {
    each.asked = std::find(only.begin(), only.end(), each.shape.number) != only.end();
  }
  check_asked_numbers(only, plan.cases.size());
}

/// Adds the power of the cases that are asked.
/// @param reasons  by fault, why no candidate shows it; true where those that are not asked do not
///                 show it either
void add_power(AuditPlan& plan, const std::vector<std::string>& reasons, double wanted) {
  for (std::size_t fault = 0; fault < plan.faults.size(); ++fault) {
    double power = 0, others = 0;
    for (const CasePlan& each : plan.cases) {
      double& most = each.asked ? power : others;
      most = std::max(most, power_against(each, fault, each.shape.trials, plan.level));
    }
    if (power >= wanted) {
      plan.least_power = std::min(plan.least_power.value_or(1), power);
      continue;
    }
    plan.unseen.push_back({plan.faults[fault].name, others >= wanted
                                                        ? "the cases that are asked do not show it"
                                                        : reasons[fault]});
  }
}

void check_trials(const AuditPlan& plan, const AuditOptions& options) {
  std::uint64_t wanted = 0;
  for (const CasePlan& chosen : plan.cases) wanted += chosen.shape.trials;
  if (wanted > options.most_trials) {
    throw LimitError(fmt::format(
        "the audit needs {} decisions, and {} are allowed; allow more, or ask for less power",
        wanted, options.most_trials));
  }
}

}  // namespace

std::vector<Verifier> known_faults(const AuditOptions& options) {
  std::vector<std::string> texts;
  for (const ControlRow& row : control_rows()) texts.emplace_back(row.verifier);
  for (const VerifierInfo& row : all_verifier_rows()) {
    const bool listed = std::any_of(texts.begin(), texts.end(), [&row](const std::string& text) {
      return parse_spec(text).name == row.name;
    });
    if (!row.fault_of.empty() && !listed) texts.emplace_back(row.example);
  }
  const bool any = options.rule == kLosslessRule;
  const Verifier rule = make_verifier(any ? "token" : options.rule);
  const int drafts = any ? options.drafts : rule.drafts;
  if (!any) std::ranges::move(faults_in(rule), std::back_inserter(texts));
  std::vector<Verifier> faults;
  for (const std::string& text : texts) {
    const Verifier example = make_verifier(text);
    const bool meant =
        !example.info->fault_of.empty() && correct_counterpart(example).info == rule.info;
    const bool counted = !example.info->drafts.empty();
    if (any ? (counted ? drafts > 1 : example.drafts == drafts) : meant) {
      auto fault = counted ? with_drafts(example, drafts) : std::optional(example);
      if (fault) faults.push_back(std::move(*fault));
    }
  }
  return faults;
}

void check_asked_numbers(const std::vector<int>& only, std::size_t cases) {
  for (const int number : only) {
    if (number >= 1 && number <= static_cast<int>(cases)) continue;
    throw UsageError(fmt::format("there is no case {}; there are 1 to {}", number, cases));
  }
}

AuditPlan choose_cases(std::vector<Verifier> faults, std::vector<CasePlan> candidates,
                       const AuditOptions& options) {
  const Needs needs = needs_of(candidates, faults.size(), options);
  // Rows of large vocabularies are long: each case has a few decisions, whatever the faults need.
  auto trials = options.large ? std::vector<std::uint64_t>(candidates.size(), 0)
                              : cover(needs, faults.size());
  std::vector<std::string> reasons;
  for (std::size_t fault = 0; fault < faults.size(); ++fault) {
    reasons.push_back(why_none(candidates, fault));
    const bool shown = std::any_of(needs.begin(), needs.end(),
                                   [fault](const auto& row) { return row[fault] > 0; });
    if (options.large && shown)
      reasons.back() = "it takes more decisions; the small battery has them";
  }
  if (!options.large) add_general(candidates, trials);
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    trials[at] = std::max(trials[at], candidates[at].least_trials);
  }
  ask_for_more(trials, options.decisions);
  AuditPlan plan;
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    if (trials[at] == 0) continue;
    CasePlan chosen = std::move(candidates[at]);
    chosen.candidate = at;
    chosen.shape.trials = trials[at];
    chosen.shape.number = static_cast<int>(plan.cases.size()) + 1;
    chosen.shape.name = fmt::format("case {}", chosen.shape.number);
    for (std::size_t fault = 0; fault < faults.size(); ++fault) {
      if (needs[at][fault] > 0 && needs[at][fault] <= trials[at]) {
        chosen.shape.shows.push_back(faults[fault].name);
      }
    }
    plan.tests += test_count(chosen);
    plan.cases.push_back(std::move(chosen));
  }
  plan.tests += dependence_tests(plan.cases.size());
  if (static_cast<double>(plan.tests) > kTestsAllowed) {
    throw LimitError(
        fmt::format("the audit makes {} tests, more than {}", plan.tests, kTestsAllowed));
  }
  plan.level = options.false_alarm / static_cast<double>(plan.tests);
  plan.faults = std::move(faults);
  check_cases(plan);
  check_trials(plan, options);
  choose_asked(plan, options.only);
  add_power(plan, reasons, options.power);
  return plan;
}

}  // namespace speclab
