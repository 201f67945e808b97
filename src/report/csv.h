#pragma once

#include <span>
#include <string>

#include "report/report.h"

namespace speclab {

/// Comma-separated values with one row a number and a header, RFC 4180 quoting, lines ending in a
/// line feed. Columns, empty where they do not apply:
///   pair, verifier, gamma, horizon   the combination; gamma is a number or "inf"
///   arithmetic                       "rational" or "double" for exact values
///   trials, seed                     of a simulation
///   quantity                         its path in the JSON, without element number
///   index                            of an element: tau for iteration.accepted_law, i for E[N(i)]
///   tokens                           of a sequence, separated by spaces
///   value, exact                     the value or mean, and the fraction
///   stderr, ci95_low, ci95_high      of an estimate
///   claim, relation, z, verdict      of a closed form, whose value is in `value`
std::string report_csv(const Report& report);

/// One field, quoted where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

/// One line of fields.
std::string csv_line(std::span<const std::string> fields);

}  // namespace speclab
