#include "simulate/lossless_decodes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace speclab {
namespace {

constexpr std::size_t kMostMeeting = 64;  ///< states of a position
constexpr double kMostMeetingWork = 2e7;  ///< probabilities compared in all

/// The laws of the next state, [states][reached], flat; `reached` becomes the states that have
/// probability after any of `states`, in ascending order.
std::vector<double> next_laws(const Rows<double>& rows, const std::vector<State>& states,
                              std::vector<State>& reached) {
  reached.clear();
  for (const State state : states) {
    const auto target = rows.target(state);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] > 0) reached.push_back(rows.next(state, static_cast<Token>(x)));
    }
  }
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  std::vector<double> laws(states.size() * reached.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto target = rows.target(states[i]);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] <= 0) continue;
      const State next = rows.next(states[i], static_cast<Token>(x));
      const auto at = std::lower_bound(reached.begin(), reached.end(), next) - reached.begin();
      laws[i * reached.size() + static_cast<std::size_t>(at)] += target[x];
    }
  }
  return laws;
}

/// The largest distance (TV) of two of the laws, [count][size] flat.
double largest_distance(const std::vector<double>& laws, std::size_t count, std::size_t size) {
  double least_common = 1;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double common = 0;
      for (std::size_t x = 0; x < size; ++x) {
        common += std::min(laws[i * size + x], laws[j * size + x]);
      }
      least_common = std::min(least_common, common);
    }
  }
  return std::clamp(1 - least_common, 0.0, 1.0);
}

}  // namespace

double tokens_to_meet(const Rows<double>& rows, int horizon) {
  if (rows.pair().memoryless()) return 0;
  if (rows.resets()) return HUGE_VAL;  // what follows depends on where iterations began, too
  const Rows<double>::Reading reading(rows);
  std::vector<State> states;
  for (const Start& start : rows.pair().start()) states.push_back(start.state);
  std::sort(states.begin(), states.end());
  std::vector<double> apart;  // D by position; the last one is of all later positions too
  bool several = states.size() > 1;
  double work = 0;
  for (int position = 0; position < horizon; ++position) {
    const auto count = static_cast<double>(states.size());
    work += count * (count + 1) * static_cast<double>(rows.vocabulary());
    if (states.size() > kMostMeeting || work > kMostMeetingWork) return HUGE_VAL;
    std::vector<State> reached;
    const std::vector<double> laws = next_laws(rows, states, reached);
    apart.push_back(largest_distance(laws, states.size(), reached.size()));
    several = several || reached.size() > 1;
    if (reached == states) break;
    states = std::move(reached);
  }
  if (!several) return 0;
  double expected = 0, most = 0;
  for (int position = horizon - 1; position >= 0; --position) {
    const auto at = std::min(static_cast<std::size_t>(position), apart.size() - 1);
    expected = 1 + apart[at] * expected;
    most = std::max(most, expected);
  }
  return most;
}

Range reached_range(const Spread& spread, double effect) {
  constexpr double kDeviations = 3;
  const double reach = kDeviations * std::sqrt(spread.variance) + effect;
  return {std::max(spread.range.low, spread.mean - reach),
          std::min(spread.range.high, spread.mean + reach)};
}

}  // namespace speclab
