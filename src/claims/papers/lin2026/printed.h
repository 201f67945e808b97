#pragma once

#include <array>
#include <string_view>

#include "claims/engine/row.h"

namespace speclab {

// The printed numbers of lin2026, Tables 1 to 5. They are measured on language models and cannot be
// reproduced here; what follows from them can be checked: averages, gains, the order of the
// methods, and what "acceptance rate" counts.
namespace lin2026_printed {

/// The methods in the order of the columns: SD, SpecTr, GBV, SpecTr-GBV.
inline constexpr int kMethods = 4;
inline constexpr std::array<std::string_view, kMethods> kNames{"SD", "SpecTr", "GBV", "SpecTr-GBV"};

/// A printed row of Tables 1, 3, 4, 5, in hundredths.
struct PrintedRow {
  std::string_view where;
  std::array<int, kMethods> efficiency;  ///< BE
  std::array<int, kMethods> speedup;     ///< SR
};

inline constexpr std::array<PrintedRow, 8> kLengths{{
    {"Table 3, L = 12", {953, 1025, 960, 1045}, {202, 221, 203, 250}},
    {"Table 3, L = 16", {1136, 1256, 1137, 1263}, {193, 256, 194, 252}},
    {"Table 3, L = 20", {1310, 1364, 1319, 1458}, {188, 255, 186, 287}},
    {"Table 3, L = 24", {1463, 1622, 1508, 1652}, {180, 233, 185, 268}},
    {"Table 5, L = 4", {442, 457, 444, 462}, {119, 115, 119, 126}},
    {"Table 5, L = 8", {706, 753, 706, 770}, {119, 115, 119, 128}},
    {"Table 5, L = 12", {939, 1011, 989, 1029}, {112, 116, 114, 126}},
    {"Table 5, L = 16", {1123, 1222, 1158, 1249}, {106, 113, 108, 123}},
}};

/// How far new_value / old_value - 1 of the numbers behind two printed ones may lie from a gain of
/// theirs that is printed in tenths of a percent. Each number is off by at most half a unit of its
/// last digit, so that the ratio changes by at most (new + 1/2) / (old - 1/2) - new / old = (1 +
/// new / old) / (2 old - 1); the gain is off by at most 1/2000.
inline Rational gain_rounding(int old_value, int new_value) {
  return Rational(1, 2000) + (1 + Rational(new_value, old_value)) / (2 * old_value - 1);
}

inline constexpr Family kTables{
    .text = "the printed numbers of Tables 1 to 5",
    .make = [](Effort) { return std::vector{printed_numbers()}; },
};

}  // namespace lin2026_printed
}  // namespace speclab
