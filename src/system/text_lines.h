#pragma once

#include <functional>
#include <string>

namespace speclab {

/// Calls visit(line, number) for every line of a text file that is not blank, counted from 1.
/// @returns whether there was one
/// @throws InputError where the file cannot be read or is no UTF-8
bool each_text_line(const std::string& path,
                    const std::function<void(const std::string& line, int number)>& visit);

}  // namespace speclab
