#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/predicate.hpp>

#include "base/error.h"
#include "base/integer.h"
#include "base/spec.h"
#include "base/text.h"

namespace speclab {
namespace {

std::string quoted(const std::string& value) {
  constexpr std::string_view kBlank = " \t";
  const bool plain = !value.empty() && value.find_first_of(kSpecMarks) == std::string::npos &&
                     kBlank.find(value.front()) == std::string_view::npos &&
                     kBlank.find(value.back()) == std::string_view::npos;
  if (plain) return value;
  std::string result = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string list_of(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + quoted(value);
  return '[' + text + ']';
}

std::string value_text(const SpecArgument& argument) {
  if (!argument.is_list) return quoted(argument.values.front());
  if (argument.rows.empty()) return list_of(argument.values);
  std::string text;
  for (const auto& row : argument.rows) text += (text.empty() ? "" : ",") + list_of(row);
  return '[' + text + ']';
}

/// `name(key=value,...)` of values as they are written.
std::string text_of(const std::string& name,
                    const std::vector<std::pair<std::string, std::string>>& written) {
  std::string text;
  for (const auto& [key, value] : written) {
    text += text.empty() ? "(" : ",";
    text += key.empty() ? value : key + '=' + value;
  }
  return text.empty() ? name : name + text + ')';
}

}  // namespace

std::string spec_text(const Spec& spec) {
  std::vector<std::pair<std::string, std::string>> written;
  for (const SpecArgument& each : spec.arguments) written.emplace_back(each.key, value_text(each));
  return text_of(spec.name, written);
}

SpecReader::SpecReader(const Spec& spec) : spec_(spec), used_(spec.arguments.size(), false) {}

void SpecReader::refuse(const std::string& message) const {
  throw InputError("'" + abbreviate(spec_.text) + "': " + message);
}

bool SpecReader::has(std::string_view key) const {
  return std::any_of(spec_.arguments.begin(), spec_.arguments.end(),
                     [&](const SpecArgument& argument) { return argument.key == key; });
}

const SpecArgument* SpecReader::take(std::string_view key) {
  if (!key.empty()) known_.emplace_back(key);
  const SpecArgument* found = nullptr;
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i) {
    if (spec_.arguments[i].key != key) continue;
    if (found != nullptr) {
      refuse(key.empty() ? "more than one value without a name"
                         : std::string(key) + " is given twice; keep one");
    }
    found = &spec_.arguments[i];
    used_[i] = true;
  }
  return found;
}

const std::string* SpecReader::single(std::string_view key) {
  const SpecArgument* argument = take(key);
  if (argument == nullptr) return nullptr;
  if (argument->is_list) refuse(std::string(key) + " takes one value, not a list");
  return &argument->values.front();
}

void SpecReader::missing(std::string_view key) const {
  const std::string name(key);
  for (const SpecArgument& argument : spec_.arguments) {
    if (!boost::algorithm::iequals(argument.key, key)) continue;
    refuse(fmt::format("the parameter is {0}, not {1}: upper and lower case count; write {0}=...",
                       name, argument.key));
  }
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SpecArgument& argument = spec_.arguments[i];
    if (used_[i]) continue;
    if (argument.key.empty()) {
      const std::string value = argument.is_list ? "[...]" : abbreviate(argument.values.front());
      refuse(fmt::format("the value {0} has no name; write {1}={0}", value, name));
    }
    // One letter is near every other one.
    if (name.size() > 1 && nearest(argument.key, std::array{name}) == key) {
      refuse("unknown parameter '" + abbreviate(argument.key) + "'; did you mean '" + name + "'?");
    }
  }
  refuse("the parameter " + name + " is missing; add " + name + "=...");
}

Rational SpecReader::parse_number(std::string_view key, const std::string& text) const {
  try {
    return parse_rational(text);
  } catch (const InputError& error) {
    refuse(std::string(key) + ": " + error.what());
  }
}

void SpecReader::write(std::string_view key, const std::string& value) {
  written_.emplace_back(std::string(key), value);
}

Rational SpecReader::number(std::string_view key, std::optional<Rational> fallback) {
  const std::string* text = single(key);
  if (text == nullptr && !fallback) missing(key);
  const Rational value = text != nullptr ? parse_number(key, *text) : *fallback;
  write(key, to_text(value));
  return value;
}

