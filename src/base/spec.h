#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rational.h"

namespace speclab {

/// One argument of a spec text: `key=value`, `key=[a,b]`, `key=[[a,b],[c,d]]`, or a value alone
/// (key
/// "").
struct SpecArgument {
  std::string key;
  std::vector<std::string> values;               ///< one for a plain value, any number for a list
  std::vector<std::vector<std::string>> rows{};  ///< of a list of lists, instead of values
  bool is_list = false;
};

/// Parsed spec text: `name` or `name(key=value, ...)`.
/// A value is a number, a fraction, a word, a path, a list `[a,b,c]` or a list of such lists; a
/// value with a comma, a bracket or a space at its ends is written in double quotes (`"` and `\`
/// inside written `\"`,
/// `\\`).
struct Spec {
  std::string text;  ///< as written
  std::string name;
  std::vector<SpecArgument> arguments;
};

/// The characters with a meaning in a spec text: a value that has one is written in quotes.
inline constexpr std::string_view kSpecMarks = ",()[]=\"";

/// Longest spec text accepted, in bytes; larger laws belong in a file.
inline constexpr std::size_t kMaxSpecLength = 65536;

/// @throws InputError naming the column of the first error.
Spec parse_spec(std::string_view text);

/// The text of a name and its arguments, which parse_spec reads back: values in quotes where they
/// need them.
std::string spec_text(const Spec& spec);

/// Reads the arguments of one spec by name and type, in a fixed order, and writes the canonical
/// form as it goes: every parameter read appears in it, numbers as fractions in lowest terms.
/// All readers throw InputError naming the spec and the parameter and saying what to write.
class SpecReader {
 public:
  explicit SpecReader(const Spec& spec);

  Rational number(std::string_view key, std::optional<Rational> fallback = std::nullopt);
  /// A number in [low, high].
  Rational number_between(std::string_view key, const Rational& low, const Rational& high,
                          std::optional<Rational> fallback = std::nullopt);
  long long integer(std::string_view key, long long low, long long high,
                    std::optional<long long> fallback = std::nullopt);
  /// A whole number that the canonical form shows only when it is given.
  std::optional<long long> optional_integer(std::string_view key, long long low, long long high);
  std::vector<Rational> numbers(std::string_view key);
  /// A list of lists of numbers, none of them empty.
  std::vector<std::vector<Rational>> number_rows(std::string_view key);
  /// One number, or a list of numbers.
  std::vector<Rational> number_or_list(std::string_view key);
  /// One of `choices`; the error message suggests a near match.
  std::string word(std::string_view key, const std::vector<std::string>& choices,
                   std::optional<std::string> fallback = std::nullopt);
  /// The value of an enumeration, counted from 0, that has this one of the names.
  template <class Enumeration>
  Enumeration choice(std::string_view key, const std::vector<std::string>& names,
                     std::optional<std::string> fallback = std::nullopt) {
    const std::string name = word(key, names, std::move(fallback));
    return static_cast<Enumeration>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  /// Free text such as a path; `positional` also takes an argument without a key.
  std::string path(std::string_view key, bool positional = false);
  bool has(std::string_view key) const;

  /// @throws InputError when an argument was never read (unknown or repeated key).
  void finish();

  /// Refuses the spec: "SPEC: MESSAGE".
  [[noreturn]] void refuse(const std::string& message) const;

  /// `name(key=value,...)` of what was read so far.
  std::string canonical() const;

 private:
  const SpecArgument* take(std::string_view key);
  const std::string* single(std::string_view key);
  [[noreturn]] void missing(std::string_view key) const;
  Rational parse_number(std::string_view key, const std::string& text) const;
  void write(std::string_view key, const std::string& value);

  Spec spec_;
  std::vector<bool> used_;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::string>> written_;
};

}  // namespace speclab
