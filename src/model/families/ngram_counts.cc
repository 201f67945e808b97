#include "model/families/ngram_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Stable counting sort of `places` by key(place) < keys; its time does not depend on the keys.
template <class Key>
std::vector<std::uint32_t> sorted_by(const std::vector<std::uint32_t>& places, std::size_t keys,
                                     const Key& key) {
  std::vector<std::uint32_t> next(keys + 1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i % kPollStride == 0) check_interrupted();
    ++next[key(places[i]) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> sorted(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i % kPollStride == 0) check_interrupted();
    sorted[next[key(places[i])]++] = places[i];
  }
  return sorted;
}

}  // namespace

double NgramCounts::most_bytes(std::size_t tokens, Token vocabulary, int order) {
  const auto places = static_cast<double>(tokens);
  const auto width = static_cast<double>(vocabulary);
  double grams = 1;
  double nodes = 0;
  double parents = 1;  // nodes of the second longest n-grams
  for (int length = 1; length <= order; ++length) {
    parents = grams;
    nodes += grams = std::min(places, grams * width);
  }
  // The n-gram at each place, its places before and after a sort, and the offsets of the keys.
  const double making = places * 3 * sizeof(State) + std::max(parents, width) * sizeof(State);
  return making + nodes * sizeof(Child) + (nodes - grams + 2) * 2 * sizeof(State);
}

NgramCounts::NgramCounts(std::span<const Token> tokens, int order)
    : suffix_{0}, level_begin_{0, 1} {
  std::vector<State> gram(tokens.size(), 0);  // node of the n-gram that begins at each place
  for (int length = 1; length <= order; ++length) {
    add_level(tokens, static_cast<std::size_t>(length), gram);
    if (length == order) break;
    for (State node = level_begin_[level_begin_.size() - 2], parent = 0; node < level_begin_.back();
         ++node) {
      if (node % kPollStride == 0) check_interrupted();
      while (first_child_[parent + 1] <= node) ++parent;
      suffix_.push_back(length == 1 ? 0 : child(suffix_[parent], children_[node - 1].token));
    }
  }
}

std::vector<std::uint32_t> NgramCounts::sorted_places(std::span<const Token> tokens,
                                                      std::size_t length,
                                                      const std::vector<State>& gram) const {
  std::vector<std::uint32_t> places(tokens.size() - length + 1);
  std::iota(places.begin(), places.end(), 0U);
  const auto most = static_cast<std::size_t>(*std::max_element(tokens.begin(), tokens.end()));
  places = sorted_by(places, most + 1, [&](std::uint32_t place) {
    return static_cast<std::size_t>(tokens[place + length - 1]);
  });
  const State first = level_begin_[level_begin_.size() - 2];
  return sorted_by(places, level_begin_.back() - first,
                   [&](std::uint32_t place) { return std::size_t{gram[place] - first}; });
}

void NgramCounts::add_level(std::span<const Token> tokens, std::size_t length,
                            std::vector<State>& gram) {
  const auto last = [&](std::size_t place) { return tokens[place + length - 1]; };
  const std::vector<std::uint32_t> places = sorted_places(tokens, length, gram);
  const State parents_end = level_begin_.back();
  first_child_.resize(level_begin_[level_begin_.size() - 2]);
  Token token = 0;
  State node = parents_end - 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i % kPollStride == 0) check_interrupted();
    const std::uint32_t place = places[i];
    const bool is_new = first_child_.size() <= gram[place] || last(place) != token;
    if (is_new) {
      if (++node == std::numeric_limits<State>::max()) {
        throw LimitError(
            fmt::format("the text has more than {} n-grams; lower the order or give "
                        "a shorter text",
                        node - 1));
      }
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
  // The last follower of at most `token`. Branch-free: a branch would be mispredicted half the
  // time.
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
