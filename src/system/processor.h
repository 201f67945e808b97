#pragma once

namespace speclab {

/// Vector instructions that a kernel may be written for, in rising order. Every kernel gives the
/// same bits: they change no result.
enum class Instructions { scalar, avx2, avx512 };

/// Whether the processor has them (avx512: its parts F and DQ).
bool has_instructions(Instructions wanted);

/// The most that kernels may use: what the processor has, or those that the environment variable
/// SPECLAB_INSTRUCTIONS names (scalar, avx2 or avx512).
/// @throws InputError for another word, and for instructions that the processor lacks
Instructions allowed_instructions();

}  // namespace speclab
