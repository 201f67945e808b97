#include "audit/audit.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "audit/modes.h"
#include "audit/smallest.h"
#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

constexpr std::array<std::string_view, 3> kModes{"verify", "generate", "uniforms"};

std::unique_ptr<StatisticalMode> make_mode(const AuditOptions& options) {
  if (options.mode == AuditMode::generate) return make_decodes(options);
  if (options.rule == kLosslessRule) return make_lossless(options);
  return make_known_rule(options);
}

AuditPlan make_plan(StatisticalMode& mode, const AuditOptions& options) {
  auto faults = known_faults(options);
  auto candidates = mode.candidates(faults);
  return choose_cases(std::move(faults), std::move(candidates), options);
}

/// @throws InputError or UsageError naming the option that is wrong
AuditOptions checked(AuditOptions options) {
  if (!(options.false_alarm > 0 && options.false_alarm < 1)) {
    throw UsageError("the false-alarm probability must be above 0 and below 1");
  }
  if (!(options.power > 0 && options.power < 1)) {
    throw UsageError("the power must be above 0 and below 1");
  }
  if (options.large && (options.mode != AuditMode::verify || options.rule == kLosslessRule)) {
    throw UsageError("the battery of large vocabularies is of a named rule and the mode verify");
  }
  if (options.drafts < 1) throw UsageError("the number of drafts must be at least 1");
  if (options.rule == kLosslessRule) return options;
  const Verifier rule = make_verifier(options.rule);
  if (rule.grown.nodes > 0 && options.mode != AuditMode::generate) {
    throw UsageError("a request has chains or a tree of a given shape, and " + rule.name +
                     " grows its tree; give tree=3-2-1, or audit whole decodes, with the mode "
                     "generate");
  }
  options.rule = rule.name;
  return options;
}

}  // namespace

std::string_view mode_name(AuditMode mode) { return kModes[static_cast<std::size_t>(mode)]; }

AuditMode read_mode(std::string_view word) {
  const auto found = std::ranges::find(kModes, word);
  if (found != kModes.end()) return static_cast<AuditMode>(found - kModes.begin());
  const std::vector<std::string> names(kModes.begin(), kModes.end());
  throw InputError("'" + abbreviate(word) +
                   "' is not a mode of an audit; use verify, generate or uniforms" +
                   suggestion(word, names));
}

std::string_view decision_name(DecisionKind kind) {
  constexpr std::array<std::string_view, 6> names{
      "accepted length", "correction", "bonus", "tokens", "random numbers", "dependence"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<AuditCase> audit_cases(const AuditOptions& asked) {
  const AuditOptions options = checked(asked);
  if (options.mode == AuditMode::uniforms) return uniform_cases(options);
  const AuditPlan plan = make_plan(*make_mode(options), options);
  std::vector<AuditCase> cases;
  for (const CasePlan& each : plan.cases) {
    if (each.asked) cases.push_back(each.shape);
  }
  return cases;
}

AuditReport audit(const AuditOptions& asked, Implementation& implementation,
                  const AuditProgress& progress) {
  const AuditOptions options = checked(asked);
  if (options.mode == AuditMode::uniforms) {
    return audit_uniforms(options, implementation, progress);
  }
  const auto mode = make_mode(options);
  const AuditPlan plan = make_plan(*mode, options);
  DecisionOrder order;
  const auto seen = mode->ask(plan, implementation, progress, order);
  AuditReport report;
  report.rule = options.rule;
  report.mode = options.mode;
  report.seed = options.seed;
  report.false_alarm = options.false_alarm;
  report.least_power = plan.least_power;
  report.unseen = plan.unseen;
  AuditHints hints;
  report.findings = judge(plan, seen, options.false_alarm, &hints);
  std::ranges::move(dependence_findings(plan, order), std::back_inserter(report.findings));
  report.fitting = std::move(hints.faults);
  report.readings = std::move(hints.readings);
  report.summary = summary_of(plan, report.findings);
  for (const Verifier& fault : plan.faults) {
    const bool unseen = std::any_of(plan.unseen.begin(), plan.unseen.end(),
                                    [&](const auto& each) { return each.verifier == fault.name; });
    if (!unseen) report.shown.push_back(fault.name);
  }
  for (const CasePlan& each : plan.cases) {
    if (!each.asked) continue;
    report.cases.push_back(each.shape);
    report.trials += each.shape.trials;
  }
  mode->complete(report, plan);
  if (report.passed()) report.distances = seen_distances(plan, order, options.power);
  return report;
}

}  // namespace speclab
