#pragma once

#include <array>
#include <cstdint>

namespace speclab {

/// The counter of one Philox4x32-10 block (Salmon et al. 2011).
using PhiloxCounter = std::array<std::uint32_t, 4>;

/// Blocks made by one call of philox_fill.
inline constexpr std::size_t kPhiloxLanes = 8;

/// Two 64-bit words a block: the block's 32-bit outputs 0, 1 and 2, 3, low half first.
using PhiloxWords = std::array<std::uint64_t, 2 * kPhiloxLanes>;

/// Makes eight blocks side by side, with AVX-512 or AVX2 where the processor has them; the bits are
/// those of Random123's philox4x32 on any processor.
/// @param counters  of the eight blocks; words[2 i], words[2 i + 1] are block i's
void philox_fill(std::uint64_t key, const std::array<PhiloxCounter, kPhiloxLanes>& counters,
                 PhiloxWords& words);

/// Words of eight streams side by side: words[i][lane] is word i of the group for stream `lane`.
using PhiloxGroup = std::array<std::array<std::uint64_t, kPhiloxLanes>, 8>;

/// Makes blocks `block` .. `block` + 3 of the same stream (counter word 1 = `tag`) of the eight
/// trials first_trial .. first_trial + 7. @pre first_trial is a multiple of eight
void philox_fill_trials(std::uint64_t key, std::uint32_t block, std::uint32_t tag,
                        std::uint64_t first_trial, PhiloxGroup& words);

/// "avx512", "avx2" or "scalar": what philox_fill runs on here.
const char* philox_instructions();

namespace detail {

using PhiloxFill = void (*)(std::uint64_t, const std::array<PhiloxCounter, kPhiloxLanes>&,
                            PhiloxWords&);

using PhiloxFillTrials = void (*)(std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t,
                                  PhiloxGroup&);

/// One implementation with its name; for tests.
struct PhiloxKernel {
  const char* name;
  PhiloxFill fill;
  PhiloxFillTrials fill_trials;
  bool supported;
};

/// Every implementation, fastest first; the last one is always supported.
const std::array<PhiloxKernel, 3>& philox_kernels();

}  // namespace detail
}  // namespace speclab
