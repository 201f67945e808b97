#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "audit/asking.h"
#include "audit/modes.h"
#include "audit/verify_cases.h"
#include "base/error.h"

namespace speclab {
namespace {

/// The largest number that is sent: the largest below 1 with 24 bits.
constexpr double kLargest = 1 - 0x1p-24;
/// The value where no number is needed.
constexpr double kIdle = 0.5;
/// The number of drafted sets of a pair that become cases.
constexpr std::size_t kSetsOfAPair = 3;

/// The numbers of one decision, in order.
struct Numbers {
  std::vector<double> coins;
  std::vector<double> draws;
};

/// Numbers inside a range, kUniformMargin from its ends; empty where it is too narrow.
struct Inside {
  double low;
  double high;
};
std::optional<Inside> inside(const UniformRange& range) {
  const double low = range.least > 0 ? range.least + kUniformMargin : 0;
  const double high = range.below < 1 ? range.below - kUniformMargin : kLargest;
  if (low > high || high >= range.below) return std::nullopt;
  return Inside{low, high};
}

Numbers numbers_of(const std::vector<UniformRange>& ranges, const std::vector<double>& values) {
  Numbers numbers;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto& into = ranges[i].use == UniformRange::Use::coin ? numbers.coins : numbers.draws;
    into.push_back(values[i]);
  }
  return numbers;
}

/// The numbers that bracket every threshold on a path: all low, all high, and one at each end with
/// the others in the middle.
std::vector<Numbers> bracket(const DecisionPath& path) {
  std::vector<Inside> ends;
  for (const UniformRange& range : path.ranges) {
    const auto both = inside(range);
    if (!both) return {};
    ends.push_back(*both);
  }
  std::vector<Numbers> grid;
  const auto add = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t i = 0; i < ends.size(); ++i) values.push_back(value(i));
    grid.push_back(numbers_of(path.ranges, values));
  };
  const auto middle = [&ends](std::size_t i) { return (ends[i].low + ends[i].high) / 2; };
  add([&](std::size_t i) { return ends[i].low; });
  add([&](std::size_t i) { return ends[i].high; });
  for (std::size_t at = 0; at < ends.size(); ++at) {
    add([&](std::size_t i) { return i == at ? ends[i].low : middle(i); });
    add([&](std::size_t i) { return i == at ? ends[i].high : middle(i); });
  }
  return grid;
}

/// The outcome for these numbers; empty where a path needs more of them.
std::optional<AuditOutcome> decided(const std::vector<DecisionPath>& paths,
                                    const Numbers& numbers) {
  for (const DecisionPath& path : paths) {
    std::size_t coin = 0;
    std::size_t draw = 0;
    bool here = true;
    for (const UniformRange& range : path.ranges) {
      const bool is_coin = range.use == UniformRange::Use::coin;
      const auto& from = is_coin ? numbers.coins : numbers.draws;
      const std::size_t at = is_coin ? coin++ : draw++;
      here = here && at < from.size() && range.least <= from[at] && from[at] < range.below;
    }
    if (here) return path.outcome;
  }
  return std::nullopt;
}

struct UniformCase {
  PlacedCase made;
  std::vector<DecisionPath> paths;
  std::vector<Numbers> grid;
};

/// Pads with idle numbers, so that a request is a table, and an implementation that continues where
/// the rule stops finds numbers too. @param least  number of either kind
void pad(std::vector<Numbers>& grid, std::size_t least) {
  std::size_t coins = least;
  std::size_t draws = least;
  for (const Numbers& numbers : grid) {
    coins = std::max(coins, numbers.coins.size());
    draws = std::max(draws, numbers.draws.size());
  }
  for (Numbers& numbers : grid) {
    numbers.coins.resize(coins, kIdle);
    numbers.draws.resize(draws, kIdle);
  }
}

std::vector<UniformCase> make_cases(const AuditOptions& options,
                                    const std::vector<Verifier>& faults) {
  if (options.rule == kLosslessRule) {
    throw InputError(
        "the mode uniforms compares every decision with a known rule; name the rule, or use the "
        "mode "
        "verify");
  }
  const Verifier rule = make_verifier(options.rule);
  std::map<std::string, std::size_t> of_pair;
  std::vector<UniformCase> cases;
  for (PlacedCase& made : placed_candidates(options, faults)) {
    if (of_pair[made.plan.shape.pair]++ >= kSetsOfAPair) continue;
    UniformCase each;
    each.paths = decisions_given(rule, made.place);
    for (const DecisionPath& path : each.paths) {
      for (Numbers& numbers : bracket(path)) each.grid.push_back(std::move(numbers));
    }
    if (each.grid.empty()) continue;
    pad(each.grid, static_cast<std::size_t>(made.place.gamma) * made.place.chains.size() + 1);
    made.plan.shape.name = fmt::format("case {}", cases.size() + 1);
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
struct Decision {
  Numbers numbers;
  AuditOutcome seen;
};
using Answered = std::vector<Decision>;

struct Miss {
  std::size_t count = 0;
  std::string first;
};

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
                        static_cast<double>(miss.count) / static_cast<double>(shape.trials), 0,
                        ""});
  }
}

/// Determines which faults these numbers show, and which one agrees with the implementation
/// throughout.
void name_faults(const std::vector<UniformCase>& cases, const std::vector<Verifier>& faults,
                 const std::vector<Answered>& answers, AuditReport& report) {
  for (std::size_t i = 0; i < faults.size(); ++i) {
    bool shown = false;
    bool fits = true;
    std::string reason = "on every number sent it decides as the rule does";
    for (std::size_t at = 0; at < cases.size(); ++at) {
      const std::string& unseen = cases[at].made.plan.unseen[i];
      if (!unseen.empty()) {
        reason = unseen;
        fits = false;
        continue;
      }
      const auto wrong = decisions_given(faults[i], cases[at].made.place);
      shown = shown || shows(cases[at], wrong);
      for (const auto& [numbers, seen] : answers[at]) {
        fits = fits && decided(wrong, numbers) == seen;
      }
    }
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
  for (UniformCase& each : make_cases(options, faults)) {
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (!each.made.plan.unseen[i].empty()) continue;
      if (shows(each, decisions_given(faults[i], each.made.place)))
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
  std::vector<CaseRequest> wanted;
  for (const UniformCase& each : cases) wanted.push_back(request_of(each, wanted.size()));
  std::vector<Answered> answers(cases.size());
  ask_all(std::move(wanted), options.seed, implementation, progress,
          [&](std::size_t at, const VerifyRequest& request, const VerifyReply& reply) {
            for (std::size_t i = 0; i < request.count; ++i) {
              answers[at].push_back(
                  {{request.coins[i], request.draws[i]}, {reply.accepted[i], reply.tokens[i]}});
            }
          });
  AuditReport report;
  report.rule = make_verifier(options.rule).name;
  report.mode = AuditMode::uniforms;
  report.seed = options.seed;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    report.trials += cases[at].made.plan.shape.trials;
    report.cases.push_back(cases[at].made.plan.shape);
    add_findings(cases[at], answers[at], report.findings);
  }
  name_faults(cases, faults, answers, report);
  return report;
}

}  // namespace speclab
