#include "simulate/philox.h"

#include <Random123/philox.h>

#include "simulate/intrinsics.h"
#include "system/processor.h"

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

#if defined(__x86_64__)

// Each 64-bit lane holds one 32-bit counter word. Products read the low halves only, so whatever an
// exclusive or leaves in the high halves does no harm until the end. A round's multiplication waits
// for the round before: N vectors run side by side to fill the wait.

constexpr int kRounds = 10;

#define SPECLAB_AVX512 __attribute__((target("avx512f")))
#define SPECLAB_AVX2 __attribute__((target("avx2")))

template <std::size_t N>
SPECLAB_AVX512 void avx512(std::uint64_t key, const PhiloxCounters& counters, std::size_t at,
                           PhiloxWords& words) {
  constexpr std::size_t kWidth = 8;
  const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0);
  const __m512i m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
  __m512i c[4][N];
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < N; ++i) {
      c[j][i] = _mm512_cvtepu32_epi64(_mm256_loadu_si256(
          reinterpret_cast<const __m256i*>(counters[j].data() + at + kWidth * i)));
    }
  }
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const __m512i key0 = _mm512_set1_epi64(static_cast<long long>(k0));
    const __m512i key1 = _mm512_set1_epi64(static_cast<long long>(k1));
    for (std::size_t i = 0; i < N; ++i) {
      const __m512i p0 = _mm512_mul_epu32(c[0][i], m0);
      const __m512i p1 = _mm512_mul_epu32(c[2][i], m1);
      c[0][i] = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p1, 32), c[1][i]), key0);
      c[2][i] = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p0, 32), c[3][i]), key1);
      c[1][i] = p1;
      c[3][i] = p0;
    }
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < N; ++i) {
      _mm512_storeu_si512(words[j].data() + at + kWidth * i,
                          _mm512_or_si512(_mm512_and_si512(c[2 * j][i], low),
                                          _mm512_slli_epi64(c[2 * j + 1][i], 32)));
    }
  }
}

template <std::size_t N>
SPECLAB_AVX2 void avx2(std::uint64_t key, const PhiloxCounters& counters, std::size_t at,
                       PhiloxWords& words) {
  constexpr std::size_t kWidth = 4;
  const __m256i m0 = _mm256_set1_epi64x(PHILOX_M4x32_0);
  const __m256i m1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
  __m256i c[4][N];
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < N; ++i) {
      c[j][i] = _mm256_cvtepu32_epi64(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(counters[j].data() + at + kWidth * i)));
    }
  }
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const __m256i key0 = _mm256_set1_epi64x(static_cast<long long>(k0));
    const __m256i key1 = _mm256_set1_epi64x(static_cast<long long>(k1));
    for (std::size_t i = 0; i < N; ++i) {
      const __m256i p0 = _mm256_mul_epu32(c[0][i], m0);
      const __m256i p1 = _mm256_mul_epu32(c[2][i], m1);
      c[0][i] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c[1][i]), key0);
      c[2][i] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c[3][i]), key1);
      c[1][i] = p1;
      c[3][i] = p0;
    }
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  const __m256i low = _mm256_set1_epi64x(0xffffffff);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < N; ++i) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(words[j].data() + at + kWidth * i),
                          _mm256_or_si256(_mm256_and_si256(c[2 * j][i], low),
                                          _mm256_slli_epi64(c[2 * j + 1][i], 32)));
    }
  }
}

SPECLAB_AVX512 void fill_avx512(std::uint64_t key, const PhiloxCounters& counters,
                                std::size_t groups, PhiloxWords& words) {
  if (groups == kPhiloxGroups) return avx512<kPhiloxGroups>(key, counters, 0, words);
  for (std::size_t i = 0; i < groups; ++i) avx512<1>(key, counters, i * kPhiloxLanes, words);
}

SPECLAB_AVX2 void fill_avx2(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                            PhiloxWords& words) {
  for (std::size_t i = 0; i < groups; ++i) avx2<2>(key, counters, i * kPhiloxLanes, words);
}

#endif

detail::PhiloxFill choose() {
  for (const auto& kernel : detail::philox_kernels()) {
    if (kernel.supported) return kernel.fill;
  }
  return detail::philox_kernels().back().fill;
}

}  // namespace

namespace detail {

const std::array<PhiloxKernel, 3>& philox_kernels() {
#if defined(__x86_64__)
  static const std::array<PhiloxKernel, 3> kernels{
      {{"avx512", &fill_avx512, allowed_instructions() >= Instructions::avx512},
       {"avx2", &fill_avx2, allowed_instructions() >= Instructions::avx2},
       {"scalar", &fill_scalar, true}}};
#else
  static const std::array<PhiloxKernel, 3> kernels{{{"avx512", &fill_scalar, false},
                                                    {"avx2", &fill_scalar, false},
                                                    {"scalar", &fill_scalar, true}}};
#endif
  return kernels;
}

}  // namespace detail

void philox_fill(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                 PhiloxWords& words) {
  static const detail::PhiloxFill fill = choose();
  fill(key, counters, groups, words);
}

}  // namespace speclab
