#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace speclab {

/// A step of a paper's argument: what it concludes from what. The step is the paper's, and may
/// fail: its premises may hold where its conclusion does not.
struct Implication {
  std::vector<std::string_view> premises;  ///< ids of claims
  std::string_view conclusion;             ///< the id of a claim
  std::string_view where;                  ///< "the proof of Lemma 5, section B.2"
};

/// All rows of src/claims/papers/implications.txt, in its order.
std::span<const Implication> implications();

/// Whether the step fails: each premise holds as printed, and the conclusion does not.
bool fails(const Implication& step);

}  // namespace speclab
