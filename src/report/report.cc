#include "report/report.h"

#include "report/formats.h"

namespace speclab {

std::string render(const Document& document, Format format) {
  if (!document.rows && !document.data && !document.page) return "";
  switch (format) {
    case Format::table:
      return terminal_text(document);
    case Format::json:
      return json_text(document);
    case Format::csv:
      return csv_text(document);
    case Format::markdown:
      return markdown_text(document);
    case Format::junit:
      return junit_text(document);
  }
  return "";
}

}  // namespace speclab
