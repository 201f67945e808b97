#include "model/content.h"

#include <bit>
#include <unordered_map>
#include <vector>

#include "system/interrupt.h"

namespace speclab {
namespace {

/// FNV-1a of 64-bit words.
class Digest {
 public:
  void add(std::uint64_t word) {
    for (int i = 0; i < 8; ++i, word >>= 8) hash_ = (hash_ ^ (word & 0xff)) * 1099511628211ULL;
  }
  /// -0 and 0 are one number.
  void add(double number) { add(std::bit_cast<std::uint64_t>(number + 0.0)); }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

/// Numbers states in the order of their first visit.
class Numbering {
 public:
  std::uint64_t number(State state) {
    const auto [place, fresh] = numbers_.try_emplace(state, order_.size());
    if (fresh) order_.push_back(state);
    return place->second;
  }
  [[nodiscard]] const std::vector<State>& order() const { return order_; }

 private:
  std::unordered_map<State, std::uint64_t> numbers_;
  std::vector<State> order_;
};

}  // namespace

std::uint64_t content_digest(const Pair& pair) {
  const auto vocabulary = static_cast<std::size_t>(pair.vocabulary());
  Digest digest;
  digest.add(std::uint64_t{vocabulary});
  digest.add(static_cast<std::uint64_t>(pair.length().value_or(-1)));
  digest.add(static_cast<std::uint64_t>(pair.end_token().value_or(-1)));
  Numbering states;
  for (const Start& start : pair.start()) {
    digest.add(states.number(start.state));
    digest.add(to_double(start.probability));
  }
  std::vector<double> draft(vocabulary);
  std::vector<double> target(vocabulary);
  std::size_t cells = 0;
  for (std::size_t i = 0; i < states.order().size(); ++i) {
    if (i > 0 && cells + vocabulary > kMostContentCells) {
      for (const InputFile& file : pair.inputs()) digest.add(file.digest);
      break;
    }
    cells += vocabulary;
    const State state = states.order()[i];
    check_interrupted();
    pair.rows(state, draft, target);
    if (pair.resets()) {
      for (const Start& root : pair.roots(state)) {
        digest.add(states.number(root.state));
        digest.add(to_double(root.probability));
      }
    }
    for (std::size_t x = 0; x < vocabulary; ++x) {
      digest.add(draft[x]);
      digest.add(target[x]);
      if (!(draft[x] > 0) && !(target[x] > 0)) continue;
      digest.add(states.number(pair.next(state, static_cast<Token>(x))));
    }
  }
  return digest.value();
}

}  // namespace speclab
