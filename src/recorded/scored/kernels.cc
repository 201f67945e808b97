#include "recorded/scored/kernels.h"

#include "system/processor.h"

// Highway compiles this file once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "recorded/scored/kernels.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace speclab::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, 8> kLogs;
using Numbers = hn::Vec<decltype(kLogs)>;
constexpr std::size_t kStep = hn::MaxLanes(kLogs);
constexpr std::size_t kMost = kMostScored;
constexpr std::size_t kParts = kMost / kStep;  ///< vectors over gamma

void tails_of_chunk(const double* x, std::size_t count, TextChunk& chunk) {
  constexpr std::size_t kHalo = TextChunk::kHalo;
  const Numbers one = hn::Set(kLogs, 1.0);
  for (std::size_t i = 1; i <= kMost; ++i) {
    double* to = chunk.tails[i - 1] + kHalo;
    const double* longer = i > 1 ? chunk.tails[i - 2] + kHalo + 1 : nullptr;
    // Level i needs level i - 1 of one start more.
    const std::size_t end = count + kMost - i;
    for (std::size_t s = 0; s < end; s += kStep) {
      const Numbers factor = hn::LoadU(kLogs, x + s);
      const Numbers product = i > 1 ? hn::Mul(factor, hn::LoadU(kLogs, longer + s)) : factor;
      hn::StoreU(hn::Min(one, product), kLogs, to + s);
    }
  }
}

/// Lanes of part v that belong to gamma >= i.
template <std::size_t I, std::size_t V>
HWY_INLINE Numbers of_lengths(Numbers numbers) {
  if constexpr (V * kStep + 1 >= I) {
    return numbers;
  } else {
    return hn::IfThenZeroElse(hn::FirstN(kLogs, I - 1 - V * kStep), numbers);
  }
}

/// Adds u(s - i) S_i(s - i) for i = I .. 2.
template <std::size_t I, std::size_t V>
HWY_INLINE void add_covered(const double* begun, const double* tails, Numbers& sum) {
  if constexpr ((V + 1) * kStep >= I) {
    const Numbers before = hn::Load(kLogs, begun - I * kMost + V * kStep);
    sum = hn::Add(sum, hn::Mul(of_lengths<I, V>(before),
                               hn::Set(kLogs, tails[(I - 1) * TextChunk::kColumns - I])));
  }
  if constexpr (I > 2) add_covered<I - 1, V>(begun, tails, sum);
}

struct Row {
  Numbers before[kParts];  ///< u(s - 1), which the next start waits for
  Numbers total[kParts];
};

template <std::size_t V>
HWY_INLINE void begin(double* row, const double* tails, Row& parts) {
  Numbers covered = hn::Zero(kLogs);
  add_covered<kMost, V>(row, tails, covered);
  covered = hn::Add(covered, hn::Mul(parts.before[V], hn::Set(kLogs, tails[-1])));
  const Numbers begun = hn::Sub(hn::Set(kLogs, 1.0), covered);
  hn::Store(begun, kLogs, row + V * kStep);
  parts.before[V] = begun;
  parts.total[V] = hn::Add(parts.total[V], begun);
  if constexpr (V + 1 < kParts) begin<V + 1>(row, tails, parts);
}

void begun_of_chunk(TextChunk& chunk, std::size_t count, double* calls) {
  constexpr std::size_t kHalo = TextChunk::kHalo;
  Row parts;
  for (std::size_t v = 0; v < kParts; ++v) {
    parts.before[v] = hn::Load(kLogs, chunk.begun[kHalo - 1] + v * kStep);
    parts.total[v] = hn::Zero(kLogs);
  }
  for (std::size_t s = 0; s < count; ++s) {
    begin<0>(chunk.begun[kHalo + s], chunk.tails[0] + kHalo + s, parts);
  }
  for (std::size_t v = 0; v < kParts; ++v) {
    double* to = calls + v * kStep;
    hn::StoreU(hn::Add(hn::LoadU(kLogs, to), parts.total[v]), kLogs, to);
  }
}

/// Four levels at a time, so that all sums stay in registers.
void reached_of_chunk(const TextChunk& chunk, std::size_t count, double* reached) {
  constexpr std::size_t kHalo = TextChunk::kHalo;
  constexpr std::size_t kLevels = 4;
  for (std::size_t first = 0; first < kMost; first += kLevels) {
    for (std::size_t v = first / kStep; v < kParts; ++v) {
      Numbers sums[kLevels] = {hn::Zero(kLogs), hn::Zero(kLogs), hn::Zero(kLogs), hn::Zero(kLogs)};
      for (std::size_t s = 0; s < count; ++s) {
        const Numbers begun = hn::Load(kLogs, chunk.begun[kHalo + s] + v * kStep);
        for (std::size_t l = 0; l < kLevels; ++l) {
          const Numbers tail = hn::Set(kLogs, chunk.tails[first + l][kHalo + s]);
          sums[l] = hn::Add(sums[l], hn::Mul(begun, tail));
        }
      }
      for (std::size_t l = 0; l < kLevels; ++l) {
        double* to = reached + (first + l) * kMost + v * kStep;
        hn::StoreU(hn::Add(hn::LoadU(kLogs, to), sums[l]), kLogs, to);
      }
    }
  }
}

}  // namespace

constexpr TextKernels kTextKernels{&tails_of_chunk, &begun_of_chunk, &reached_of_chunk};
const TextKernels& text_kernels_here() { return kTextKernels; }

}  // namespace speclab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace speclab {

const TextKernels& text_kernels() {
  switch (allowed_instructions()) {
    case Instructions::avx512:
#if HWY_TARGETS & HWY_AVX3
      return N_AVX3::text_kernels_here();
#endif
    case Instructions::avx2:
#if HWY_TARGETS & HWY_AVX2
      return N_AVX2::text_kernels_here();
#endif
    case Instructions::scalar:
      break;
  }
  return HWY_STATIC_DISPATCH(text_kernels_here)();
}

}  // namespace speclab
#endif
