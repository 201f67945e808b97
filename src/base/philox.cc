#include "base/philox.h"

#include <Random123/philox.h>

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// GCC's own AVX-512 header reads vectors it declares as undefined.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif

namespace speclab {
namespace {

using Counters = std::array<PhiloxCounter, kPhiloxLanes>;

void fill_scalar(std::uint64_t key, const Counters& counters, PhiloxWords& words) {
  const r123::Philox4x32::key_type halves{
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  for (std::size_t lane = 0; lane < kPhiloxLanes; ++lane) {
    const auto& counter = counters[lane];
    const auto block = r123::Philox4x32{}(
        r123::Philox4x32::ctr_type{{counter[0], counter[1], counter[2], counter[3]}}, halves);
    words[2 * lane] = block[0] | static_cast<std::uint64_t>(block[1]) << 32;
    words[2 * lane + 1] = block[2] | static_cast<std::uint64_t>(block[3]) << 32;
  }
}

void fill_trials_scalar(std::uint64_t key, std::uint32_t block, std::uint32_t tag,
                        std::uint64_t first_trial, PhiloxGroup& words) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    Counters counters;
    for (std::uint32_t lane = 0; lane < kPhiloxLanes; ++lane) {
      const std::uint64_t trial = first_trial + lane;
      counters[lane] = {block + i, tag, static_cast<std::uint32_t>(trial),
                        static_cast<std::uint32_t>(trial >> 32)};
    }
    PhiloxWords made;
    fill_scalar(key, counters, made);
    for (std::size_t lane = 0; lane < kPhiloxLanes; ++lane) {
      words[2 * i][lane] = made[2 * lane];
      words[2 * i + 1][lane] = made[2 * lane + 1];
    }
  }
}

#if defined(__x86_64__)

// Each 64-bit lane holds one 32-bit counter word. Products read the low halves only, so whatever an
// exclusive or leaves in the high halves does no harm until the end.

constexpr int kRounds = 10;

__attribute__((target("avx512f"))) void fill_avx512(std::uint64_t key, const Counters& counters,
                                                    PhiloxWords& words) {
  alignas(64) std::array<std::array<std::uint64_t, kPhiloxLanes>, 4> columns;
  for (std::size_t lane = 0; lane < kPhiloxLanes; ++lane) {
    for (std::size_t i = 0; i < 4; ++i) columns[i][lane] = counters[lane][i];
  }
  __m512i c0 = _mm512_load_si512(columns[0].data());
  __m512i c1 = _mm512_load_si512(columns[1].data());
  __m512i c2 = _mm512_load_si512(columns[2].data());
  __m512i c3 = _mm512_load_si512(columns[3].data());
  const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0);
  const __m512i m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const __m512i p0 = _mm512_mul_epu32(c0, m0);
    const __m512i p1 = _mm512_mul_epu32(c2, m1);
    const __m512i key0 = _mm512_set1_epi64(static_cast<long long>(k0));
    const __m512i key1 = _mm512_set1_epi64(static_cast<long long>(k1));
    c0 = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p1, 32), c1), key0);
    c2 = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p0, 32), c3), key1);
    c1 = p1;
    c3 = p0;
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  const __m512i first = _mm512_or_si512(_mm512_and_si512(c0, low), _mm512_slli_epi64(c1, 32));
  const __m512i second = _mm512_or_si512(_mm512_and_si512(c2, low), _mm512_slli_epi64(c3, 32));
  const __m512i front = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
  const __m512i back = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
  _mm512_storeu_si512(words.data(), _mm512_permutex2var_epi64(first, front, second));
  _mm512_storeu_si512(words.data() + 8, _mm512_permutex2var_epi64(first, back, second));
}

