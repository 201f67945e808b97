#pragma once

#include <map>
#include <vector>

#include "claims/engine/paths.h"

namespace speclab {

/// T (1 - min(D/T, 1))^K of a path: what K drafts leave of the target there.
Rational left_of(const PathLaws& path, int drafts);

/// Equation (2), and (3) for a whole block, neither capped; 0/0 never falls.
/// @param following  left_of its extensions, summed
Rational sub_block_coin(const PathLaws& path, const Rational& following, bool whole, int drafts);

/// The coins of equations (2), (3) with one coin a sub-block that a draft
/// begins with, all thrown: neither the order of the drafts nor `break` of
/// Algorithm 1.
class PrintedCoins {
 public:
  PrintedCoins(const Instance& instance, State start);

  /// Every x^i of 1 .. gamma tokens, parents before children.
  [[nodiscard]] const std::vector<PathLaws>& paths() const { return paths_; }

  /// P(some draft begins with a sub-block of at least `least` tokens that
  /// begins with `prefix` and whose coin falls), summed over the drafts'
  /// blocks.
  [[nodiscard]] Rational some_falls(const TokenPath& prefix, int least) const;

 private:
  struct Drafted {
    std::vector<TokenPath> sub_blocks;  ///< that some draft begins with, each once
    Rational probability;
  };

  std::vector<PathLaws> paths_;
  std::map<TokenPath, Rational> coins_;
  std::vector<Drafted> outcomes_;
};

/// TV of the first gamma tokens of Theorem 4.2's O to the target's: those that
/// an iteration emits, and after them the target as Algorithm 2 has modified
/// it. What is undefined is missing.
Rational object_distance(std::string_view verifier, const Instance& instance);

}  // namespace speclab
