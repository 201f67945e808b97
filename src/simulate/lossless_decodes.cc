#include "simulate/lossless_decodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace speclab {
namespace {

constexpr std::size_t kMostMeeting = 64;  ///< states of a position
constexpr double kMostMeetingWork = 2e7;  ///< probabilities compared in all

using NextLaw = std::map<State, double>;

NextLaw next_law(const Rows<double>& rows, State state) {
  NextLaw law;
  const auto target = rows.target(state);
  for (std::size_t x = 0; x < target.size(); ++x) {
    if (target[x] > 0) law[rows.next(state, static_cast<Token>(x))] += target[x];
  }
  return law;
}

double distance_between(const NextLaw& one, const NextLaw& other) {
  double common = 0;
  for (const auto& [state, probability] : one) {
    const auto found = other.find(state);
    if (found != other.end()) common += std::min(probability, found->second);
  }
  return std::clamp(1 - common, 0.0, 1.0);
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
    std::vector<NextLaw> laws;
    NextLaw after;
    for (const State state : states) {
      laws.push_back(next_law(rows, state));
      after.insert(laws.back().begin(), laws.back().end());
    }
    double largest = 0;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        largest = std::max(largest, distance_between(laws[i], laws[j]));
      }
    }
    apart.push_back(largest);
    std::vector<State> reached;
    for (const auto& [state, probability] : after) reached.push_back(state);
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
