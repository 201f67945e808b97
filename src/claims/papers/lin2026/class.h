#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "claims/engine/paths.h"
#include "system/interrupt.h"

namespace speclab {

// The class of lin2026's equation (1): couplings of K drafts, each ~ D and
// independent of each other, with y ~ T, under which P(X_1 .. X_K | y) is the
// product of P(X_k | y). Nothing asks that the K kernels P(X_k | y) be alike.

/// P(X = x | y): kernel[y][x], rows and columns in the order of Blocks.
using Kernel = std::vector<std::vector<Rational>>;
using Kernels = std::vector<Kernel>;

/// "(1/2,1/2);(0,1)", one law for each y.
std::string kernel_text(const Kernel& kernel);

/// The blocks of gamma tokens that a draft, or the target, can be, with their
/// joint laws.
struct Blocks {
  std::vector<PathLaws> drafts;
  std::vector<PathLaws> targets;
};
Blocks blocks_of(const Instance& instance, State start);
/// @pre the pair has one start
Blocks blocks_of(const Instance& instance);

inline int common_prefix(const TokenPath& a, const TokenPath& b) {
  return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

inline bool begins(const TokenPath& block, const TokenPath& prefix) {
  return block.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), block.begin());
}

/// Calls visit(tuple) for every tuple of `count` indices below `size`, which is positive, in
/// lexicographic order.
template <class Visit>
void each_tuple(std::size_t size, std::size_t count, const Visit& visit) {
  std::vector<std::size_t> tuple(count, 0);
  for (std::size_t k = count + 1; k > 0;) {
    check_interrupted();
    visit(tuple);
    for (k = count; k > 0 && ++tuple[k - 1] == size; --k) tuple[k - 1] = 0;
  }
}

/// Whether drafts with these kernels, independent given y, are i.i.d. ~ D
/// without it: the definition, summed outcome by outcome.
bool in_class(const Blocks& blocks, const Kernels& kernels);

/// E[tau], tau the longest prefix of y that a draft begins with
/// (Definition 4.1).
Rational mean_agreement(const Blocks& blocks, const Kernels& kernels);

/// P(y begins with `prefix`, and each draft of `among` does not).
Rational none_begins(const Blocks& blocks, const Kernels& kernels, const TokenPath& prefix);

/// Calls visit(kernel) for the kernels of one position with sum_y t(y) k(x|y) =
/// d(x) whose rows have this denominator, but for the last one, which follows
/// from the others. Rows and columns are tokens here; the row of a token that
/// the target never takes is 0.
/// @throws LimitError where there are more than kMostCases to choose from
void each_kernel(const Instance& instance, int denominator,
                 const std::function<void(const Kernel& kernel)>& visit);

/// Calls visit(kernels) for members of the class with two drafts whose first
/// tokens look at all of y and whose other tokens do not: k(x|y) = b(x_1|y)
/// D(x) / d(x_1). b_1 runs over the vertices of the kernels with the right
/// first token, b_2 over the vertices of those that leave the first tokens
/// independent. Nothing where the first token of a draft takes other than two
/// values.
/// @throws LimitError where there are more than kMostEntries pairs of them to choose from
void each_member(const Blocks& blocks, const std::function<void(const Kernels& kernels)>& visit);

/// Calls visit(kernels) for the members of the class with K drafts of one token
/// out of two: P(X_k = 0 | y = 0) runs over a grid of this denominator, the
/// value d(0) that ignores y, and the largest, min(1, d(0)/t(0)).
void each_two_token_member(const Blocks& blocks, int drafts, int denominator,
                           const std::function<void(const Kernels& kernels)>& visit);

}  // namespace speclab
