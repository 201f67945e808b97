#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "base/threshold.h"
#include "draft/tree.h"
#include "model/derived.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

// Rules that accept a drafted token deterministically where it is in a set A
// that depends on t. On one sampled chain a position's token follows d on A
// plus d(not A) times the law of the correction.

/// The source of a token that was not drafted.
enum class Substitute {
  target,  ///< a draw from t
  argmax,  ///< the most probable token of t, ties to the lowest
};

inline Substitute read_substitute(SpecReader& spec, std::string_view key) {
  return spec.choice<Substitute>(key, {"target", "argmax"}, "target");
}

template <class View, class Choices>
void substitute(const View& view, Substitute how, Ending ending, Choices& choices,
                Iteration<View>& out) {
  const auto laws = view.at(out.node);
  const Token y =
      how == Substitute::argmax ? most_probable_target(laws) : choices.correct(laws.target());
  out.add(view, y, ending);
}

/// The end of the longest path of accepted tokens in a draft set; of several
/// the one that the target finds likeliest, and of those the first.
/// @param accepts  whether token x is accepted: (laws, state, x)
template <class View, class Choices, class Accepts>
Vertex longest_accepted(const View& view, DraftTree<View, Choices>& tree, const Accepts& accepts) {
  using Real = typename View::Real;
  using Path = std::pair<Vertex, Real>;  // its end and its probability under the target
  std::vector<Path> longest{{kRootVertex, Real(1)}};
  for (;;) {
    std::vector<Path> longer;
    for (const auto& [at, likelihood] : longest) {
      const auto node = tree.node(at);
      const auto laws = view.at(node);
      for (int j = 0; const auto child = tree.child(at, j); ++j) {
        const Token x = tree.token(*child);
        if (!accepts(laws, view.state(node), x)) continue;
        longer.emplace_back(*child, Real(likelihood * laws.target(x)));
      }
    }
    if (longer.empty()) break;
    longest = std::move(longer);
  }
  const Path* best = &longest.front();
  for (const Path& path : longest) {
    if (compare(path.second, best->second) > 0) best = &path;
  }
  return best->first;
}

/// Accepts the longest path of tokens for which accepts(laws, state, x).
template <class View, class Choices, class Accepts>
void verify_by_set(const DraftSource& source, const View& view, Window window, Choices& choices,
                   Iteration<View>& out, Substitute correction, Substitute bonus,
                   const Accepts& accepts) {
  DraftTree<View, Choices> tree(source, view, out.node, window.drafts, choices);
  const Vertex end = longest_accepted(view, tree, accepts);
  tree.walk_to(end, [&out](Token x, const auto& node) { out.accept(x, node); });
  if (!tree.is_leaf(end)) {
    return substitute(view, correction, Ending::correction, choices, out);
  }
  if (!window.bonus_after(out.accepted)) return out.finish(view, choices, window);
  substitute(view, bonus, Ending::bonus, choices, out);
}

/// The tokens that are typical of a law t: those above min(eps, alpha
/// e^{-H(t)}), H in nats.
struct TypicalSet {
  Rational eps{0};
  Rational alpha{0};

  /// Left out, eps and alpha are those of Medusa's code (posterior_threshold, posterior_alpha).
  static TypicalSet read(SpecReader& spec) {
    const Rational eps = spec.number_between("eps", Rational(0), Rational(1), Rational(9, 100));
    return {eps, spec.number_between("alpha", Rational(0), Rational(1), Rational(3, 10))};
  }

  /// H - ln alpha: t(x) is above alpha e^{-H} where ln t(x) plus this is
  /// positive. @pre alpha > 0
  template <class Laws>
  [[nodiscard]] auto bound(const Laws& laws) const {
    using Real = typename Laws::Real;
    static constexpr char kRule = 0;
    return DerivedValue<LogSum<Real>>(laws, {&kRule, {to_double(alpha)}}, [&] {
      LogSum<Real> sum;
      sum.add(Real(-1), from_rational<Real>(alpha));
      for (Token y = 0; y < laws.vocabulary(); ++y) {
        const Real target = laws.target(y);
        if (target > 0) sum.add(Real(-target), target);
      }
      return sum;
    });
  }

