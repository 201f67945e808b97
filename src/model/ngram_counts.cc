#include "model/ngram_counts.h"

#include <algorithm>
#include <numeric>

namespace speclab {

NgramCounts::NgramCounts(std::span<const Token> tokens, int order)
    : suffix_{0}, level_begin_{0, 1} {
  std::vector<State> gram(tokens.size(), 0);  // node of the n-gram that begins at each place
  for (int length = 1; length <= order; ++length) {
    add_level(tokens, static_cast<std::size_t>(length), gram);
    if (length == order) break;
    for (State node = level_begin_[level_begin_.size() - 2], parent = 0; node < level_begin_.back();
         ++node) {
      while (first_child_[parent + 1] <= node) ++parent;
      suffix_.push_back(length == 1 ? 0 : child(suffix_[parent], children_[node - 1].token));
    }
  }
}

void NgramCounts::add_level(std::span<const Token> tokens, std::size_t length,
                            std::vector<State>& gram) {
  const auto last = [&](std::size_t place) { return tokens[place + length - 1]; };
  std::vector<std::uint32_t> places(tokens.size() - length + 1);
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return gram[a] != gram[b] ? gram[a] < gram[b] : last(a) < last(b);
  });
  const State parents_end = level_begin_.back();
  first_child_.resize(level_begin_[level_begin_.size() - 2]);
  Token token = 0;
  State node = parents_end - 1;
  for (const std::uint32_t place : places) {
    const bool is_new = first_child_.size() <= gram[place] || last(place) != token;
    if (is_new) {
      ++node;
      while (first_child_.size() <= gram[place]) first_child_.push_back(node);
      token = last(place);
      children_.push_back({token, 0});
    }
    ++children_.back().count;
    gram[place] = node;
  }
  first_child_.resize(parents_end + 1, node + 1);
  level_begin_.push_back(node + 1);
}

State NgramCounts::child(State state, Token token) const {
  const auto all = followers(state);
  if (all.empty()) return 0;
  // The last follower of at most `token`. Selections: a branch would be mispredicted half the time.
  const Child* from = all.data();
  for (std::size_t left = all.size(); left > 1;) {
    const std::size_t half = left / 2;
    from = from[half].token <= token ? from + half : from;
    left -= half;
  }
  if (from->token != token) return 0;
  return first_child_[state] + static_cast<State>(from - all.data());
}

State NgramCounts::next(State state, Token token) const {
  if (states() == 1) return 0;
  if (state >= level_begin_[level_begin_.size() - 3]) state = suffix_[state];
  for (;; state = suffix_[state]) {
    const State found = child(state, token);
    if (found != 0 || state == 0) return found;
  }
}

int NgramCounts::depth(State state) const {
  return static_cast<int>(std::upper_bound(level_begin_.begin(), level_begin_.end(), state) -
                          level_begin_.begin() - 1);
}

}  // namespace speclab
