#include "report/xml.h"

namespace speclab {

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
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
      default: {
        const auto byte = static_cast<unsigned char>(c);
        escaped += (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f ? '?' : c;
      }
    }
  }
  return escaped;
}

}  // namespace speclab
