#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace speclab {

/// Columns of text, each as wide as its widest cell, two spaces between them.
///
/// A table wider than the page (report/page.h) is folded, by the first of these that is enough:
/// 1. names of columns, then cells of the first column, are broken at spaces;
/// 2. the last columns, where they are text, go on a line below the rest of their row where that
///    has no room for them, at the right, so that only names of rows stand at the left;
/// 3. columns are shown in blocks, one below another, each with the first columns again; a row
///    without a cell in a further block is left out of it.
/// Where the alignment has a bar, and 2 would fold most of the rows that have such a text, the
/// table becomes two there instead, the first columns again in the second; each has the rows that
/// it has a cell for.
class TextTable {
 public:
  /// One letter a column: 'l' left, 'r' right, and a bar where two tables are made of a wide one:
  /// "lrr|rl". @param keys  the columns that name a row
  explicit TextTable(std::string alignment, std::size_t keys = 1)
      : alignment_(std::move(alignment)), keys_(keys), bar_(alignment_.find('|')) {
    if (bar_ != std::string::npos) alignment_.erase(bar_, 1);
  }
  /// The first row, where it holds the names of the columns.
  void head(std::vector<std::string> names);
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Lines that start with `indent` and have no trailing space.
  [[nodiscard]] std::string text(std::string_view indent = "") const;

 private:
  std::string alignment_;
  std::size_t keys_;
  std::size_t bar_;  ///< the first column of the second table, or npos
  bool headed_ = false;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace speclab
