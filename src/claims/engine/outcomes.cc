#include "claims/engine/outcomes.h"

#include <algorithm>
#include <stdexcept>

#include "claims/engine/ingredient.h"
#include "verifiers/block.h"
#include "verifiers/token.h"
#include "verifiers/wrong_block.h"

namespace speclab {
namespace {

/// Token verification that drafts the whole block first: sun2025 Algorithm 1 as it is printed.
struct TokenOnBlock : TokenVerification {
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      node = view.next(node, x);
      out.path.push_back({x, node, min_one<Real>(likelihood_ratio(laws, x))});
    }
    while (out.accepted < window.drafts) {
      const auto& step = out.path[static_cast<std::size_t>(out.accepted)];
      if (!choices.accept(step.weight)) {
        const auto laws = view.at(out.node);
        return out.correct(view, choices, laws.residual(Real(1)));
      }
      out.accept(step.token, step.node);
    }
    out.finish(view, choices, window);
  }
};

/// sun2025 appendix A, token_verification. Its rows of the draft have a zero row added, so that the
/// residual after the whole draft is the target. `draws`: whether the token is drawn from the
/// weights that the last lines make; in the text no line does.
template <bool draws>
struct TokenListing : TokenVerification {
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

/// Block on one draft token fewer where `shortened` says so.
template <class Shortened>
struct ShortenedBlock : BlockVerification {
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    if (Shortened{}(view, root, choices)) --window.drafts;
    BlockVerification::operator()(view, root, window, choices, out);
  }
};

struct WhereSure {
  template <class View, class Choices>
  bool operator()(const View& view, const typename View::Node& root, Choices&) const {
    const auto laws = view.at(root);
    for (Token x = 0; x < view.vocabulary(); ++x) {
      if (laws.target(x) == 1) return true;
    }
    return false;
  }
};

struct AtTimes {
  template <class View, class Choices>
  bool operator()(const View&, const typename View::Node&, Choices& choices) const {
    return choices.accept(typename View::Real(1) / 4);
  }
};

template <class Program>
std::vector<BlockOutcome> outcomes_of(const Instance& instance, State start) {
  std::vector<BlockOutcome> all;
  each_iteration(Program{}, instance, start, true, [&](const auto& out, const Rational& weight) {
    TokenPath draft;
    for (const auto& step : out.path) draft.push_back(step.token);
    all.push_back({std::move(draft), out.tokens, out.accepted, weight});
  });
  return all;
}

struct Named {
  std::string_view name;
  std::vector<BlockOutcome> (*outcomes)(const Instance& instance, State start);
};

constexpr Named kNamed[] = {
    {"block", outcomes_of<BlockVerification>},
    {"token", outcomes_of<TokenOnBlock>},
    {"greedy-block", outcomes_of<GreedyBlockVerification>},
    {"wrong-first-failure", outcomes_of<WrongFirstFailure>},
    {"wrong-weight-coins", outcomes_of<WrongWeightCoins>},
    {"wrong-no-carry", outcomes_of<WrongNoCarry>},
    {"token-listing", outcomes_of<TokenListing<true>>},
    {"token-listing-printed", outcomes_of<TokenListing<false>>},
    {"one-hot-block", outcomes_of<ShortenedBlock<WhereSure>>},
    {"lazy-block", outcomes_of<ShortenedBlock<AtTimes>>},
};

}  // namespace

std::vector<BlockOutcome> outcomes(std::string_view verifier, const Instance& instance,
                                   State start) {
  const std::string name = played(verifier);
  for (const Named& named : kNamed) {
    if (named.name == name) return named.outcomes(instance, start);
  }
  throw std::logic_error("no outcomes of '" + name + "'");
}

std::map<TokenPath, Rational> reach_of(std::string_view verifier, const Instance& instance,
                                       State start) {
  std::map<TokenPath, Rational> reach;
  for (const BlockOutcome& outcome : outcomes(verifier, instance, start)) {
    TokenPath path;
    for (const Token x : outcome.draft) {
      path.push_back(x);
      reach[path] +=
          outcome.accepted >= static_cast<int>(path.size()) ? outcome.weight : Rational(0);
    }
  }
  return reach;
}

const std::map<TokenPath, Rational>& Decoding::emitted(State state) {
  const auto found = emitted_.find(state);
  if (found != emitted_.end()) return found->second;
  std::map<TokenPath, Rational>& law = emitted_[state];
  for (const BlockOutcome& outcome : outcomes(verifier_, instance_, state)) {
    if (outcome.defined()) law[outcome.tokens] += outcome.weight;
  }
  return law;
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
