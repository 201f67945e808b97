#pragma once

#include <array>
#include <utility>
#include <vector>

#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/batch.h"
#include "verifiers/choices.h"
#include "verifiers/kseq.h"
#include "verifiers/recursive_rejection.h"
#include "verifiers/rrs.h"
#include "verifiers/rrs_without.h"
#include "verifiers/slot_block.h"
#include "verifiers/wrong.h"

namespace speclab {

/// K first tokens, all different; the one accepted is followed alone. Fewer than K where the
/// draft's law has fewer tokens.
struct WrongWithoutReplacement {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      "wrong-without-replacement",
      "K=",
      "the K first tokens are drawn without replacement but tested as if with it",
      "",
      VerifierKind::wrong,
      "wrong-without-replacement(K=2)",
      Drafting::window,
      "K",
      "batch(M=2)"};
  static constexpr bool kCarries = false;
  static WrongWithoutReplacement read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    std::vector<Real> left;
    for (Token x = 0; x < laws.vocabulary(); ++x) left.push_back(laws.draft(x));
    for (int k = 0; k < drafts; ++k) {
      const DenseLaw<Real> rest(left);
      if (!(rest.mass() > 0)) break;
      const Token x = choices.draft(rest);
      if (choices.accept(target.ratio(x))) {
        out.accept(x, view.next(root, x));
        return verify_tokens(view, window, choices, out);
      }
      target.reject();
      left[static_cast<std::size_t>(x)] = Real(0);
    }
    out.correct(view, choices, std::move(target).law());
  }
};

/// A fixed tree of the likeliest tokens, tested with the dense law of the draft, struck out child
/// by child: as if its children had been drawn without replacement.
struct WrongDenseTree {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "wrong-dense-tree",
      .parameters = "K= or tree=",
      .prose = "children are the likeliest tokens but tested as if drawn without replacement",
      .source = "",
      .kind = VerifierKind::wrong,
      .example = "wrong-dense-tree(K=2)",
      .drafts = "K",
      .fault_of = "rrs-without(K=2)"};
  static constexpr bool kCarries = false;
  static WrongDenseTree read(SpecReader& spec) { return {read_tree(spec, Draw::top)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    RecursiveWithout{source}(view, root, window, choices, out);
  }
};

/// Batch verification over the trie of K drafts in which, below the accepted draft m, the draft's
/// law is read along the branch of draft m - 1. A token that this law gives 0 is accepted with
/// certainty where t > 0 (a ratio of infinity) and never where t = 0 (a comparison with a NaN).
struct WrongSiblingDraft {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      "wrong-sibling-draft",
      "K=",
      "below an accepted draft the draft's law is read on the branch of the one before it",
      "",
      VerifierKind::wrong,
      "wrong-sibling-draft(K=2)",
      Drafting::window,
      "K",
      "batch(M=2)"};
  static constexpr bool kCarries = false;
  static WrongSiblingDraft read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    Token before = kUndefined;
    for (int k = 0; k < drafts; ++k) {
      draft_along(choices, k);
      const Token x = choices.draft(laws.draft());
      if (choices.accept(target.ratio(x))) {
        out.accept(x, view.next(root, x));
        const Token sibling = before == kUndefined ? x : before;
        return follow(view, view.next(root, sibling), window, choices, out);
      }
      target.reject();
      before = x;
    }
    out.correct(view, choices, std::move(target).law());
  }

 private:
  template <class View, class Choices>
  static void follow(const View& view, typename View::Node sibling, Window window, Choices& choices,
                     Iteration<View>& out) {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto own = view.at(out.node);
      const auto read = view.at(sibling);
      const Token x = choices.draft(own.draft());
      const bool known = read.draft(x) > 0;
      const Real ratio(known ? Real(own.target(x) / read.draft(x)) : Real(own.target(x) > 0));
      if (!choices.accept(ratio)) return out.correct(view, choices, residual_across(own, read));
      out.accept(x, view.next(out.node, x));
      sibling = view.next(sibling, x);
    }
    out.finish(view, choices, window);
  }
};

