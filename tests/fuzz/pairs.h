#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "fuzz.h"
#include "model/pair.h"
#include "model/registry.h"

namespace speclab::fuzz {

/// Finite, not negative, summing to 1: exactly in fractions.
template <class Real>
void check_row(std::span<const Real> law) {
  Real sum(0);
  for (const Real& entry : law) {
    demand(entry >= 0 && entry <= 2, "a probability is finite and not negative");
    sum += entry;
  }
  if constexpr (std::is_same_v<Real, double>) {
    demand(std::abs(sum - 1) <= 1e-9, "a law sums to 1 within rounding");
  } else {
    demand(sum == 1, "a law in fractions sums to 1");
  }
}

template <class Real>
struct BothRows {
  std::vector<Real> draft, target;

  BothRows(const Pair& pair, State state)
      : draft(static_cast<std::size_t>(pair.vocabulary())), target(draft.size()) {
    pair.rows(state, std::span<Real>(draft), std::span<Real>(target));
    check_row(std::span<const Real>(draft));
    check_row(std::span<const Real>(target));
  }
  bool operator==(const BothRows&) const = default;
};

/// The laws at a state; of few tokens in fractions too.
inline void check_state(const Pair& pair, State state) {
  constexpr Token kFewTokens = 64;
  demand(state < pair.states(), "a state is one of the pair's");
  demand(pair.draft_state(state) < pair.states(), "a draft's state is one of the pair's");
  const BothRows<double> rows(pair, state);
  if (pair.vocabulary() <= kFewTokens) BothRows<Rational>(pair, state);
}

/// Holds the laws at the start, along a few tokens after it and after its end token.
inline void check_pair(const Pair& pair) {
  constexpr std::size_t kFewStarts = 3;
  constexpr int kFewSteps = 3;
  constexpr Token kManyTokens = 4096;
  demand(pair.vocabulary() >= 1 && pair.states() >= 1, "a pair has a token and a state");
  const std::vector<Start> starts = pair.start();
  Rational sum(0);
  for (const Start& start : starts) {
    demand(start.probability >= 0 && start.state < pair.states(), "a start is one of the states");
    sum += start.probability;
  }
  demand(sum == 1, "the law of the prompt sums to 1");
  if (pair.vocabulary() > kManyTokens) return;
  const int steps = std::min(pair.length().value_or(kFewSteps), kFewSteps);
  for (std::size_t i = 0; i < std::min(starts.size(), kFewStarts); ++i) {
    State state = starts[i].state;
    for (int step = 0; step < steps; ++step) {
      check_state(pair, state);
      state =
          pair.next(state, static_cast<Token>((static_cast<int>(i) + step) % pair.vocabulary()));
    }
  }
  const auto end = pair.end_token();
  if (!end || steps < 2) return;
  const BothRows<double> after(pair, pair.next(starts.front().state, *end));
  demand(after.target[static_cast<std::size_t>(*end)] == 1, "nothing comes after the end token");
}

/// The most that a pair may hold here, in bytes.
inline constexpr double kMostMemory = 64e6;

/// Makes the pair of a spec text and holds it to its laws; its name gives the same pair again.
/// @returns null where the text is refused
inline PairPointer make_checked_pair(std::string_view text) {
  const auto made = accepted([&] { return speclab::make_pair(text, kMostMemory); });
  if (!made) return nullptr;
  const PairPointer& pair = *made;
  // A recording has rows along its paths and no others.
  if (pair->name().starts_with("recorded(")) return pair;
  check_pair(*pair);
  const PairPointer again = speclab::make_pair(pair->name(), kMostMemory);
  demand(again->name() == pair->name(), "a canonical form reads back to itself");
  demand(again->vocabulary() == pair->vocabulary() && again->states() == pair->states() &&
             again->inputs() == pair->inputs(),
         "a canonical form is of the same pair");
  const State start = pair->start().front().state;
  demand(BothRows<double>(*pair, start) == BothRows<double>(*again, start),
         "a canonical form has the same laws");
  return pair;
}

}  // namespace speclab::fuzz
