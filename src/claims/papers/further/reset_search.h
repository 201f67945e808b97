#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace speclab {

/// A pair of two tokens whose draft begins anew with each iteration: the target's contexts, their
/// probabilities of token 1 and moves, and the probability of token 1 at each offset of an
/// iteration that begins in each context. Probabilities are 0, 1/2 and 1, so that doubles hold
/// every number below exactly.
struct ResetPair {
  static constexpr int kMostContexts = 2;
  static constexpr int kMostOffsets = 4;

  int contexts = 1;
  int offsets = 1;
  double target[kMostContexts] = {};
  int next[kMostContexts][2] = {};
  double draft[kMostContexts][kMostOffsets] = {};

  /// Its spec text, a pair of the family blocks.
  [[nodiscard]] std::string text() const;
};

/// Whether the pair has what is looked for, at this draft length.
using ResetProperty = std::function<bool(const ResetPair& pair, int gamma)>;

/// The first of these pairs with a property, and its draft length: fewer contexts first, then whole
/// probabilities before halves, then smaller draft lengths up to 3, then the numbers as they are
/// read in `text`, target, next and draft, the last one changing fastest.
/// @param more  offsets beyond the draft length
/// @throws Error when interrupted
std::optional<std::pair<ResetPair, int>> first_reset_pair(int more, const ResetProperty& property);

/// E[N(2)] from context 0 of token and of block verification, by dynamic programs that share
/// nothing with the verifiers.
double two_iterations_of_token(const ResetPair& pair, int gamma);
double two_iterations_of_block(const ResetPair& pair, int gamma);

}  // namespace speclab
