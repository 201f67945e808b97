#include "document/datum.h"

#include <algorithm>

#include "document/number.h"

namespace speclab {

Datum& Datum::operator[](std::string_view key) {
  if (is_null()) content_ = Object();
  Object& members = std::get<Object>(content_);
  const auto found = std::find_if(members.begin(), members.end(),
                                  [key](const Member& member) { return member.first == key; });
  if (found != members.end()) return found->second;
  return members.emplace_back(key, Datum()).second;
}

Datum& Datum::add(Datum element) {
  if (is_null()) content_ = List();
  return std::get<List>(content_).emplace_back(std::move(element));
}

std::size_t Datum::size() const {
  if (const auto* list = std::get_if<List>(&content_)) return list->size();
  if (const auto* object = std::get_if<Object>(&content_)) return object->size();
  return 0;
}

Datum exact_datum(double value, const std::optional<Rational>& fraction) {
  return {{"value", value}, {"exact", fraction_text(fraction)}};
}

std::string cell_text(const Datum& value) {
  return std::visit(
      [](const auto& content) -> std::string {
        using T = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return content;
        } else if constexpr (std::is_same_v<T, JsonText>) {
          return content.text;
        } else if constexpr (std::is_same_v<T, bool>) {
          return content ? "true" : "false";
        } else if constexpr (std::is_same_v<T, double>) {
          return shortest(content);
        } else if constexpr (std::is_integral_v<T>) {
          return std::to_string(content);
        } else {
          return "";
        }
      },
      value.content());
}

}  // namespace speclab
