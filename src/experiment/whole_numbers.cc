#include "experiment/whole_numbers.h"

#include <algorithm>
#include <charconv>

namespace speclab {

std::vector<std::int64_t> whole_numbers(std::string_view text, std::string_view separator) {
  constexpr std::size_t kMostDigits = 9;
  std::vector<std::int64_t> numbers;
  while (true) {
    const std::string_view digits = text.substr(0, text.find(separator));
    const bool whole = !digits.empty() && digits.size() <= kMostDigits &&
                       std::all_of(digits.begin(), digits.end(),
                                   [](char digit) { return digit >= '0' && digit <= '9'; });
    if (!whole) return {};
    std::from_chars(digits.data(), digits.data() + digits.size(), numbers.emplace_back());
    if (digits.size() == text.size()) return numbers;
    text.remove_prefix(digits.size() + separator.size());
  }
}

}  // namespace speclab
