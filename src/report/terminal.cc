#include "report/formats.h"
#include "report/page.h"
#include "report/text_table.h"

namespace speclab {
namespace {

/// The rows of a document without a text of its own.
std::string list_text(const Document& document) {
  std::string text;
  document.rows([&](const Cells& cells) {
    text += cell_text(cells.front()) + "\n";
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const std::string cell = cell_text(cells[i]);
      if (!cell.empty()) text += folded("    " + document.columns[i] + ": " + cell + "\n", 2);
    }
  });
  return text.empty() ? "no " + document.name + " yet\n" : text;
}

}  // namespace

std::string terminal_text(const Document& document) {
  std::string text;
  if (document.text) {
    const Page page = document.text();
    for (const auto& block : page.blocks) {
      if (const auto* prose = std::get_if<Page::Prose>(&block)) {
        text += folded(prose->text, prose->hang);
      } else {
        text += folded(text_of(std::get<TextTable>(block), "  "));
      }
    }
  } else {
    text = list_text(document);
  }
  return document.partial.empty() ? text : text + "\npartial: " + document.partial + "\n";
}

}  // namespace speclab
