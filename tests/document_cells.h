#pragma once

#include <string>
#include <vector>

#include "document/document.h"

namespace speclab {

/// The rows of a document as text.
inline std::vector<std::vector<std::string>> cells_of(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  document.rows([&rows](const Cells& cells) {
    auto& row = rows.emplace_back();
    for (const Json& cell : cells) row.push_back(cell_text(cell));
  });
  return rows;
}

}  // namespace speclab
