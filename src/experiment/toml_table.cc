#include "experiment/toml_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "base/types.h"
#include "experiment/toml_guard.h"
#include "experiment/whole_numbers.h"
#include "model/lengths.h"
#include "system/read_file.h"

namespace speclab {
namespace {

constexpr std::size_t kMostValues = 100'000;

/// A number of TOML as parse_rational reads it: without underscores and a leading plus.
std::string plain_number(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  if (text.starts_with('+')) text.erase(0, 1);
  return text;
}

}  // namespace

TomlFile::TomlFile(const std::string& name)
    : path(name), text(read_file(name, std::size_t{1} << 24)) {
  check_utf8(text, quoted_path(path));
  check_toml(path, text);
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: {}", path, error.source().begin.line,
                                 abbreviate(error.description(), 200)));
  }
}

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

void TomlTable::refuse(int line, const std::string& message) const {
  throw InputError(file_.path + ":" + std::to_string(line) + ": " + message);
}

const toml::node* TomlTable::find(const std::string& key) {
  if (!contains(known_, key)) known_.push_back(key);
  return table_.get(key);
}

const toml::node& TomlTable::need(const std::string& key, std::string_view example) {
  const toml::node* node = find(key);
  if (node == nullptr) refuse(name_ + " has no " + key + "; for example " + std::string(example));
  return *node;
}

std::string TomlTable::text(const toml::node& node, const std::string& key) const {
  const auto value = node.value_exact<std::string>();
  if (!value) refuse(line_of(node), key + " is a string in quotes");
  return *value;
}

std::string TomlTable::text_or(const std::string& key, const std::string& fallback) {
  const toml::node* node = find(key);
  return node == nullptr ? fallback : text(*node, key);
}

std::int64_t TomlTable::whole(const toml::node& node, const std::string& key, std::int64_t low,
                              std::int64_t high) const {
  std::optional<std::int64_t> value = node.value_exact<std::int64_t>();
  if (const auto real = node.value_exact<double>();
      real && std::trunc(*real) == *real && std::abs(*real) <= 1e15) {
    value = static_cast<std::int64_t>(*real);
  }
  if (!value || *value < low || *value > high) {
    refuse(line_of(node),
           key + " is a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return *value;
}

std::optional<std::int64_t> TomlTable::whole_or(const std::string& key, std::int64_t low,
                                                std::int64_t high) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return whole(*node, key, low, high);
}

std::optional<double> TomlTable::real_or(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value<double>();
  if (!node->is_number() || !value || !std::isfinite(*value)) {
    refuse(line_of(*node), key + " is a finite number");
  }
  return value;
}

std::string TomlTable::source_text(const toml::node& node) const {
  const toml::source_region& region = node.source();
  std::size_t at = 0;
  for (toml::source_index line = 1; line < region.begin.line; ++line) {
    at = file_.text.find('\n', at) + 1;
  }
  // Columns count characters, not bytes; whatever precedes the number may be longer than it looks.
  const auto is_start = [&](std::size_t i) {
    return (static_cast<unsigned char>(file_.text[i]) & 0xC0U) != 0x80U;
  };
  for (toml::source_index column = 1; column < region.begin.column; ++column) {
    do {
      ++at;
    } while (at < file_.text.size() && !is_start(at));
  }
  const std::size_t end = file_.text.find_first_not_of("0123456789+-._eExXaAbBcCdDfFoO", at);
  return file_.text.substr(at, end == std::string::npos ? end : end - at);
}

std::optional<WrittenNumber> TomlTable::number_or(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto words = node->value_exact<std::string>();
  try {
    if (const auto integer = node->value_exact<std::int64_t>()) {
      return WrittenNumber{Rational(*integer), std::to_string(*integer)};
    }
    if (words) return WrittenNumber{parse_rational(*words), *words};
    if (node->is_floating_point()) {
      const std::string written = plain_number(source_text(*node));
      return WrittenNumber{parse_rational(written), written};
    }
  } catch (const InputError&) {
  }
  refuse(line_of(*node), key + " is a number such as 16.41, or a fraction in quotes such as " +
                             "\"10/9\"" + (words ? ", not '" + abbreviate(*words) + "'" : ""));
}

bool TomlTable::flag(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return false;
  const auto value = node->value_exact<bool>();
  if (!value) refuse(line_of(*node), key + " is true or false");
  return *value;
}

std::size_t TomlTable::choice(const std::string& key, const std::vector<std::string>& names,
                              std::size_t fallback) {
  const toml::node* node = find(key);
  if (node == nullptr) return fallback;
  const std::string word = text(*node, key);
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) {
    refuse(line_of(*node), key + " is one of " + join(names) + ", not '" + abbreviate(word) + "'" +
                               suggestion(word, names));
  }
  return static_cast<std::size_t>(found - names.begin());
}

