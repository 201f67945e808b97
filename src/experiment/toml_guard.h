#pragma once

#include <string>

namespace speclab {

/// Refuses, before it is parsed, text on which toml++ 3.3 ends the process or runs into undefined
/// behaviour: a key of very many parts (it recurses on them), a table header that does not begin
/// with a key ("[="), a character outside ASCII outside of quotes and comments, a time of day that
/// does not begin with a digit ("1979-05-27T/7:32"), a bracket that closes another kind ("[}"), a
/// string, a list or a '=' within a word ("0['x", "1='x'"). No experiment file needs any of these,
/// nor a time; the parser reports all other errors.
/// @throws InputError "FILE:LINE: ..." with the fix
void check_toml(const std::string& path, const std::string& text);

}  // namespace speclab
