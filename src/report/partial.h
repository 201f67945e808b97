#pragma once

#include <string>

#include "base/error.h"
#include "report/output.h"
#include "report/report.h"

namespace speclab {

/// Writes the document that make() returns after ask(). Where ask() fails, by a limit or a signal
/// say, writes what is there, marked as partial, and throws on.
/// @param make  returns an empty document while there is nothing
template <class Ask, class Make>
void write_whole_or_part(const Output& output, Format format, const Ask& ask, const Make& make) {
  try {
    ask();
  } catch (const Error& error) {
    Document part = make();
    part.partial = error.what();
    if (const std::string text = render(part, format); !text.empty()) output.write(text);
    throw;
  }
  output.write(render(make(), format));
}

}  // namespace speclab
