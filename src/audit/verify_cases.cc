#include "audit/verify_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "audit/large_cases.h"
#include "audit/readings.h"
#include "base/error.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Longest drafts of a case; sets of several chains are shorter, as they multiply.
int longest_draft(int drafts) { return drafts == 1 ? 3 : 2; }
/// The most drafted sets of a pair, and how many of them become candidates.
constexpr double kMostVerifiedSets = 5'000;
constexpr std::size_t kVerifiedSets = 10;

/// The first aspect is the accepted length; aspect i + 1 is the token after i accepted ones.
OutcomeKey emitted_key(int accepted, const std::vector<Token>& tokens, std::size_t chains) {
  // With one chain the accepted tokens are known; an undefined draw has no last token.
  const auto known = chains == 1 ? static_cast<std::size_t>(accepted) : 0;
  return {tokens.begin() + static_cast<std::ptrdiff_t>(std::min(known, tokens.size())),
          tokens.end()};
}

std::vector<Aspect> aspects_of(const AuditPlace& place, const AuditLaw& right) {
  const std::string drafted = chains_text(place.chains);
  std::vector<Aspect> aspects;
  auto laws = split_law(right, place.gamma, place.chains.size());
  for (std::size_t at = 0; at < laws.size(); ++at) {
    Aspect aspect;
    const int accepted = static_cast<int>(at) - 1;
    if (at == 0) {
      aspect.decision = "accepted length after draft " + drafted;
      aspect.kind = DecisionKind::accepted_length;
    } else {
      aspect.given_first = true;
      aspect.kind = accepted == place.gamma ? DecisionKind::bonus : DecisionKind::correction;
      aspect.decision =
          fmt::format("{} at accepted length {} after draft {}",
                      accepted == place.gamma ? "bonus" : "correction", accepted, drafted);
      if (place.chains.size() == 1) aspect.readings = readings_at(place, accepted);
    }
    aspect.law = std::move(laws[at]);
    aspects.push_back(std::move(aspect));
  }
  return aspects;
}

/// @param unseen  why the smaller pairs do not show it, or ""; drafts of these chains may not be
///                drawn by a fault that draws those of the smaller pairs
void add_fault(PlacedCase& made, const Verifier& fault, std::string unseen) {
  std::vector<KeyLaw> laws(made.plan.aspects.size());
  if (unseen.empty()) {
    auto drafted = if_drafted([&] {
      return split_law(law_at(fault, made.place), made.place.gamma, made.place.chains.size());
    });
    if (drafted) {
      laws = std::move(*drafted);
    } else {
      unseen = "it does not draft from the draft's law";
    }
  }
  made.plan.unseen.push_back(std::move(unseen));
  for (std::size_t at = 0; at < laws.size(); ++at) {
    made.plan.aspects[at].faults.push_back(std::move(laws[at]));
  }
}

/// Cases with some of a pair's drafted sets, spread evenly; with all where there are few.
std::vector<PlacedCase> cases_on(const CandidatePair& pair, int drafts) {
  auto sets = drafted_sets(pair, drafts);
  const std::size_t count = std::min(sets.size(), kVerifiedSets);
  const CasePlan plan = case_on(pair, pair.gamma + 1, drafts);
  std::vector<PlacedCase> cases;
  for (std::size_t i = 0; i < count; ++i) {
    cases.push_back({plan, pair.with(std::move(sets[i * sets.size() / count].chains))});
  }
  return cases;
}

/// Why given drafts do not show each fault on the pair, or "".
/// @throws InputError where they do not show the rule
std::vector<std::string> reasons_on(const CandidatePair& pair, int drafts, const Verifier& rule,
                                    const std::vector<Verifier>& faults) {
  const auto unseen = [&](const Verifier& verifier) { return why_unseen(verifier, pair, drafts); };
  if (const std::string reason = unseen(rule); !reason.empty()) {
    throw InputError(
        fmt::format("rule '{}' cannot be tested with given drafts: {}; audit "
                    "whole decodes instead, with the mode generate",
                    rule.name, reason));
  }
  std::vector<std::string> reasons;
  for (const Verifier& fault : faults) reasons.push_back(unseen(fault));
  return reasons;
}

