#pragma once

#include <memory>

#include "audit/audit.h"
#include "audit/judge.h"
#include "audit/plan.h"

namespace speclab {

/// One way of asking: what the candidates of its cases are, and how a case is asked about. The
/// search for cases and the tests are the same for all.
class StatisticalMode {
 public:
  virtual ~StatisticalMode() = default;
  /// With the laws of the rule and of every fault.
  virtual std::vector<CasePlan> candidates(const std::vector<Verifier>& faults) = 0;
  /// Asks for every case's trials and counts what comes back, by case.
  virtual std::vector<SeenKeys> ask(const AuditPlan& plan, Implementation& implementation,
                                    const AuditProgress& progress) = 0;
  /// Findings beside those of the tests, and what the mode alone knows; after ask().
  virtual void complete(AuditReport&, const AuditPlan&) const {}
};

/// Drafted sets that are fixed, and the law of a known rule given them.
std::unique_ptr<StatisticalMode> make_known_rule(const AuditOptions& options);
/// Sets drawn from the draft's law; the emitted tokens, continued by the target, follow the target.
std::unique_ptr<StatisticalMode> make_lossless(const AuditOptions& options);
/// Whole decodes.
std::unique_ptr<StatisticalMode> make_decodes(const AuditOptions& options);

/// The mode uniforms: every threshold of the exact law is bracketed from both sides by the numbers
/// that the implementation is given, `kUniformMargin` away from it, and it must decide as the rule
/// does on all of them. No statistics: one wrong decision is a finding.
inline constexpr double kUniformMargin = 1e-6;
AuditReport audit_uniforms(const AuditOptions& options, Implementation& implementation,
                           const AuditProgress& progress);
std::vector<AuditCase> uniform_cases(const AuditOptions& options);

}  // namespace speclab
