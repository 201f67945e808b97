#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace speclab {

/// The whole numbers, of at most 9 digits each, that `separator` divides: "4:24:4" gives 4, 24
/// and 4. Empty where the text is anything else.
std::vector<std::int64_t> whole_numbers(std::string_view text, std::string_view separator);

}  // namespace speclab
