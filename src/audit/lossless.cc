#include <fmt/format.h>

#include <algorithm>

#include "answer/optima.h"
#include "audit/asking.h"
#include "audit/candidate_pairs.h"
#include "audit/modes.h"
#include "audit/verify_cases.h"
#include "base/random.h"
#include "model/law.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr double kMostSets = 2'000;

/// The laws of the first 1, .., length emitted tokens of an iteration, continued by the target.
class Continued {
 public:
  Continued(const CandidatePair& pair, int length) : pair_(pair), laws_(index(length)) {}

  void add(const std::vector<Token>& tokens, bool defined, double probability) {
    OutcomeKey key;
    State state = pair_.start;
    for (const Token x : tokens) {
      if (key.size() == laws_.size()) return;
      key.push_back(x);
      laws_[key.size() - 1][key] += probability;
      state = pair_.rows->next(state, x);
    }
    if (defined) go_on(key, state, probability);
  }
  [[nodiscard]] const std::vector<KeyLaw>& laws() const { return laws_; }

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }

  void go_on(OutcomeKey& key, State state, double probability) {
    if (key.size() == laws_.size()) return;
    const auto target = pair_.rows->target(state);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (!(target[x] > 0)) continue;
      key.push_back(static_cast<int>(x));
      laws_[key.size() - 1][key] += probability * target[x];
      go_on(key, pair_.rows->next(state, static_cast<Token>(x)), probability * target[x]);
      key.pop_back();
    }
  }

  const CandidatePair& pair_;
  std::vector<KeyLaw> laws_;
};

class Lossless final : public StatisticalMode {
 public:
  explicit Lossless(const AuditOptions& options) : options_(options) {}

  std::vector<CasePlan> candidates(const std::vector<Verifier>& faults) override {
    std::vector<CasePlan> plans;
    auto pairs = candidate_pairs(options_.drafts == 1 ? 3 : 2);
    pairs.push_back(eight_tokens());
    for (CandidatePair& pair : pairs) {
      check_interrupted();
      if (set_count(pair, options_.drafts) > kMostSets) continue;
      CasePlan plan = case_on(pair, pair.gamma + 1, options_.drafts);
      Continued target(pair, pair.gamma + 1);
      target.add({}, true, 1);
      for (const KeyLaw& law : target.laws()) {
        plan.aspects.push_back(
            {fmt::format("the first {} tokens", plan.aspects.size() + 1), law, {}, {}});
      }
      for (const Verifier& fault : faults) add_fault(plan, pair, fault);
      plans.push_back(std::move(plan));
      pairs_.push_back(std::move(pair));
    }
    return plans;
  }

  std::vector<SeenKeys> ask(const AuditPlan& plan, Implementation& implementation,
                            const AuditProgress& progress, DecisionOrder& order) override {
    std::vector<SeenKeys> seen;
    std::vector<CaseRequest> wanted;
    for (std::size_t at = 0; at < plan.cases.size(); ++at) {
      seen.emplace_back(plan.cases[at].aspects.size());
      for (CaseRequest& request : draw(at, plan.cases[at])) {
        request.asked = plan.cases[at].asked;
        wanted.push_back(std::move(request));
      }
    }
    accepted_.assign(plan.cases.size(), 0);
    Stream stream(stream_key(options_.seed, task_hash("audit continuations")), 0, 0,
                  Purpose::correct);
    ask_all(wanted, options_.seed, implementation, progress,
            [&](std::size_t at, const VerifyRequest& request, const VerifyReply& reply) {
              const CandidatePair& pair = pairs_[plan.cases[at].candidate];
              OutcomeKey drafted;
              for (const auto& chain : request.drafts) {
                drafted.insert(drafted.end(), chain.begin(), chain.end());
              }
              for (std::size_t i = 0; i < request.count; ++i) {
                order.add(at, drafted, whole_outcome(reply.accepted[i], reply.tokens[i]));
                accepted_[at] += static_cast<std::uint64_t>(reply.accepted[i]);
                count(pair, reply.tokens[i], stream, seen[at]);
              }
            });
    return seen;
  }

  void complete(AuditReport& report, const AuditPlan& plan) const override {
    double share = 0;
    std::size_t asked = 0;
    for (std::size_t at = 0; at < plan.cases.size(); ++at) {
      if (!plan.cases[at].asked) continue;
      ++asked;
      const CandidatePair& pair = pairs_[plan.cases[at].candidate];
      const Rows<Rational> rows(pair.rows->pair_pointer());
      const OptimumRequest request{.problem = {.verifiers = VerifierClass::coupling,
                                               .gamma = pair.gamma,
                                               .drafts = options_.drafts},
                                   .exact = false};
      const auto best = find_optimum_from(rows, {pair.start, Rational(1)}, request);
      const auto largest = to_double(best.worth);
      const double mean =
          static_cast<double>(accepted_[at]) / static_cast<double>(plan.cases[at].shape.trials);
      share += largest > 0 ? mean / largest : 1;
    }
    report.share_of_optimum = share / static_cast<double>(asked);
  }

 private:
  void add_fault(CasePlan& plan, const CandidatePair& pair, const Verifier& fault) const {
    plan.unseen.push_back(why_unseen(fault, pair, options_.drafts));
    Continued output(pair, pair.gamma + 1);
    if (plan.unseen.back().empty()) {
      for (const auto& [outcome, p] : law_at(fault, pair)) {
        output.add(outcome.tokens, outcome.tokens.size() > index(outcome.accepted), p);
      }
    }
    for (std::size_t at = 0; at < plan.aspects.size(); ++at) {
      plan.aspects[at].faults.push_back(output.laws()[at]);
    }
  }

  /// The case's trials over sets of drafts, drawn from the draft's law; one request per set.
  [[nodiscard]] std::vector<CaseRequest> draw(std::size_t at, const CasePlan& of) const {
    const CandidatePair& pair = pairs_[of.candidate];
    const auto sets = drafted_sets(pair, options_.drafts);
    std::vector<double> weights;
    for (const DraftedSet& set : sets) weights.push_back(set.probability);
    const AliasTable table(weights);
    Stream stream(stream_key(options_.seed, task_hash("audit drafts")), at, 0, Purpose::draft);
    std::vector<std::uint64_t> counts(sets.size(), 0);
    for (std::uint64_t i = 0; i < of.shape.trials; ++i) {
      ++counts[static_cast<std::size_t>(table.pick(stream.uniform()))];
    }
    std::vector<CaseRequest> requests;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (counts[i] == 0) continue;
      requests.push_back({at, request_at(pair.with(sets[i].chains))});
      requests.back().request.count = counts[i];
    }
    return requests;
  }

  static void count(const CandidatePair& pair, const std::vector<Token>& tokens, Stream& stream,
                    SeenKeys& seen) {
    OutcomeKey key;
    State state = pair.start;
    while (key.size() < seen.size()) {
      const Token x = key.size() < tokens.size()
                          ? tokens[key.size()]
                          : pick(RowLaw<double>(pair.rows->target(state)), stream.uniform());
      key.push_back(x);
      ++seen[key.size() - 1][key];
      state = pair.rows->next(state, x);
    }
  }

  static std::size_t index(int n) { return static_cast<std::size_t>(n); }

  AuditOptions options_;
  std::vector<CandidatePair> pairs_;
  std::vector<std::uint64_t> accepted_;  ///< by case
};

}  // namespace

std::unique_ptr<StatisticalMode> make_lossless(const AuditOptions& options) {
  return std::make_unique<Lossless>(options);
}

}  // namespace speclab
