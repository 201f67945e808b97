#include <algorithm>

#include "report/formats.h"

namespace speclab {
namespace {

bool letter_or_dash(char c) { return c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a spreadsheet would take the text for a formula: it begins like one and is neither a
/// number nor the name of an option.
bool looks_like_formula(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '+' || text.front() == '-') {
    const std::string_view rest = text.substr(1);
    if (rest.starts_with('-') && std::all_of(rest.begin(), rest.end(), letter_or_dash))
      return false;
    return rest != "inf" &&
           (rest.empty() || rest.find_first_not_of("0123456789.eE/-") != std::string_view::npos);
  }
  return std::string_view("=@\t\r").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (looks_like_formula(text)) return csv_field("'" + std::string(text));
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string csv_text(const Document& document) {
  std::string text;
  for (const std::string& column : document.columns) {
    text += (text.empty() ? "" : ",") + csv_field(column);
  }
  text += '\n';
  std::size_t done = 0;
  document.rows([&](const Cells& cells) {
    // From the first rows on it is known how long the text will be: a long one that is doubled
    // takes its memory twice.
    constexpr std::size_t kKnown = 1024;
    if (++done == kKnown) text.reserve(text.size() / kKnown * (document.expected_rows / 8 * 9));
    for (const Json& cell : cells) {
      text += csv_field(cell_text(cell));
      text += &cell == &cells.back() ? '\n' : ',';
    }
  });
  if (document.partial.empty()) return text;
  return text + csv_field("partial: " + document.partial) +
         std::string(document.columns.size() - 1, ',') + "\n";
}

}  // namespace speclab
