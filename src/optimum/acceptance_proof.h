#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "optimum/prefix_tree.h"

namespace speclab {

/// The class of verifiers over which an optimum is taken, with K drafts of gamma tokens, each ~ D.
enum class VerifierClass {
  coupling,       ///< any joint law of the drafts and the output ~ T (sun2024 Definition 1)
  plug_and_play,  ///< the plain target follows the iteration (sun2025 Definition 1)
  algorithm2,     ///< unbiased and token by token, one draft (yin2024 Algorithm 2)
  conditionally_independent,  ///< drafts independent given the output (lin2026 equation (1))
};

/// All classes, in the order in which messages name them.
inline constexpr VerifierClass kVerifierClasses[] = {
    VerifierClass::coupling, VerifierClass::plug_and_play, VerifierClass::algorithm2,
    VerifierClass::conditionally_independent};

/// "coupling", "plug-and-play", "algorithm2", "conditionally-independent".
std::string_view class_name(VerifierClass verifiers);

/// The question of which a proof bounds the acceptance.
struct AcceptanceProblem {
  VerifierClass verifiers = VerifierClass::coupling;
  int gamma = 1;
  int drafts = 1;  ///< K
  /// What it is worth to accept one more token, by the state that it leads to; 1 where absent.
  std::map<State, Rational> gains{};

  [[nodiscard]] Rational gain(State state) const {
    const auto found = gains.find(state);
    return found == gains.end() ? Rational(1) : found->second;
  }
};

/// Prices that prove an upper bound on E[tau] of every verifier of a class, from one start.
///
/// With B(v) = P(the accepted tokens begin with v), B() = 1, every verifier of the class has
///   coupling                     sum_x B(vx) <= B(v)            (price `inherited` of v)
///   plug-and-play, algorithm2    B(vx) <= s(x|v) B(v)           (price `inherited` of vx)
///                                s = t, and min(d, t) under algorithm2
///   all                          B(v) <= T(v)                   (price `ceiling` of v)
///   all but algorithm2           sum over an antichain R of B <= f(D(R)), f(x) = 1 - (1 - x)^K
/// f is concave: f(y) <= f(x) + f'(x) (y - x). So for a law over antichains, which visits v with
/// probability c(v), sum c(v) (B(v) - f'(x) D(v)) <= f(x) - f'(x) x. Numbers c >= 0 are such
/// probabilities times `weight` if and only if they sum to at most `weight` along each path from
/// the root: a *block* of `claims`, tight at the draft mass `share` = x. Where each B(v) is worth
/// at least its gain at these prices, the right-hand sides bound sum_v gain(v) B(v), at gains of 1
/// E[tau].
struct AcceptanceProof {
  struct Block {
    Rational share;
    Rational weight;
    std::map<Prefix, Rational> claims;
  };
  std::map<Prefix, Rational> inherited;
  std::map<Prefix, Rational> ceiling;
  std::vector<Block> blocks;
};

/// The result of checking a proof.
struct ProofVerdict {
  std::optional<Rational> bound;  ///< empty where the proof is invalid
  std::string fault;              ///< the error, where `bound` is empty
};

/// Checks a proof from the pair's rows alone.
ProofVerdict check_proof(const AcceptanceProof& proof, const AcceptanceProblem& problem,
                         const Rows<Rational>& rows, State start);

}  // namespace speclab
