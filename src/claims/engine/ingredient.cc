// Nothing but the four functions that a test defines anew: see ingredient.h.
#include "claims/engine/ingredient.h"

namespace speclab {

Rational ingredient(std::string_view, Rational value) { return value; }
double ingredient(std::string_view, double value) { return value; }
std::vector<Rational> ingredient(std::string_view, std::vector<Rational> values) { return values; }
std::string played(std::string_view verifier) { return std::string(verifier); }

}  // namespace speclab
