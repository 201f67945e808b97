#pragma once

#include <span>
#include <vector>

#include "base/types.h"
#include "model/carries/carried_view.h"
#include "verifiers/info.h"

namespace speclab {

// The output form (see output_step.h) of a lossless verifier with a carry. How many of its drafts
// are accepted depends on all tokens of the block, those after its correction too: the carry draws
// them later from a target that was modified. Together with the carry the output has the target's
// law, so that y_1 .. y_gamma, the next tokens, may be drawn from the pair's target first, and then
// tau given all of them. Where the node has a modified target, earlier iterations have been settled
// in the same way, and given what they decided y_1 .. y_gamma have the law of that target.
//
// A program that has this form:
//   void cut_output(const View&, const View::Node& root, std::span<const Token> output,
//                   std::vector<OutputCut<Real>>& cuts) const
// replaces `cuts` by one for each token of an output that has positive probability from `root` on.
// Its modifications of the target have power 1 (model/carries/carried_view.h). The tests compare
// whole decodes with the enumerated decisions, in fractions.

/// Of a token y_i of an output: where it is the correction, tau = i - 1.
template <class Real>
struct OutputCut {
  Real fewer;  ///< P(tau < i | y_1 .. y_gamma); does not fall from token to token
  Real share;  ///< of the modification after y_i, where fewer > 0: D(y_1 .. y_i) / T(y_1 .. y_i)
};

/// cut_output of a program's type, in doubles.
using CutOutput = void (*)(const void* program, const CarriedView<double>& view,
                           const CarriedView<double>::Node& root, std::span<const Token> output,
                           std::vector<OutputCut<double>>& cuts);

/// That of a program's type, or null.
template <class Program>
constexpr CutOutput output_cuts_of() {
  using View = CarriedView<double>;
  using Cuts = std::vector<OutputCut<double>>;
  using Output = std::span<const Token>;
  if constexpr (requires(const Program& program, const View& view, Cuts& cuts) {
                  program.cut_output(view, View::Node{}, Output{}, cuts);
                }) {
    static_assert(Program::kCarries, "others have steps");
    static_assert(Program::kInfo.kind == VerifierKind::lossless, "the output follows the target");
    return [](const void* program, const View& view, const View::Node& root, Output output,
              Cuts& cuts) {
      static_cast<const Program*>(program)->cut_output(view, root, output, cuts);
    };
  } else {
    return nullptr;
  }
}

}  // namespace speclab
