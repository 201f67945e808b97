#pragma once

#include <cstddef>

#include "recorded/scored/text.h"

namespace speclab {

// The loops of TextDecoder over a chunk of starts, written for vectors over gamma or over starts.
// Every instruction set gives the same bits.

struct TextChunk {
  static constexpr std::size_t kStarts = 128;
  static constexpr std::size_t kHalo = kMostScored;
  static constexpr std::size_t kColumns = kHalo + kStarts + kHalo + 8;  // whole vectors

  /// [i - 1][kHalo + s]: P(tau >= i) of the chunk's start s; columns before kHalo are of the chunk
  /// before it.
  alignas(64) double tails[kMostScored][kColumns];
  /// [kHalo + s][gamma - 1]: u(s).
  alignas(64) double begun[kHalo + kStarts][kMostScored];
};

struct TextKernels {
  /// tails of `count` starts: S_i(s) = min(1, x[s] S_{i-1}(s + 1)), S_0 = 1.
  /// @param x  of the chunk's starts and of kHalo more
  void (*tails)(const double* x, std::size_t count, TextChunk& chunk);
  /// u of `count` starts, and their sum onto calls[gamma - 1].
  void (*begun)(TextChunk& chunk, std::size_t count, double* calls);
  /// Adds u(s) S_i(s) onto reached[i - 1][gamma - 1], gamma >= i.
  void (*reached)(const TextChunk& chunk, std::size_t count, double* reached);
};

/// Those for the instructions that may be used (system/processor.h).
const TextKernels& text_kernels();

}  // namespace speclab
