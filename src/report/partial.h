#pragma once

#include <string>

#include "base/error.h"
#include "report/output.h"
#include "report/report.h"

namespace speclab {

/// Writes what ask() adds to `found`. Where ask() fails, by a limit or a signal say, writes what is
/// there, if anything is, marked as partial, and throws on.
/// @param make  returns the document of what was found
template <class Found, class Ask, class Make>
void write_whole_or_part(const Output& output, Format format, const Found& found, const Ask& ask,
                         const Make& make) {
  try {
    ask();
  } catch (const Error& error) {
    if (!found.empty()) {
      Document part = make(found);
      part.partial = error.what();
      output.write(render(part, format));
    }
    throw;
  }
  output.write(found.empty() ? "" : render(make(found), format));
}

}  // namespace speclab
