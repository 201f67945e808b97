#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rational.h"

namespace speclab {

inline constexpr std::int64_t kMostTrials = 1'000'000'000'000;

/// An experiment file as it was read: where messages say it is, and its text.
struct TomlText {
  std::string path, text;
};

/// The line of a node, from 1.
int line_of(const toml::node& node);

/// A number exactly as it is written, and the text it is written as: 16.41, 1e-3, "10/9".
struct WrittenNumber {
  Rational value;
  std::string text;
};

/// One table of the file; every key that is read is known, and finish() refuses the others. All
/// readers throw InputError "FILE:LINE: ..." with the mend.
class TomlTable {
 public:
  TomlTable(const TomlText& file, const toml::table& table, std::string name, int line)
      : file_(file), table_(table), name_(std::move(name)), line_(line) {}

  [[noreturn]] void refuse(int line, const std::string& message) const;
  [[noreturn]] void refuse(const std::string& message) const { refuse(line_, message); }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// The node of a key, or null.
  const toml::node* find(const std::string& key);
  /// @param example  of the whole line, for the message
  const toml::node& need(const std::string& key, std::string_view example);

  std::string text(const toml::node& node, const std::string& key) const;
  std::string text(const std::string& key, std::string_view example) {
    return text(need(key, example), key);
  }
  std::string text_or(const std::string& key, const std::string& fallback = "");
  std::int64_t whole(const toml::node& node, const std::string& key, std::int64_t low,
                     std::int64_t high) const;
  std::optional<double> real_or(const std::string& key);
  std::optional<WrittenNumber> number_or(const std::string& key);
  bool flag(const std::string& key);
  std::size_t choice(const toml::node& node, const std::string& key,
                     const std::vector<std::string>& names) const;

  /// One value, or each of a list.
  void each(const toml::node& node, const std::string& key,
            const std::function<void(const toml::node&)>& use) const;
  std::vector<std::string> texts(const std::string& key);
  /// Whole numbers from ranges "a:b", "a:b:step", numbers, and "inf" where `unbounded`.
  std::vector<int> lengths(const std::string& key, bool unbounded);
  /// Increasing, each once.
  std::vector<std::uint64_t> trials(const std::string& key);
  /// The values of a variable as spec text.
  std::vector<std::string> values(const toml::node& node, const std::string& key) const;
  /// A whole number or a text, as text.
  std::string word(const toml::node& node, const std::string& key) const;

  TomlTable table(const toml::node& node, const std::string& key) const;
  /// Calls use(table) for every table of the array of tables `key`.
  void each_table(const std::string& key, const std::function<void(TomlTable)>& use);
  [[nodiscard]] const toml::table& raw() const { return table_; }

  /// Refuses the keys that nobody asked for.
  void finish() const;

 private:
  std::vector<std::int64_t> range(const toml::node& node, const std::string& key,
                                  const std::string& word) const;
  /// What stands in the file where the node is.
  std::string source_text(const toml::node& node) const;

  const TomlText& file_;
  const toml::table& table_;
  std::string name_;
  int line_;
  std::vector<std::string> known_;
};

}  // namespace speclab