__attribute__((target("avx2"))) void fill_avx2(std::uint64_t key, const Counters& counters,
                                               PhiloxWords& words) {
  alignas(32) std::array<std::array<std::uint64_t, kPhiloxLanes>, 4> columns;
  for (std::size_t lane = 0; lane < kPhiloxLanes; ++lane) {
    for (std::size_t i = 0; i < 4; ++i) columns[i][lane] = counters[lane][i];
  }
  const __m256i m0 = _mm256_set1_epi64x(PHILOX_M4x32_0);
  const __m256i m1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
  const __m256i low = _mm256_set1_epi64x(0xffffffff);
  for (std::size_t half = 0; half < kPhiloxLanes; half += 4) {
    const auto load = [&](std::size_t i) __attribute__((target("avx2"))) {
      return _mm256_load_si256(reinterpret_cast<const __m256i*>(columns[i].data() + half));
    };
    __m256i c0 = load(0);
    __m256i c1 = load(1);
    __m256i c2 = load(2);
    __m256i c3 = load(3);
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < kRounds; ++round) {
      const __m256i p0 = _mm256_mul_epu32(c0, m0);
      const __m256i p1 = _mm256_mul_epu32(c2, m1);
      const __m256i key0 = _mm256_set1_epi64x(static_cast<long long>(k0));
      const __m256i key1 = _mm256_set1_epi64x(static_cast<long long>(k1));
      c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c1), key0);
      c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c3), key1);
      c1 = p1;
      c3 = p0;
      k0 += PHILOX_W32_0;
      k1 += PHILOX_W32_1;
    }
    alignas(32) std::array<std::uint64_t, 4> first;
    alignas(32) std::array<std::uint64_t, 4> second;
    _mm256_store_si256(reinterpret_cast<__m256i*>(first.data()),
                       _mm256_or_si256(_mm256_and_si256(c0, low), _mm256_slli_epi64(c1, 32)));
    _mm256_store_si256(reinterpret_cast<__m256i*>(second.data()),
                       _mm256_or_si256(_mm256_and_si256(c2, low), _mm256_slli_epi64(c3, 32)));
    for (std::size_t i = 0; i < 4; ++i) {
      words[2 * (half + i)] = first[i];
      words[2 * (half + i) + 1] = second[i];
    }
  }
}

__attribute__((target("avx512f"))) void fill_trials_avx512(std::uint64_t key, std::uint32_t block,
                                                           std::uint32_t tag,
                                                           std::uint64_t first_trial,
                                                           PhiloxGroup& words) {
  constexpr int kBlocks = 4;
  const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0);
  const __m512i m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
  const __m512i trial_low =
      _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(first_trial & 0xffffffff)),
                       _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
  const __m512i trial_high = _mm512_set1_epi64(static_cast<long long>(first_trial >> 32));
  __m512i c0[kBlocks];
  __m512i c1[kBlocks];
  __m512i c2[kBlocks];
  __m512i c3[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    c0[i] = _mm512_set1_epi64(static_cast<long long>(block + static_cast<std::uint32_t>(i)));
    c1[i] = _mm512_set1_epi64(static_cast<long long>(tag));
    c2[i] = trial_low;
    c3[i] = trial_high;
  }
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const __m512i key0 = _mm512_set1_epi64(static_cast<long long>(k0));
    const __m512i key1 = _mm512_set1_epi64(static_cast<long long>(k1));
    for (int i = 0; i < kBlocks; ++i) {
      const __m512i p0 = _mm512_mul_epu32(c0[i], m0);
      const __m512i p1 = _mm512_mul_epu32(c2[i], m1);
      c0[i] = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p1, 32), c1[i]), key0);
      c2[i] = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p0, 32), c3[i]), key1);
      c1[i] = p1;
      c3[i] = p0;
    }
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  for (int i = 0; i < kBlocks; ++i) {
    const auto at = static_cast<std::size_t>(2 * i);
    _mm512_storeu_si512(words[at].data(), _mm512_or_si512(_mm512_and_si512(c0[i], low),
                                                          _mm512_slli_epi64(c1[i], 32)));
    _mm512_storeu_si512(words[at + 1].data(), _mm512_or_si512(_mm512_and_si512(c2[i], low),
                                                              _mm512_slli_epi64(c3[i], 32)));
  }
}

