#include "report/text_table.h"

#include <algorithm>

#include "report/page.h"

namespace speclab {
namespace {

constexpr std::size_t kGap = 2;     ///< spaces between columns
constexpr std::size_t kName = 12;   ///< a column's name is broken to no less
constexpr std::size_t kLabel = 26;  ///< a first column of names is broken to no less
constexpr std::size_t kHang = 4;    ///< what goes on below a row is indented by at least so many

using Cell = std::vector<std::string>;     ///< its lines
using Columns = std::vector<std::size_t>;  ///< their numbers

std::size_t width_of(const Cell& cell) {
  std::size_t width = 0;
  for (const std::string& line : cell) width = std::max(width, line.size());
  return width;
}

/// Cells that may have several lines.
class Grid {
 public:
  Grid(const std::vector<std::vector<std::string>>& rows, const std::string& alignment)
      : alignment_(alignment) {
    for (const auto& row : rows) {
      auto& cells = cells_.emplace_back(alignment.size());
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!row[i].empty()) cells[i] = {row[i]};
      }
    }
  }

  [[nodiscard]] std::size_t width(std::size_t column, std::size_t first_row = 0) const {
    std::size_t width = 0;
    for (std::size_t row = first_row; row < cells_.size(); ++row) {
      width = std::max(width, width_of(cells_[row][column]));
    }
    return width;
  }

  [[nodiscard]] std::size_t width(const Columns& columns) const {
    std::size_t width = 0;
    for (const std::size_t column : columns) width += (width > 0 ? kGap : 0) + this->width(column);
    return width;
  }

  /// The columns that hold anything.
  [[nodiscard]] Columns used() const {
    Columns columns;
    for (std::size_t i = 0; i < alignment_.size(); ++i) {
      if (width(i) > 0) columns.push_back(i);
    }
    return columns;
  }

  /// The rows that hold anything in these columns after the first `keys`.
  [[nodiscard]] Grid rows_with(const Columns& columns, std::size_t keys) const {
    Grid grid(*this);
    std::erase_if(grid.cells_, [&](const std::vector<Cell>& cells) {
      return std::none_of(columns.begin() + static_cast<std::ptrdiff_t>(keys), columns.end(),
                          [&](std::size_t i) { return !cells[i].empty(); });
    });
    return grid;
  }

  /// Whether the cells of `last` fit behind those of `columns` in most rows that have any.
  [[nodiscard]] bool mostly_fits(const Columns& columns, const Columns& last,
                                 std::size_t room) const {
    std::size_t fit = 0, all = 0;
    for (const auto& cells : cells_) {
      const std::string rest = joined(cells, last);
      if (rest.empty()) continue;
      ++all;
      fit += width(columns) + kGap + rest.size() <= room;
    }
    return 2 * fit > all;
  }

  /// Breaks the cells of a column at spaces, in the first `rows` rows.
  void break_cells(std::size_t column, std::size_t rows, std::size_t width) {
    for (std::size_t row = 0; row < rows; ++row) {
      Cell& cell = cells_[row][column];
      if (!cell.empty()) cell = lines_of(cell.front(), width);
    }
  }

  void break_names() {
    for (std::size_t i = 0; i < alignment_.size(); ++i) {
      break_cells(i, 1, std::max(kName, width(i, 1)));
    }
  }
  /// Whether all rows below the names have the same cell here, and there are several.
  [[nodiscard]] bool constant(std::size_t column) const {
    return cells_.size() > 2 && !cells_[1][column].empty() &&
           std::all_of(cells_.begin() + 1, cells_.end(), [&](const std::vector<Cell>& cells) {
             return cells[column] == cells_[1][column];
           });
  }
  void break_labels() { break_cells(0, cells_.size(), kLabel); }

  /// The rows in these columns; the cells of `last` after them, or below where a row has no room.
  /// @param keys  leave out rows that have nothing in `columns` after so many; 0: none
  [[nodiscard]] std::string text(const Columns& columns, const Columns& last,
                                 std::string_view indent, bool headed, std::size_t keys) const {
    std::string text;
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      const auto& cells = cells_[row];
      const auto holds = [&](std::size_t i) { return !cells[i].empty(); };
      if (keys > 0 &&
          std::none_of(columns.begin() + static_cast<std::ptrdiff_t>(keys), columns.end(), holds)) {
        continue;
      }
      const std::string rest = joined(cells, last);
      const bool fits =
          rest.empty() || indent.size() + width(columns) + kGap + rest.size() <= page_width();
      std::size_t height = 1;
      for (const std::size_t i : columns) height = std::max(height, cells[i].size());
      const bool head = headed && row == 0;
      for (std::size_t number = 0; number < height; ++number) {
        std::string shown = line(cells, columns, number, height, head);
        if (number == (head ? height - 1 : 0) && fits) shown += std::string(kGap, ' ') + rest;
        text += trimmed(std::string(indent) + shown) + "\n";
      }
      if (!fits) text += std::string(indent) + at_right(rest, width(columns)) + "\n";
    }
    return text;
  }

 private:
  static std::string joined(const std::vector<Cell>& cells, const Columns& columns) {
    std::string text;
    for (const std::size_t i : columns) {
      if (cells[i].empty()) continue;
      text += (text.empty() ? "" : std::string(kGap, ' ')) + cells[i].front();
    }
    return text;
  }

  /// What goes on below a row ends where the table does: names alone stand at its left.
  static std::string at_right(const std::string& rest, std::size_t width) {
    const std::size_t before = width - std::min(width, rest.size());
    return std::string(std::max(kHang, before), ' ') + rest;
  }

  static std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  /// One of the lines of a row that has so many.
  /// @param sinks  whether cells of fewer lines stand at the bottom, as names of columns do
  [[nodiscard]] std::string line(const std::vector<Cell>& cells, const Columns& columns,
                                 std::size_t number, std::size_t height, bool sinks) const {
    std::string text;
    for (const std::size_t i : columns) {
      const std::size_t above = sinks ? height - cells[i].size() : 0;
      const bool there = number >= above && number - above < cells[i].size();
      const std::string shown = there ? cells[i][number - above] : "";
      const std::string padding(width(i) - shown.size(), ' ');
      if (i != columns.front()) text += std::string(kGap, ' ');
      text += alignment_[i] == 'r' ? padding + shown : shown + padding;
    }
    return text;
  }

  const std::string& alignment_;
  std::vector<std::vector<Cell>> cells_;
};

