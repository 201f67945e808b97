#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/biased/acceptance_rule.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Any member of yin2024's class (Algorithm 2) whose choices depend on the pair's state: X_i is
/// accepted with probability b(x | state), and at a rejection Y ~ P(. | state). b and P come from a
/// file's tables, or by one number: b = share min(1, t/d) with Corollary 1's P = (t - b d) / sum (1
/// - b) d, which preserves the target's law; share = 1 is token verification.
struct TableRule {
  Rational share{1};
  std::shared_ptr<const AcceptanceRule> tables;  ///< or null

  static constexpr VerifierInfo kInfo{
      .name = "rule",
      .parameters = "file= or share=",
      .prose =
          "accepts with b(x|state), corrects from P(.|state): a file's "
          "tables, or b = share min(1, t/d) "
          "and the P that preserves the target's law",
      .source = "yin2024 Algorithm 2, Corollary 1",
      .kind = VerifierKind::biased,
      .example = "rule(share=1/2)"};
  static constexpr bool kCarries = false;
  static constexpr std::string_view kNoProof = "its tables belong to the states of one pair";
  static TableRule read(SpecReader& spec) {
    TableRule rule;
    if (spec.has("file")) {
      if (spec.has("share")) spec.refuse("file= gives the tables; leave out share=");
      rule.tables = read_acceptance_rule(spec.path("file"));
    } else {
      rule.share = spec.number_between("share", Rational(0), Rational(1));
    }
    return rule;
  }
  [[nodiscard]] std::vector<InputFile> inputs() const {
    if (!tables) return {};
    return {tables->file};
  }
  [[nodiscard]] TableRule prepared(const PairPointer& pair) const {
    if (tables) tables->check_fits(*pair);
    return *this;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(out.node);
      const State state = view.state(out.node);
      const Token x = choices.draft(laws.draft());
      const Real chance = tables ? tables->accepted<Real>(state)[static_cast<std::size_t>(x)]
                                 : Real(kept(laws, x) / laws.draft(x));
      if (!choices.accept(chance)) {
        return out.correct(view, choices,
                           DenseLaw<Real>(tables ? tables->corrected<Real>(state) : left(laws)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }

 private:
  /// b d = share min(d, t)
  template <class Laws>
  typename Laws::Real kept(const Laws& laws, Token x) const {
    using Real = typename Laws::Real;
    const Real target = laws.target(x);
    const Real draft = laws.draft(x);
    return from_rational<Real>(share) * (draft < target ? draft : target);
  }

  template <class Laws>
  std::vector<typename Laws::Real> left(const Laws& laws) const {
    using Real = typename Laws::Real;
    std::vector<Real> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      weights.push_back(positive_part<Real>(laws.target(x) - kept(laws, x)));
    }
    return weights;
  }
};

}  // namespace speclab
