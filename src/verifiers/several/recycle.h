#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/given.h"
#include "draft/tree.h"
#include "verifiers/any_choices.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/token.h"
#include "verifiers/faults/programs.h"
#include "verifiers/several/batch.h"
#include "verifiers/several/path_block.h"
#include "verifiers/several/recursive_block.h"
#include "verifiers/several/rrs.h"
#include "verifiers/several/slot_block.h"
#include "verifiers/several/traversal.h"

namespace speclab {

/// K i.i.d. paths for rules that run one after another, each below the vertex that the one before
/// it ended at, with such a rule's choices: its drafts are those of the paths, its correction is
/// looked at before it is drawn, all else is decided by `choices`.
template <class View, class Choices>
class RecycledPaths final : public AnyChoices<typename View::Real, typename View::Node>,
                            public PlacedDrafts {
 public:
  using Real = typename View::Real;

  RecycledPaths(const DraftSource& source, const View& view, const typename View::Node& root,
                int drafts, Choices& choices)
      : tree_(source, view, root, drafts, choices), choices_(choices) {
    this->given_ = this;
  }

  /// Before a rule runs below the vertex that was entered last, at first the root.
  /// @param out  what the rule emits; must outlive its run
  void begin(const Iteration<View>& out) {
    out_ = &out;
    if (entered_) base_ = *entered_;
    entered_.reset();
    at_ = base_;
    number_ = 0;
  }
  /// The paths through the vertex that the rule runs below.
  [[nodiscard]] int count() { return tree_.draws(base_); }
  /// The vertex of the correction, where that was drafted.
  [[nodiscard]] std::optional<Vertex> entered() const { return entered_; }
  /// The context after its path alone.
  [[nodiscard]] const typename View::Node& node(Vertex v) const { return tree_.node(v); }

  void place_chain(int chain, int position) override {
    at_ = base_;
    number_ = chain;
    for (; position > 0; --position) next_draft();
  }
  void place(std::span<const Token> prefix, int number) override {
    at_ = below(prefix);
    number_ = number;
  }

 private:
  Vertex below(std::span<const Token> prefix) const {
    Vertex v = base_;
    for (const Token x : prefix) v = tree_.find(v, x).value();
    return v;
  }

  /// Draw number_ at at_; the next one goes on along its path.
  Token next_draft() {
    const Vertex child = tree_.draw(at_, number_).value();
    int same = 0;
    for (int j = 0; j < number_; ++j) same += tree_.draw(at_, j) == child ? 1 : 0;
    at_ = child;
    number_ = same;
    return tree_.token(child);
  }
  Token draft_from(const LawRef<Real>&) override { return next_draft(); }
  Token choose_from(const LawRef<Real>& law) override { return choices_.choose(law); }
  bool accept_with(const Real& probability) override { return choices_.accept(probability); }

  /// Draws a token of which it is seen first whether it is a child of the accepted vertex: such a
  /// one is not the iteration's last decision.
  Token correct_from(const LawRef<Real>& law) override {
    const Vertex at = below(out_->tokens);
    if (tree_.is_leaf(at) || !law.has_weight()) return choices_.correct(law);
    const auto drafted = tree_.children(at);
    const std::vector<Vertex> children(drafted.begin(), drafted.end());
    std::vector<Real> sides;
    bool any = false;
    for (const Vertex child : children) {
      sides.push_back(law.weight(tree_.token(child)));
      any = any || sides.back() > 0;
    }
    if (!any) return choices_.correct(law);
    std::vector<Real> others;
    for (Token x = 0; x < law.size(); ++x) others.push_back(law.weight(x));
    for (const Vertex child : children) {
      others[static_cast<std::size_t>(tree_.token(child))] = Real(0);
    }
    const DenseLaw<Real> rest(std::move(others));
    sides.push_back(rest.mass());
    const auto side = static_cast<std::size_t>(choices_.choose(DenseLaw<Real>(std::move(sides))));
    if (side >= children.size()) return choices_.correct(rest);
    entered_ = children[side];
    return tree_.token(*entered_);
  }

  DraftTree<View, Choices> tree_;
  Choices& choices_;
  const Iteration<View>* out_ = nullptr;
  Vertex base_ = kRootVertex;
  std::optional<Vertex> entered_;
  Vertex at_ = kRootVertex;  ///< the next draft is draw number_ here
  int number_ = 0;
};

/// Runs a rule over K i.i.d. paths; where its correction is a token that another path goes on with
/// after the accepted tokens, that token is accepted, and the rule runs again over the paths
/// through it, for the rest of the window.
/// @param rule  (paths, view, node, window, choices, out): the rule on so many paths from a node
/// @param carries  whether the rule's modification of the target is kept where it is entered again
template <class View, class Choices, class Rule>
void run_recycled(int drafts, const View& view, Window window, Choices& choices,
                  Iteration<View>& out, bool carries, const Rule& rule) {
  const DraftSource source{Draw::with, drafts, {}};
  RecycledPaths<View, Choices> paths(source, view, out.node, window.drafts, choices);
  Iteration<View> part;
  for (;;) {
    part.begin(out.node);
    paths.begin(part);
    const Window left{.drafts = window.drafts - out.accepted, .bonus = window.bonus};
    if (left.drafts == 0) {
      part.finish(view, choices, left);
    } else {
      AnyChoices<typename View::Real, typename View::Node>& erased = paths;
      rule(paths.count(), view, out.node, left, erased, part);
    }
    out.tokens.insert(out.tokens.end(), part.tokens.begin(), part.tokens.end());
    out.accepted += part.accepted;
    out.ending = part.ending;
    out.node = part.node;
    const auto child = paths.entered();
    if (!child) return;
    ++out.accepted;
    if (!carries) out.node = paths.node(*child);
  }
}

/// A rule over K i.i.d. paths that is entered again where its correction was drafted: token and
/// block along the first path, the others over all of them.
///
/// Lossless. After X^tau Y of a rule that keeps the target's law the target's own law follows,
/// given all that the rule has looked at. It has not looked at what is drafted below X^tau Y: a
/// rejected token, whose drafts it may have looked at, is no correction, as its residual is 0. So
/// the paths through X^tau Y are i.i.d. from there on, and the same rule keeps the law. The
/// iteration emits what the rule would and then more: E[tau] is never below the rule's.
///
/// rrs, slot-block and traversal gain nothing: their residual is 0 at every drafted token. So is
/// that of kseq at rho*, where t - min(d, t / rho) P / beta = t (1 - P / (rho beta)) = 0 at a
/// rejected token; wrong-largest-rho, at rho = k, gains. token becomes naive-tree; block and
/// path-block gain at one position, batch and recursive-block below the root alone. Worked example:
/// d = (2/3, 1/3), t = (1/3, 2/3), K = 2, one position: block accepts 2/3, and Y = 1 of mass 1/3 is
/// the other path's token with 1/3: 7/9.
struct Recycle {
  enum class Rule {
    token,
    block,
    rrs,
    largest_rho,
    batch,
    recursive_block,
    path_block,
    slot_block,
    traversal
  };
  Rule rule = Rule::token;
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "recycle",
      .parameters =
          "rule=token|block|rrs|wrong-largest-rho|batch|recursive-block|path-block|"
          "slot-block|traversal, K=",
      .prose = "a rule that is entered again where its correction was drafted by another path",
      .source = "this project, after naive-tree",
      .kind = VerifierKind::lossless,
      .example = "recycle(rule=path-block,K=2)",
      .drafts = "K",
      .lacks = {.full_acceptance = true, .token_names = true}};
  static constexpr bool kCarries = false;

