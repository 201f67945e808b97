#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

namespace speclab {

/// A word of a command line: an option with its value, or a word that is none.
struct GivenWord {
  std::string option;  ///< without the dashes; "" of a word that is no option
  std::string value;   ///< "" of a switch
};

/// Takes a command line apart: `--name`, `--name value`, `--name=value` and other words, in order.
/// @throws UsageError as the functions below
std::vector<GivenWord> parse_words(std::span<const Option> options, std::string_view command,
                                   const std::vector<std::string>& words);

/// @throws UsageError that names the option as it was written, and the likeliest one
[[noreturn]] void refuse_unknown(const std::string& written, std::span<const Option> options,
                                 std::string_view command);
/// @param name  with its dashes @throws UsageError
[[noreturn]] void refuse_value(const std::string& name);
/// @param name  with its dashes @throws UsageError
[[noreturn]] void refuse_missing(const std::string& name, std::string_view command);

}  // namespace speclab
