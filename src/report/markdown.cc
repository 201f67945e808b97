#include <algorithm>

#include "report/formats.h"

namespace speclab {
namespace {

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

/// The names of the columns and the line below them.
std::string markdown_head(std::vector<std::string> columns, std::string_view alignment) {
  for (std::string& column : columns) column = markdown_cell(column);
  std::string text = markdown_row(columns) + "|";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += i < alignment.size() && alignment[i] == 'r' ? "--:|" : "---|";
  }
  return text + "\n";
}

std::string markdown_table(const TextTable& table) {
  std::string text = table.title.empty() ? "" : markdown_code(table.title) + "\n\n";
  text += markdown_head(table.head, table.alignment);
  for (std::vector<std::string> cells : table.rows) {
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const bool code = table.alignment[column] == 'c';
      cells[column] = code ? markdown_code(cells[column]) : markdown_cell(cells[column]);
    }
    text += markdown_row(cells);
  }
  return text;
}

}  // namespace

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string markdown_code(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string space = longest > 0 ? " " : "";
  return fence + space + markdown_cell(text) + space + fence;
}

std::string markdown_text(const Document& document) {
  std::string text;
  if (document.page) {
    const Page page = document.page();
    for (const auto& block : page.blocks) {
      const auto* prose = std::get_if<Page::Prose>(&block);
      text += prose != nullptr ? prose->text : markdown_table(std::get<TextTable>(block));
    }
  } else {
    text = markdown_head(document.columns, "");
    document.rows([&text](const Cells& cells) {
      std::vector<std::string> shown;
      for (const Json& cell : cells) {
        const std::string plain = cell_text(cell);
        shown.push_back(shown.empty() ? markdown_code(plain) : markdown_cell(plain));
      }
      text += markdown_row(shown);
    });
  }
  return document.partial.empty() ? text : text + "\n**Partial: " + document.partial + ".**\n";
}

}  // namespace speclab
