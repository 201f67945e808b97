#pragma once

#include <vector>

#include "base/types.h"
#include "model/view.h"
#include "verifiers/info.h"

namespace speclab {

// The *output form* of a lossless verifier. Its decisions begin with drafts; the same law of
// (output, accepted tokens) may be drawn from the other end, token by token. After accepted tokens
// the next one, y, has the target's law. Given y, it is an accepted token with a probability that
// depends on the two laws there and on what the verifier remembers of the tokens before it, one
// number; otherwise y is the correction. After window.drafts accepted tokens the bonus is y ~ t.
//
// Verifiers drawn in this form with the same numbers emit the same tokens, so that comparisons of
// them need few trials (simulate/output_means.h). A program that has one:
//   void add_output_steps(const Laws&, Token y, const Real& memory,
//                         std::vector<OutputStep<Real>>& steps) const
// adds the ways in which y, t(y) > 0, may have been accepted. The memory at the first token of an
// iteration is the program's number of drafts: those in play, or of one draft w_0 = 1. The tests
// compare each form with the enumerated decisions, in fractions.
//
// Worked example: block verification remembers w, as P(X^tau begins with x^i) = D(x^i) w_i
// (sun2025 Lemma 3; the form itself is foundS of proofs/block.v). Where t(y) = 1/2, d(y) = 1/4 and
// w = 2/3, y was accepted with probability 3/4, and the next w is 1.

/// One way in which a token of the output may have been accepted.
template <class Real>
struct OutputStep {
  Real probability;
  Real memory;  ///< at the next token
};

/// add_output_steps of a program's type, in doubles.
using AddOutputSteps = void (*)(const void* program, const Laws<double>& laws, Token y,
                                double memory, std::vector<OutputStep<double>>& steps);

/// That of a program's type, or null.
template <class Program>
constexpr AddOutputSteps output_steps_of() {
  using Steps = std::vector<OutputStep<double>>;
  if constexpr (requires(const Program& program, const Laws<double>& laws, Steps& steps) {
                  program.add_output_steps(laws, Token{}, double{}, steps);
                }) {
    static_assert(!Program::kCarries, "a carry depends on the whole block");
    static_assert(Program::kInfo.kind == VerifierKind::lossless, "the output follows the target");
    return [](const void* program, const Laws<double>& laws, Token y, double memory, Steps& steps) {
      static_cast<const Program*>(program)->add_output_steps(laws, y, memory, steps);
    };
  } else {
    return nullptr;
  }
}

}  // namespace speclab