/// How the columns of a table are shown.
struct Look {
  const std::string& alignment;
  std::size_t keys;  ///< the columns that name a row
  std::string_view indent;
  bool headed;
};

/// The columns of text at the end, but those that name a row and one more.
Columns last_of(const Columns& all, const Look& look) {
  auto first = all.end();
  while (first - all.begin() > static_cast<std::ptrdiff_t>(look.keys) + 1 &&
         look.alignment[*(first - 1)] != 'r') {
    --first;
  }
  return {first, all.end()};
}

/// These columns, folded where they are wider than the page.
std::string laid(const Grid& grid, const Look& look, const Columns& all) {
  const std::size_t room = page_width() - std::min(page_width(), look.indent.size());
  if (grid.width(all) <= room) return grid.text(all, {}, look.indent, look.headed, 0);

  const Columns last = last_of(all, look);
  const Columns rest(all.begin(), all.end() - static_cast<std::ptrdiff_t>(last.size()));
  if (grid.width(rest) <= room) return grid.text(rest, last, look.indent, look.headed, 0);

  const Columns keys(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(look.keys));
  std::string text;
  Columns block = keys;
  const auto finish = [&] {
    text += grid.text(block, {}, look.indent, look.headed, text.empty() ? 0 : keys.size());
    block = keys;
  };
  for (std::size_t i = keys.size(); i < all.size(); ++i) {
    Columns wider = block;
    wider.push_back(all[i]);
    if (grid.width(wider) > room && block.size() > keys.size()) finish();
    block.push_back(all[i]);
  }
  finish();
  return text;
}

/// Takes constant columns that name no row out of `columns`, the last first, until these fit
/// `room`.
/// @return a line with their names and cells, or ""
std::string without_constants(Columns& columns, const Grid& grid, const TextTable& table,
                              std::size_t room) {
  std::string text;
  for (std::size_t at = columns.size(); at-- > table.keys && grid.width(columns) > room;) {
    const std::size_t column = columns[at];
    if (table.head[column].empty() || !grid.constant(column)) continue;
    if (!text.empty()) text.insert(0, ", ");
    text.insert(0, table.head[column] + " " + table.rows.front()[column]);
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return text.empty() ? "" : "in every row: " + text + "\n";
}

}  // namespace

std::string text_of(const TextTable& table, std::string_view indent) {
  const std::size_t bar_at = table.alignment.find('|');
  std::string alignment = table.alignment;
  if (bar_at != std::string::npos) alignment.erase(bar_at, 1);
  std::vector<std::vector<std::string>> rows = table.rows;
  if (!table.head.empty()) rows.insert(rows.begin(), table.head);
  Grid grid(rows, alignment);
  Columns all = grid.used();
  const Look look{alignment, std::min(table.keys, all.size()), indent, !table.head.empty()};
  const std::size_t room = page_width() - std::min(page_width(), indent.size());
  if (look.headed && grid.width(all) > room) grid.break_names();
  std::string title = table.title.empty() ? "" : table.title + "\n";
  if (look.headed) {
    const std::string constants = without_constants(all, grid, table, room);
    if (!constants.empty()) title += folded(std::string(indent) + constants, kHang);
  }
  if (grid.width(all) > room) grid.break_labels();

  const auto bar = std::find_if(all.begin(), all.end(), [&](std::size_t i) { return i >= bar_at; });
  const Columns last = last_of(all, look);
  const Columns rest(all.begin(), all.end() - static_cast<std::ptrdiff_t>(last.size()));
  const bool one = bar == all.end() || grid.width(all) <= room ||
                   (grid.width(rest) <= room && grid.mostly_fits(rest, last, room));
  if (one || bar - all.begin() <= static_cast<std::ptrdiff_t>(look.keys)) {
    return title + laid(grid, look, all);
  }
  const Columns first(all.begin(), bar);
  Columns second(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(look.keys));
  second.insert(second.end(), bar, all.end());
  return title + laid(grid.rows_with(first, 1), look, first) +
         laid(grid.rows_with(second, look.keys), look, second);
}

}  // namespace speclab
