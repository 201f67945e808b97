#include <fmt/format.h>

#include <cmath>

#include "audit/asking.h"
#include "audit/modes.h"
#include "audit/smallest.h"
#include "audit/verify_cases.h"

namespace speclab {
namespace {

/// Replies to two seeds are compared where they are equal by chance with at most this probability.
constexpr double kEqualByChance = 1e-15;

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
                            const AuditProgress& progress) override {
    std::vector<SeenKeys> seen;
    std::vector<CaseRequest> wanted;
    for (const CasePlan& each : plan.cases) {
      seen.emplace_back(each.aspects.size());
      wanted.push_back({wanted.size(), request_at(places_[each.candidate])});
      wanted.back().request.count = each.shape.trials;
      wanted.back().asked = each.asked;
    }
    last_.resize(plan.cases.size());
    repeats_.resize(plan.cases.size());
    ask_all(std::move(wanted), options_.seed, implementation, progress,
            [&](std::size_t at, const VerifyRequest& request, const VerifyReply& reply) {
              const CasePlan& of = plan.cases[at];
              for (std::size_t i = 0; i < request.count; ++i) {
                for (auto& [aspect, key] : keys_of(of, reply.accepted[i], reply.tokens[i])) {
                  ++seen[at][aspect][key];
                }
              }
              compare(at, of, reply);
            });
    return seen;
  }

  void complete(AuditReport& report, const AuditPlan& plan) const override {
    for (std::size_t at = 0; at < repeats_.size(); ++at) {
      if (repeats_[at] == 0) continue;
      report.findings.push_back(
          {plan.cases[at].shape.name, "random numbers of a request",
           fmt::format("{} requests with different seeds were answered with the same decisions "
                       "in the same order; draw from the request's seed, or continue one "
                       "generator",
                       repeats_[at] + 1),
           1, 0, ""});
    }
    if (!report.passed()) return;
    std::vector<const AuditPlace*> places;
    for (const CasePlan& each : plan.cases) places.push_back(&places_[each.candidate]);
    report.smallest = smallest_faults(plan, places, make_verifier(options_.rule), options_.power);
  }

 private:
  /// Counts replies that repeat the previous one where chance cannot explain it: each decision
  /// is repeated with probability sum p^2.
  void compare(std::size_t at, const CasePlan& of, const VerifyReply& reply) {
    double same = 0;
    for (std::size_t aspect = 1; aspect < of.aspects.size(); ++aspect) {
      for (const auto& [key, p] : of.aspects[aspect].law) same += p * p;
    }
    VerifyReply& last = last_[at];
    const bool equal = last.accepted == reply.accepted && last.tokens == reply.tokens;
    if (equal && std::pow(same, static_cast<double>(reply.accepted.size())) < kEqualByChance) {
      ++repeats_[at];
    }
    last = reply;
  }

  AuditOptions options_;
  std::vector<AuditPlace> places_;
  std::vector<VerifyReply> last_;
  std::vector<std::size_t> repeats_;
};

}  // namespace

std::unique_ptr<StatisticalMode> make_known_rule(const AuditOptions& options) {
  return std::make_unique<KnownRule>(options);
}

}  // namespace speclab
