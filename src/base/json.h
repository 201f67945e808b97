#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace speclab {

class JsonPart;

/// A text is not JSON, or a value is not of the kind that a reader asks for.
class JsonError : public std::runtime_error {
 public:
  explicit JsonError(const std::string& message, std::size_t position = 0)
      : std::runtime_error(message), position_(position) {}
  /// The number of bytes that were read when the text turned out not to be JSON; 0 for what
  /// correct JSON has wrong.
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// A JSON value. An object keeps the order in which its keys were added.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  ///< null
  Json(std::nullptr_t) {}
  template <std::integral Number>
  Json(Number value) {
    if constexpr (std::same_as<Number, bool>) {
      kind_ = Kind::boolean;
      value_.truth = value;
    } else if constexpr (std::unsigned_integral<Number>) {
      kind_ = Kind::natural;
      value_.natural = value;
    } else {
      kind_ = Kind::integer;
      value_.integer = value;
    }
  }
  Json(double value) : kind_(Kind::real) { value_.real = value; }
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text) : Json(std::string_view(text)) {}
  /// The value, or null where there is none.
  template <class Value>
  Json(const std::optional<Value>& value) {
    if (value) *this = Json(*value);
  }
  /// An array.
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<const Range&, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Range>, Json>) Json(const Range& range)
      : Json(array()) {
    for (const auto& each : range) push_back(Json(each));
  }
  /// An object where every part is an array of a string and a value, else an array.
  Json(std::initializer_list<JsonPart> parts);
  static Json array(std::initializer_list<JsonPart> parts = {});
  static Json object();

  Json(const Json& other);
  Json(Json&& other) noexcept
      : kind_(std::exchange(other.kind_, Kind::null)), value_(other.value_) {}
  Json& operator=(Json other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~Json() {
    if (kind_ >= Kind::string) free();
  }

  [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }
  [[nodiscard]] bool is_boolean() const { return kind_ == Kind::boolean; }
  [[nodiscard]] bool is_number() const { return is_number_integer() || is_number_float(); }
  [[nodiscard]] bool is_number_integer() const {
    return kind_ == Kind::integer || kind_ == Kind::natural;
  }
  [[nodiscard]] bool is_number_unsigned() const { return kind_ == Kind::natural; }
  [[nodiscard]] bool is_number_float() const { return kind_ == Kind::real; }
  [[nodiscard]] bool is_string() const { return kind_ == Kind::string; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::array; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::object; }

  /// The value as bool, double, std::string, a type of whole numbers, or a vector of these.
  /// @throws JsonError where it is of another kind, or does not fit
  template <class Value>
  [[nodiscard]] Value get() const {
    if constexpr (std::same_as<Value, bool>) {
      return truth();
    } else if constexpr (std::same_as<Value, double>) {
      return number();
    } else if constexpr (std::same_as<Value, std::string>) {
      return string();
    } else if constexpr (std::unsigned_integral<Value>) {
      const std::uint64_t value = natural();
      if (!std::in_range<Value>(value)) refuse("a whole number in range");
      return static_cast<Value>(value);
    } else if constexpr (std::signed_integral<Value>) {
      const std::int64_t value = integer();
      if (!std::in_range<Value>(value)) refuse("a whole number in range");
      return static_cast<Value>(value);
    } else {
      Value values;
      for (const Json& each : elements()) {
        values.push_back(each.get<typename Value::value_type>());
      }
      return values;
    }
  }
  /// @throws JsonError where it is no string
  [[nodiscard]] const std::string& string() const;

  /// Elements of an array, or members of an object; 0 for other kinds.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// The elements of an array. @throws JsonError where it is none
  [[nodiscard]] const Array& elements() const;
  [[nodiscard]] auto begin() const { return elements().begin(); }
  [[nodiscard]] auto end() const { return elements().end(); }
  [[nodiscard]] const Json& at(std::size_t i) const;
  [[nodiscard]] const Json& operator[](std::size_t i) const { return at(i); }
  Json& operator[](std::size_t i) { return const_cast<Json&>(std::as_const(*this).at(i)); }
  [[nodiscard]] const Json& front() const { return at(0); }
  [[nodiscard]] const Json& back() const { return at(size() - 1); }
  Json& back() { return (*this)[size() - 1]; }
  /// Makes an array of null.
  void push_back(Json value);

  /// The members of an object. @throws JsonError where it is none
  [[nodiscard]] const Object& items() const;
  /// The value of a key, or null where this is no object or lacks it.
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// @throws JsonError where there is no such key
  [[nodiscard]] const Json& at(std::string_view key) const;
  [[nodiscard]] const Json& operator[](std::string_view key) const { return at(key); }
  /// Makes an object of null, and adds a key that is missing.
  Json& operator[](std::string_view key);
  /// Adds a member to an object that lacks its key, and returns its value.
  Json& add(std::string key);

  /// Numbers are equal where their values are; objects where their members are, in any order.
  friend bool operator==(const Json& a, const Json& b);

  /// @param indent  spaces a level; -1: all on one line. Bytes that are not UTF-8 are replaced.
  [[nodiscard]] std::string dump(int indent = -1) const;

 private:
  enum class Kind : std::uint8_t { null, boolean, integer, natural, real, string, array, object };
  union Content {
    bool truth;
    std::int64_t integer;
    std::uint64_t natural = 0;
    double real;
    std::string* string;
    Array* array;
    Object* object;
  };

  void free() noexcept;
  void write(std::string& text, int indent, int depth) const;
  [[noreturn]] void refuse(std::string_view wanted) const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::uint64_t natural() const;

  Kind kind_ = Kind::null;
  Content value_;
};

/// A value within braces, which is moved into place.
class JsonPart {
 public:
  template <class Value>
  // No Json is constructed from a JsonPart. NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  requires std::constructible_from<Json, Value> JsonPart(Value&& value)
      : value_(std::forward<Value>(value)) {}
  JsonPart(std::initializer_list<JsonPart> parts) : value_(parts) {}

 private:
  friend Json;
  mutable Json value_;
};

/// Receives the parts of a text in their order.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;   ///< below 0
  virtual void natural(std::uint64_t value) = 0;  ///< a whole number from 0
  virtual void real(double value, const std::string& text) = 0;
  virtual void string(std::string& text) = 0;
  virtual void key(std::string& text) = 0;
  virtual void start_object() = 0;
  virtual void end_object() = 0;
  virtual void start_array() = 0;
  virtual void end_array() = 0;
};

/// Passes the parts of a text to `events`, which may throw to stop.
/// @throws JsonError with line and column where the text is not one JSON document
void read_json(std::string_view text, JsonEvents& events);

/// What a text may be, and who is asked while it is read.
struct JsonReading {
  std::size_t nesting = 64;         ///< most levels of lists and objects
  std::function<void()> poll = {};  ///< called now and then; may throw
};

/// Parses one document. @throws JsonError where it is none, or has a key twice in one object
Json read_json(std::string_view text, const JsonReading& reading = {});

/// The text of a document for files and terminals: control characters and marks that change the
/// writing direction are escaped, and a newline ends it. @param indent  as that of dump
std::string json_text(const Json& document, int indent = 1);

}  // namespace speclab
