#pragma once

#include <string>
#include <vector>

namespace speclab {

/// What a terminal of so many columns shows after these bytes: lines, carriage returns, and ESC [
/// K, which is all that speclab writes. The last line is where the cursor is.
struct Screen {
  explicit Screen(std::size_t width) : columns(width) {}

  void show(const std::string& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes.compare(i, 3, "\x1b[K") == 0) {
        lines.back().resize(column);
        i += 2;
      } else if (bytes[i] == '\r') {
        column = 0;
      } else if (bytes[i] == '\n') {
        lines.emplace_back();
        column = 0;
      } else {
        put(bytes[i]);
      }
    }
  }

  std::size_t columns;
  std::size_t column = 0;
  std::vector<std::string> lines{""};
  int wraps = 0;  ///< how often a line went on in the next for want of columns

 private:
  void put(char letter) {
    if (column == columns) {
      lines.emplace_back();
      column = 0;
      ++wraps;
    }
    std::string& line = lines.back();
    if (line.size() <= column) line.resize(column + 1, ' ');
    line[column++] = letter;
  }
};

}  // namespace speclab
