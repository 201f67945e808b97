#pragma once

#include <vector>

#include "base/spec.h"
#include "verifiers/choices.h"
#include "verifiers/several/best_and_tail.h"
#include "verifiers/several/kseq.h"
#include "verifiers/several/path_block.h"

namespace speclab {

// The faults that are programs of their own: they change what a verifier computes before it
// decides anything, and every one of its decisions with it.

/// rho is the upper end of its range [1, k], k being the candidates of the position.
struct WrongLargestRho {
  int drafts = 2;

  static constexpr VerifierInfo kInfo{
      .name = "wrong-largest-rho",
      .parameters = "K=",
      .prose = "rho is the number of candidates instead of rho*: lossless, slower",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-largest-rho(K=2)",
      .drafts = "K",
      .fault_of = "kseq(K=2)"};
  static constexpr bool kCarries = false;
  static WrongLargestRho read(SpecReader& spec) { return {read_drafts(spec, "K", 2)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    verify_positions(
        view, drafts, window, choices, out,
        [&view](const auto& laws, const std::vector<Token>& candidates, auto& coins, auto& result) {
          const Real rho(static_cast<int>(candidates.size()));
          return SequentialSelection(laws, candidates.size(), rho)
              .decide(view, candidates, coins, result);
        });
  }
};

/// Path selection whose selection and law use different orders: the paths are selected by another
/// preference than the one that the law of the selected path is computed with.
struct WrongPathOrder {
  int drafts = 2;
  bool clipped = false;  ///< selects by min(1, t/d); else by t/d, of equal ones the higher token

  static constexpr VerifierInfo kInfo{
      .name = "wrong-path-order",
      .parameters = "K=, order=ties|clipped",
      .prose = "selects by other ties, or by min(1, t/d): not by the order of its law",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-path-order(K=2,order=ties)",
      .drafts = "K",
      .fault_of = "path-block(K=2)"};
  static constexpr bool kCarries = false;
  static WrongPathOrder read(SpecReader& spec) {
    const int drafts = read_drafts(spec, "K", 2);
    return {drafts, spec.word("order", {"ties", "clipped"}, "ties") == "clipped"};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    verify_selected(view, root, drafts, window, choices, out,
                    [this](const auto& laws, const auto&, Token x, Token y) {
                      return this->prefers(laws, x, y);
                    });
  }

 private:
  template <class Laws>
  [[nodiscard]] bool prefers(const Laws& laws, Token x, Token y) const {
    using Real = typename Laws::Real;
    // t(x) / d(x) against t(y) / d(y), cleared of the fractions.
    const Real scale = laws.draft(x) * laws.draft(y);
    Real left = laws.target(x) * laws.draft(y);
    Real right = laws.target(y) * laws.draft(x);
    if (clipped) {
      if (scale < left) left = scale;
      if (scale < right) right = scale;
    }
    if (left == right) return clipped ? x < y : x > y;
    return right < left;
  }
};

/// A sampled child is ranked by its own probability: which tokens are in the tree depends on what
/// was drawn, yet the test takes them for draws from the tail.
struct WrongOwnOrder {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "wrong-own-order",
      .parameters = "nodes=",
      .prose = "sampled children are ranked by their own probability, so likely ones survive",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-own-order(nodes=2)",
      .drafts = "nodes",
      .fault_of = "best-and-tail(nodes=2)"};
  static constexpr bool kCarries = false;
  static WrongOwnOrder read(SpecReader& spec) { return {read_best_and_tail(spec)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_best_and_tail(source.growth.nodes, BestAndTailTree<View, Choices>::Order::own, view,
                         window, choices, out);
  }
};

}  // namespace speclab
