#pragma once

#include <fmt/format.h>

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/pair_selection.h"

namespace speclab {

/// Canonical decomposition of two i.i.d. drafts, position by position: of two different tokens x, y
/// in play, x is chosen with probability w_xy; the chosen token, of law r, is accepted with
/// min(1, t/r), else Y ~ [t - r]+ (never a draft, at the optimum). Two equal tokens are tested with
/// r too; one path in play is tested with d. w is the optimum of pair_selection.h, so that one node
/// accepts with alpha*(2), which no coupling exceeds.
struct Canonical {
  static constexpr VerifierInfo kInfo{
      .name = "canonical",
      .parameters = "K=",
      .prose =
          "two drafts: one is chosen by the best linear program, then tested; optimal at one node",
      .source = "canonical decomposition of multi-draft speculative sampling, K = 2",
      .kind = VerifierKind::lossless,
      .example = "canonical(K=2)"};
  static constexpr std::string_view kNoProof = "it caches solutions by the values of the rows";
  static constexpr bool kCarries = false;
  static constexpr int kDrafts = 2;
  int drafts = kDrafts;  ///< the number of drafts is always 2
  static Canonical read(SpecReader& spec) {
    spec.integer("K", kDrafts, kDrafts);
    return {};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    int in_play = kDrafts;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(out.node);
      const auto before = [&out] { return std::span<const Token>(out.tokens); };
      draft_below(choices, before, 0);
      const Token x = choices.draft(laws.draft());
      if (in_play == 1) {
        if (!choices.accept(likelihood_ratio(laws, x))) {
          return out.correct(view, choices, laws.residual(Real(1)));
        }
        out.accept(x, view.next(out.node, x));
        continue;
      }
      draft_below(choices, before, 1);
      const Token y = choices.draft(laws.draft());
      const PairSelection<Real>& selection = solved(laws);
      Token chosen = x;
      if (x != y) {
        const Token low = x < y ? x : y;
        chosen = choices.accept(selection.weight(low, x + y - low)) ? low : x + y - low;
        in_play = 1;
      }
      if (!choices.accept(Real(laws.target(chosen) / selection.chosen(chosen)))) {
        auto left = residual(laws, selection);
        // The mass is 0 where r = t, when the ratio is 1 up to rounding in doubles.
        if (left.mass() > 0) return out.correct(view, choices, std::move(left));
      }
      out.accept(chosen, view.next(out.node, chosen));
    }
    out.finish(view, choices, window);
  }

 private:
  /// The law proportional to [t - r]+.
  template <class Laws>
  static auto residual(const Laws& laws, const PairSelection<typename Laws::Real>& selection) {
    using Real = typename Laws::Real;
    std::vector<Real> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      weights.push_back(positive_part<Real>(laws.target(x) - selection.chosen(x)));
    }
    return DenseLaw<Real>(std::move(weights));
  }

  /// Both rows of a node.
  template <class Real>
  struct Key {
    std::vector<Real> draft;
    std::vector<Real> target;
  };

  /// Compares keys with the laws at a node, so that a look-up copies no row.
  struct Before {
    using is_transparent = void;
    template <class Real>
    static const Real& draft(const Key<Real>& key, Token x) {
      return key.draft[static_cast<std::size_t>(x)];
    }
    template <class Laws>
    static decltype(auto) draft(const Laws& laws, Token x) {
      return laws.draft(x);
    }
    template <class Real>
    static const Real& target(const Key<Real>& key, Token x) {
      return key.target[static_cast<std::size_t>(x)];
    }
    template <class Laws>
    static decltype(auto) target(const Laws& laws, Token x) {
      return laws.target(x);
    }
    template <class Real>
    static Token size(const Key<Real>& key) {
      return static_cast<Token>(key.draft.size());
    }
    template <class Laws>
    static Token size(const Laws& laws) {
      return laws.vocabulary();
    }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      if (size(a) != size(b)) return size(a) < size(b);
      for (Token x = 0; x < size(a); ++x) {
        const auto& left = draft(a, x);
        const auto& right = draft(b, x);
        if (left < right) return true;
        if (right < left) return false;
        const auto& left_target = target(a, x);
        const auto& right_target = target(b, x);
        if (left_target < right_target) return true;
        if (right_target < left_target) return false;
      }
      return false;
    }
  };

  /// The largest vocabulary for which a node's program is solved: 2^21 numbers, some seconds.
  static constexpr Token kMostTokens = 2048;
  /// Numbers cached per thread.
  static constexpr std::size_t kMostKept = std::size_t{1} << 23;

  /// The solution at a node, cached per thread by both rows.
  template <class Laws>
  static const PairSelection<typename Laws::Real>& solved(const Laws& laws) {
    using Real = typename Laws::Real;
    thread_local std::map<Key<Real>, PairSelection<Real>, Before> known;
    thread_local std::size_t kept = 0;
    if (const auto found = known.find(laws); found != known.end()) return found->second;
    const auto size = static_cast<std::size_t>(laws.vocabulary());
    if (laws.vocabulary() > kMostTokens) {
      throw LimitError(
          fmt::format("canonical solves a linear program of V^2 / 2 variables at every node and "
                      "takes {} tokens "
                      "at most, not {}; take a smaller vocabulary",
                      kMostTokens, laws.vocabulary()));
    }
    const std::size_t numbers = size * (size + 7) / 2;
    if (kept + numbers > kMostKept) {
      known.clear();
      kept = 0;
    }
    kept += numbers;
    Key<Real> key;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      key.draft.push_back(laws.draft(x));
      key.target.push_back(laws.target(x));
    }
    PairSelection<Real> selection(key.draft, key.target);
    return known.emplace(std::move(key), std::move(selection)).first->second;
  }
};

}  // namespace speclab
