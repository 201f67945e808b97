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

struct Parts {
  Numbers of[kParts];
};

template <std::size_t I, std::size_t V>
HWY_INLINE void add_part(const double* begun, Numbers tail, Parts& sums) {
  if constexpr ((V + 1) * kStep >= I) {
    const Numbers before = hn::Load(kLogs, begun - I * kMost + V * kStep);
    sums.of[V] = hn::Add(sums.of[V], hn::Mul(of_lengths<I, V>(before), tail));
  }
  if constexpr (V + 1 < kParts) add_part<I, V + 1>(begun, tail, sums);
}

/// Adds u(s - i) S_i(s - i) for i = I .. 2, of even and of odd i apart: half the wait.
template <std::size_t I>
HWY_INLINE void add_covered(const double* begun, const double* tails, Parts& one, Parts& other) {
  add_part<I, 0>(begun, hn::Set(kLogs, tails[(I - 1) * TextChunk::kColumns - I]), one);
  if constexpr (I > 2) add_covered<I - 1>(begun, tails, other, one);
}

HWY_INLINE void begin(double* row, const double* tails, Parts& before, Parts& total) {
  Parts even, odd;
  for (std::size_t v = 0; v < kParts; ++v) even.of[v] = odd.of[v] = hn::Zero(kLogs);
  add_covered<kMost>(row, tails, even, odd);
  const Numbers tail = hn::Set(kLogs, tails[-1]);
  for (std::size_t v = 0; v < kParts; ++v) {
    const Numbers rest = hn::Sub(hn::Set(kLogs, 1.0), hn::Add(even.of[v], odd.of[v]));
    const Numbers begun = hn::Sub(rest, hn::Mul(before.of[v], tail));
    hn::Store(begun, kLogs, row + v * kStep);
    before.of[v] = begun;
    total.of[v] = hn::Add(total.of[v], begun);
  }
}

void begun_of_chunk(TextChunk& chunk, std::size_t count, double* calls) {
  constexpr std::size_t kHalo = TextChunk::kHalo;
  Parts before, total;  // u(s - 1), which the next start waits for
  for (std::size_t v = 0; v < kParts; ++v) {
    before.of[v] = hn::Load(kLogs, chunk.begun[kHalo - 1] + v * kStep);
    total.of[v] = hn::Zero(kLogs);
  }
  for (std::size_t s = 0; s < count; ++s) {
    begin(chunk.begun[kHalo + s], chunk.tails[0] + kHalo + s, before, total);
  }
  for (std::size_t v = 0; v < kParts; ++v) {
    double* to = calls + v * kStep;
    hn::StoreU(hn::Add(hn::LoadU(kLogs, to), total.of[v]), kLogs, to);
  }
}

/// Adds levels first .. first + L - 1 of P parts from part v on.
template <std::size_t L, std::size_t P>
HWY_INLINE void add_reached(const TextChunk& chunk, std::size_t count, std::size_t first,
                            std::size_t v, double* reached) {
  constexpr std::size_t kHalo = TextChunk::kHalo;
  Numbers sums[L][P];
  for (std::size_t l = 0; l < L; ++l) {
    for (std::size_t p = 0; p < P; ++p) sums[l][p] = hn::Zero(kLogs);
  }
  for (std::size_t s = 0; s < count; ++s) {
    Numbers begun[P];
    for (std::size_t p = 0; p < P; ++p) {
      begun[p] = hn::Load(kLogs, chunk.begun[kHalo + s] + (v + p) * kStep);
    }
    for (std::size_t l = 0; l < L; ++l) {
      const Numbers tail = hn::Set(kLogs, chunk.tails[first + l][kHalo + s]);
      for (std::size_t p = 0; p < P; ++p) {
        sums[l][p] = hn::Add(sums[l][p], hn::Mul(begun[p], tail));
      }
    }
  }
  for (std::size_t l = 0; l < L; ++l) {
    for (std::size_t p = 0; p < P; ++p) {
      double* to = reached + (first + l) * kMost + (v + p) * kStep;
      hn::StoreU(hn::Add(hn::LoadU(kLogs, to), sums[l][p]), kLogs, to);
    }
  }
}

/// As many levels and parts at a time as registers hold sums of.
void reached_of_chunk(const TextChunk& chunk, std::size_t count, double* reached) {
  if constexpr (kStep == 8) {
    add_reached<8, 2>(chunk, count, 0, 0, reached);
    add_reached<8, 1>(chunk, count, 8, 1, reached);
  } else {
    for (std::size_t first = 0; first < kMost; first += 4) {
      for (std::size_t v = first / kStep; v < kParts; ++v) {
        add_reached<4, 1>(chunk, count, first, v, reached);
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
