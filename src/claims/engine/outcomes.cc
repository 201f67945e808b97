#include "claims/engine/outcomes.h"

#include <fmt/format.h>

#include <algorithm>

#include "claims/engine/ingredient.h"
#include "claims/engine/own_verifiers.h"

namespace speclab {
namespace {

using Carried = CarriedView<Rational>;

/// Adds the law of tokens drawn from the view's target after `node`, to `length` in all.
void extend(const Carried& view, const Carried::Node& node, const Rational& mass,
            std::size_t length, TokenPath& tokens, std::map<TokenPath, Rational>& law) {
  if (tokens.size() >= length) {
    law[{tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(length)}] += mass;
    return;
  }
  const auto laws = view.at(node);
  for (Token x = 0; x < view.vocabulary(); ++x) {
    if (!(laws.target(x) > 0)) continue;
    tokens.push_back(x);
    extend(view, view.next(node, x), mass * laws.target(x), length, tokens, law);
    tokens.pop_back();
  }
}

}  // namespace

Decoding::Decoding(std::string_view verifier, const Instance& instance,
                   const IterationRequest& request)
    : instance_(instance), laws_(verifier_of(played(verifier)), instance.rows, request) {}

const IterationLaw<Rational>& Decoding::outcomes(State state) {
  return laws_.from(state, instance_.gamma);
}

IterationLaw<Rational> outcomes(std::string_view verifier, const Instance& instance, State start) {
  return Decoding(verifier, instance, {.whole_draft = true}).outcomes(start);
}

std::map<TokenPath, Rational> reach_of(std::string_view verifier, const Instance& instance,
                                       State start) {
  std::map<TokenPath, Rational> reach;
  for (const PathLaws& path : drafted_paths(instance, start)) reach[path.tokens] = 0;
  Decoding decoding(verifier, instance, {.corrections = false});
  for (const BlockOutcome& outcome : decoding.outcomes(start)) {
    for (int i = 1; i <= outcome.accepted; ++i) {
      reach[TokenPath(outcome.tokens.begin(), outcome.tokens.begin() + i)] += outcome.weight;
    }
  }
  return reach;
}

const std::map<TokenPath, Rational>& Decoding::emitted(State state) {
  const auto [place, is_new] = emitted_.try_emplace(state);
  if (is_new) {
    for (const BlockOutcome& outcome : outcomes(state)) {
      if (outcome.defined()) place->second[outcome.tokens] += outcome.weight;
    }
  }
  return place->second;
}

std::map<TokenPath, Rational> Decoding::continued(State state, int length, bool carried) {
  const Carried view(*instance_.rows);
  std::map<TokenPath, Rational> law;
  for (const BlockOutcome& outcome : outcomes(state)) {
    if (!outcome.defined()) continue;
    const State after = follow(*instance_.rows, state, outcome.tokens).state;
    TokenPath tokens = outcome.tokens;
    extend(view, carried ? outcome.context : view.root(after), outcome.weight,
           static_cast<std::size_t>(length), tokens, law);
  }
  return law;
}

Rational Decoding::distance(State state, int length, bool carried) {
  auto law = continued(state, length, carried);
  Rational sum(0);
  for (const PathLaws& path : whole_paths(*instance_.rows, state, length)) {
    sum += positive_part<Rational>(path.target - law[path.tokens]);
  }
  return sum;
}

Comparisons continued_against_target(std::string_view verifier, const Instance& instance,
                                     std::string_view what, std::string_view name) {
  Comparisons comparisons;
  Decoding decoding(verifier, instance);
  for (const Start& start : instance.pair().start()) {
    auto law = decoding.continued(start.state, instance.gamma, true);
    for (auto& [path, mass] : law) mass = ingredient(name, mass);
    for (const PathLaws& path : whole_paths(*instance.rows, start.state, instance.gamma)) {
      comparisons.equal(law[path.tokens], path.target, "P({} = {})", what, path_text(path.tokens));
    }
  }
  return comparisons;
}

Rational Decoding::reached(State state, std::span<const Token> x, int iterations, int least) {
  if (least <= 0) return follow(*instance_.rows, state, x).target;
  if (iterations == 0) return Rational(0);
  const std::tuple key{state, TokenPath(x.begin(), x.end()), iterations, least};
  if (const auto known = reached_.find(key); known != reached_.end()) return known->second;
  Rational total(0);
  for (const auto& [tokens, weight] : emitted(state)) {
    const std::size_t shared = std::min(tokens.size(), x.size());
    if (!std::equal(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(shared), tokens.begin())) {
      continue;
    }
    const State after = follow(*instance_.rows, state, tokens).state;
    total += weight * reached(after, x.subspan(shared), iterations - 1,
                              least - static_cast<int>(tokens.size()));
  }
  return reached_[key] = total;
}

}  // namespace speclab
