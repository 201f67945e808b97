#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/printable.h"

namespace speclab {

/// Serialises a document whatever bytes its strings contain: bytes that are not UTF-8 are replaced
/// and control characters escaped. @param indent  spaces per level; -1: all on one line
template <class Json>
std::string json_text(const Json& document, int indent = 1) {
  return printable_json(document.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace speclab
