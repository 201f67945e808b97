#pragma once

#include <string>

#include "answer/documents/score.h"

namespace speclab {

/// A page of HTML that stands alone: the texts, each token shaded by the chance that it was an
/// accepted draft, and the tokens that cost most target calls.
/// @param verifier  spec text of the verifier that the texts are shaded for
std::string shaded_page(const ScoreReport& report, const std::string& verifier, int gamma);

}  // namespace speclab
