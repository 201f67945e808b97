#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace speclab {

/// Columns of text, each as wide as its widest cell, two spaces between them.
class TextTable {
 public:
  /// One letter a column: 'l' left, 'r' right.
  explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Lines that start with `indent` and have no trailing space.
  [[nodiscard]] std::string text(std::string_view indent = "") const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace speclab
