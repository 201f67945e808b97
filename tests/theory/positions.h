// What the tests of laws of single positions share.
#pragma once

#include "small_pairs.h"
#include "theory/asked.h"

namespace speclab {

inline std::span<const Rational> view(const Rationals& law) { return {law.data(), law.size()}; }

/// The root of Algorithm 4 step by step, each residual normalised.
struct RootOutcome {
  Rationals accepted;
  Rational rejected;
  Rationals correction;
};
inline RootOutcome root(const TwoLaws<Rational>& laws, int batches) {
  RootOutcome out{Rationals(laws.draft.size(), Rational(0)), Rational(1), laws.target};
  for (int m = 0; m < batches && out.rejected > 0; ++m) {
    Rational mass(0);
    Rationals residual;
    for (std::size_t x = 0; x < laws.draft.size(); ++x) {
      out.accepted[x] += out.rejected * std::min(laws.draft[x], out.correction[x]);
      residual.push_back(positive_part<Rational>(out.correction[x] - laws.draft[x]));
      mass += residual.back();
    }
    out.rejected *= mass;
    if (mass == 0) break;
    for (auto& weight : residual) weight /= mass;
    out.correction = residual;
  }
  return out;
}

}  // namespace speclab
