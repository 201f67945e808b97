#include "audit/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "answer/law_test.h"
#include "audit/dependence.h"
#include "audit/readings.h"

namespace speclab {
namespace {

/// A law fits if all observations have at least this p-value under it.
constexpr double kFits = 1e-4;

struct Test {
  double p_value;
  std::size_t at_case;
  std::size_t aspect;
  OutcomeKey key;
  double probability;
  std::uint64_t count;
};

std::uint64_t count_of(const std::map<OutcomeKey, std::uint64_t>& seen, const OutcomeKey& key) {
  const auto found = seen.find(key);
  return found == seen.end() ? 0 : found->second;
}

/// The tests of one case against laws, one an aspect: every key of a law, and every key seen.
template <class LawOf>
std::vector<Test> tests_of(const CasePlan& plan, std::size_t at_case, const SeenKeys& seen,
                           const LawOf& law_of) {
  std::vector<Test> tests;
  for (std::size_t aspect = 0; aspect < plan.aspects.size(); ++aspect) {
    const KeyLaw& law = law_of(plan.aspects[aspect]);
    const auto add = [&](const OutcomeKey& key, double probability) {
      const std::uint64_t count = count_of(seen[aspect], key);
      const double p = std::min(1.0, probability);
      tests.push_back(
          {binomial_p_value(count, plan.shape.trials, p), at_case, aspect, key, p, count});
    };
    for (const auto& [key, probability] : law) add(key, probability);
    for (const auto& [key, count] : seen[aspect]) {
      if (!law.contains(key)) add(key, 0);
    }
  }
  return tests;
}

/// Whether the observed keys follow the aspect's law, both conditional on this aspect; true where
/// none was observed or the aspect is impossible under the law.
bool fits_given(const Aspect& aspect, const std::map<OutcomeKey, std::uint64_t>& seen) {
  std::uint64_t all = 0;
  double mass = 0;
  for (const auto& [key, count] : seen) all += count;
  for (const auto& [key, probability] : aspect.law) mass += probability;
  if (all == 0 || !(mass > 0)) return true;
  const auto never = [&](const auto& each) { return !aspect.law.contains(each.first); };
  if (std::any_of(seen.begin(), seen.end(), never)) return false;
  return std::all_of(aspect.law.begin(), aspect.law.end(), [&](const auto& each) {
    const double p = std::min(1.0, each.second / mass);
    return binomial_p_value(count_of(seen, each.first), all, p) >= kFits;
  });
}

std::string share_text(std::uint64_t count, std::uint64_t trials) {
  return fmt::format("{:.6g}", static_cast<double>(count) / static_cast<double>(trials));
}

std::string key_text(const OutcomeKey& key) {
  if (key.empty()) return "no token at all";
  return key.size() == 1 ? fmt::format("{}", key[0]) : fmt::format("({})", fmt::join(key, ","));
}

bool alike(const CorrectionReading& one, const CorrectionReading& other) {
  const auto near = [](double p, double q) { return std::abs(p - q) < 1e-9; };
  return std::equal(one.probability.begin(), one.probability.end(), other.probability.begin(),
                    other.probability.end(), near);
}

/// The readings that the observed tokens fit; none where a token is missing.
std::vector<const CorrectionReading*> seen_readings(
    const Aspect& aspect, const std::map<OutcomeKey, std::uint64_t>& seen) {
  std::uint64_t all = 0;
  for (const auto& [key, count] : seen) {
    if (key.empty()) return {};
    all += count;
  }
  if (all == 0) return {};
  std::vector<const CorrectionReading*> found;
  for (const CorrectionReading& reading : aspect.readings) {
    bool fits = true;
    for (std::size_t x = 0; x < reading.probability.size(); ++x) {
      const auto count = count_of(seen, {static_cast<int>(x)});
      fits = fits && binomial_p_value(count, all, std::min(1.0, reading.probability[x])) >= kFits;
    }
    if (fits) found.push_back(&reading);
  }
  return found;
}

/// Total variation distance of the observed shares from the law, both conditional on this aspect.
double distance(const Aspect& aspect, const std::map<OutcomeKey, std::uint64_t>& seen) {
  double all = 0;
  double mass = 0;
  for (const auto& [key, count] : seen) all += static_cast<double>(count);
  for (const auto& [key, probability] : aspect.law) mass += probability;
  if (!(mass > 0) || !(all > 0)) return 1;
  double apart = 0;
  for (const auto& [key, probability] : aspect.law) {
    apart += std::abs(static_cast<double>(count_of(seen, key)) / all - probability / mass);
  }
  for (const auto& [key, count] : seen) {
    if (!aspect.law.contains(key)) apart += static_cast<double>(count) / all;
  }
  return std::min(1.0, apart / 2);
}

std::string detail_of(const CasePlan& plan, const Test& worst,
                      const std::vector<std::string>& readings) {
  const Aspect& aspect = plan.aspects[worst.aspect];
  std::string text =
      worst.probability > 0
          ? fmt::format("{} came with share {} of {} decisions, the law gives {:.6g}",
                        key_text(worst.key), share_text(worst.count, plan.shape.trials),
                        plan.shape.trials, worst.probability)
          : fmt::format("{} came {} times in {} decisions, the law never gives it",
                        key_text(worst.key), worst.count, plan.shape.trials);
  if (aspect.readings.empty()) return text;
  const CorrectionReading* should = reading_of(aspect.readings, aspect.law);
  if (!readings.empty()) text += fmt::format("; it fits {}", fmt::join(readings, " and "));
  if (should != nullptr) text += "; it should follow " + should->text;
  return text;
}

/// The texts of the readings that all wrong corrections fit and that are not the right law there.
std::vector<std::string> common_readings(
    const AuditPlan& plan, const std::vector<SeenKeys>& seen,
    const std::map<std::pair<std::size_t, std::size_t>, Test>& worst) {
  std::optional<std::vector<std::string>> common;
  for (const auto& [where, test] : worst) {
    const Aspect& aspect = plan.cases[where.first].aspects[where.second];
    const auto& counts = seen[where.first][where.second];
    if (aspect.readings.empty() || fits_given(aspect, counts)) continue;
    const CorrectionReading* should = reading_of(aspect.readings, aspect.law);
    std::vector<std::string> here;
    for (const CorrectionReading* reading : seen_readings(aspect, counts)) {
      if (should == nullptr || !alike(*reading, *should)) here.push_back(reading->text);
    }
    if (!common) {
      common = here;
      continue;
    }
    std::erase_if(*common, [&](const std::string& text) {
      return std::find(here.begin(), here.end(), text) == here.end();
    });
  }
  return common.value_or(std::vector<std::string>{});
}

/// The law of a decision and what was seen of it, most probable or most seen first; a part where
/// there is very much.
std::vector<OutcomeCount> counts_of(const Aspect& aspect,
                                    const std::map<OutcomeKey, std::uint64_t>& seen) {
  constexpr std::size_t kMostOutcomes = 16;
  std::vector<OutcomeCount> all;
  for (const auto& [key, p] : aspect.law) {
    all.push_back({key_text(key), std::min(1.0, p), count_of(seen, key)});
  }
  for (const auto& [key, count] : seen) {
    if (!aspect.law.contains(key)) all.push_back({key_text(key), 0, count});
  }
  if (all.size() <= kMostOutcomes) return all;
  std::stable_sort(all.begin(), all.end(),
                   [](const OutcomeCount& a, const OutcomeCount& b) { return a.law > b.law; });
  all.resize(kMostOutcomes);
  return all;
}

/// The known faults whose laws fit all observations, the likeliest first. A fault whose law is not
/// known in a case with a finding explains nothing.
std::vector<std::string> resembling(const AuditPlan& plan, const std::vector<SeenKeys>& seen,
                                    const std::set<std::size_t>& off) {
  std::vector<std::pair<double, std::string>> fitting;
  for (std::size_t fault = 0; fault < plan.faults.size(); ++fault) {
    const auto unknown = [&](std::size_t at) { return !plan.cases[at].unseen[fault].empty(); };
    if (std::any_of(off.begin(), off.end(), unknown)) continue;
    double least = 1;
    double likelihood = 0;
    std::size_t tests = 0;
    for (std::size_t at = 0; at < plan.cases.size() && least > 0; ++at) {
      if (unknown(at) || !plan.cases[at].asked) continue;
      const auto law = [fault](const Aspect& aspect) -> const KeyLaw& {
        return aspect.faults[fault];
      };
      for (const Test& test : tests_of(plan.cases[at], at, seen[at], law)) {
        ++tests;
        least = std::min(least, test.p_value);
        if (test.count > 0) {
          likelihood += static_cast<double>(test.count) * std::log(test.probability);
        }
      }
    }
    const bool fits = tests > 0 && least * static_cast<double>(tests) > kFits;
    if (fits) fitting.emplace_back(likelihood, plan.faults[fault].name);
  }
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (auto& [likelihood, name] : fitting) names.push_back(std::move(name));
  return names;
}

/// Holm's step-down: the tests that are rejected, of `count` in all.
std::vector<Test> rejected(std::vector<Test> tests, std::size_t count, double false_alarm) {
  std::stable_sort(tests.begin(), tests.end(),
                   [](const Test& a, const Test& b) { return a.p_value < b.p_value; });
  std::size_t taken = 0;
  std::size_t passed = 0;  // tests of the law's keys before this one
  while (taken < tests.size()) {
    const Test& test = tests[taken];
    const auto left = static_cast<double>(count - passed);
    if (test.p_value > 0 && !(test.p_value <= false_alarm / std::max(left, 1.0))) break;
    if (test.probability > 0) ++passed;
    ++taken;
  }
  tests.resize(taken);
  return tests;
}

}  // namespace

std::vector<AuditFinding> judge(const AuditPlan& plan, const std::vector<SeenKeys>& seen,
                                double false_alarm, AuditHints* hints) {
  std::vector<Test> tests;
  std::size_t count = 0, asked = 0;
  for (std::size_t at = 0; at < plan.cases.size(); ++at) {
    if (!plan.cases[at].asked) continue;
    const auto law = [](const Aspect& aspect) -> const KeyLaw& { return aspect.law; };
    for (Test& test : tests_of(plan.cases[at], at, seen[at], law)) {
      tests.push_back(std::move(test));
    }
    count += test_count(plan.cases[at]);
    ++asked;
  }
  count += dependence_tests(asked);
  std::map<std::pair<std::size_t, std::size_t>, Test> worst;  // by case and aspect
  for (const Test& test : rejected(std::move(tests), count, false_alarm)) {
    worst.try_emplace({test.at_case, test.aspect}, test);
  }
  std::vector<AuditFinding> findings;
  if (worst.empty()) return findings;
  std::set<std::size_t> off;
  for (const auto& [where, test] : worst) off.insert(where.first);
  const std::vector<std::string> faults = resembling(plan, seen, off);
  const std::vector<std::string> readings = common_readings(plan, seen, worst);
  if (hints != nullptr) *hints = {faults, readings};
  for (const auto& [where, test] : worst) {
    const CasePlan& found_in = plan.cases[where.first];
    const Aspect& aspect = found_in.aspects[where.second];
    // The difference is its frequency, which the first aspect's finding reports.
    if (aspect.given_first && worst.contains({where.first, 0}) &&
        fits_given(aspect, seen[where.first][where.second])) {
      continue;
    }
    findings.push_back({found_in.shape.name, aspect.decision, detail_of(found_in, test, readings),
                        distance(aspect, seen[where.first][where.second]),
                        std::min(1.0, test.p_value * static_cast<double>(count)),
                        faults.empty() ? "" : faults.front(), aspect.kind,
                        counts_of(aspect, seen[where.first][where.second])});
  }
  return findings;
}

std::vector<DecisionSummary> summary_of(const AuditPlan& plan,
                                        const std::vector<AuditFinding>& findings) {
  std::vector<DecisionSummary> all;
  for (const DecisionKind kind :
       {DecisionKind::accepted_length, DecisionKind::correction, DecisionKind::bonus,
        DecisionKind::tokens, DecisionKind::dependence}) {
    DecisionSummary summary{kind, 0, 0};
    for (const CasePlan& each : plan.cases) {
      const bool tested =
          kind == DecisionKind::dependence ||
          std::any_of(each.aspects.begin(), each.aspects.end(), [&](const Aspect& aspect) {
            return aspect.kind == kind && !aspect.law.empty();
          });
      const bool wrong =
          std::any_of(findings.begin(), findings.end(), [&](const AuditFinding& finding) {
            return finding.kind == kind && finding.case_name == each.shape.name;
          });
      if (each.asked && (tested || wrong)) ++summary.cases;
      if (wrong) ++summary.wrong;
    }
    if (summary.cases > 0) all.push_back(summary);
  }
  return all;
}

}  // namespace speclab
