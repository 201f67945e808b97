#include "base/spec.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/predicate.hpp>

#include "base/error.h"
#include "base/integer.h"
#include "base/text.h"

namespace speclab {
namespace {

constexpr std::string_view kSpecial = ",()[]=\"";

/// A recursive-descent reader of the grammar in spec.h; recursion depth is one (a list holds
/// values, or lists of values).
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Spec parse() {
    Spec spec;
    spec.text = std::string(text_);
    spec.name = std::string(bare());
    if (spec.name.empty()) refuse("a name is expected");
    skip();
    if (at_ == text_.size()) return spec;
    expect('(');
    skip();
    if (peek() != ')') {
      do {
        spec.arguments.push_back(argument());
      } while (accept(','));
    }
    expect(')');
    skip();
    if (at_ != text_.size()) refuse("nothing may follow the closing bracket");
    return spec;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError("spec text '" + abbreviate(text_) + "', column " + std::to_string(at_ + 1) +
                     ": " + message);
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c) {
    skip();
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(std::string("'") + c + "' is expected");
  }
  std::string_view bare() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && kSpecial.find(text_[at_]) == std::string_view::npos) ++at_;
    std::size_t end = at_;
    while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    return text_.substr(start, end - start);
  }
  std::string value() {
    skip();
    if (peek() != '"') {
      const std::string_view word = bare();
      if (word.empty()) refuse("a value is expected");
      return std::string(word);
    }
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      result += text_[at_];
    }
    if (at_ == text_.size()) refuse("the closing '\"' is missing");
    ++at_;
    return result;
  }
  SpecArgument argument() {
    SpecArgument result;
    skip();
    if (peek() != '"' && peek() != '[') {
      const std::size_t start = at_;
      const std::string_view key = bare();
      if (accept('=')) {
        if (key.empty()) refuse("a parameter's name is expected before '='");
        result.key = std::string(key);
        skip();
      } else {
        at_ = start;
      }
    }
    if (!accept('[')) {
      result.values.push_back(value());
      return result;
    }
    result.is_list = true;
    if (!accept('[')) {
      result.values = rest_of_list();
      return result;
    }
    result.rows.push_back(rest_of_list());
    while (accept(',')) {
      expect('[');
      result.rows.push_back(rest_of_list());
    }
    expect(']');
    return result;
  }
  /// The values of a list whose bracket was read, and the bracket that closes it.
  std::vector<std::string> rest_of_list() {
    std::vector<std::string> values;
    if (accept(']')) return values;
    do {
      values.push_back(value());
    } while (accept(','));
    expect(']');
    return values;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string quoted(const std::string& value) {
  constexpr std::string_view kBlank = " \t";
  const bool plain = !value.empty() && value.find_first_of(kSpecial) == std::string::npos &&
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

std::string list_text(const std::vector<Rational>& values) {
  std::string text = "[";
  for (const Rational& value : values) {
    if (text.size() > 1) text += ',';
    text += to_text(value);
  }
  return text + "]";
}

}  // namespace

Spec parse_spec(std::string_view text) {
  if (text.size() > kMaxSpecLength) {
    throw InputError("spec text '" + abbreviate(text) + "' is " + std::to_string(text.size()) +
                     " bytes long; the limit is " + std::to_string(kMaxSpecLength) +
                     "; put large laws in a file and use file(PATH)");
  }
  return Parser(text).parse();
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
  for (const SpecArgument& argument : spec_.arguments) {
    if (!boost::algorithm::iequals(argument.key, key)) continue;
    refuse("the parameter is " + std::string(key) + ", not " + argument.key +
           ": upper and lower case count; write " + std::string(key) + "=...");
  }
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const std::string& written = spec_.arguments[i].key;
    if (!used_[i] && !written.empty() && nearest(written, std::array{std::string(key)}) == key) {
      refuse("unknown parameter '" + abbreviate(written) + "'; did you mean '" + std::string(key) +
             "'?");
    }
    if (used_[i] || !written.empty()) continue;
    const SpecArgument& argument = spec_.arguments[i];
    const std::string value = argument.is_list ? "[...]" : abbreviate(argument.values.front());
    refuse("the value " + value + " has no name; write " + std::string(key) + "=" + value);
  }
  refuse("the parameter " + std::string(key) + " is missing; add " + std::string(key) + "=...");
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
  write(key, list_text(values));
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
    text += (text.empty() ? "[" : ",") + list_text(numbers);
  }
  write(key, text + "]");
  return rows;
}

std::vector<Rational> SpecReader::number_or_list(std::string_view key,
                                                 std::optional<Rational> fallback) {
  const bool list = std::any_of(
      spec_.arguments.begin(), spec_.arguments.end(),
      [&](const SpecArgument& argument) { return argument.key == key && argument.is_list; });
  return list ? numbers(key) : std::vector<Rational>{number(key, std::move(fallback))};
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

std::string SpecReader::canonical() const {
  std::string text = spec_.name;
  if (written_.empty()) return text;
  text += '(';
  for (std::size_t i = 0; i < written_.size(); ++i) {
    if (i > 0) text += ',';
    if (!written_[i].first.empty()) text += written_[i].first + '=';
    text += written_[i].second;
  }
  return text + ')';
}

}  // namespace speclab
