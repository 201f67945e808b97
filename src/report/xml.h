#pragma once

#include <string>
#include <string_view>

namespace speclab {

/// Text between tags or in an attribute: the signs of markup are escaped, and control characters,
/// which XML does not allow, are '?'; line feeds and tabs stay.
std::string xml_text(std::string_view text);

}  // namespace speclab
