#pragma once

// The processor's vector instructions, where there are such. For the .cc files that use them alone:
// it silences warnings for the rest of the file.

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// GCC's own AVX-512 header reads vectors it declares as undefined.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif
