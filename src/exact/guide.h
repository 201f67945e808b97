#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "base/types.h"

namespace speclab {

// What may lead an Enumerator instead of its own order of decisions. One interpreter with a guide
// is compiled for each verifier, where one for each purpose would be compiled for each of them.

/// Follows one random sequence of decisions and multiplies the inverse probabilities of its
/// branches: the product's mean is the number of sequences (Knuth 1975, "Estimating the efficiency
/// of backtrack programs"). Tokens are equally likely. A coin accepts with probability
/// `accept_share` in (0, 1): a large one reaches the many long sequences of a verifier that stops
/// at its first rejection, which even branches hardly ever find.
class RandomWalk {
 public:
  RandomWalk(std::mt19937_64& engine, double accept_share)
      : engine_(&engine), accept_share_(accept_share) {}

  [[nodiscard]] double branches() const { return branches_; }
  /// Forgets the branches met since branches() was `before`.
  void forget_since(double before) { branches_ = before; }

  std::size_t one_of(std::size_t count) {
    branches_ *= static_cast<double>(count);
    return (*engine_)() % count;
  }
  bool accepts() {
    const bool accepted = static_cast<double>((*engine_)() >> 11) * 0x1p-53 < accept_share_;
    branches_ /= accepted ? accept_share_ : 1 - accept_share_;
    return accepted;
  }

 private:
  std::mt19937_64* engine_;
  double accept_share_;
  double branches_ = 1;
};

/// Uniform numbers that drafts are picked by: number i serves the draft i of every sequence.
class DraftNumbers {
 public:
  explicit DraftNumbers(std::function<double()> uniform) : uniform_(std::move(uniform)) {}

  void restart() { at_ = 0; }
  double next() {
    if (at_ == made_.size()) made_.push_back(uniform_());
    return made_[at_++];
  }

 private:
  std::function<double()> uniform_;
  std::vector<double> made_;
  std::size_t at_ = 0;
};

/// One of them, or a record of what is drafted; those that are null do nothing.
struct Guide {
  RandomWalk* walk = nullptr;
  DraftNumbers* numbers = nullptr;         ///< in doubles only
  std::vector<Token>* recorded = nullptr;  ///< the tokens drafted in the sequence being run
};

}  // namespace speclab
