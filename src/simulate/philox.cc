#include "simulate/philox.h"

#include <Random123/philox.h>

#include "system/processor.h"

// Highway compiles this file once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simulate/philox.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace speclab::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::uint64_t, kPhiloxLanes> kWords;
constexpr hn::Repartition<std::uint32_t, decltype(kWords)> kHalves;
using Words = hn::Vec<decltype(kWords)>;
constexpr std::size_t kWidth = hn::MaxLanes(kWords);

/// The products of the low halves.
HWY_INLINE Words multiply(Words words, std::uint32_t factor) {
  return hn::MulEven(hn::BitCast(kHalves, words), hn::Set(kHalves, factor));
}

/// Blocks at .. at + N kWidth - 1. Each 64-bit lane holds one 32-bit counter word. Products read
/// the low halves only, so whatever an exclusive or leaves in the high halves does no harm until
/// the end. A round's multiplication waits for the round before: N vectors run side by side to fill
/// the wait.
template <std::size_t N>
HWY_INLINE void fill_blocks(std::uint64_t key, const PhiloxCounters& counters, std::size_t at,
                            PhiloxWords& words) {
  constexpr int kRounds = 10;
  constexpr hn::Rebind<std::uint32_t, decltype(kWords)> narrow;
  Words c[4][N];
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < N; ++i) {
      c[j][i] = hn::PromoteTo(kWords, hn::LoadU(narrow, counters[j].data() + at + kWidth * i));
    }
  }
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const Words key0 = hn::Set(kWords, k0);
    const Words key1 = hn::Set(kWords, k1);
    for (std::size_t i = 0; i < N; ++i) {
      const Words p0 = multiply(c[0][i], PHILOX_M4x32_0);
      const Words p1 = multiply(c[2][i], PHILOX_M4x32_1);
      c[0][i] = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c[1][i]), key0);
      c[2][i] = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c[3][i]), key1);
      c[1][i] = p1;
      c[3][i] = p0;
    }
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  const Words low = hn::Set(kWords, 0xffffffff);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < N; ++i) {
      hn::StoreU(hn::Or(hn::And(c[2 * j][i], low), hn::ShiftLeft<32>(c[2 * j + 1][i])), kWords,
                 words[j].data() + at + kWidth * i);
    }
  }
}

}  // namespace

void fill_vectors(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                  PhiloxWords& words) {
  constexpr std::size_t kAtOnce = kWidth == kPhiloxLanes ? kPhiloxGroups * kWidth : kPhiloxLanes;
  const std::size_t blocks = groups * kPhiloxLanes;
  std::size_t at = 0;
  for (; at + kAtOnce <= blocks; at += kAtOnce) {
    fill_blocks<kAtOnce / kWidth>(key, counters, at, words);
  }
  for (; at < blocks; at += kWidth) fill_blocks<1>(key, counters, at, words);
}

}  // namespace speclab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace speclab {
namespace {

void fill_scalar(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                 PhiloxWords& words) {
  const r123::Philox4x32::key_type halves{
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  for (std::size_t i = 0; i < groups * kPhiloxLanes; ++i) {
    const auto block =
        r123::Philox4x32{}(r123::Philox4x32::ctr_type{{counters[0][i], counters[1][i],
                                                       counters[2][i], counters[3][i]}},
                           halves);
    words[0][i] = block[0] | static_cast<std::uint64_t>(block[1]) << 32;
    words[1][i] = block[2] | static_cast<std::uint64_t>(block[3]) << 32;
  }
}

}  // namespace

std::span<const PhiloxKernel> philox_kernels() {
  static const auto kernels = std::to_array<PhiloxKernel>({
#if HWY_TARGETS & HWY_AVX3
    {"avx512", &N_AVX3::fill_vectors, allowed_instructions() >= Instructions::avx512},
#endif
#if HWY_TARGETS & HWY_AVX2
        {"avx2", &N_AVX2::fill_vectors, allowed_instructions() >= Instructions::avx2},
#endif
    {
      "scalar", &fill_scalar, true
    }
  });
  return kernels;
}

void philox_fill(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                 PhiloxWords& words) {
  static const PhiloxKernel& fastest = fastest_of(philox_kernels());
  fastest.fill(key, counters, groups, words);
}

}  // namespace speclab
#endif
