#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <cstdint>
#include <iterator>
#include <utility>

namespace speclab {
namespace {

/// Control characters and the marks that change the writing direction.
bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c ||
         (point >= 0x200e && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

/// `text` with each character that is_harmful(point) replaced by instead(point); `point` of
/// a byte that is not UTF-8 is the byte.
template <class Harmful, class Instead>
std::string replaced(std::string_view text, const Harmful& is_harmful, const Instead& instead) {
  namespace utf = boost::locale::utf;
  std::string result;
  result.reserve(text.size());
  for (auto at = text.begin(); at != text.end();) {
    if (*at >= ' ' && *at < '\x7f') {  // nearly all
      result += *at++;
      continue;
    }
    auto next = at;
    utf::code_point point = utf::utf_traits<char>::decode(next, text.end());
    const bool wrong = point == utf::illegal || point == utf::incomplete;
    if (wrong) {
      next = at + 1;
      point = static_cast<unsigned char>(*at);
    }
    if (wrong || is_harmful(point)) {
      result += instead(point);
    } else {
      result.append(at, next);
    }
    at = next;
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text, bool lines) {
  return replaced(
      text,
      [lines](std::uint32_t point) {
        return is_control(point) && !(lines && (point == '\n' || point == '\t'));
      },
      [](std::uint32_t) { return '?'; });
}

std::string markup(std::string_view text) {
  static constexpr std::pair<char, const char*> kSigns[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string escaped;
  for (const char c : printable(text, true)) {
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                    [c](const auto& each) { return each.first == c; });
    escaped += sign == std::end(kSigns) ? std::string(1, c) : sign->second;
  }
  return escaped;
}

std::string printable_json(std::string_view json) {
  return replaced(
      json, [](std::uint32_t point) { return is_control(point) && point != '\n'; },
      [](std::uint32_t point) { return fmt::format("\\u{:04x}", point); });
}

}  // namespace speclab