__attribute__((target("avx2"))) void fill_trials_avx2(std::uint64_t key, std::uint32_t block,
                                                      std::uint32_t tag, std::uint64_t first_trial,
                                                      PhiloxGroup& words) {
  const __m256i m0 = _mm256_set1_epi64x(PHILOX_M4x32_0);
  const __m256i m1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
  const __m256i low = _mm256_set1_epi64x(0xffffffff);
  const auto base = static_cast<long long>(first_trial & 0xffffffff);
  for (std::uint32_t i = 0; i < 4; ++i) {
    __m256i c0[2];
    __m256i c1[2];
    __m256i c2[2];
    __m256i c3[2];
    for (int h = 0; h < 2; ++h) {
      c0[h] = _mm256_set1_epi64x(static_cast<long long>(block + i));
      c1[h] = _mm256_set1_epi64x(static_cast<long long>(tag));
      c2[h] = _mm256_add_epi64(_mm256_set1_epi64x(base + 4 * h), _mm256_set_epi64x(3, 2, 1, 0));
      c3[h] = _mm256_set1_epi64x(static_cast<long long>(first_trial >> 32));
    }
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < kRounds; ++round) {
      const __m256i key0 = _mm256_set1_epi64x(static_cast<long long>(k0));
      const __m256i key1 = _mm256_set1_epi64x(static_cast<long long>(k1));
      for (int h = 0; h < 2; ++h) {
        const __m256i p0 = _mm256_mul_epu32(c0[h], m0);
        const __m256i p1 = _mm256_mul_epu32(c2[h], m1);
        c0[h] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c1[h]), key0);
        c2[h] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c3[h]), key1);
        c1[h] = p1;
        c3[h] = p0;
      }
      k0 += PHILOX_W32_0;
      k1 += PHILOX_W32_1;
    }
    for (int h = 0; h < 2; ++h) {
      const __m256i first =
          _mm256_or_si256(_mm256_and_si256(c0[h], low), _mm256_slli_epi64(c1[h], 32));
      const __m256i second =
          _mm256_or_si256(_mm256_and_si256(c2[h], low), _mm256_slli_epi64(c3[h], 32));
      const auto lane = static_cast<std::size_t>(4 * h);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(words[2 * i].data() + lane), first);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(words[2 * i + 1].data() + lane), second);
    }
  }
}

#endif

detail::PhiloxKernel choose() {
  for (const auto& kernel : detail::philox_kernels()) {
    if (kernel.supported) return kernel;
  }
  return detail::philox_kernels().back();
}

const detail::PhiloxKernel kChosen = choose();

}  // namespace

namespace detail {

const std::array<PhiloxKernel, 3>& philox_kernels() {
#if defined(__x86_64__)
  static const std::array<PhiloxKernel, 3> kernels{
      {{"avx512", &fill_avx512, &fill_trials_avx512, __builtin_cpu_supports("avx512f") != 0},
       {"avx2", &fill_avx2, &fill_trials_avx2, __builtin_cpu_supports("avx2") != 0},
       {"scalar", &fill_scalar, &fill_trials_scalar, true}}};
#else
  static const std::array<PhiloxKernel, 3> kernels{
      {{"avx512", &fill_scalar, &fill_trials_scalar, false},
       {"avx2", &fill_scalar, &fill_trials_scalar, false},
       {"scalar", &fill_scalar, &fill_trials_scalar, true}}};
#endif
  return kernels;
}

}  // namespace detail

void philox_fill(std::uint64_t key, const std::array<PhiloxCounter, kPhiloxLanes>& counters,
                 PhiloxWords& words) {
  kChosen.fill(key, counters, words);
}

void philox_fill_trials(std::uint64_t key, std::uint32_t block, std::uint32_t tag,
                        std::uint64_t first_trial, PhiloxGroup& words) {
  kChosen.fill_trials(key, block, tag, first_trial, words);
}

const char* philox_instructions() { return kChosen.name; }

}  // namespace speclab
