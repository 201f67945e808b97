#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "audit/asking.h"
#include "audit/modes.h"
#include "audit/uniform_numbers.h"
#include "audit/verify_cases.h"
#include "base/error.h"

namespace speclab {
namespace {

/// The number of drafted sets of a pair that become cases.
constexpr std::size_t kSetsOfAPair = 3;

struct UniformCase {
  PlacedCase made;
  std::vector<DecisionPath> paths;
  std::vector<Numbers> grid;
};

std::vector<UniformCase> make_cases(const AuditOptions& options,
                                    const std::vector<Verifier>& faults) {
  if (options.rule == kLosslessRule) {
    throw InputError(
        "the mode uniforms compares every decision with a known rule; name the rule, or use the "
        "mode verify");
  }
  const Verifier rule = make_verifier(options.rule);
  std::map<std::string, std::size_t> of_pair;
  std::vector<UniformCase> cases;
  for (PlacedCase& made : placed_candidates(options, faults)) {
    if (of_pair[made.plan.shape.pair]++ >= kSetsOfAPair) continue;
    UniformCase each;
    each.paths = decisions_at(rule, made.place);
    each.grid = bracket_all(each.paths, made.place);
    if (each.grid.empty()) continue;
    made.plan.shape.number = static_cast<int>(cases.size()) + 1;
    made.plan.shape.name = fmt::format("case {}", made.plan.shape.number);
    made.plan.shape.trials = each.grid.size();
    each.made = std::move(made);
    cases.push_back(std::move(each));
  }
  return cases;
}

/// Whether a fault with these decisions differs on some of a case's numbers.
bool shows(const UniformCase& of, const std::vector<DecisionPath>& wrong) {
  return std::any_of(of.grid.begin(), of.grid.end(), [&](const Numbers& numbers) {
    return decided(wrong, numbers) != decided(of.paths, numbers);
  });
}

std::string outcome_text(int accepted, const std::vector<Token>& tokens) {
  return fmt::format("{} accepted and the tokens ({})", accepted, fmt::join(tokens, ","));
}

/// An implementation's decision on a case's numbers.
struct FirstDecision {
  Numbers numbers;
  AuditOutcome seen;
};
using Answered = std::vector<FirstDecision>;

struct Miss {
  std::size_t count = 0;
  std::string first;
  DecisionKind kind = DecisionKind::accepted_length;
};

bool is_asked(const AuditOptions& options, const UniformCase& each) {
  const auto& only = options.only;
  return only.empty() ||
         std::find(only.begin(), only.end(), each.made.plan.shape.number) != only.end();
}

/// Whether a case has two decisions of the rule that differ, and the program made all alike.
bool all_alike(const UniformCase& of, const Answered& answers) {
  const auto first = [&](const AuditOutcome& seen) { return seen == answers.front().seen; };
  const bool alike = std::all_of(answers.begin(), answers.end(),
                                 [&](const FirstDecision& each) { return first(each.seen); });
  if (!alike) return false;
  const AuditOutcome right = decided(of.paths, answers.front().numbers).value();
  return std::any_of(answers.begin(), answers.end(), [&](const FirstDecision& each) {
    return decided(of.paths, each.numbers).value() != right;
  });
}

/// Adds one finding for each aspect of the case's decisions that differs from the rule.
void add_findings(const UniformCase& of, const Answered& answers,
                  std::vector<AuditFinding>& findings) {
  const AuditCase& shape = of.made.plan.shape;
  std::map<std::string, Miss> misses;
  for (const auto& [numbers, seen] : answers) {
    const AuditOutcome right = decided(of.paths, numbers).value();
    if (seen == right) continue;
    Miss& miss = misses[fmt::format("{} after draft {}",
                                    seen.accepted == right.accepted
                                        ? fmt::format("token after {} accepted", right.accepted)
                                        : "accepted length",
                                    chains_text(shape.drafted))];
    miss.kind = seen.accepted != right.accepted ? DecisionKind::accepted_length
                : right.accepted == shape.gamma ? DecisionKind::bonus
                                                : DecisionKind::correction;
    if (miss.count++ > 0) continue;
    miss.first =
        fmt::format("coins ({}), draws ({}): {}, the rule has {}", fmt::join(numbers.coins, ","),
                    fmt::join(numbers.draws, ","), outcome_text(seen.accepted, seen.tokens),
                    outcome_text(right.accepted, right.tokens));
  }
  for (const auto& [decision, miss] : misses) {
    findings.push_back({shape.name, decision,
                        fmt::format("{} of {} decisions differ from the rule; the first: {}",
                                    miss.count, shape.trials, miss.first),
                        static_cast<double>(miss.count) / static_cast<double>(shape.trials), 0, "",
                        miss.kind});
  }
}

/// Determines which faults the numbers of the cases that are asked show, and which one agrees with
/// the implementation throughout. @param answers  empty of a case that is not asked
void name_faults(const std::vector<UniformCase>& cases, const std::vector<Verifier>& faults,
                 const std::vector<Answered>& answers, AuditReport& report) {
  for (std::size_t i = 0; i < faults.size(); ++i) {
    bool shown = false;
    bool fits = true;
    std::string reason = "on every number sent it decides as the rule does";
    for (std::size_t at = 0; at < cases.size(); ++at) {
      if (answers[at].empty()) continue;
      const std::string& unseen = cases[at].made.plan.unseen[i];
      if (!unseen.empty()) {
        reason = unseen;
        fits = false;
        continue;
      }
      const auto wrong = decisions_at(faults[i], cases[at].made.place);
      shown = shown || shows(cases[at], wrong);
      for (const auto& [numbers, seen] : answers[at]) {
        fits = fits && decided(wrong, numbers) == seen;
      }
    }
    if (fits && !report.findings.empty()) report.fitting.push_back(faults[i].name);
    if (shown) {
      report.shown.push_back(faults[i].name);
    } else {
      report.unseen.push_back({faults[i].name, reason});
    }
    for (AuditFinding& finding : report.findings) {
      if (fits) finding.resembles = faults[i].name;
    }
  }
}

/// Why the program does not use the numbers that it is given; "" where it may. Most programs that
/// draw their own numbers decide otherwise when they are asked again.
std::string why_ignored(const std::vector<UniformCase>& cases, const std::vector<Answered>& first,
                        const std::vector<Answered>& again) {
  std::size_t decisions = 0, changed = 0, varied = 0, alike = 0;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (first[at].empty()) continue;
    ++varied;
    if (all_alike(cases[at], first[at])) ++alike;
    for (std::size_t i = 0; i < first[at].size(); ++i) {
      ++decisions;
      if (first[at][i].seen != again[at][i].seen) ++changed;
    }
  }
  if (changed > 0) {
    return fmt::format(
        "{} of {} decisions changed when the same coins and draws were sent again: the program "
        "does not use the numbers that it is given; take coins and draws from the request, in "
        "order",
        changed, decisions);
  }
  if (varied > 0 && alike == varied) {
    return "every case has one decision whatever coins and draws are sent: the program does not "
           "use "
           "them; take coins and draws from the request, in order";
  }
  return "";
}

CaseRequest request_of(const UniformCase& each, std::size_t number) {
  CaseRequest made{number, request_at(each.made.place)};
  made.request.count = each.grid.size();
  for (const Numbers& numbers : each.grid) {
    made.request.coins.push_back(numbers.coins);
    made.request.draws.push_back(numbers.draws);
  }
  return made;
}

}  // namespace