Rational SpecReader::number_between(std::string_view key, const Rational& low, const Rational& high,
                                    std::optional<Rational> fallback) {
  const Rational value = number(key, std::move(fallback));
  if (value < low || value > high) {
    refuse(std::string(key) + "=" + abbreviate(to_text(value)) +
           " is out of range; give a number from " + to_text(low) + " to " + to_text(high));
  }
  return value;
}

long long SpecReader::integer(std::string_view key, long long low, long long high,
                              std::optional<long long> fallback) {
  std::optional<Rational> exact_fallback;
  if (fallback) exact_fallback = Rational(*fallback);
  const Rational value = number(key, exact_fallback);
  if (denominator(value) != 1 || value < low || value > high) {
    refuse(std::string(key) + "=" + abbreviate(to_text(value)) + " must be a whole number from " +
           std::to_string(low) + " to " + std::to_string(high));
  }
  return numerator(value).signed_value();
}

std::optional<long long> SpecReader::optional_integer(std::string_view key, long long low,
                                                      long long high) {
  if (has(key)) return integer(key, low, high);
  known_.emplace_back(key);
  return std::nullopt;
}

std::vector<Rational> SpecReader::numbers(std::string_view key) {
  const SpecArgument* argument = take(key);
  if (argument == nullptr) missing(key);
  if (!argument->is_list || !argument->rows.empty()) {
    refuse(std::string(key) + " takes a list such as [1/2,1/2]");
  }
  if (argument->values.empty()) {
    refuse(std::string(key) + "=[] is empty; give at least one number, such as [1/2]");
  }
  std::vector<Rational> values;
  for (const std::string& text : argument->values) values.push_back(parse_number(key, text));
  write(key, "[" + list_text(values) + "]");
  return values;
}

std::vector<std::vector<Rational>> SpecReader::number_rows(std::string_view key) {
  const SpecArgument* argument = take(key);
  if (argument == nullptr) missing(key);
  if (argument->rows.empty()) {
    refuse(std::string(key) + " takes a list of rows such as [[1/2,1/2],[1,0]]");
  }
  std::vector<std::vector<Rational>> rows;
  std::string text;
  for (const std::vector<std::string>& row : argument->rows) {
    if (row.empty()) refuse(std::string(key) + " has the row []; give at least one number");
    std::vector<Rational>& numbers = rows.emplace_back();
    for (const std::string& entry : row) numbers.push_back(parse_number(key, entry));
    text += (text.empty() ? "[[" : ",[") + list_text(numbers) + "]";
  }
  write(key, text + "]");
  return rows;
}

std::vector<Rational> SpecReader::number_or_list(std::string_view key) {
  const bool list = std::any_of(
      spec_.arguments.begin(), spec_.arguments.end(),
      [&](const SpecArgument& argument) { return argument.key == key && argument.is_list; });
  return list ? numbers(key) : std::vector<Rational>{number(key)};
}

std::string SpecReader::word(std::string_view key, const std::vector<std::string>& choices,
                             std::optional<std::string> fallback) {
  const std::string* text = single(key);
  if (text == nullptr && !fallback) missing(key);
  const std::string value = text != nullptr ? *text : *fallback;
  if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
    refuse(std::string(key) + "=" + abbreviate(value) + " is not one of " + join(choices) +
           suggestion(value, choices));
  }
  write(key, value);
  return value;
}

std::string SpecReader::path(std::string_view key, bool positional) {
  const std::string* text = single(key);
  if (text == nullptr && positional) text = single("");
  if (text == nullptr) missing(key);
  if (text->empty()) refuse(std::string(key) + " is empty; give a path");
  write(positional ? "" : key, quoted(*text));
  return *text;
}

void SpecReader::finish() {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (used_[i]) continue;
    const SpecArgument& argument = spec_.arguments[i];
    if (argument.key.empty()) {
      refuse("the value '" + abbreviate(argument.values.empty() ? "[]" : argument.values.front()) +
             "' has no name; write name=value" +
             (known_.empty() ? std::string() : " with a name from " + join(known_)));
    }
    refuse("unknown parameter '" + abbreviate(argument.key) + "'" +
           (known_.empty() ? "; it takes none" : "; it takes " + join(known_)) +
           suggestion(argument.key, known_));
  }
}

std::string SpecReader::canonical() const { return text_of(spec_.name, written_); }

}  // namespace speclab
