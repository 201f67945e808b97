// tree(vocabulary=, depth=, seed=, denominator=): random exact laws, one a prefix of length
// 0..depth; a longer prefix uses the row of its first `depth` tokens.
//
// A law includes each token in its support with probability 3/4 (one token where none was included)
// and cuts `denominator` units at random among the support, so entries are k / denominator and
// zeros are frequent in both laws. Draws come from MT19937 seeded with `seed`, prefixes in the
// order of their states (shorter first, then by tokens), the draft before the target.
#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "model/families/families.h"

namespace speclab {
namespace {

constexpr long long kMaxDepth = 64;
constexpr long long kMaxDenominator = 1'000'000;
/// Entries of one model's table.
constexpr long long kMaxEntries = 1LL << 24;

using Engine = boost::random::mt19937;

std::uint32_t draw(Engine& engine, std::uint32_t low, std::uint32_t high) {
  return boost::random::uniform_int_distribution<std::uint32_t>(low, high)(engine);
}

/// Numerators of one law over `denominator`.
void random_law(Engine& engine, std::uint32_t denominator, std::span<std::uint32_t> law) {
  std::vector<std::size_t> support;
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (draw(engine, 0, 3) > 0) support.push_back(x);
  }
  if (support.empty())
    support.push_back(draw(engine, 0, static_cast<std::uint32_t>(law.size()) - 1));
  std::vector<std::uint32_t> cuts(support.size() - 1);
  for (std::uint32_t& cut : cuts) cut = draw(engine, 0, denominator);
  std::sort(cuts.begin(), cuts.end());
  cuts.push_back(denominator);
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < support.size(); ++i) {
    law[support[i]] = cuts[i] - last;
    last = cuts[i];
  }
}

/// States are the nodes of the complete trie, breadth first: the child of s by x is s V + x + 1.
class TreePair final : public RationalPair {
 public:
  TreePair(Token vocabulary, State states, std::uint32_t seed, std::uint32_t denominator)
      : vocabulary_(vocabulary),
        states_(states),
        denominator_(denominator),
        draft_(std::size_t{states} * width()),
        target_(draft_.size()) {
    Engine engine(seed);
    for (std::size_t at = 0; at < draft_.size(); at += width()) {
      random_law(engine, denominator, std::span(draft_).subspan(at, width()));
      random_law(engine, denominator, std::span(target_).subspan(at, width()));
    }
  }

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override { return vocabulary_; }
  [[nodiscard]] State states() const override { return states_; }
  [[nodiscard]] State next(State state, Token token) const override {
    const std::uint64_t child = std::uint64_t{state} * width() + static_cast<State>(token) + 1;
    return child < states_ ? static_cast<State>(child) : state;
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    const std::size_t at = std::size_t{state} * width();
    for (std::size_t x = 0; x < width(); ++x) {
      draft[x] = Rational(draft_[at + x], denominator_);
      target[x] = Rational(target_[at + x], denominator_);
    }
  }

 private:
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(vocabulary_); }

  Token vocabulary_;
  State states_;
  std::uint32_t denominator_;
  std::vector<std::uint32_t> draft_;
  std::vector<std::uint32_t> target_;
};

}  // namespace

PairPointer make_tree(SpecReader& spec) {
  const long long vocabulary = spec.integer("vocabulary", 1, kMaxVocabulary);
  const long long depth = spec.integer("depth", 0, kMaxDepth);
  const auto seed = static_cast<std::uint32_t>(spec.integer("seed", 0, kMaxSeed, 1));
  const auto denominator =
      static_cast<std::uint32_t>(spec.integer("denominator", 1, kMaxDenominator, 12));
  long long states = 1;
  for (long long level = 0; level < depth; ++level) {
    states = states * vocabulary + 1;
    if (states * vocabulary > kMaxEntries) break;
  }
  if (states * vocabulary > kMaxEntries) {
    spec.refuse("the tree has more than " + std::to_string(kMaxEntries) +
                " probabilities a model; lower depth or vocabulary");
  }
  return std::make_shared<TreePair>(static_cast<Token>(vocabulary), static_cast<State>(states),
                                    seed, denominator);
}

}  // namespace speclab
