#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/rows.h"

namespace speclab {

/// The question that a row of CSV answers, as text; "" where there is none.
struct RowPlace {
  std::string pair, verifier, gamma, horizon, iterations, arithmetic, trials, seed;
};

RowPlace place_of(const Answer& answer);

/// One column of CSV: its name, what it holds, and an example for docs/formats.md.
struct CsvColumn {
  std::string_view name, prose, example;
};

/// The columns of every table of results, in order (see docs/formats.md).
std::span<const CsvColumn> result_columns();

/// The header; `first` are columns before those of every table.
std::string csv_header(std::span<const std::string> first = {});

/// One line. @param first  the fields of the columns before those of every table
std::string csv_row(const RowPlace& place, const AnswerRow& row,
                    std::span<const std::string> first = {});

/// Comma-separated values of answers: a header and a line a number, RFC 4180 quoting, lines ending
/// in a line feed, numbers that read back to the same double.
std::string answers_csv(std::span<const Answer> answers);

/// One field, quoted where it holds a comma, a quote or a line break; behind a `'` where a
/// spreadsheet would take it for a formula (it begins with =, @, a tab, or a sign without a
/// number; the name of an option, `--gamma`, is none).
std::string csv_field(std::string_view text);

/// One line of fields.
std::string csv_line(std::span<const std::string> fields);

}  // namespace speclab
