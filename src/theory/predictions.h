#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "model/quantities.h"
#include "theory/setting.h"

namespace speclab {

/// The cost of each kind of work, in seconds, FLOPs or any one unit, for one verifier and draft
/// length; converts calls into modelled time and work.
struct Latency {
  double draft = 0;     ///< one draft step, of all drafts of the iteration
  double verifier = 0;  ///< one call of a low-complexity verifier
  double target = 1;    ///< one call of the target on all positions of a full window
  double single = 1;    ///< one call of the target on one position
  double rule = 0;      ///< the verification rule's own time for a full window
  /// One call of the target on a full window, with the rule's time.
  [[nodiscard]] double call() const { return target + rule; }
  /// Whether a call's cost depends on neither the window nor the rule, as the papers assume.
  [[nodiscard]] bool flat() const { return target == single && rule == 0; }
};

enum class Relation { equals, at_most, at_least };

/// One closed-form value.
struct Prediction {
  std::string claim;  ///< e.g. "yin2024.theorem1"
  QuantityId quantity{};
  std::optional<int> index;  ///< index of an element of a list, numbered as in model/quantities.h
  double value = 0;
  std::optional<Rational> exact;  ///< in rational arithmetic
  Relation relation = Relation::equals;
};

template <class Real>
class Inquiry;

/// What a closed form adds to an Inquiry, in either arithmetic: a generic lambda without captures.
struct RowFunction {
  void (*exact)(Inquiry<Rational>& inquiry) = nullptr;
  void (*floating)(Inquiry<double>& inquiry) = nullptr;

  constexpr RowFunction(std::nullptr_t = nullptr) {}
  template <class Compute>
  constexpr RowFunction(Compute compute) : exact(compute), floating(compute) {}
};

/// The names of the verifiers that a closed form is about.
using Verifiers = std::array<std::string_view, 14>;
template <class... Name>
constexpr Verifiers about(Name... names) {
  return {names...};
}

/// One closed form. It adds nothing where its work would exceed `max_work` (or `max_decode_work`)
/// or the setting violates its hypotheses.
struct PredictionRow {
  std::string_view claim;
  Verifiers verifiers;
  std::string_view prose;   ///< one line of plain ASCII mathematics
  std::string_view source;  ///< paper and number
  RowFunction compute;
  RowFunction cost = nullptr;  ///< of modelled time and work
  bool in_doubles = false;     ///< in either arithmetic
  bool decode = false;         ///< of whole decodes at any draft length
};

/// Whether so many tokens have few enough contexts for closed forms in fractions: each number that
/// is read may have a denominator of its own, and sums of them as many digits as all together.
bool few_denominators(const Pair& pair, int tokens);

/// All closed forms, paper by paper.
std::span<const PredictionRow> prediction_rows();

/// Every prediction that applies to the setting, in the order of the rows.
std::vector<Prediction> predict(const Setting& setting);

/// Every prediction of modelled time and work, at these latencies.
std::vector<Prediction> predict_costs(const Setting& setting, const Latency& latency);

}  // namespace speclab
