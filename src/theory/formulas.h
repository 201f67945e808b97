#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "base/spec.h"
#include "model/pair.h"
#include "model/quantities.h"

namespace speclab {

// Closed forms of papers that belong to no particular verifier: of numbers alone, or of a pair. (A
// formula for one verifier's result is a prediction, see predictions.h.)

/// One value of a formula.
struct FormulaValue {
  QuantityId quantity{};
  double value = 0;
  std::optional<Rational> exact;  ///< in rational arithmetic
};

/// The arguments of a formula.
struct FormulaSetting {
  PairPointer pair;  ///< null where the formula takes none
  int gamma = 1;     ///< a formula with no draft length takes kUnbounded too
  bool rational = true;
};

struct FormulaRow {
  std::string_view name;
  std::string_view parameters;
  std::string_view prose;
  std::string_view source;
  bool needs_pair;
  std::vector<FormulaValue> (*compute)(SpecReader& spec, const FormulaSetting& setting);
};

/// All formulas, in listing order.
std::span<const FormulaRow> formula_rows();

/// A formula's values and its canonical spec text.
struct FormulaResult {
  std::string name;
  std::vector<FormulaValue> values;
};

/// @throws InputError naming the spec, the parameter and what to write; also where the pair is
/// missing or outside the formula's hypotheses, or gamma is kUnbounded in a formula of gamma
/// tokens. Error when interrupted
FormulaResult evaluate_formula(std::string_view text, const FormulaSetting& setting);

}  // namespace speclab
