#pragma once

#include <memory>

#include "audit/audit.h"
#include "audit/dependence.h"
#include "audit/judge.h"
#include "audit/plan.h"

namespace speclab {

/// One mode of an audit: its candidate cases and how a case is queried. The search for cases and
/// the tests are the same for all modes.
class StatisticalMode {
 public:
  virtual ~StatisticalMode() = default;
  /// With the laws of the rule and of every fault.
  virtual std::vector<CasePlan> candidates(const std::vector<Verifier>& faults) = 0;
  /// Requests every case's trials and counts the outcomes, by case.
  /// @param order  takes the decisions as they come
  virtual std::vector<SeenKeys> ask(const AuditPlan& plan, Implementation& implementation,
                                    const AuditProgress& progress, DecisionOrder& order) = 0;
  /// Adds findings besides those of the tests, and results of this mode; call after ask().
  virtual void complete(AuditReport&, const AuditPlan&) const {}
};

/// Fixed drafted sets, and the law of a known rule given them.
std::unique_ptr<StatisticalMode> make_known_rule(const AuditOptions& options);
/// Sets drawn from the draft's law; the emitted tokens, continued by the target, follow the target.
std::unique_ptr<StatisticalMode> make_lossless(const AuditOptions& options);
/// Whole decodes.
std::unique_ptr<StatisticalMode> make_decodes(const AuditOptions& options);

/// The mode uniforms: the numbers given to the implementation bracket every threshold of the exact
/// law from both sides, at a distance of `kUniformMargin`, and the implementation must decide as
/// the rule does on all of them. It is deterministic: one wrong decision is a finding.
inline constexpr double kUniformMargin = 1e-6;
AuditReport audit_uniforms(const AuditOptions& options, Implementation& implementation,
                           const AuditProgress& progress);
std::vector<AuditCase> uniform_cases(const AuditOptions& options);

}  // namespace speclab
