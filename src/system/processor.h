#pragma once

namespace speclab {

/// Vector instruction sets that a kernel may be written for, in rising order. Every kernel gives
/// the same bits whatever the set.
enum class Instructions { scalar, avx2, avx512 };

/// Whether the processor has them (avx512: its parts F, BW, CD, DQ and VL).
bool has_instructions(Instructions wanted);

/// The largest set that kernels may use: the processor's, or that of the environment variable
/// SPECLAB_INSTRUCTIONS names (scalar, avx2 or avx512).
/// @throws InputError for another word, and for instructions that the processor lacks
Instructions allowed_instructions();

}  // namespace speclab
