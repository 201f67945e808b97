#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/power.h"
#include "model/pairs.h"
#include "model/rows.h"
#include "theory/measure.h"

namespace speclab {

using Rationals = std::vector<Rational>;

inline Rational R(const char* text) { return parse_rational(text); }

/// Laws given state by state; token x leads from state s to `successor(s, x)`.
class ListedPair : public RationalPair {
 public:
  using RationalPair::rows;
  std::vector<std::vector<Rational>> drafts, targets;
  std::vector<std::vector<State>> successors;

  [[nodiscard]] Token vocabulary() const override { return static_cast<Token>(drafts[0].size()); }
  [[nodiscard]] State states() const override { return static_cast<State>(drafts.size()); }
  [[nodiscard]] State next(State state, Token x) const override {
    return successors[state][static_cast<std::size_t>(x)];
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    for (std::size_t x = 0; x < draft.size(); ++x) {
      draft[x] = drafts[state][x];
      target[x] = targets[state][x];
    }
  }
};

inline std::vector<Rational> law_of(const std::vector<std::string>& entries) {
  std::vector<Rational> law;
  for (const auto& entry : entries) law.push_back(parse_rational(entry));
  return law;
}

/// One law for every position.
inline PairPointer iid(const std::vector<std::string>& draft,
                       const std::vector<std::string>& target) {
  auto pair = std::make_shared<ListedPair>();
  pair->drafts = {law_of(draft)};
  pair->targets = {law_of(target)};
  pair->successors = {std::vector<State>(draft.size(), 0)};
  pair->set_name("iid");
  return pair;
}

/// d = (2/3, 1/3), t = (1/3, 2/3).
inline PairPointer toy() { return iid({"2/3", "1/3"}, {"1/3", "2/3"}); }

/// Random laws with denominators up to 7 and many zeros, on states that are tangled at random. Some
/// states have equal laws, some have laws of disjoint supports.
inline PairPointer random_pair(unsigned seed, std::size_t vocabulary, std::size_t states) {
  std::mt19937 engine(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(engine() % n); };
  const auto law = [&] {
    std::vector<Rational> weights(vocabulary);
    Rational total(0);
    for (auto& weight : weights) {
      weight = Rational(static_cast<long>(below(4)));
      total += weight;
    }
    if (total == 0) {
      weights[below(vocabulary)] = 1;
      total = 1;
    }
    for (auto& weight : weights) weight /= total;
    return weights;
  };
  auto pair = std::make_shared<ListedPair>();
  for (std::size_t s = 0; s < states; ++s) {
    pair->drafts.push_back(law());
    pair->targets.push_back(below(5) == 0 ? pair->drafts.back() : law());
    if (vocabulary > 1 && below(6) == 0) {
      std::vector<Rational> first(vocabulary), last(vocabulary);
      first.front() = 1;
      last.back() = 1;
      pair->drafts.back() = first;
      pair->targets.back() = last;
    }
    std::vector<State> successors;
    for (std::size_t x = 0; x < vocabulary; ++x) {
      successors.push_back(static_cast<State>(below(states)));
    }
    pair->successors.push_back(successors);
  }
  pair->set_name("random(" + std::to_string(seed) + ")");
  return pair;
}

/// One path of tokens with the joint probabilities of its prefixes and the states along it.
struct Path {
  std::vector<Token> tokens;
  std::vector<State> states;                        ///< before each token, and after the last
  std::vector<Rational> joint_draft, joint_target;  ///< of the first 0, 1, ... tokens
};

/// All V^length paths from `start`.
inline std::vector<Path> all_paths(const Pair& pair, State start, int length) {
  std::vector<Path> paths{{{}, {start}, {Rational(1)}, {Rational(1)}}};
  for (int i = 0; i < length; ++i) {
    std::vector<Path> longer;
    for (const Path& path : paths) {
      const auto [draft, target] = laws_at(pair, path.states.back());
      for (std::size_t x = 0; x < draft.size(); ++x) {
        Path next = path;
        next.tokens.push_back(static_cast<Token>(x));
        next.states.push_back(pair.next(path.states.back(), static_cast<Token>(x)));
        next.joint_draft.push_back(path.joint_draft.back() * draft[x]);
        next.joint_target.push_back(path.joint_target.back() * target[x]);
        longer.push_back(std::move(next));
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

/// 1 + the least t(H) - d(H)^k over all sets of outcomes.
inline Rational least_over_sets(const Rationals& draft, const Rationals& target, int k) {
  Rational least(0);
  for (std::size_t set = 0; set < (std::size_t{1} << draft.size()); ++set) {
    Rational d(0), t(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (((set >> x) & 1) == 0) continue;
      d += draft[x];
      t += target[x];
    }
    least = std::min(least, Rational(t - power<Rational>(d, k)));
  }
  return 1 + least;
}

}  // namespace speclab
