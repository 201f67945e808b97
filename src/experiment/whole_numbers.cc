#include "experiment/whole_numbers.h"

#include <algorithm>
#include <charconv>

#include "base/split.h"

namespace speclab {

std::vector<std::int64_t> whole_numbers(std::string_view text, std::string_view separator) {
  constexpr std::size_t kMostDigits = 9;
  std::vector<std::int64_t> numbers;
  for (const std::string_view digits : split(text, separator)) {
    const bool whole = !digits.empty() && digits.size() <= kMostDigits &&
                       std::all_of(digits.begin(), digits.end(),
                                   [](char digit) { return digit >= '0' && digit <= '9'; });
    if (!whole) return {};
    std::from_chars(digits.data(), digits.data() + digits.size(), numbers.emplace_back());
  }
  return numbers;
}

}  // namespace speclab
