#include "claims/engine/outcomes.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/own_verifier.h"
#include "claims/engine/ingredient.h"

namespace speclab {
namespace {

/// sun2025 appendix A, token_verification. Its rows of the draft have a zero row added, so that the
/// residual after the whole draft is the target. `draws`: whether the token is drawn from the
/// weights that the last lines make; in the text no line does.
template <bool draws>
struct TokenListing {
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const Token x = choices.draft(view.at(node).draft());
      node = view.next(node, x);
      out.path.push_back({x, node, Real(0)});
    }
    std::size_t token_index = 0;
    while (token_index < out.path.size()) {
      const auto laws = view.at(out.node);
      const Token token_value = out.path[token_index].token;
      // random() > accept_probability rejects; draft(token_value) > 0, so the ratio is finite.
      if (!choices.accept(likelihood_ratio(laws, token_value))) break;
      ++token_index;
      out.accept(token_value, out.path[token_index - 1].node);
    }
    if constexpr (draws) {
      const auto laws = view.at(out.node);
      if (token_index == out.path.size()) return out.correct(view, choices, laws.target());
      out.correct(view, choices, laws.residual(Real(1)));
    }
  }
};

/// The probability that X_gamma is ignored, of two plug-and-play verifiers that are block else.
Rational where_sure(const Instance& instance, State start) {
  const auto target = instance.rows->target(start);
  return Rational(std::find(target.begin(), target.end(), Rational(1)) == target.end() ? 0 : 1);
}
Rational at_times(const Instance&, State) { return Rational(1, 4); }

/// A verifier that no registry lists. One that has `ignores` is block.
struct Own {
  std::string_view name;
  Verifier (*make)();
  Rational (*ignores)(const Instance& instance, State start) = nullptr;
};

constexpr Own kOwn[] = {
    {"token-listing", [] { return own_verifier("token-listing", TokenListing<true>{}); }},
    {"token-listing-printed",
     [] { return own_verifier("token-listing-printed", TokenListing<false>{}); }},
    {"one-hot-block", [] { return make_verifier("block"); }, where_sure},
    {"lazy-block", [] { return make_verifier("block"); }, at_times},
};

const Own* find_own(std::string_view name) {
  const auto own = std::find_if(std::begin(kOwn), std::end(kOwn),
                                [&](const Own& row) { return row.name == name; });
  return own == std::end(kOwn) ? nullptr : own;
}

Verifier verifier_of(const std::string& name) {
  const Own* own = find_own(name);
  return own == nullptr ? make_verifier(name) : own->make();
}

IterationLaw<Rational> scaled(IterationLaw<Rational> law, const Rational& share) {
  for (BlockOutcome& outcome : law) outcome.weight *= share;
  return law;
}

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
    : instance_(instance),
      name_(played(verifier)),
      laws_(verifier_of(name_), instance.rows, request) {}

const IterationLaw<Rational>& Decoding::outcomes(State state) {
  const Own* own = find_own(name_);
  const Rational share =
      own == nullptr || own->ignores == nullptr ? Rational(0) : own->ignores(instance_, state);
  const Window shorter{.drafts = instance_.gamma - 1, .bonus = true};
  if (share == 0) return laws_.from(state, instance_.gamma);
  if (share == 1) return laws_.from(state, shorter);
  const auto [place, is_new] = mixed_.try_emplace(state);
  if (is_new) {
    place->second = scaled(laws_.from(state, instance_.gamma), 1 - share);
    for (const BlockOutcome& outcome : scaled(laws_.from(state, shorter), share)) {
      place->second.push_back(outcome);
    }
  }
  return place->second;
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

void compare_with_target(Comparisons& comparisons, std::string_view what,
                         const std::map<TokenPath, Rational>& law, const Instance& instance,
                         State start, int length) {
  for (const PathLaws& path : whole_paths(*instance.rows, start, length)) {
    const auto found = law.find(path.tokens);
    comparisons.push_back({fmt::format("P({} = {})", what, path_text(path.tokens)),
                           found == law.end() ? Rational(0) : found->second, Order::equal,
                           path.target});
  }
}

Rational Decoding::reached(State state, std::span<const Token> x, int iterations, int least) {
  if (least <= 0) return follow(*instance_.rows, state, x).target;
  if (iterations == 0) return Rational(0);
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
  return total;
}

Rational Decoding::tokens(State state, int iterations) {
  if (iterations == 0) return Rational(0);
  const auto found = tokens_.find({state, iterations});
  if (found != tokens_.end()) return found->second;
  Rational total(0);
  for (const auto& [tokens, weight] : emitted(state)) {
    const State after = follow(*instance_.rows, state, tokens).state;
    total += weight * (static_cast<int>(tokens.size()) + this->tokens(after, iterations - 1));
  }
  tokens_[{state, iterations}] = total;
  return total;
}

}  // namespace speclab
