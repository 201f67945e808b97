#pragma once

#include <vector>

#include "system/interrupt.h"
#include "theory/stepwise.h"

namespace speclab {

// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024).

/// tail[i] = sum over x^i of min(D(x^i), T(x^i)) = 1 - TV of the joint laws of i tokens, i =
/// 0..gamma: P(tau >= i) of greedy block verification, and the largest that any lossless verifier
/// of one draft can have (Theorem 1 and Lemma 1, equation (6)).
/// Worked example: toy pair, gamma = 2: 1, 2/3, 2/3, so E[tau] = 4/3.
template <class Real>
std::vector<Real> greedy_tail(const Rows<Real>& rows, const Measure<Real>& start, int gamma,
                              Budget& budget) {
  return walk_sums(LikelihoodWalk<Real>(rows, start, false, budget), gamma,
                   [](const Real& r) { return min_one<Real>(r); });
}

/// tail[i] = sum over x^i of prod_j min(d(x_j), t(x_j)): P(tau >= i) of token verification (Theorem
/// 2, equation (7)), by a recursion over states.
template <class Real>
std::vector<Real> token_tail(const Rows<Real>& rows, const Measure<Real>& start, int gamma,
                             Budget& budget) {
  return stepwise_tail<Real>(rows, start, token_step<Real>, gamma, budget);
}

/// The first index of the sums of section 3.1: i = 0 as printed, or i = 1 as required: the term of
/// i = 0 is 1 and counts a token that is never drafted.
enum class FirstTerm { as_printed, corrected };

/// Section 3.1, token verification of Bernoulli laws: sum of (1 - |draft - target|)^i.
/// `draft`, `target`: probabilities of token 1.
template <class Real>
Real bernoulli_token_accepted(const Real& draft, const Real& target, int gamma, FirstTerm first) {
  const Real overlap = 1 - (draft > target ? Real(draft - target) : Real(target - draft));
  Sum<Real> sum;
  if (first == FirstTerm::as_printed) sum += Real(1);
  Real power(1);
  for (int i = 1; i <= gamma; ++i) {
    check_interrupted();
    power *= overlap;
    sum += power;
  }
  return sum.value();
}

/// Section 3.1, greedy block verification of Bernoulli laws: sum of 1 - TV(Bin(i, draft), Bin(i,
/// target)). O(gamma^2) steps.
template <class Real>
Real bernoulli_block_accepted(const Real& draft, const Real& target, int gamma, FirstTerm first) {
  Sum<Real> sum;
  if (first == FirstTerm::as_printed) sum += Real(1);
  std::vector<Real> drafted{Real(1)}, wanted{Real(1)};  // Bin(i, .) by Pascal's triangle
  const auto grow = [](std::vector<Real>& law, const Real& p) {
    law.push_back(Real(0));
    for (std::size_t k = law.size(); k-- > 0;) {
      law[k] = law[k] * (1 - p) + (k > 0 ? Real(law[k - 1] * p) : Real(0));
    }
  };
  for (int i = 1; i <= gamma; ++i) {
    check_interrupted();
    grow(drafted, draft);
    grow(wanted, target);
    sum += 1 - total_variation<Real>(std::span<const Real>(drafted), std::span<const Real>(wanted));
  }
  return sum.value();
}

}  // namespace speclab
