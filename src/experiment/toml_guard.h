#pragma once

#include "experiment/toml_table.h"

namespace speclab {

/// Refuses, before it is parsed, text on which toml++ 3.3 ends the process or runs into undefined
/// behaviour: a key of very many parts (it recurses on them), a table header that does not begin
/// with a key ("[="), a character outside ASCII outside of quotes and comments, a time of day that
/// does not begin with a digit ("1979-05-27T/7:32"), a bracket that closes another kind ("[}"), a
/// string, a list or a '=' within a word ("0['x", "1='x'"). No experiment file has use for any of
/// them, nor for a time; whatever else is wrong is left to the parser.
/// @throws InputError "FILE:LINE: ..." with the mend
void check_toml(const TomlText& file);

}  // namespace speclab