  static Recycle read(SpecReader& spec) {
    return {spec.choice<Rule>("rule",
                              {"token", "block", "rrs", "wrong-largest-rho", "batch",
                               "recursive-block", "path-block", "slot-block", "traversal"},
                              "block"),
            read_drafts(spec, "K")};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    run_recycled(drafts, view, window, choices, out, true,
                 [this](int paths, const auto& on, const auto& node, Window left, auto& coins,
                        auto& part) { this->run(paths, on, node, left, coins, part); });
  }

 private:
  template <class View>
  void run(int paths, const View& view, const typename View::Node& node, Window window,
           AnyChoices<typename View::Real, typename View::Node>& choices,
           Iteration<View>& out) const {
    switch (rule) {
      case Rule::token:
        return TokenVerification{}(view, node, window, choices, out);
      case Rule::block:
        return BlockVerification{}(view, node, window, choices, out);
      case Rule::rrs:
        return RecursiveRejection{paths}(view, node, window, choices, out);
      case Rule::largest_rho:
        return WrongLargestRho{paths}(view, node, window, choices, out);
      case Rule::batch:
        return BatchVerification{paths}(view, node, window, choices, out);
      case Rule::recursive_block:
        return RecursiveBlock{paths}(view, node, window, choices, out);
      case Rule::path_block:
        return PathBlock{paths}(view, node, window, choices, out);
      case Rule::slot_block:
        return SlotBlock{paths}(view, node, window, choices, out);
      case Rule::traversal:
        return TraversalCounted{{Draw::with, paths, {}}}(view, node, window, choices, out);
    }
  }
};

}  // namespace speclab
