#include "document/document.h"

#include "document/number.h"

namespace speclab {

std::string cell_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_array()) {
    std::string text;
    for (const Json& each : value) text += (text.empty() ? "" : "; ") + cell_text(each);
    return text;
  }
  return value.is_string() ? value.string() : value.dump();
}

Json exact_json(double value, const std::optional<Rational>& fraction) {
  return {{"value", value}, {"exact", fraction_text(fraction)}};
}

void TextTable::add(const Cells& cells) {
  auto& row = rows.emplace_back();
  for (const Json& cell : cells) {
    row.push_back(cell.is_number_float() ? readable(cell.get<double>()) : cell_text(cell));
  }
}

Page& Page::operator+=(std::string text) {
  blocks.emplace_back(Prose{std::move(text), hang});
  return *this;
}

Page& Page::operator+=(TextTable table) {
  blocks.emplace_back(std::move(table));
  return *this;
}

Page& Page::operator+=(const Page& other) {
  blocks.insert(blocks.end(), other.blocks.begin(), other.blocks.end());
  return *this;
}

}  // namespace speclab
