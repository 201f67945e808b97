#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/spec.h"
#include "draft/source.h"
#include "model/derived.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/balanced_selection.h"
#include "verifiers/several/pair_selection.h"
#include "verifiers/several/positions.h"

namespace speclab {

/// Canonical decomposition of K i.i.d. drafts, position by position (Khisti et al. 2025): of the
/// tokens in play one is chosen; the chosen token, of law r, is accepted with min(1, t/r), else
/// Y ~ [t - r]+ (never a draft, at the optimum). The drafts that agree with it stay in play; one
/// path in play is tested with d. The choice is an optimum, so that one node with K paths in play
/// accepts with alpha*(K), which no coupling exceeds. Which of the optimal choices it is:
///   K = 2   the lexicographically largest probabilities w_xy (pair_selection.h)
///   K > 2   the most balanced law r (balanced_selection.h), wherever two or more are in play
/// The first was fixed before the second had a solution; recorded results and published vectors of
/// K = 2 depend on it.
struct Canonical {
  static constexpr int kPair = 2;
  int drafts = kPair;  ///< K, at least 2

  static constexpr VerifierInfo kInfo{
      .name = "canonical",
      .parameters = "K=",
      .prose = "K drafts: one is chosen by an optimal law, then tested; optimal at one node",
      .source =
          "Khisti et al. 2025, canonical decomposition; sets of drafts as a flow: Thomas and "
          "Pal 2025",
      .kind = VerifierKind::lossless,
      .example = "canonical(K=2)",
      .drafts = "K"};
  static constexpr std::string_view kNoProof = "it caches solutions by the values of the rows";
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  static Canonical read(SpecReader& spec) { return {read_drafts(spec, "K", kPair)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    verify_positions(view, drafts, window, choices, out,
                     [&](const auto& laws, const std::vector<Token>& candidates, auto& coins,
                         auto& result) -> std::optional<Token> {
                       if (candidates.size() == 1) {
                         const Token x = candidates.front();
                         if (coins.accept(likelihood_ratio(laws, x))) return x;
                         result.correct(view, coins, laws.residual(Real(1)));
                         return std::nullopt;
                       }
                       const auto test = [&](const auto& selection) -> std::optional<Token> {
                         const Token chosen = choose(selection, candidates, coins);
                         if (coins.accept(Real(laws.target(chosen) / selection.chosen(chosen))))
                           return chosen;
                         auto left = residual(laws, selection);
                         // The mass is 0 where r = t, when the ratio is 1 up to rounding in
                         // doubles.
                         if (!(left.mass() > 0)) return chosen;
                         result.correct(view, coins, std::move(left));
                         return std::nullopt;
                       };
                       if (drafts == kPair) return test(solved<PairSelection<Real>>(laws, kPair));
                       const auto in_play = static_cast<int>(candidates.size());
                       return test(solved<BalancedSelection<Real>>(laws, in_play));
                     });
  }

 private:
  template <class Real, class Coins>
  static Token choose(const PairSelection<Real>& selection, const std::vector<Token>& drawn,
                      Coins& coins) {
    const auto [low, high] = std::minmax(drawn[0], drawn[1]);
    return low == high || coins.accept(selection.weight(low, high)) ? low : high;
  }

  template <class Real, class Coins>
  static Token choose(const BalancedSelection<Real>& selection, const std::vector<Token>& drawn,
                      Coins& coins) {
    const Token at = coins.choose(DenseLaw<Real>(selection.weights(drawn)));
    return drawn[static_cast<std::size_t>(at)];
  }

  /// The law proportional to [t - r]+.
  template <class Laws, class Selection>
  static auto residual(const Laws& laws, const Selection& selection) {
    using Real = typename Laws::Real;
    std::vector<Real> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      weights.push_back(positive_part<Real>(laws.target(x) - selection.chosen(x)));
    }
    return DenseLaw<Real>(std::move(weights));
  }

  /// Both rows of a node, and the number of drafts in play.
  template <class Real>
  struct Key {
    int drafts;
    std::vector<Real> draft_row;
    std::vector<Real> target_row;
    [[nodiscard]] const Key& laws() const { return *this; }
    [[nodiscard]] Token vocabulary() const { return static_cast<Token>(draft_row.size()); }
    [[nodiscard]] const Real& draft(Token x) const {
      return draft_row[static_cast<std::size_t>(x)];
    }
    [[nodiscard]] const Real& target(Token x) const {
      return target_row[static_cast<std::size_t>(x)];
    }
  };
  /// The same of a node at hand.
  template <class NodeLaws>
  struct Sought {
    int drafts;
    const NodeLaws& node;
    [[nodiscard]] const NodeLaws& laws() const { return node; }
  };

  /// Compares keys with the laws at a node, so that a look-up copies no row.
  struct Before {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      if (a.drafts != b.drafts) return a.drafts < b.drafts;
      const auto& left = a.laws();
      const auto& right = b.laws();
      if (left.vocabulary() != right.vocabulary()) return left.vocabulary() < right.vocabulary();
      for (Token x = 0; x < left.vocabulary(); ++x) {
        const auto& left_draft = left.draft(x);
        const auto& right_draft = right.draft(x);
        if (left_draft != right_draft) return left_draft < right_draft;
        const auto& left_target = left.target(x);
        const auto& right_target = right.target(x);
        if (left_target != right_target) return left_target < right_target;
      }
      return false;
    }
  };

  /// The largest vocabulary for which a pair's program is solved: 2^21 numbers, some seconds.
  static constexpr Token kMostTokens = 2048;
  /// Numbers cached per thread.
  static constexpr std::size_t kMostKept = std::size_t{1} << 23;

  /// The solution at a node, cached per thread by both rows and the number of drafts.
  template <class Selection, class Laws>
  static const Selection& solved(const Laws& laws, int in_play) {
    using Real = typename Laws::Real;
    constexpr bool kOfPair = std::is_same_v<Selection, PairSelection<Real>>;
    thread_local std::map<Key<Real>, Selection, Before> known;
    thread_local std::size_t kept = 0;
    const auto found = known.find(Sought<Laws>{in_play, laws});
    if (found != known.end()) return found->second;
    const auto size = static_cast<std::size_t>(laws.vocabulary());
    if (kOfPair && laws.vocabulary() > kMostTokens) {
      throw LimitError(
          fmt::format("canonical(K=2) solves a linear program of V^2 / 2 variables at every node "
                      "and takes {} tokens at most, not {}; take a smaller vocabulary, or K=3",
                      kMostTokens, laws.vocabulary()));
    }
    const std::size_t numbers = kOfPair ? size * (size + 7) / 2 : 5 * size;
    if (kept + numbers > kMostKept) {
      known.clear();
      kept = 0;
    }
    kept += numbers;
    Key<Real> key{in_play, draft_row_of(laws), target_row_of(laws)};
    auto selection = [&] {
      if constexpr (kOfPair) {
        return Selection(key.draft_row, key.target_row);
      } else {
        return Selection(key.draft_row, key.target_row, in_play);
      }
    }();
    return known.emplace(std::move(key), std::move(selection)).first->second;
  }
};

}  // namespace speclab
