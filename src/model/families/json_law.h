#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/rational.h"
#include "base/types.h"
#include "model/pair.h"
#include "system/interrupt.h"

namespace speclab {

/// Parses one JSON document; a key given twice in one object is an error.
/// @param poll  called now and then; may throw
/// @throws InputError "WHERE: ..." naming line and column of the error.
Json parse_json(const std::string& text, const std::string& where,
                const std::function<void()>& poll = check_interrupted);

/// @throws InputError "WHERE has the unknown key ..." where the object has a key that is not known.
void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known,
                         const std::string& where);

/// A number at its exact double value, or a string such as "3/8".
/// @throws InputError "WHERE: ..." when it is neither.
Rational read_json_number(const Json& entry, const std::string& where);

/// Reads a law: a list of V entries, or an object from tokens to theirs, {"7": "1/3"}, where all
/// others are 0. Entries are numbers at their exact double value or strings such as "3/8". A row of
/// strings must sum to exactly 1; a row with a number may miss 1 by 1e-9 and is renormalised
/// exactly.
/// @throws InputError "WHERE: ..." when it is not such a row.
std::vector<Rational> read_json_law(const Json& row, Token vocabulary, const std::string& where);

/// Makes the pair that one JSON object describes, in the format of file(PATH) (see file.cc); the
/// caller sets its name.
/// @throws InputError "WHERE ..." naming the key or the row that is wrong.
PairPointer read_json_pair(const Json& object, const std::string& where);

}  // namespace speclab
