#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "base/types.h"
#include "draft/given.h"
#include "verifiers/contract.h"

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
  /// Thrown through the program that walks: the rest of the way only adds branches.
  struct Enough {};

  /// @param enough  branches beyond which the walk ends, with Enough
  RandomWalk(std::mt19937_64& engine, double accept_share,
             double enough = std::numeric_limits<double>::infinity())
      : engine_(&engine), accept_share_(accept_share), enough_(enough) {}

  [[nodiscard]] double branches() const { return branches_; }

  /// One of `count` ways, which are branches where they are `counted`.
  std::size_t one_of(std::size_t count, bool counted = true) {
    if (counted) meet(static_cast<double>(count));
    return (*engine_)() % count;
  }
  bool accepts() {
    const bool accepted = static_cast<double>((*engine_)() >> 11) * 0x1p-53 < accept_share_;
    meet(1 / (accepted ? accept_share_ : 1 - accept_share_));
    return accepted;
  }

 private:
  void meet(double branches) {
    branches_ *= branches;
    if (branches_ > enough_) throw Enough{};
  }

  std::mt19937_64* engine_;
  double accept_share_;
  double enough_;
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

/// The drafts that an iteration has, given beforehand: K >= 1 chains of the same length. The law of
/// the rest is then the law conditional on them. A verifier of one chain drafts it in order; others
/// say where each draw belongs (draft/given.h), but for the draws that go on along a chain.
class GivenDrafts final : public PlacedDrafts {
 public:
  explicit GivenDrafts(std::vector<std::vector<Token>> chains) : chains_(std::move(chains)) {}

  void restart() {
    chain_ = 0;
    position_ = 0;
    placed_ = chains_.size() == 1;
  }

  void place_chain(int chain, int position) override {
    chain_ = static_cast<std::size_t>(chain);
    position_ = static_cast<std::size_t>(position);
    placed_ = true;
  }

  void place(std::span<const Token> prefix, int number) override {
    position_ = prefix.size();
    placed_ = true;
    for (chain_ = 0; chain_ < chains_.size(); ++chain_) {
      const auto& chain = chains_[chain_];
      const bool begins =
          chain.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), chain.begin());
      if (begins && number-- == 0) return;
    }
  }

  /// @throws ContractError where more is drafted than is given, or K chains are not placed
  Token next() {
    if (!placed_ || chain_ >= chains_.size() || position_ >= chains_[chain_].size()) {
      throw ContractError("a verifier drafts another set than it was given");
    }
    return chains_[chain_][position_++];
  }

 private:
  std::vector<std::vector<Token>> chains_;
  std::size_t chain_ = 0;
  std::size_t position_ = 0;
  bool placed_ = false;
};

/// One decision of a sequence as a uniform number in [0, 1) makes it: a coin accepts below its
/// probability, a draw takes the first token at which the running sum of the law passes the number.
/// Every number in [least, below) makes this decision, and no other does.
struct UniformRange {
  enum class Use { draft, coin, draw };
  Use use = Use::coin;
  double least = 0;
  double below = 1;
};

/// One of them, or a record of what is drafted and decided; those that are null do nothing.
struct Guide {
  RandomWalk* walk = nullptr;
  DraftNumbers* numbers = nullptr;              ///< in doubles only
  GivenDrafts* given = nullptr;                 ///< no decisions then: drafts have no weight
  std::vector<Token>* recorded = nullptr;       ///< the tokens drafted in the sequence being run
  std::vector<UniformRange>* ranges = nullptr;  ///< its decisions, drafts too; in doubles only
};

}  // namespace speclab
