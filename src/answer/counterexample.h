#pragma once

#include <optional>
#include <string>

#include "answer/bench.h"
#include "prove/theorem.h"

namespace speclab {

/// What the exact interpreter says of a pair on which a theorem fails.
struct Confirmation {
  QuantityId quantity;            ///< TV of gamma + 1 tokens to the target, or E[tau]
  Rational value;                 ///< of the theorem's verifier
  std::optional<Rational> other;  ///< of the verifier or closed form it is held against
  bool fails = false;             ///< whether the theorem fails by it too
};

/// The pair of a family at a point, as file(PATH) would read it.
PairPointer pair_at(const AllPairs& family, std::span<const Rational> point);

/// Holds a theorem's pair against the exact law of a decode of gamma + 1 tokens, or against the
/// exact expectations, in fractions.
Confirmation confirm(Bench& bench, const Theorem& theorem, std::span<const Rational> point);

}  // namespace speclab
