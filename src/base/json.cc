#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/printable.h"
#include "base/text.h"

namespace speclab {
namespace {

/// Values between two polls.
constexpr std::size_t kStride = 4096;

/// The library's events as ours.
class Bridge final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Bridge(JsonEvents& events) : events_(events) {}

  bool null() override { return events_.null(), true; }
  bool boolean(bool value) override { return events_.boolean(value), true; }
  bool number_integer(std::int64_t value) override { return events_.integer(value), true; }
  bool number_unsigned(std::uint64_t value) override { return events_.natural(value), true; }
  bool number_float(double value, const std::string& text) override {
    return events_.real(value, text), true;
  }
  bool string(std::string& text) override { return events_.string(text), true; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return events_.start_object(), true; }
  bool key(std::string& text) override { return events_.key(text), true; }
  bool end_object() override { return events_.end_object(), true; }
  bool start_array(std::size_t) override { return events_.start_array(), true; }
  bool end_array() override { return events_.end_array(), true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    std::string message = error.what();
    if (const auto end = message.find("] "); end != std::string::npos) message.erase(0, end + 2);
    throw JsonError(message, position);
  }

 private:
  JsonEvents& events_;
};

/// Makes a document of events.
class Builder final : public JsonEvents {
 public:
  explicit Builder(const JsonReading& reading) : reading_(reading) {}

  void null() override { add({}); }
  void boolean(bool value) override { add(value); }
  void integer(std::int64_t value) override { add(value); }
  void natural(std::uint64_t value) override { add(value); }
  void real(double value, const std::string&) override { add(value); }
  void string(std::string& text) override { add(std::move(text)); }
  void key(std::string& text) override {
    if (!keys_.back().insert(text).second) {
      throw JsonError("the key '" + abbreviate(text) + "' is given twice; keep one");
    }
    place_ = &open_.back()->add(std::move(text));
  }
  void start_object() override {
    open(Json::object());
    keys_.emplace_back();
  }
  void end_object() override {
    open_.pop_back();
    keys_.pop_back();
  }
  void start_array() override { open(Json::array()); }
  void end_array() override { open_.pop_back(); }

  [[nodiscard]] Json take() { return std::move(root_); }

 private:
  Json* add(Json value) {
    if (reading_.poll && ++values_ % kStride == 0) reading_.poll();
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_object()) return &(*place_ = std::move(value));
    open_.back()->push_back(std::move(value));
    return &open_.back()->back();
  }
  void open(Json value) {
    if (open_.size() == reading_.nesting) {
      throw JsonError(fmt::format("nests deeper than {} levels", reading_.nesting));
    }
    open_.push_back(add(std::move(value)));
  }

  const JsonReading& reading_;
  Json root_;
  std::vector<Json*> open_;  ///< lists and objects that are not finished, outermost first
  std::vector<std::set<std::string>> keys_;  ///< of the open objects
  Json* place_ = nullptr;                    ///< of the value of the last key
  std::size_t values_ = 0;
};

void write_string(const std::string& value, std::string& text) {
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c >= ' ' && c < '\x7f' && c != '"' && c != '\\';
  });
  if (plain) {
    text.append("\"").append(value).append("\"");
  } else {
    text += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void write_number(double value, std::string& text) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  if (value == 0) value = 0;  // a zero has no sign
  std::array<char, 64> digits;
  text.append(digits.data(),
              nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
}

}  // namespace

Json::Json(std::string text) : kind_(Kind::string) {
  value_.string = new std::string(std::move(text));
}

Json::Json(std::string_view text) : Json(std::string(text)) {}

Json::Json(std::initializer_list<JsonPart> parts) {
  const bool members = std::all_of(parts.begin(), parts.end(), [](const JsonPart& part) {
    const Json& value = part.value_;
    return value.is_array() && value.size() == 2 && value[0].is_string();
  });
  if (!members) {
    *this = array(parts);
    return;
  }
  *this = object();
  for (const JsonPart& part : parts) {
    Array& pair = *part.value_.value_.array;
    (*this)[pair[0].string()] = std::move(pair[1]);
  }
}

Json Json::array(std::initializer_list<JsonPart> parts) {
  Json list;
  list.value_.array = new Array;
  list.kind_ = Kind::array;
  list.value_.array->reserve(parts.size());
  for (const JsonPart& part : parts) list.push_back(std::move(part.value_));
  return list;
}

Json Json::object() {
  Json object;
  object.value_.object = new Object;
  object.kind_ = Kind::object;
  return object;
}

Json::Json(const Json& other) : value_(other.value_) {
  if (other.is_string()) value_.string = new std::string(*other.value_.string);
  if (other.is_array()) value_.array = new Array(*other.value_.array);
  if (other.is_object()) value_.object = new Object(*other.value_.object);
  kind_ = other.kind_;
}

void Json::free() noexcept {
  if (is_string()) delete value_.string;
  if (is_array()) delete value_.array;
  if (is_object()) delete value_.object;
}

