#pragma once

#include <optional>
#include <string>

#include "answer/bench.h"
#include "model/quantities.h"
#include "prove/certificate.h"
#include "prove/explore.h"

namespace speclab {

/// A statement about all pairs of a size, to be proved or refuted.
struct TheoremQuestion {
  Verifier verifier;
  std::string property = "lossless";  ///< as read_property takes it
  Contexts contexts = Contexts::iid;
  Token vocabulary = 2;
  int gamma = 2;
};

/// @throws InputError, LimitError as read_property and AllPairs do
Theorem theorem_of(const TheoremQuestion& question);

/// What is known of it.
struct TheoremAnswer {
  TheoremVerdict verdict = TheoremVerdict::undecided;
  std::size_t cells = 0;       ///< on which it is proved
  std::size_t open = 0;        ///< branches that are not decided
  double error_bound = 0;      ///< the probability that an identity holds by chance
  std::string counterexample;  ///< the pair's spec text; "" where there is none
  int gamma = 0;               ///< with which it is one
  std::string detail;          ///< the statement that fails there, and the difference
};

/// Explores the cells on one thread until the solver was asked `most_queries` times.
/// @throws InputError, LimitError where the theorem cannot be proved at all, as without the solver
TheoremAnswer prove(const TheoremQuestion& question, std::uint64_t most_queries);

/// What the exact interpreter says of a pair on which a theorem fails.
struct Confirmation {
  QuantityId quantity;            ///< TV of gamma + 1 tokens to the target, or E[tau]
  Rational value;                 ///< of the theorem's verifier
  std::optional<Rational> other;  ///< of the verifier or closed form it is compared with
  bool fails = false;             ///< whether the theorem fails by it too
};

/// The pair of a family at a point with the prompt at `start`, as file(PATH) would read it.
PairPointer pair_at(const AllPairs& family, std::span<const Rational> point, State start = 0);

/// Checks a theorem on a pair by the exact law of a decode of gamma + 1 tokens, or by the exact
/// expectations, in fractions.
Confirmation confirm(Bench& bench, const Theorem& theorem, const Counterexample& found);

}  // namespace speclab
