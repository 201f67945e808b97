#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "theory/budget.h"
#include "theory/measure.h"
#include "theory/predictions.h"

namespace speclab {

// The tools for the rows of the table of predictions (one <paper>.cc each).

/// Thrown by a row's function: the setting is outside the formula's hypotheses.
struct OutsideHypotheses {};

/// A setting in one arithmetic, and the predictions made so far.
template <class Real>
class Inquiry {
 public:
  Inquiry(const Setting& setting, const Latency& latency, std::string_view claim)
      : setting_(setting),
        latency_(latency),
        claim_(claim),
        rows(setting.pair),
        start(start_law(rows)),
        budget(setting.max_work) {}

  /// The draft length of an iteration: gamma, or the horizon, or the pair's length; never beyond
  /// the pair's length.
  [[nodiscard]] int drafts() const {
    const std::optional<int> length = setting_.pair->length();
    int drafts = setting_.lengths.gamma;
    if (drafts == kUnbounded && setting_.lengths.horizon) drafts = *setting_.lengths.horizon;
    if (length) drafts = std::min(drafts, *length);
    if (drafts == kUnbounded) throw OutsideHypotheses();
    return drafts;
  }

  /// The horizon T, where drafts reach it (no bonus token; only the horizon cuts a draft).
  [[nodiscard]] int unbroken_horizon() const {
    const int horizon = any_horizon();
    require(setting_.lengths.gamma >= horizon);
    return horizon;
  }

  /// The horizon T, whatever the draft length.
  [[nodiscard]] int any_horizon() const {
    require(setting_.lengths.horizon.has_value());
    require(!setting_.pair->length() || *setting_.lengths.horizon <= *setting_.pair->length());
    return *setting_.lengths.horizon;
  }

  /// The number of predictable E[N(1)], E[N(2)], ...: full iterations only, and none where a run
  /// ends at an end-of-sequence token.
  [[nodiscard]] int iterations() const {
    const int gamma = setting_.lengths.gamma;
    if (gamma == kUnbounded || setting_.pair->end_token()) return 0;
    const std::optional<int> length = setting_.pair->length();
    return length ? std::min(setting_.lengths.iterations, *length / (gamma + 1))
                  : setting_.lengths.iterations;
  }

  [[nodiscard]] const Setting& setting() const { return setting_; }
  /// Of a row of modelled time or work.
  [[nodiscard]] const Latency& latency() const { return latency_; }
  [[nodiscard]] SpecReader parameters() const { return SpecReader(setting_.verifier); }
  [[nodiscard]] int count(std::string_view key) const {
    return static_cast<int>(parameters().integer(key, 1, kUnbounded - 1));
  }
  [[nodiscard]] Real number(std::string_view key) const {
    return from_rational<Real>(parameters().number(key));
  }

  static void require(bool condition) {
    if (!condition) throw OutsideHypotheses();
  }

  /// @throws LimitError when the limit of elementary steps would be exceeded
  void spend(double steps) { budget.spend<Real>(steps); }

  /// Adds one number of a quantity; `index` is that of an element of a list. Closed forms of
  /// several iterations take their drafts' laws to depend on the prefix alone: where the pair
  /// resets (model/pair.h), those of the first iteration alone are added.
  void add(QuantityId quantity, const Real& value, Relation relation = Relation::equals,
           std::optional<int> index = std::nullopt) {
    if (setting_.pair->resets() && !of_first_iteration(quantity, index)) return;
    put(quantity, value, relation, index);
  }

 private:
  static bool of_first_iteration(QuantityId id, std::optional<int> index) {
    return quantity(id).scope == QuantityScope::iteration ||
           (id == QuantityId::expected_tokens && index == 1);
  }

  void put(QuantityId quantity, const Real& value, Relation relation, std::optional<int> index) {
    if (!std::isfinite(to_double(value))) return;
    Prediction prediction{std::string(claim_), quantity, index, to_double(value), {}, relation};
    if constexpr (std::is_same_v<Real, Rational>) prediction.exact = value;
    made.push_back(std::move(prediction));
  }

 public:
  /// Adds, from tail[i] = P(tau >= i), E[tau] and, up to kMostLengths of them, P(tau = i), P(tau >=
  /// i).
  void add_accepted(const std::vector<Real>& tail) {
    add(QuantityId::expected_accepted, expectation(tail));
    if (tail.size() > kMostLengths) return;
    for (std::size_t i = 0; i < tail.size(); ++i) {
      const Real next = i + 1 < tail.size() ? tail[i + 1] : Real(0);
      add(QuantityId::accepted_law, positive_part<Real>(tail[i] - next), Relation::equals,
          static_cast<int>(i));
    }
    for (std::size_t i = 1; i < tail.size(); ++i) {
      add(QuantityId::accepted_tail, tail[i], Relation::equals, static_cast<int>(i));
    }
  }

  /// Adds bounds of E[tau] and of P(tau >= i), i = 0 .. gamma.
  void add_accepted_bounds(const std::vector<Real>& low, const std::vector<Real>& high) {
    const auto add_both = [&](QuantityId id, const Real& least, const Real& most,
                              std::optional<int> index) {
      add(id, least, Relation::at_least, index);
      add(id, most, Relation::at_most, index);
    };
    add_both(QuantityId::expected_accepted, expectation(low), expectation(high), std::nullopt);
    for (std::size_t i = 1; i < low.size(); ++i) {
      add_both(QuantityId::accepted_tail, low[i], high[i], static_cast<int>(i));
    }
  }

  /// Adds the target calls of a decode, unless a run may end early at an end-of-sequence token.
  void add_calls(const Real& calls) {
    if (!setting_.pair->end_token()) add(QuantityId::target_calls, calls);
  }

  /// Adds the claim of a lossless verifier where whole decodes are requested.
  void add_lossless() {
    if (!setting_.lengths.horizon) return;
    put(QuantityId::tv_to_target, Real(0), Relation::equals, std::nullopt);
  }

  void add_tokens(const std::vector<Real>& tokens, Relation relation = Relation::equals) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      add(QuantityId::expected_tokens, tokens[i], relation, static_cast<int>(i) + 1);
    }
  }

 private:
  static constexpr std::size_t kMostLengths = 65;
  const Setting& setting_;
  const Latency& latency_;
  std::string_view claim_;

 public:
  Rows<Real> rows;
  Measure<Real> start;
  Budget budget;
  std::vector<Prediction> made;
};

/// The row of a verifier that is stated to be lossless.
inline constexpr auto lossless = [](auto& inquiry) { inquiry.add_lossless(); };

/// The rows of each paper.
std::span<const PredictionRow> daliri2024_rows();
std::span<const PredictionRow> decodes_rows();
std::span<const PredictionRow> leviathan2023_rows();
std::span<const PredictionRow> lin2026_rows();
std::span<const PredictionRow> miao2023_rows();
std::span<const PredictionRow> multi_draft_rows();
std::span<const PredictionRow> narasimhan2025_rows();
std::span<const PredictionRow> sun2024_rows();
std::span<const PredictionRow> sun2025_rows();
std::span<const PredictionRow> weng2025_rows();
std::span<const PredictionRow> yin2024_rows();
std::span<const PredictionRow> zhong2025_rows();

}  // namespace speclab
