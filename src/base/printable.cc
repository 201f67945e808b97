#include "base/printable.h"

#include <boost/locale/utf.hpp>
#include <cstdint>

namespace speclab {
namespace {

/// Control characters, and the marks that turn the direction of writing.
bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c ||
         (point >= 0x200e && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, bool lines) {
  namespace utf = boost::locale::utf;
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    auto next = at;
    const utf::code_point point = utf::utf_traits<char>::decode(next, text.end());
    const bool wrong = point == utf::illegal || point == utf::incomplete;
    if (wrong) next = at + 1;
    if (wrong || (is_control(point) && !(lines && (point == '\n' || point == '\t')))) {
      result += '?';
    } else {
      result.append(at, next);
    }
    at = next;
  }
  return result;
}

}  // namespace speclab
