#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/rational.h"

namespace speclab {

inline constexpr std::int64_t kMostTrials = 1'000'000'000'000;

/// A TOML file and what it was parsed to.
struct TomlFile {
  /// @throws InputError naming the file, or "FILE:LINE: ..." where it is no TOML
  explicit TomlFile(const std::string& name);

  std::string path, text;
  toml::table root;
};

/// The line of a node, from 1.
int line_of(const toml::node& node);

inline bool contains(std::span<const std::string> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// A number exactly as it is written, and the text it is written as: 16.41, 1e-3, "10/9".
struct WrittenNumber {
  Rational value;
  std::string text;
};

/// One table of a file. A key that is read is known; finish() refuses the others. All readers throw
/// InputError "FILE:LINE: ..." with the fix.
class TomlTable {
 public:
  TomlTable(const TomlFile& file, const toml::table& table, std::string name, int line)
      : file_(file), table_(table), name_(std::move(name)), line_(line) {}
  /// The file's own table.
  TomlTable(const TomlFile& file, std::string name)
      : TomlTable(file, file.root, std::move(name), 1) {}

  [[noreturn]] void refuse(int line, const std::string& message) const;
  [[noreturn]] void refuse(const std::string& message) const { refuse(line_, message); }
  /// What use() returns; its InputError is thrown with the line, and `of`, before it.
  template <class Use>
  auto checked(int line, const Use& use, const std::string& of = "") const {
    try {
      return use();
    } catch (const InputError& error) {
      refuse(line, of + error.what());
    }
  }
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
  /// A whole number; an empty optional where the key is not there.
  std::optional<std::int64_t> whole_or(const std::string& key, std::int64_t low, std::int64_t high);
  std::optional<double> real_or(const std::string& key);
  std::optional<WrittenNumber> number_or(const std::string& key);
  bool flag(const std::string& key);
  /// The place of the key's text among the names; `fallback` where the key is not there.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names,
                     std::size_t fallback);
  /// @param example  of the whole line: the key must be there
  std::size_t choice(const std::string& key, const std::vector<std::string>& names,
                     std::string_view example) {
    need(key, example);
    return choice(key, names, std::size_t{0});
  }

  /// One value, or each of a list; none where the key is not there.
  void each(const std::string& key, const std::function<void(const toml::node&)>& use) {
    if (const toml::node* node = find(key)) each(*node, key, use);
  }
  std::vector<std::string> texts(const std::string& key);
  /// Whole numbers from ranges "a:b", "a:b:step", numbers, and "inf" where `unbounded`.
  std::vector<int> lengths(const std::string& key, bool unbounded);
  /// Increasing, each once.
  std::vector<std::uint64_t> trials(const std::string& key);
  /// The values of a variable as spec text.
  std::vector<std::string> values(const toml::node& node, const std::string& key) const;
  /// A whole number or a text, as text.
  std::string word(const toml::node& node, const std::string& key) const;

  TomlTable table(const toml::node& node, const std::string& name) const;
  TomlTable table(const std::string& key, std::string_view example) {
    return table(need(key, example), key);
  }
  /// Calls use(table) for every table of the array of tables `key`.
  void each_table(const std::string& key, const std::function<void(TomlTable)>& use);
  [[nodiscard]] const toml::table& raw() const { return table_; }

  /// Refuses the keys that were not read.
  void finish() const;

 private:
  std::vector<std::int64_t> range(const toml::node& node, const std::string& key,
                                  const std::string& word) const;
  void each(const toml::node& node, const std::string& key,
            const std::function<void(const toml::node&)>& use) const;
  std::int64_t whole(const toml::node& node, const std::string& key, std::int64_t low,
                     std::int64_t high) const;
  /// The text in the file at the place of the node.
  std::string source_text(const toml::node& node) const;

  const TomlFile& file_;
  const toml::table& table_;
  std::string name_;
  int line_;
  std::vector<std::string> known_;
};

}  // namespace speclab
