#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "draft/given.h"
#include "run/any_program.h"
#include "verifiers/faults/decisions.h"

namespace speclab {

/// The scene of a fault on a view.
template <class View>
class SceneOn final : public Scene<typename View::Real> {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Context = typename Scene<Real>::Context;

  /// All must outlive this.
  SceneOn(const View& view, const Node& root, Window window, AnyChoices<Real, Node>& choices,
          Iteration<View>& out)
      : Scene<Real>(window), view_(view), choices_(choices), out_(out), contexts_{root} {}

  Context add(Node node) {
    contexts_.push_back(std::move(node));
    return contexts_.size() - 1;
  }

  [[nodiscard]] int accepted() const override { return out_.accepted; }
  Context here() override { return add(out_.node); }
  Context next(Context at, Token x) override { return add(view_.next(contexts_[at], x)); }

  [[nodiscard]] Token vocabulary() const override { return view_.vocabulary(); }
  [[nodiscard]] Real draft(Context at, Token x) const override {
    return view_.at(contexts_[at]).draft(x);
  }
  [[nodiscard]] Real target(Context at, Token x) const override {
    return view_.at(contexts_[at]).target(x);
  }
  [[nodiscard]] Real excess(Context at, const Real& scale) const override {
    return view_.at(contexts_[at]).residual(scale).mass();
  }

  Token draft(const LawRef<Real>& law) override { return choices_.draft(law); }
  Token choose(const LawRef<Real>& law) override { return choices_.choose(law); }
  Token correct(const LawRef<Real>& law) override { return choices_.correct(law); }
  bool accept(const Real& probability) override { return choices_.accept(probability); }
  Token draft_at(Context at) override {
    const auto laws = view_.at(contexts_[at]);
    return choices_.draft(laws.draft());
  }
  Token correct_by_draft(Context at) override {
    const auto laws = view_.at(contexts_[at]);
    return choices_.correct(laws.draft());
  }
  Token correct_by_target(Context at) override {
    const auto laws = view_.at(contexts_[at]);
    return choices_.correct(laws.target());
  }
  Token correct_by_residual(Context at, const Real& scale) override {
    const auto laws = view_.at(contexts_[at]);
    return choices_.correct(laws.residual(scale));
  }
  void along(int chain, int position) override { draft_along(choices_, chain, position); }

  void emit(Token x) override { out_.accept(x, view_.next(out_.node, x)); }
  void settle(int count, const Real& scale) override {
    out_.accept_path(count);
    const auto laws = view_.at(out_.node);
    out_.correct(view_, choices_, laws.residual(scale));
  }

 private:
  const View& view_;
  AnyChoices<Real, Node>& choices_;
  Iteration<View>& out_;
  std::vector<Node> contexts_;
};

/// The choices that a verifier with a fault has: the interpreter's, changed.
template <class View>
class FaultyChoices final : public AnyChoices<typename View::Real, typename View::Node> {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  /// All must outlive this.
  FaultyChoices(ChangedDecisions<Real>& changed, SceneOn<View>& scene, PlacedDrafts* given)
      : changed_(changed), scene_(scene) {
    this->pauses_ = changed.follows_block();
    this->given_ = given;
  }

 private:
  Token draft_from(const LawRef<Real>& law) override {
    return scene_.last = changed_.draft(scene_, law);
  }
  Token choose_from(const LawRef<Real>& law) override { return scene_.choose(law); }
  Token correct_from(const LawRef<Real>& law) override {
    const bool whole = scene_.accepted() == scene_.window.drafts;
    return whole ? changed_.bonus(scene_, law) : changed_.correct(scene_, law);
  }
  bool accept_with(const Real& probability) override {
    return changed_.accept(scene_, probability);
  }
  bool pauses_after(int length, Token, const Node& node, const Real& weight) override {
    changed_.drafted(scene_, length, scene_.add(node), weight);
    return false;
  }
  bool pauses_before(int length) override { return changed_.before(scene_, length); }

  ChangedDecisions<Real>& changed_;
  SceneOn<View>& scene_;
};

/// Replaces what greedy block verification carries to the next iteration. D(path) / T(path) is
/// taken under the pair's target instead of the modified target that the iteration used, and takes
/// the place of the carry before instead of stacking on it.
template <class View>
void flatten_carry(const View& view, const typename View::Node& root, Window window,
                   Iteration<View>& out) {
  using Real = typename View::Real;
  auto node = view.root(view.state(root));
  Real share(1);
  for (const Token x : out.tokens) {
    const auto laws = view.at(node);
    share *= laws.draft(x) / laws.target(x);  // what is emitted has a positive target
    node = view.next(node, x);
  }
  out.node = std::move(node);
  if (out.ending != Ending::correction) return;
  if constexpr (requires { out.node.stack; }) {
    out.node = view.modified(std::move(out.node), share, window.drafts - out.accepted - 1);
  }
}

/// One iteration of a verifier with a fault. @param run  of the verifier faulty.run
template <class View>
void run_with_fault(const Faulty& faulty, RunOf<View> run, const View& view,
                    const typename View::Node& root, Window window,
                    AnyChoices<typename View::Real, typename View::Node>& choices,
                    Iteration<View>& out) {
  using Real = typename View::Real;
  const void* program = faulty.run.program.get();
  if (const auto changed = changed_decisions<Real>(faulty)) {
    SceneOn<View> scene(view, root, window, choices, out);
    FaultyChoices<View> through(*changed, scene, choices.given());
    return run(program, view, root, window, through, out);
  }
  const Change change = faulty.fault->change;
  if (change == Change::no_bonus) window.bonus = false;
  run(program, view, root, window, choices, out);
  if (change == Change::correction_accepted && out.ending == Ending::correction) ++out.accepted;
  if (change == Change::no_carry) out.node = view.root(view.state(out.node));
  if (change == Change::flat_carry) flatten_carry(view, root, window, out);
}

}  // namespace speclab
