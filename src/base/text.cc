#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/printable.h"

namespace speclab {
namespace {

/// Counts insertions, deletions, substitutions and swaps of neighbours as one edit each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;  // rows i - 2, i - 1 and i of the table
  std::vector<std::size_t> above;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({substitute, row[j - 1] + 1, above[j] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string abbreviate(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  std::size_t end = cut ? limit - 3 : text.size();
  // Never cut within a UTF-8 character.
  while (cut && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return printable(text.substr(0, end)) + (cut ? "..." : "");
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> names) {
  const std::string name = nearest(word, names);
  return name.empty() ? "" : "; did you mean '" + name + "'?";
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string result;
  for (const std::string& word : words) {
    if (!result.empty()) result += separator;
    result += word;
  }
  return result;
}

}  // namespace speclab