std::vector<AuditCase> uniform_cases(const AuditOptions& options) {
  std::vector<AuditCase> shapes;
  const auto faults = known_faults(options);
  auto cases = make_cases(options, faults);
  check_asked_numbers(options.only, cases.size());
  for (UniformCase& each : cases) {
    if (!is_asked(options, each)) continue;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (!each.made.plan.unseen[i].empty()) continue;
      if (shows(each, decisions_at(faults[i], each.made.place)))
        each.made.plan.shape.shows.push_back(faults[i].name);
    }
    shapes.push_back(std::move(each.made.plan.shape));
  }
  return shapes;
}

AuditReport audit_uniforms(const AuditOptions& options, Implementation& implementation,
                           const AuditProgress& progress) {
  const auto faults = known_faults(options);
  const auto cases = make_cases(options, faults);
  check_asked_numbers(options.only, cases.size());
  const auto ask = [&](std::uint64_t seed, const AuditProgress& shown) {
    std::vector<CaseRequest> wanted;
    for (const UniformCase& each : cases) {
      wanted.push_back(request_of(each, wanted.size()));
      wanted.back().asked = is_asked(options, each);
    }
    std::vector<Answered> answers(cases.size());
    ask_all(wanted, seed, implementation, shown,
            [&](std::size_t at, const VerifyRequest& request, const VerifyReply& reply) {
              for (std::size_t i = 0; i < request.count; ++i) {
                answers[at].push_back(
                    {{request.coins[i], request.draws[i]}, {reply.accepted[i], reply.tokens[i]}});
              }
            });
    return answers;
  };
  const std::vector<Answered> answers = ask(options.seed, progress);
  AuditReport report;
  report.rule = make_verifier(options.rule).name;
  report.mode = AuditMode::uniforms;
  report.seed = options.seed;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (answers[at].empty()) continue;
    report.trials += cases[at].made.plan.shape.trials;
    report.cases.push_back(cases[at].made.plan.shape);
    add_findings(cases[at], answers[at], report.findings);
  }
  name_faults(cases, faults, answers, report);
  if (report.passed()) return report;
  // The same numbers once more, under other seeds.
  if (const std::string ignored = why_ignored(cases, answers, ask(options.seed + 1, {}));
      !ignored.empty()) {
    report.findings = {
        {report.cases.front().name, "random numbers of a request", ignored, 1, 0, ""}};
    report.fitting.clear();
  }
  return report;
}

}  // namespace speclab