/// Batch verification with two rows, the target's laws below the roots being those of the other
/// row: of the context that the other draft makes.
struct WrongSwappedRows : WrongOnPurpose<WrongSwappedRows> {
  static constexpr int drafts = 2;
  static constexpr VerifierInfo kInfo = wrong_info(
      "wrong-swapped-rows", "two drafts; below the roots the target's rows of the two are swapped",
      "batch(M=2)");

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    std::array<Token, 2> roots{};
    for (int m = 0; m < drafts; ++m) {
      draft_along(choices, m);
      roots[static_cast<std::size_t>(m)] = choices.draft(laws.draft());
    }
    for (int m = 0; m < drafts; ++m) {
      const Token x = roots[static_cast<std::size_t>(m)];
      if (choices.accept(target.ratio(x))) {
        const Token other = roots[static_cast<std::size_t>(1 - m)];
        out.accept(x, view.next(root, x));
        return follow(view, view.next(root, other), m, window, choices, out);
      }
      target.reject();
    }
    out.correct(view, choices, std::move(target).law());
  }

 private:
  template <class View, class Choices>
  static void follow(const View& view, typename View::Node other, int m, Window window,
                     Choices& choices, Iteration<View>& out) {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto own = view.at(out.node);
      const auto swapped = view.at(other);
      draft_along(choices, m, out.accepted);
      const Token x = choices.draft(own.draft());
      if (!choices.accept(Real(swapped.target(x) / own.draft(x)))) {
        return out.correct(view, choices, residual_across(swapped, own));
      }
      out.accept(x, view.next(out.node, x));
      draft_along(choices, 1 - m, out.accepted - 1);
      other = view.next(other, choices.draft(swapped.draft()));
    }
    if (!window.bonus) return;
    const auto swapped = view.at(other);
    out.add(view, choices.correct(swapped.target()), Ending::bonus);
  }
};

// Faults that keep the law and lose speed: the output still follows the target, and only
// what is known of E[tau] gives them away.

/// The loop over the drafts ends one too early.
struct WrongOneDraftFewer {
  int drafts = 2;

  static constexpr VerifierInfo kInfo{"wrong-one-draft-fewer",
                                      "K=",
                                      "the last of the K drafts is never tried: lossless, slower",
                                      "",
                                      VerifierKind::wrong,
                                      "wrong-one-draft-fewer(K=2)",
                                      Drafting::window,
                                      "K",
                                      "rrs(K=2)"};
  static constexpr bool kCarries = false;
  static WrongOneDraftFewer read(SpecReader& spec) { return {read_drafts(spec, "K", 2)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    RecursiveRejection{drafts - 1}(view, root, window, choices, out);
  }
};

/// rho is the upper end of its range [1, k], k being the candidates of the position.
struct WrongLargestRho {
  int drafts = 2;

  static constexpr VerifierInfo kInfo{
      "wrong-largest-rho",
      "K=",
      "rho is the number of candidates instead of rho*: lossless, slower",
      "",
      VerifierKind::wrong,
      "wrong-largest-rho(K=2)",
      Drafting::window,
      "K",
      "kseq(K=2)"};
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

/// The slot is drawn before the law over the slots includes the last draft.
struct WrongEarlySlots {
  int drafts = 2;

  static constexpr VerifierInfo kInfo{
      "wrong-early-slots",
      "K=",
      "the slot is drawn before the last of the K drafts is seen: lossless, slower",
      "",
      VerifierKind::wrong,
      "wrong-early-slots(K=2)",
      Drafting::window,
      "K",
      "slot-block(K=2)"};
  static constexpr bool kCarries = false;
  static WrongEarlySlots read(SpecReader& spec) { return {read_drafts(spec, "K", 2)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    SlotBlock{drafts - 1}(view, root, window, choices, out);
  }
};

}  // namespace speclab
