#include "experiment/trend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// The text that a row has at a coordinate, or "".
std::string coordinate_text(const Expected& entry, const ChosenRow& chosen) {
  const TaskPlace& place = *chosen.place;
  if (entry.along == "index") return chosen.row.index;
  if (entry.along == "trials") return place.trials ? std::to_string(*place.trials) : "";
  const std::string* value = place.column(entry.along);
  return value == nullptr ? "" : *value;
}

/// The number of a row along a coordinate.
Rational coordinate(const Expected& entry, const ChosenRow& chosen) {
  const std::string text = coordinate_text(entry, chosen);
  if (text.empty()) {
    throw InputError("there is no coordinate '" + abbreviate(entry.along) +
                     "'; a trend runs along gamma, horizon, iterations, index, trials or a "
                     "variable");
  }
  try {
    return parse_rational(text);
  } catch (const InputError&) {
    throw InputError(
        fmt::format("'{}' of {} is no number to follow a trend along", text, entry.along));
  }
}

/// Names the series of a row: all its coordinates but the one the trend runs along.
std::string series_of(const Expected& entry, const ChosenRow& chosen) {
  const TaskPlace& place = *chosen.place;
  std::string text =
      between_bars(place.pair_template) + "|" + between_bars(place.verifier_template);
  const auto add = [&](const std::string& name, const std::string& value) {
    if (name != entry.along) text += fmt::format("|{}={}", name, between_bars(value));
  };
  for (const auto& [name, value] : place.vary) add(name, value);
  add("gamma", place.gamma);
  add("horizon", place.horizon);
  add("iterations", place.iterations);
  add("index", chosen.row.index);
  add("trials", place.trials ? std::to_string(*place.trials) : "");
  return text;
}

/// From one row of a series to a later one.
struct Step {
  double change;  ///< the way the trend goes
  double error;   ///< standard error of the change
  double room;    ///< by which rounding may move it
};

Step step_between(const ChosenRow& a, const ChosenRow& b, double sign) {
  const AnswerRow &from = a.row, &to = b.row;
  if (from.exact && to.exact) {
    return {sign * to_double(Rational(*to.exact - *from.exact)), 0, 0};
  }
  const double first = from.standard_error.value_or(0), second = to.standard_error.value_or(0);
  return {sign * (to.value - from.value),
          a.place->pair == b.place->pair ? first + second : std::hypot(first, second),
          kExpectedRounding * std::max(std::abs(from.value), std::abs(to.value))};
}

/// @param weak  whether an equal value follows the trend too
Said said(const Step& step, bool weak) {
  const double noise = kExpectedErrors * step.error;
  if (noise > 0) {
    return step.change > noise ? Said::yes : step.change < -noise ? Said::no : Said::open;
  }
  return step.change > (weak ? -step.room : step.room) || (weak && step.change == 0) ? Said::yes
                                                                                     : Said::no;
}

/// Whether a row may go against the trend from one of those before it: among fractions, where it
/// does so from the one that is furthest along the trend.
class Highest {
 public:
  Highest(double sign, bool weak) : sign_(sign), weak_(weak) {}

  void add(const ChosenRow& chosen) {
    all_exact_ = all_exact_ && chosen.row.exact;
    if (!all_exact_) return;
    if (row_ == nullptr || step_between(*row_, chosen, sign_).change > 0) row_ = &chosen;
  }
  [[nodiscard]] bool against(const ChosenRow& chosen) const {
    if (!all_exact_ || !chosen.row.exact) return true;
    return said(step_between(*row_, chosen, sign_), weak_) == Said::no;
  }

 private:
  double sign_;
  bool weak_;
  bool all_exact_ = true;
  const ChosenRow* row_ = nullptr;
};

using Series = std::vector<std::pair<Rational, const ChosenRow*>>;

/// Follows one series after another.
class Follower {
 public:
  Follower(const Expected& entry)
      : entry_(entry),
        sign_(entry.trend == "increases" || entry.trend == "non-decreasing" ? 1 : -1),
        weak_(entry.trend.starts_with("non-")) {}

  void follow(const Series& series) {
    bool all = true;
    Highest highest(sign_, weak_);
    for (std::size_t i = 1; i < series.size(); ++i) {
      check_interrupted();
      highest.add(*series[i - 1].second);
      const Step step = step_between(*series[i - 1].second, *series[i].second, sign_);
      widest_ = std::max(widest_, step.error);
      const bool follows = said(step, weak_) == Said::yes;
      ++steps_;
      if (follows) ++followed_;
      all = all && follows;
      // A slow turn is seen only between values that are no neighbours.
      if (!highest.against(*series[i].second)) continue;
      for (std::size_t j = 0; j < i && against_.empty(); ++j) {
        if (said(step_between(*series[j].second, *series[i].second, sign_), weak_) == Said::no) {
          against_ = against(*series[j].second, *series[i].second);
        }
      }
    }
    ++count_;
    if (all) ++whole_;
  }

  [[nodiscard]] Said verdict() const {
    return !against_.empty() ? Said::no : whole_ == count_ ? Said::yes : Said::open;
  }

  [[nodiscard]] std::string text() const {
    std::string text =
        fmt::format("in {} of {} series, {} of {} steps", whole_, count_, followed_, steps_);
    if (!against_.empty()) text += "; " + against_;
    if (widest_ > 0) {
      text += fmt::format("; a step of {:.2g} is seen with power {}", kSeenErrors * widest_,
                          kExpectedPower);
    }
    return text;
  }

 private:
  /// "from 0.166 to 0.154 between temperature 0.8 and 1, drafter 2".
  [[nodiscard]] std::string against(const ChosenRow& a, const ChosenRow& b) const {
    std::string text =
        fmt::format("from {:.6g} to {:.6g} between {} {} and {}", a.row.value, b.row.value,
                    entry_.along, coordinate_text(entry_, a), coordinate_text(entry_, b));
    for (const auto& [name, value] : a.place->vary) {
      if (name != entry_.along) text += fmt::format(", {} {}", name, value);
    }
    return text;
  }

  const Expected& entry_;
  double sign_;
  bool weak_;
  std::size_t steps_ = 0, followed_ = 0, count_ = 0, whole_ = 0;
  double widest_ = 0;
  std::string against_;  ///< the first two values found that go the other way
};

}  // namespace

Said follow_trend(ExpectedResult& result) {
  const Expected& entry = *result.entry;
  std::map<std::string, Series> all;
  for (const ChosenRow& chosen : result.rows) {
    check_interrupted();
    all[series_of(entry, chosen)].emplace_back(coordinate(entry, chosen), &chosen);
  }
  Follower follower(entry);
  for (auto& [name, series] : all) {
    std::stable_sort(series.begin(), series.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (series.size() < 2) {
      throw InputError("a trend needs two rows along " + entry.along);
    }
    follower.follow(series);
  }
  result.detail = follower.text();
  return follower.verdict();
}

}  // namespace speclab
