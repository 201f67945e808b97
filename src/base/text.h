#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace speclab {

/// At most `limit` bytes of `text`, control characters replaced, "..." where it was cut; for
/// messages.
std::string abbreviate(std::string_view text, std::size_t limit = 60);

/// The name nearest to `word` by edit distance (a swap of neighbouring letters counts as one), or
/// "" where none is near (more than a third of the word's letters differ).
std::string nearest(std::string_view word, std::span<const std::string> names);

/// "; did you mean 'token'?" or "" (see nearest).
std::string suggestion(std::string_view word, std::span<const std::string> names);

/// Whether a text is decimal digits, one at least, and nothing else.
bool all_digits(std::string_view text);

/// "a, b, c".
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

}  // namespace speclab