void TomlTable::each(const toml::node& node, const std::string& key,
                     const std::function<void(const toml::node&)>& use) const {
  const toml::array* list = node.as_array();
  if (list == nullptr) return use(node);
  if (list->empty()) refuse(line_of(node), key + " is an empty list; give a value");
  for (const toml::node& element : *list) use(element);
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  std::vector<std::string> values;
  each(key, [&](const toml::node& element) { values.push_back(text(element, key)); });
  return values;
}

std::vector<int> TomlTable::lengths(const std::string& key, bool unbounded) {
  std::vector<int> values;
  each(key, [&](const toml::node& element) {
    if (!element.is_string()) {
      values.push_back(static_cast<int>(whole(element, key, 1, kLargestLength)));
      return;
    }
    const std::string word = text(element, key);
    if (unbounded && word == "inf") return values.push_back(kUnbounded);
    for (const std::int64_t value : range(element, key, word)) {
      if (value < 1) refuse(line_of(element), key + " is at least 1");
      if (value > kLargestLength) {
        refuse(line_of(element), fmt::format("{} is at most {}", key, kLargestLength));
      }
      values.push_back(static_cast<int>(value));
    }
  });
  return values;
}

std::vector<std::int64_t> TomlTable::range(const toml::node& node, const std::string& key,
                                           const std::string& word) const {
  const std::vector<std::int64_t> numbers = whole_numbers(word, ":");
  const bool matched = numbers.size() == 2 || numbers.size() == 3;
  const std::int64_t first = matched ? numbers[0] : 1;
  const std::int64_t last = matched ? numbers[1] : 0;
  const std::int64_t step = numbers.size() == 3 ? numbers[2] : 1;
  if (first > last || step < 1) {
    refuse(line_of(node), key + " is a number, a range such as \"1:12\" or \"4:24:4\", or a " +
                              "list, not '" + abbreviate(word) + "'");
  }
  if ((last - first) / step >= static_cast<std::int64_t>(kMostValues)) {
    refuse(line_of(node), key + ": '" + word + "' is more than " + std::to_string(kMostValues) +
                              " numbers; shorten the range or widen its step");
  }
  std::vector<std::int64_t> values;
  for (std::int64_t value = first; value <= last; value += step) values.push_back(value);
  return values;
}

std::vector<std::uint64_t> TomlTable::trials(const std::string& key) {
  std::set<std::uint64_t> values;
  each(key, [&](const toml::node& element) {
    values.insert(static_cast<std::uint64_t>(whole(element, key, 2, kMostTrials)));
  });
  return {values.begin(), values.end()};
}

std::vector<std::string> TomlTable::values(const toml::node& node, const std::string& key) const {
  std::vector<std::string> result;
  each(node, key, [&](const toml::node& element) {
    if (const auto whole_number = element.value_exact<std::int64_t>()) {
      result.push_back(std::to_string(*whole_number));
    } else if (element.is_string()) {
      const std::string word = text(element, key);
      if (word.find(':') == std::string::npos) return result.push_back(word);
      for (const std::int64_t value : range(element, key, word)) {
        result.push_back(std::to_string(value));
      }
    } else {
      refuse(line_of(element), key +
                                   " takes whole numbers, a range such as \"1:12\", or words and "
                                   "fractions in quotes (\"0.25\" is then exact)");
    }
  });
  return result;
}

std::string TomlTable::word(const toml::node& node, const std::string& key) const {
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  const auto value = node.value_exact<std::string>();
  if (!value) refuse(line_of(node), key + " chooses by a whole number or a text in quotes");
  return *value;
}

TomlTable TomlTable::table(const toml::node& node, const std::string& name) const {
  const toml::table* inner = node.as_table();
  if (inner == nullptr) refuse(line_of(node), name + " is a table");
  return {file_, *inner, name, line_of(node)};
}

void TomlTable::each_table(const std::string& key, const std::function<void(TomlTable)>& use) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) refuse(line_of(*node), key + " is written [[" + key + "]]");
  for (const toml::node& element : *list) use(table(element, "[[" + key + "]]"));
}

void TomlTable::finish() const {
  for (const auto& [key, node] : table_) {
    const std::string word(key.str());
    if (contains(known_, word)) continue;
    const int line =
        key.source().begin.line > 0 ? static_cast<int>(key.source().begin.line) : line_of(node);
    refuse(line, "unknown key '" + abbreviate(word) + "' in " + name_ + suggestion(word, known_) +
                     "; it takes " + join(known_));
  }
}

}  // namespace speclab
