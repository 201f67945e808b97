#include "base/json.h"

#include "report/formats.h"

namespace speclab {

std::string json_text(const Document& document) {
  Json root;
  if (document.data) {
    root = document.data();
  } else {
    Json& all = root[document.name] = Json::array();
    document.rows([&](const Cells& cells) {
      Json row = Json::object();
      for (std::size_t i = 0; i < cells.size(); ++i) row[document.columns[i]] = cell_text(cells[i]);
      all.push_back(std::move(row));
    });
  }
  if (!document.partial.empty()) root["partial"] = document.partial;
  return json_text(root, document.indent);
}

}  // namespace speclab