/// Adds the laws of the rule and of the faults at the place.
void complete(PlacedCase& made, const Verifier& rule, const std::vector<Verifier>& faults,
              const std::vector<std::string>& reasons) {
  made.plan.shape.drafted = made.place.chains;
  const AuditLaw law = law_at(rule, made.place);
  made.plan.shape.underflowed = static_cast<std::size_t>(std::ranges::count_if(
      law, [](const auto& each) { return each.second < std::numeric_limits<double>::min(); }));
  made.plan.aspects = aspects_of(made.place, law);
  double agreement = 0;
  for (std::size_t at = 1; at < made.plan.aspects.size(); ++at) {
    for (const auto& [key, p] : made.plan.aspects[at].law) agreement += p * p;
  }
  made.plan.agreement = agreement;
  for (std::size_t i = 0; i < faults.size(); ++i) add_fault(made, faults[i], reasons[i]);
}

}  // namespace

std::vector<KeyLaw> split_law(const AuditLaw& law, int gamma, std::size_t chains) {
  std::vector<KeyLaw> laws(static_cast<std::size_t>(gamma) + 2);
  for (const auto& [outcome, probability] : law) {
    if (!(probability > 0)) continue;
    laws[0][{outcome.accepted}] += probability;
    laws[static_cast<std::size_t>(outcome.accepted) + 1]
        [emitted_key(outcome.accepted, outcome.tokens, chains)] += probability;
  }
  return laws;
}

std::string chains_text(const std::vector<std::vector<Token>>& chains) {
  std::string text;
  for (const auto& chain : chains) {
    text += fmt::format("{}({})", text.empty() ? "" : " ", fmt::join(chain, ","));
  }
  return text;
}

std::vector<PlacedCase> placed_candidates(const AuditOptions& options,
                                          const std::vector<Verifier>& faults) {
  const Verifier rule = make_verifier(options.rule);
  if (rule.info->small_pairs) {
    throw InputError(
        fmt::format("rule '{}' is prepared for each pair and has no law given its "
                    "drafts; audit whole decodes instead, with the mode generate",
                    rule.name));
  }
  const int drafts = std::max(rule.drafts, 1);
  auto pairs = candidate_pairs(longest_draft(drafts));
  std::erase_if(pairs, [drafts](const CandidatePair& pair) {
    return set_count(pair, drafts) > kMostVerifiedSets;
  });
  std::vector<PlacedCase> found;
  const auto add = [&](std::vector<PlacedCase> cases, const CandidatePair& verified) {
    const std::vector<std::string> reasons = reasons_on(verified, drafts, rule, faults);
    for (PlacedCase& made : cases) {
      check_interrupted();
      complete(made, rule, faults, reasons);
      found.push_back(std::move(made));
    }
  };
  if (pairs.empty()) return found;
  for (const CandidatePair& pair : pairs) {
    if (!options.large) add(cases_on(pair, drafts), pair);
  }
  // What a verifier shows given its drafts is known from a small pair.
  add(options.large ? large_cases(drafts) : wide_cases(drafts), pairs.back());
  return found;
}

std::vector<std::pair<std::size_t, OutcomeKey>> keys_of(const CasePlan& plan, int accepted,
                                                        const std::vector<Token>& tokens) {
  return {{0, {accepted}},
          {static_cast<std::size_t>(accepted) + 1,
           emitted_key(accepted, tokens, plan.shape.drafted.size())}};
}

VerifyRequest request_at(const AuditPlace& place) {
  VerifyRequest request;
  request.vocabulary = place.rows->vocabulary();
  request.drafts = place.chains;
  for (const auto& chain : place.chains) {
    auto& draft = request.draft_rows.emplace_back();
    auto& target = request.target_rows.emplace_back();
    for (const State state : states_along(place, chain)) {
      const auto draft_row = place.rows->draft(state);
      const auto target_row = place.rows->target(state);
      draft.emplace_back(draft_row.begin(), draft_row.end());
      target.emplace_back(target_row.begin(), target_row.end());
    }
    draft.pop_back();
  }
  return request;
}

}  // namespace speclab
