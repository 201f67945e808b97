#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

// Verifiers with planted faults: the faults of released implementations, and three that only
// lose speed, one a verifier, all else as in the right one. They are the negative controls of the
// checks: a check that has never rejected anything proves nothing (verifiers/control_rows.h says
// where each of them is rejected). wrong_single.h holds the faults of token verification,
// wrong_engine.h those of an engine around it, wrong_block.h those of block verification,
// wrong_multi.h those of several drafts, wrong_path.h those of path selection. Faults that differ
// in one line are one type with a parameter.

/// What all of them share: no parameters unless they say otherwise, and no carry.
template <class Self>
struct WrongOnPurpose {
  static constexpr bool kCarries = false;
  static Self read(SpecReader&) { return {}; }
};

/// What is said of a wrong verifier without parameters.
/// @param fault     what is wrong, in one line
/// @param fault_of  spec text of the verifier that is meant
/// @param exact     as in VerifierInfo
constexpr VerifierInfo wrong_info(std::string_view name, std::string_view fault,
                                  std::string_view fault_of, bool exact = true) {
  return {.name = name,
          .parameters = "",
          .prose = fault,
          .source = "",
          .kind = VerifierKind::wrong,
          .example = name,
          .fault_of = fault_of,
          .exact = exact};
}

/// [t - d]+ with the two laws taken at different nodes.
template <class TargetLaws, class DraftLaws>
auto residual_across(const TargetLaws& target, const DraftLaws& draft) {
  using Real = typename TargetLaws::Real;
  std::vector<Real> weights;
  for (Token x = 0; x < target.vocabulary(); ++x) {
    weights.push_back(positive_part<Real>(target.target(x) - draft.draft(x)));
  }
  return DenseLaw<Real>(std::move(weights));
}

}  // namespace speclab
