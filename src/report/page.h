#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace speclab {

/// How many columns a text for people may have. 80 in a file, a pipe and a library, so that its
/// bytes do not depend on where it is made; the program sets it where it writes to a terminal.
std::size_t page_width();

/// @param columns  fewer than 40 count as 40
void set_page_width(std::size_t columns);

/// `text` broken at spaces into lines of at most `width`; a longer word has a line of its own.
std::vector<std::string> lines_of(std::string_view text, std::size_t width);

/// `text` with each line that is wider than the page broken at spaces; what does not fit goes on in
/// lines that are indented like it and by `hang` more. Words wider than the page stay whole, so
/// that they can be copied. Lines that fit are not touched.
std::string folded(std::string_view text, std::size_t hang = 4);

}  // namespace speclab
