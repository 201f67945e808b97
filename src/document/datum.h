#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/rational.h"

namespace speclab {

/// JSON text made elsewhere, which becomes part of a document.
struct JsonText {
  std::string text;
};

/// A value of a document: null, a truth value, a number, text, a list, or an object whose members
/// keep their order.
class Datum {
 public:
  using Member = std::pair<std::string, Datum>;
  using List = std::vector<Datum>;
  using Object = std::vector<Member>;
  using Content = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                               std::string, JsonText, List, Object>;

  Datum() = default;
  Datum(std::nullptr_t) {}
  template <class T>
  requires std::is_arithmetic_v<T> Datum(T number) {
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      content_ = number;
    } else if constexpr (std::is_signed_v<T>) {
      content_ = static_cast<std::int64_t>(number);
    } else {
      content_ = static_cast<std::uint64_t>(number);
    }
  }
  Datum(std::string text) : content_(std::move(text)) {}
  Datum(std::string_view text) : content_(std::string(text)) {}
  Datum(const char* text) : content_(std::string(text)) {}
  Datum(JsonText json) : content_(std::move(json)) {}
  Datum(List list) : content_(std::move(list)) {}
  Datum(Object object) : content_(std::move(object)) {}
  Datum(std::initializer_list<Member> members) : content_(Object(members)) {}
  template <class T>
  Datum(const std::optional<T>& value) : Datum(value ? Datum(*value) : Datum()) {}
  template <class T>
  Datum(const std::vector<T>& values) : content_(List(values.begin(), values.end())) {}

  [[nodiscard]] const Content& content() const { return content_; }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(content_); }

  /// The member of an object, added at its end where there is none; null becomes an object.
  Datum& operator[](std::string_view key);
  /// Adds to a list; null becomes a list.
  Datum& add(Datum element);
  /// The element of a list. @pre there is one
  Datum& at(std::size_t index) { return std::get<List>(content_)[index]; }
  [[nodiscard]] std::size_t size() const;  ///< of a list or an object; else 0

 private:
  Content content_;
};

/// A number with its fraction: {"value": number, "exact": "11/9" or null}.
Datum exact_datum(double value, const std::optional<Rational>& fraction);

/// The value as the text of a cell: "" for null; a number reads back to the same double.
/// @pre neither a list nor an object
std::string cell_text(const Datum& value);

}  // namespace speclab
