#include "audit/law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/families/listed_tree.h"
#include "model/normalise.h"

namespace speclab {
namespace {

AuditOutcome outcome_of(const DraftedIteration<double>& out) {
  return {out.accepted, {out.tokens.begin(), out.tokens.end()}};
}

template <class Visit>
void each_decision(const Verifier& verifier, const AuditPlace& place, const Visit& visit) {
  GivenDrafts given(place.chains);
  each_drafted<double>(verifier, *place.rows, place.start,
                       {.window = {.drafts = place.gamma, .bonus = true},
                        .given = place.chains.empty() ? nullptr : &given},
                       visit);
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

AuditPlace place_on(const PairPointer& pair, int gamma, std::vector<std::vector<Token>> chains) {
  return {std::make_shared<const Rows<double>>(pair), pair->start().front().state, gamma,
          std::move(chains)};
}

AuditPlace changed_place(const AuditPlace& place, const RowChange& draft, const RowChange& target) {
  const auto changed = [](std::span<const double> row, const RowChange& change) {
    std::vector<Rational> law = change(row);
    normalise(law);
    return law;
  };
  ListedLaws draft_laws, target_laws;
  for (const auto& chain : place.chains) {
    const std::vector<State> states = states_along(place, chain);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::vector<Token> prefix(chain.begin(),
                                      chain.begin() + static_cast<std::ptrdiff_t>(i));
      draft_laws[prefix] = changed(place.rows->draft(states[i]), draft);
      target_laws[prefix] = changed(place.rows->target(states[i]), target);
    }
  }
  const auto pair =
      std::make_shared<ListedTreePair>(place.rows->vocabulary(), draft_laws, target_laws);
  return place_on(pair, place.gamma, place.chains);
}

AuditLaw law_at(const Verifier& verifier, const AuditPlace& place) {
  AuditLaw law;
  each_decision(verifier, place, [&law](const DraftedIteration<double>& out) {
    law[outcome_of(out)] += out.weight;
  });
  return law;
}

std::vector<DecisionPath> decisions_at(const Verifier& verifier, const AuditPlace& place) {
  std::vector<DecisionPath> paths;
  each_decision(verifier, place, [&paths](const DraftedIteration<double>& out) {
    paths.push_back({{out.ranges.begin(), out.ranges.end()}, outcome_of(out)});
  });
  return paths;
}

std::vector<DraftedSet> drafted_sets(const AuditPlace& place, int count) {
  std::vector<std::pair<std::vector<Token>, double>> chains{{{}, 1.0}};
  for (int i = 0; i < place.gamma; ++i) {
    std::vector<std::pair<std::vector<Token>, double>> longer;
    for (const auto& [chain, probability] : chains) {
      const auto draft = place.rows->draft(states_along(place, chain).back());
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

double set_count(const AuditPlace& place, int count) {
  return std::pow(static_cast<double>(place.rows->vocabulary()), place.gamma * count);
}

std::string why_unseen(const Verifier& verifier, const AuditPlace& place, int count) {
  AuditLaw mixture;
  for (const DraftedSet& set : drafted_sets(place, count)) {
    const auto law = if_drafted([&] { return law_at(verifier, place.with(set.chains)); });
    if (!law) return "it does not draft from the draft's law";
    for (const auto& [outcome, probability] : *law) {
      if (!is_of(outcome, set.chains)) return "it does not use the given drafts";
      mixture[outcome] += set.probability * probability;
    }
  }
  for (const auto& [outcome, probability] : law_at(verifier, place.with({}))) {
    mixture[outcome] -= probability;
  }
  const bool same = std::all_of(mixture.begin(), mixture.end(), [](const auto& entry) {
    return std::abs(entry.second) < kSameLaw;
  });
  return same ? "" : "its drafts do not follow the draft's law";
}

std::vector<State> states_along(const AuditPlace& place, const std::vector<Token>& chain) {
  std::vector<State> states{place.start};
  for (const Token x : chain) states.push_back(place.rows->next(states.back(), x));
  return states;
}

}  // namespace speclab
