#include "report/xml.h"

#include "base/printable.h"

namespace speclab {

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text, true)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace speclab