  /// Whether x is above the threshold, or at it where `at` is true; a token of
  /// probability 0 is not.
  template <class Laws>
  [[nodiscard]] bool contains(const Laws& laws, std::uint32_t state, Token x, bool at) const {
    using Real = typename Laws::Real;
    const Real own = laws.target(x);
    if (!(own > 0)) return false;
    const int least = at ? 0 : 1;
    if (alpha == 0 || compare(own, from_rational<Real>(eps)) >= least) return true;
    LogSum<Real> gap = *bound(laws);
    gap.add(Real(1), own);
    return decide(gap, Real(0), {"typical", state, "ln t(x) - ln alpha + H(t)", "0"}) >= least;
  }
};

/// Typical acceptance: x is accepted where t(x) > min(eps, alpha e^{-H(t)}),
/// strictly, H in nats; on a tree the longest path of such tokens.
struct Typical {
  TypicalSet set;
  Substitute correction = Substitute::target;
  Substitute bonus = Substitute::target;
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "typical",
      .parameters =
          "eps=9/100, alpha=3/10, correction=target|argmax, bonus=target|argmax, "
          "draft=sampled|argmax or tree=, draw=",
      .prose =
          "accepts tokens typical under the target: t(x) > min(eps, alpha "
          "e^-H(t)); biased",
      .source = "Cai et al. 2024 (Medusa), typical acceptance",
      .kind = VerifierKind::biased,
      .example = "typical(eps=2/5,alpha=4/5)"};
  static constexpr bool kCarries = false;
  static Typical read(SpecReader& spec) {
    Typical result;
    result.set = TypicalSet::read(spec);
    result.correction = read_substitute(spec, "correction");
    result.bonus = read_substitute(spec, "bonus");
    result.source = read_chain_or_tree(spec);
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_by_set(source, view, window, choices, out, correction, bonus,
                  [this](const auto& laws, std::uint32_t state, Token x) {
                    return set.contains(laws, state, x, false);
                  });
  }
};

/// The places of all tokens in falling order of t, from 0 on, ties to the lowest token.
class TargetRanks {
 public:
  template <class Laws>
  explicit TargetRanks(const Laws& laws) : ranks_(static_cast<std::size_t>(laws.vocabulary())) {
    std::vector<Token> order(ranks_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Token x, Token y) { return laws.target(y) < laws.target(x); });
    for (std::size_t k = 0; k < order.size(); ++k) {
      ranks_[static_cast<std::size_t>(order[k])] = static_cast<Token>(k);
    }
  }
  [[nodiscard]] Token of(Token x) const { return ranks_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] std::size_t bytes() const { return ranks_.size() * sizeof(Token); }

 private:
  std::vector<Token> ranks_;
};

/// x is accepted where it is among the n most probable of t (ties to the
/// lowest) and t(x) >= max t - delta; on a tree the longest path of such
/// tokens.
struct TopWithin {
  int n = 1;
  Rational delta{0};
  Substitute correction = Substitute::target;
  Substitute bonus = Substitute::target;
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "top-within",
      .parameters =
          "n=, delta=, correction=target|argmax, bonus=target|argmax, "
          "draft=sampled|argmax or tree=, draw=",
      .prose =
          "accepts one of the target's n most probable tokens within "
          "delta of the first; biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::biased,
      .example = "top-within(n=2,delta=1/5)"};
  static constexpr bool kCarries = false;
  static TopWithin read(SpecReader& spec) {
    TopWithin result;
    result.n = static_cast<int>(spec.integer("n", 1, std::numeric_limits<Token>::max()));
    result.delta = spec.number_between("delta", Rational(0), Rational(1));
    result.correction = read_substitute(spec, "correction");
    result.bonus = read_substitute(spec, "bonus");
    result.source = read_chain_or_tree(spec);
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_by_set(
        source, view, window, choices, out, correction, bonus,
        [this](const auto& laws, std::uint32_t, Token x) { return this->accepts(laws, x); });
  }

 private:
  template <class Laws>
  bool accepts(const Laws& laws, Token x) const {
    using Real = typename Laws::Real;
    const Real own = laws.target(x);
    const Real most = laws.target(most_probable_target(laws));
    if (compare(Real(own + from_rational<Real>(delta)), most) < 0) return false;
    return DerivedValue<TargetRanks>(laws, {&kInfo}, [&laws] { return TargetRanks(laws); })->of(x) <
           n;
  }
};

}  // namespace speclab
