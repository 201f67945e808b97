#include "audit/asking.h"
#include "audit/modes.h"
#include "audit/smallest.h"
#include "audit/verify_cases.h"

namespace speclab {
namespace {

class KnownRule final : public StatisticalMode {
 public:
  explicit KnownRule(const AuditOptions& options) : options_(options) {}

  std::vector<CasePlan> candidates(const std::vector<Verifier>& faults) override {
    std::vector<CasePlan> plans;
    for (PlacedCase& made : placed_candidates(options_, faults)) {
      places_.push_back(std::move(made.place));
      plans.push_back(std::move(made.plan));
    }
    return plans;
  }

  std::vector<SeenKeys> ask(const AuditPlan& plan, Implementation& implementation,
                            const AuditProgress& progress, DecisionOrder& order) override {
    std::vector<SeenKeys> seen;
    std::vector<CaseRequest> wanted;
    for (const CasePlan& each : plan.cases) {
      seen.emplace_back(each.aspects.size());
      wanted.push_back({wanted.size(), request_at(places_[each.candidate])});
      wanted.back().request.count = each.shape.trials;
      wanted.back().asked = each.asked;
    }
    ask_all(wanted, options_.seed, implementation, progress,
            [&](std::size_t at, const VerifyRequest& request, const VerifyReply& reply) {
              const CasePlan& of = plan.cases[at];
              for (std::size_t i = 0; i < request.count; ++i) {
                order.add(at, {}, whole_outcome(reply.accepted[i], reply.tokens[i]));
                for (auto& [aspect, key] : keys_of(of, reply.accepted[i], reply.tokens[i])) {
                  ++seen[at][aspect][key];
                }
              }
            });
    return seen;
  }

  void complete(AuditReport& report, const AuditPlan& plan) const override {
    if (!report.passed()) return;
    std::vector<const AuditPlace*> places;
    for (const CasePlan& each : plan.cases) places.push_back(&places_[each.candidate]);
    report.smallest = smallest_faults(plan, places, make_verifier(options_.rule), options_.power);
  }

 private:
  AuditOptions options_;
  std::vector<AuditPlace> places_;
};

}  // namespace

std::unique_ptr<StatisticalMode> make_known_rule(const AuditOptions& options) {
  return std::make_unique<KnownRule>(options);
}

}  // namespace speclab
