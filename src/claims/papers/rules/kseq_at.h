#pragma once

#include <utility>
#include <vector>

#include "claims/engine/one_iteration.h"
#include "theory/multi_draft.h"
#include "verifiers/several/kseq.h"

namespace speclab {

// K-sequential selection at a rho of the check's choosing, and its law of one token.

/// kseq's own selection and residual at `rho`.
struct KseqAt {
  int drafts = 1;
  Rational rho;

  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_positions(
        view, drafts, window, choices, out,
        [&](const auto& laws, const std::vector<Token>& candidates, auto& coins, auto& result) {
          return SequentialSelection(laws, candidates.size(), rho)
              .decide(view, candidates, coins, result);
        });
  }
};

/// The same coins with the residual that lin2026 section 3.2 prints:
/// (t - rho min(d, t/rho)) / (1 - rho beta).
struct PrintedKseqAt {
  int drafts = 1;
  Rational rho;

  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    verify_positions(
        view, drafts, window, choices, out,
        [&](const auto& laws, const std::vector<Token>& candidates, auto& coins,
            auto& result) -> std::optional<Token> {
          for (const Token x : candidates) {
            if (coins.accept(Rational(laws.target(x) / (rho * laws.draft(x))))) return x;
          }
          std::vector<Rational> weights;
          for (Token x = 0; x < laws.vocabulary(); ++x) {
            weights.push_back(positive_part<Rational>(laws.target(x) - rho * laws.draft(x)));
          }
          result.correct(view, coins, DenseLaw<Rational>(std::move(weights)));
          return std::nullopt;
        });
  }
};

/// TV of the token that one position emits to the target's; what is undefined is missing from its
/// law. @pre gamma is 1 and the pair memoryless
template <class Program>
Rational distance_of_one(const Program& program, const Instance& instance) {
  const auto target = instance.rows->target(0);
  std::vector<Rational> law(target.size(), Rational(0));
  each_iteration(program, instance, instance.pair().start().front().state, true,
                 [&](const auto& out, const Rational& weight) {
                   if (!out.tokens.empty()) {
                     law[static_cast<std::size_t>(out.tokens.front())] += weight;
                   }
                 });
  Rational distance(0);
  for (std::size_t x = 0; x < target.size(); ++x) {
    distance += positive_part<Rational>(target[x] - law[x]);
  }
  return distance;
}

/// 1 - (1 - beta)^K - rho beta, 0 at rho* and only there where beta > 0.
inline Rational excess_at(const Instance& instance, const Rational& rho) {
  return kseq_excess(instance.rows->draft(0), instance.rows->target(0), rho, instance.drafts);
}

}  // namespace speclab
