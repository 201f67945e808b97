#pragma once

#include <string>

#include "simulate/tally.h"

namespace speclab {

/// A tally as JSON text, whole, and back: what is read equals what was written. Wide counts are
/// decimal strings; of the outputs the cells that occur are listed.
std::string tally_text(const Tally& tally);

/// @throws InputError when the text is no tally
Tally read_tally(const std::string& text);

}  // namespace speclab
