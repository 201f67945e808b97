#include "base/json.h"

#include "report/formats.h"

namespace speclab {

namespace {

/// "lossless at T > 0" as a key: lossless_at_t_0.
std::string identifier(const std::string& column) {
  std::string key;
  for (const char c : column) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    if (letter) {
      key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!key.empty() && key.back() != '_') {
      key += '_';
    }
  }
  return key;
}

}  // namespace

std::string json_text(const Document& document) {
  Json root;
  if (document.data) {
    root = document.data();
  } else {
    Json& all = root[document.name] = Json::array();
    document.rows([&](const Cells& cells) {
      Json row = Json::object();
      for (std::size_t i = 0; i < cells.size(); ++i)
        row[identifier(document.columns[i])] = cells[i];
      all.push_back(std::move(row));
    });
  }
  if (!document.partial.empty()) root["partial"] = document.partial;
  return json_text(root, document.indent);
}

}  // namespace speclab
