#include "audit/law.h"

#include <algorithm>
#include <cmath>

namespace speclab {
namespace {

AuditOutcome outcome_of(const DraftedIteration<double>& out) {
  return {out.accepted, {out.tokens.begin(), out.tokens.end()}};
}

template <class Visit>
void each_given(const Verifier& verifier, const AuditPlace& place, const Visit& visit) {
  GivenDrafts given(place.chains);
  each_drafted<double>(verifier, *place.rows, place.start,
                       {.window = {.drafts = place.gamma, .bonus = true}, .given = &given}, visit);
}

/// Whether the accepted tokens are those of a chain.
bool is_of(const AuditOutcome& outcome, const std::vector<std::vector<Token>>& chains) {
  const auto accepted = static_cast<std::size_t>(outcome.accepted);
  if (outcome.tokens.size() < accepted) return false;
  return std::any_of(chains.begin(), chains.end(), [&](const std::vector<Token>& chain) {
    return chain.size() >= accepted &&
           std::equal(chain.begin(), chain.begin() + outcome.accepted, outcome.tokens.begin());
  });
}

/// Two computations of one law may differ by this much through rounding.
constexpr double kSameLaw = 1e-9;

}  // namespace

AuditLaw law_given(const Verifier& verifier, const AuditPlace& place) {
  AuditLaw law;
  each_given(verifier, place,
             [&law](const DraftedIteration<double>& out) { law[outcome_of(out)] += out.weight; });
  return law;
}

std::vector<DecisionPath> decisions_given(const Verifier& verifier, const AuditPlace& place) {
  std::vector<DecisionPath> paths;
  each_given(verifier, place, [&paths](const DraftedIteration<double>& out) {
    paths.push_back({{out.ranges.begin(), out.ranges.end()}, outcome_of(out)});
  });
  return paths;
}

AuditLaw law_of_iteration(const Verifier& verifier, const Rows<double>& rows, State start,
                          int gamma) {
  AuditLaw law;
  each_drafted<double>(
      verifier, rows, start, {.window = {.drafts = gamma, .bonus = true}},
      [&law](const DraftedIteration<double>& out) { law[outcome_of(out)] += out.weight; });
  return law;
}

std::vector<DraftedSet> drafted_sets(const Rows<double>& rows, State start, int gamma, int count) {
  std::vector<std::pair<std::vector<Token>, double>> chains{{{}, 1.0}};
  for (int i = 0; i < gamma; ++i) {
    std::vector<std::pair<std::vector<Token>, double>> longer;
    for (const auto& [chain, probability] : chains) {
      const auto draft = rows.draft(states_along(rows, start, chain).back());
      for (std::size_t x = 0; x < draft.size(); ++x) {
        if (!(draft[x] > 0)) continue;
        auto next = chain;
        next.push_back(static_cast<Token>(x));
        longer.emplace_back(std::move(next), probability * draft[x]);
      }
    }
    chains = std::move(longer);
  }
  std::vector<DraftedSet> sets{{{}, 1.0}};
  for (int k = 0; k < count; ++k) {
    std::vector<DraftedSet> larger;
    for (const DraftedSet& set : sets) {
      for (const auto& [chain, probability] : chains) {
        larger.push_back(set);
        larger.back().chains.push_back(chain);
        larger.back().probability *= probability;
      }
    }
    sets = std::move(larger);
  }
  return sets;
}

std::string why_unseen(const Verifier& verifier, const std::shared_ptr<const Rows<double>>& rows,
                       State start, int gamma, int count) {
  AuditLaw mixture;
  for (const DraftedSet& set : drafted_sets(*rows, start, gamma, count)) {
    const auto law = if_drafted([&] {
      return law_given(verifier, {rows, start, gamma, set.chains});
    });
    if (!law) return "it does not draft from the draft's law";
    for (const auto& [outcome, probability] : *law) {
      if (!is_of(outcome, set.chains)) return "it does not use the given drafts";
      mixture[outcome] += set.probability * probability;
    }
  }
  const AuditLaw own = law_of_iteration(verifier, *rows, start, gamma);
  for (const auto& [outcome, probability] : own) mixture[outcome] -= probability;
  const bool same = std::all_of(mixture.begin(), mixture.end(), [](const auto& entry) {
    return std::abs(entry.second) < kSameLaw;
  });
  return same ? "" : "its drafts do not follow the draft's law";
}

std::vector<State> states_along(const Rows<double>& rows, State start,
                                const std::vector<Token>& chain) {
  std::vector<State> states{start};
  for (const Token x : chain) states.push_back(rows.next(states.back(), x));
  return states;
}

}  // namespace speclab
