#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "draft/tree.h"
#include "model/derived.h"
#include "optimum/plan_book.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Executes the optimum over a class: draws K i.i.d. drafts, and accepts according to the certified
/// plan of the iteration's first state. For small pairs: the plan is a table of all sets of drafts.
///
/// plug-and-play: one token of the correction, then the plain target; lossless, no carry.
/// coupling: Verify_pi of sun2024 section 3. It emits (X^tau, Z), the whole block of gamma tokens,
/// of which tau are accepted and the rest Z is drawn from the coupling's law given the accepted
/// prefix. So E[tau] is the full-information optimum and decodes are lossless, but a decode counts
/// more tokens per call than a real system, which must also run the target on Z.
struct Optimal {
  int drafts = 1;
  VerifierClass verifiers = VerifierClass::plug_and_play;
  std::shared_ptr<const PlanBook> book;  ///< set by prepare()

  static constexpr VerifierInfo kInfo{
      .name = "optimal",
      .parameters = "K=, class=plug-and-play|coupling",
      .prose =
          "executes the certified optimal plan of its class on small pairs; coupling emits the "
          "whole block (X^tau, Z) in one iteration",
      .source = "sun2024 section 3 (Verify_pi); sun2025 Definition 1",
      .kind = VerifierKind::lossless,
      .example = "optimal(K=2)",
      .drafts = "K",
      .small_pairs = true};
  static constexpr bool kCarries = false;
  static constexpr std::string_view kNoProof = "its tables are made for one pair";
  static Optimal read(SpecReader& spec) {
    Optimal result;
    result.drafts = read_drafts(spec, "K");
    const std::string plain(class_name(VerifierClass::plug_and_play));
    const std::string coupled(class_name(VerifierClass::coupling));
    if (spec.word("class", {plain, coupled}, plain) == coupled) {
      result.verifiers = VerifierClass::coupling;
    }
    return result;
  }
  [[nodiscard]] Optimal prepared(const PairPointer& pair) const {
    Optimal ready = *this;
    ready.book = std::make_shared<const PlanBook>(pair, verifiers, drafts);
    return ready;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    if (!book) throw std::logic_error("optimal is not prepared for a pair: call prepare()");
    const auto& plan = book->at(view.state(root), window.drafts).template tables<Real>();
    const DraftSource source{Draw::with, drafts, {}};
    DraftTree<View, Choices> tree(source, view, root, window.drafts, choices);
    std::vector<Prefix> set;
    for (int k = 0; k < drafts; ++k) {
      Prefix followed = followed_by_target(view, root, tree, tree.chain(k));
      const auto at = std::lower_bound(set.begin(), set.end(), followed);
      if (at == set.end() || *at != followed) set.insert(at, std::move(followed));
    }
    const auto& [accepted, weights] = plan.choices.at(set);
    const Token chosen = choices.choose(DenseLaw<Real>(weights));
    Prefix emitted = accepted[static_cast<std::size_t>(chosen)];
    for (const Token x : emitted) out.accept(x, view.next(out.node, x));
    const auto room = static_cast<std::size_t>(window.drafts);
    if (emitted.size() == room) return out.finish(view, choices, window);
    if (verifiers == VerifierClass::coupling) {
      while (emitted.size() + 1 < room) {
        const Token z = choices.choose(law_after(view, plan, emitted, out.node));
        out.add(view, z, Ending::correction);
        emitted.push_back(z);
      }
    }
    out.correct(view, choices, law_after(view, plan, emitted, out.node));
  }

 private:
  /// The longest prefix of a draft that is possible under the target.
  template <class View, class Tree>
  static Prefix followed_by_target(const View& view, const typename View::Node& root, Tree& tree,
                                   const std::vector<Vertex>& chain) {
    Prefix prefix;
    typename View::Node node = root;
    for (const Vertex v : chain) {
      if (!(view.at(node).target(tree.token(v)) > 0)) break;
      prefix.push_back(tree.token(v));
      node = tree.node(v);
    }
    return prefix;
  }

  template <class View, class Tables>
  static DenseLaw<typename View::Real> law_after(const View& view, const Tables& plan,
                                                 const Prefix& emitted,
                                                 const typename View::Node& node) {
    using Real = typename View::Real;
    const auto found = plan.corrections.find(emitted);
    if (found != plan.corrections.end()) return DenseLaw<Real>(found->second);
    return DenseLaw<Real>(target_row_of(view.at(node)));
  }
};

}  // namespace speclab
