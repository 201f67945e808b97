#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "answer/answer.h"
#include "answer/bench.h"
#include "audit/candidate_pairs.h"
#include "audit/modes.h"
#include "base/random.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Longest draft of a case; the horizon is longer by as many tokens.
constexpr int kLongestDraft = 3;
constexpr int kTokensMore = 2;
/// The most different token sequences of a case's decodes.
constexpr double kMostDecodes = 512;
constexpr std::uint64_t kDecodesOfARequest = 8'192;

/// The aspects of a decode: its tokens, and the accepted length of its first iteration.
enum Side : std::size_t { kTokens, kAccepted, kSides };

class Decodes final : public StatisticalMode {
 public:
  explicit Decodes(const AuditOptions& options) : options_(options) {}

  std::vector<CasePlan> candidates(const std::vector<Verifier>& faults) override {
    const bool any = options_.rule == kLosslessRule;
    const Verifier rule = make_verifier(any ? "autoregressive" : options_.rule);
    std::vector<CasePlan> plans;
    auto pairs = candidate_pairs(kLongestDraft);
    pairs.push_back(eight_tokens());
    for (CandidatePair& pair : pairs) {
      check_interrupted();
      if (std::pow(pair.rows->vocabulary(), horizon(pair)) > kMostDecodes) continue;
      CasePlan plan =
          case_on(pair, horizon(pair), any ? options_.drafts : std::max(rule.drafts, 1));
      plan.aspects.resize(any ? kSides - 1 : kSides);
      plan.aspects[kTokens].decision = fmt::format("the first {} tokens", horizon(pair));
      if (!any) {
        plan.aspects[kAccepted].decision = "accepted length of the first iteration";
        plan.aspects[kAccepted].kind = DecisionKind::accepted_length;
      }
      const auto laws = laws_of(rule, pair);
      for (std::size_t side = 0; side < plan.aspects.size(); ++side) {
        plan.aspects[side].law = laws[side];
      }
      plan.agreement = 0;
      for (const auto& [key, p] : laws[kTokens]) *plan.agreement += p * p;
      for (const Verifier& fault : faults) {
        plan.unseen.emplace_back();
        const auto wrong = laws_of(fault, pair);
        for (std::size_t side = 0; side < plan.aspects.size(); ++side) {
          plan.aspects[side].faults.push_back(wrong[side]);
        }
      }
      plans.push_back(std::move(plan));
      pairs_.push_back(std::move(pair));
    }
    return plans;
  }

  std::vector<SeenKeys> ask(const AuditPlan& plan, Implementation& implementation,
                            const AuditProgress& progress, DecisionOrder& order) override {
    std::vector<SeenKeys> seen;
    std::uint64_t wanted = 0;
    for (const CasePlan& each : plan.cases) wanted += each.asked ? each.shape.trials : 0;
    Stream seeds(stream_key(options_.seed, task_hash("audit requests")), 0, 0, Purpose::draft);
    std::uint64_t number = 0;
    std::uint64_t done = 0;
    for (const CasePlan& each : plan.cases) {
      seen.emplace_back(each.aspects.size());
      for (std::uint64_t left = each.shape.trials; left > 0;) {
        check_interrupted();
        GenerateRequest request;
        request.id = number++;
        request.count = std::min(left, kDecodesOfARequest);
        request.pair = each.shape.pair;
        request.vocabulary = each.shape.vocabulary;
        request.gamma = each.shape.gamma;
        request.drafts = each.shape.drafts;
        request.horizon = horizon(pairs_[each.candidate]);
        request.seed = seeds() >> 11;
        left -= request.count;
        if (!each.asked) continue;
        const GenerateReply reply = implementation.generate(request);
        check_reply(request, reply);
        count(reply, seen.back());
        for (const auto& tokens : reply.tokens) {
          order.add(seen.size() - 1, {}, {tokens.begin(), tokens.end()});
        }
        done += request.count;
        if (progress) progress(done, wanted);
      }
    }
    return seen;
  }

 private:
  static int horizon(const CandidatePair& pair) { return pair.gamma + kTokensMore; }

  std::array<KeyLaw, kSides> laws_of(const Verifier& verifier, const CandidatePair& pair) {
    const Answer answer = bench_.answer({.pair = pair.rows->pair_pointer(),
                                         .verifier = verifier,
                                         .lengths = {.gamma = pair.gamma, .horizon = horizon(pair)},
                                         .law = true,
                                         .arithmetic = Arithmetic::floating},
                                        ByEnumeration{.threads = 1, .predictions = false});
    std::array<KeyLaw, kSides> laws;
    for (const auto& [id, side] : {std::pair(QuantityId::output_law, kTokens),
                                   std::pair(QuantityId::accepted_law, kAccepted)}) {
      const auto* values = answer.found.find(id);
      if (values == nullptr) continue;
      for (const auto& [index, value] : values->values) {
        if (value.number > 0) laws[side][index] = value.number;
      }
    }
    return laws;
  }

  static void count(const GenerateReply& reply, SeenKeys& seen) {
    for (const auto& tokens : reply.tokens) {
      ++seen[kTokens][OutcomeKey(tokens.begin(), tokens.end())];
    }
    if (seen.size() <= kAccepted) return;
    for (const auto& accepted : reply.accepted) ++seen[kAccepted][{accepted.front()}];
  }

  AuditOptions options_;
  Bench bench_;
  std::vector<CandidatePair> pairs_;
};

}  // namespace

std::unique_ptr<StatisticalMode> make_decodes(const AuditOptions& options) {
  return std::make_unique<Decodes>(options);
}

}  // namespace speclab
