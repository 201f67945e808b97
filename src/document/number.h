#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/rational.h"

namespace speclab {

/// Longest fraction written out, in characters; a longer one is left out ("exact" is null).
inline constexpr std::size_t kLongestFraction = 1000;

/// Longest fraction in a table, in characters; a longer one is shown as a decimal alone.
inline constexpr std::size_t kLongestInline = 13;

/// A short decimal that reads back to the same double, as in JSON: "0.1", "16.0", "1e-300".
/// @pre value is finite
std::string shortest(double value);

/// Six decimals for reading: "16.404890", "0"; four digits and an exponent below 1e-4: "1.250e-07";
/// an exponent from 1e9 on, too.
std::string readable(double value);

/// "11/9", or nothing where it would be longer than kLongestFraction.
std::optional<std::string> fraction_text(const std::optional<Rational>& fraction);

/// "11/9", "2", "1.222222": the fraction alone where it has `longest` characters at most.
std::string fraction_or_number(double number, const std::optional<Rational>& fraction,
                               std::size_t longest);

/// "1.222222 = 11/9", "2", "1.222222": the fraction where it has `longest` characters at most.
std::string number_text(double number, const std::optional<Rational>& fraction,
                        std::size_t longest);

}  // namespace speclab
