#pragma once

#include <string>

#include "base/error.h"
#include "report/output.h"
#include "report/report.h"

namespace speclab {

/// A report that is not all that was asked for, with a mark that says so, whichever way it is read:
/// a last line of a table, the key "partial" of JSON, a last row of CSV (its first column; the
/// others are empty), a last paragraph of Markdown. Unchanged where `why` is empty.
/// @param why  "interrupted after 54 of 132 checks"
std::string mark_partial(std::string text, Format format, const std::string& why);

/// Writes text() after ask(). Where ask() fails, by a limit or a signal say, writes what is there,
/// marked, and throws on. @param text  "" while there is nothing
template <class Ask, class Text>
void write_whole_or_part(const Output& output, Format format, const Ask& ask, const Text& text) {
  try {
    ask();
  } catch (const Error& error) {
    if (const std::string part = text(); !part.empty()) {
      output.write(mark_partial(part, format, error.what()));
    }
    throw;
  }
  output.write(text());
}

}  // namespace speclab
