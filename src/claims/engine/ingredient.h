#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"

namespace speclab {

/// What a fault does to an ingredient of a check.
enum class Fault {
  none,
  zeroed,    ///< 0 in place of the number
  halved,    ///< half of it
  doubled,   ///< twice it
  raised,    ///< 1/7 more
  lowered,   ///< 1/7 less
  constant,  ///< 1/7, whatever the number is
  levelled,  ///< of a list: the mean of its numbers in place of each
  replaced,  ///< another verifier in place of the one that is named
};

/// A fault that the tests plant in one ingredient of a claim's check, and that must change the
/// claim's verdict: zeroed("sun2025.coupling"), replaced("block", "wrong-block").
struct Bite {
  std::string_view ingredient;  ///< as the check calls it; of `replaced`: the verifier's name
  Fault fault = Fault::none;
  std::string_view by{};  ///< of `replaced`: the verifier that takes its place

  /// "sun2025.coupling zeroed", "block replaced by wrong-block".
  [[nodiscard]] std::string text() const;
};

// The faults as a row lists them.
constexpr Bite zeroed(std::string_view ingredient) { return {ingredient, Fault::zeroed}; }
constexpr Bite halved(std::string_view ingredient) { return {ingredient, Fault::halved}; }
constexpr Bite doubled(std::string_view ingredient) { return {ingredient, Fault::doubled}; }
constexpr Bite raised(std::string_view ingredient) { return {ingredient, Fault::raised}; }
constexpr Bite lowered(std::string_view ingredient) { return {ingredient, Fault::lowered}; }
constexpr Bite constant(std::string_view ingredient) { return {ingredient, Fault::constant}; }
constexpr Bite levelled(std::string_view ingredient) { return {ingredient, Fault::levelled}; }
constexpr Bite replaced(std::string_view verifier, std::string_view by) {
  return {verifier, Fault::replaced, by};
}

// Every check hands its ingredients through these functions: a closed form, the worth of a linear
// program, what a helper of its own computed. They return what they are given. The tests link
// definitions of their own that plant a Bite; the program has no way to.

/// A number. `name` is "CLAIM or HELPER.PART": "sun2025.theorem1.formula".
Rational ingredient(std::string_view name, Rational value);
double ingredient(std::string_view name, double value);
std::vector<Rational> ingredient(std::string_view name, std::vector<Rational> values);

/// The verifier that a check asks about, by its spec text.
std::string played(std::string_view verifier);

}  // namespace speclab