void Json::refuse(std::string_view wanted) const {
  const std::string shown = is_array() ? "a list" : is_object() ? "an object" : abbreviate(dump());
  throw JsonError(fmt::format("{} is not {}", shown, wanted));
}

bool Json::truth() const {
  if (!is_boolean()) refuse("true or false");
  return value_.truth;
}

double Json::number() const {
  if (kind_ == Kind::real) return value_.real;
  if (kind_ == Kind::integer) return static_cast<double>(value_.integer);
  if (kind_ != Kind::natural) refuse("a number");
  return static_cast<double>(value_.natural);
}

std::int64_t Json::integer() const {
  if (!is_number_integer()) refuse("a whole number");
  if (kind_ == Kind::natural && !std::in_range<std::int64_t>(value_.natural)) {
    refuse("a whole number in range");
  }
  return value_.integer;
}

std::uint64_t Json::natural() const {
  if (!is_number_integer()) refuse("a whole number");
  if (kind_ == Kind::integer && value_.integer < 0) refuse("a whole number from 0");
  return value_.natural;
}

const std::string& Json::string() const {
  if (!is_string()) refuse("a string");
  return *value_.string;
}

std::size_t Json::size() const {
  return is_array() ? value_.array->size() : is_object() ? value_.object->size() : 0;
}

const Json::Array& Json::elements() const {
  if (!is_array()) refuse("a list");
  return *value_.array;
}

const Json& Json::at(std::size_t i) const {
  if (i >= elements().size()) throw JsonError(fmt::format("a list of {} is too short", size()));
  return (*value_.array)[i];
}

void Json::push_back(Json value) {
  if (is_null()) *this = array();
  if (!is_array()) refuse("a list");
  value_.array->push_back(std::move(value));
}

const Json::Object& Json::items() const {
  if (!is_object()) refuse("an object");
  return *value_.object;
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto found = std::ranges::find(*value_.object, key, &Object::value_type::first);
  return found == value_.object->end() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  static_cast<void>(items());
  const Json* found = find(key);
  if (found == nullptr) throw JsonError(fmt::format("the key '{}' is missing", key));
  return *found;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) *this = object();
  static_cast<void>(items());
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  return add(std::string(key));
}

Json& Json::add(std::string key) {
  return value_.object->emplace_back(std::move(key), Json()).second;
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_number_float() || b.is_number_float()) {
    return a.is_number() && b.is_number() && a.number() == b.number();
  }
  if (a.is_number_integer() && b.is_number_integer()) {
    const auto negative = [](const Json& value) {
      return value.kind_ == Json::Kind::integer && value.value_.integer < 0;
    };
    return negative(a) == negative(b) && a.value_.natural == b.value_.natural;
  }
  if (a.kind_ != b.kind_) return false;
  if (a.is_boolean()) return a.value_.truth == b.value_.truth;
  if (a.is_string()) return a.string() == b.string();
  if (a.is_array()) return a.elements() == b.elements();
  return a.size() == b.size() && (a.is_null() || std::ranges::all_of(a.items(), [&](auto& member) {
                                    const Json* other = b.find(member.first);
                                    return other != nullptr && *other == member.second;
                                  }));
}

void Json::write(std::string& text, int indent, int depth) const {
  const auto line = [&](std::int64_t level) {
    if (indent >= 0) text.append("\n").append(static_cast<std::size_t>(indent * level), ' ');
  };
  const auto each = [&](const auto& parts, char open, char close, const auto& part) {
    text += open;
    bool first = true;
    for (const auto& one : parts) {
      if (!std::exchange(first, false)) text += ',';
      line(depth + 1);
      part(one);
    }
    if (!first) line(depth);
    text += close;
  };
  switch (kind_) {
    case Kind::null:
      text += "null";
      break;
    case Kind::boolean:
      text += value_.truth ? "true" : "false";
      break;
    case Kind::integer:
      text += fmt::to_string(value_.integer);
      break;
    case Kind::natural:
      text += fmt::to_string(value_.natural);
      break;
    case Kind::real:
      write_number(value_.real, text);
      break;
    case Kind::string:
      write_string(*value_.string, text);
      break;
    case Kind::array:
      each(*value_.array, '[', ']', [&](const Json& e) { e.write(text, indent, depth + 1); });
      break;
    case Kind::object:
      each(*value_.object, '{', '}', [&](const Object::value_type& member) {
        write_string(member.first, text);
        text += indent >= 0 ? ": " : ":";
        member.second.write(text, indent, depth + 1);
      });
  }
}

std::string Json::dump(int indent) const {
  std::string text;
  write(text, indent, 0);
  return text;
}

void read_json(std::string_view text, JsonEvents& events) {
  Bridge bridge(events);
  nlohmann::json::sax_parse(text.begin(), text.end(), &bridge);
}

Json read_json(std::string_view text, const JsonReading& reading) {
  Builder builder(reading);
  read_json(text, builder);
  return builder.take();
}

std::string json_text(const Json& document, int indent) {
  return printable_json(document.dump(indent)) + "\n";
}

}  // namespace speclab
