#pragma once

#include <array>
#include <cstdint>

namespace speclab {

/// Lanes of one group of Philox4x32-10 blocks (Salmon et al. 2011) that are made side by side.
inline constexpr std::size_t kPhiloxLanes = 8;

/// Groups made by one call at most; four keep the multipliers of a processor busy.
inline constexpr std::size_t kPhiloxGroups = 4;

inline constexpr std::size_t kPhiloxBlocks = kPhiloxGroups * kPhiloxLanes;

/// Counters of up to 32 blocks by column: counters[j][i] is word j of block i's counter.
using PhiloxCounters = std::array<std::array<std::uint32_t, kPhiloxBlocks>, 4>;

/// The two 64-bit words of up to 32 blocks: words[j][i] is word j of block i, that is the block's
/// 32-bit outputs 2 j (low half) and 2 j + 1.
using PhiloxWords = std::array<std::array<std::uint64_t, kPhiloxBlocks>, 2>;

/// Makes the first `groups` groups of eight blocks, with AVX-512 or AVX2 where the processor has
/// them; the bits are those of Random123's philox4x32 on any processor.
/// @param groups  1 .. kPhiloxGroups
void philox_fill(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                 PhiloxWords& words);

namespace detail {

using PhiloxFill = void (*)(std::uint64_t, const PhiloxCounters&, std::size_t, PhiloxWords&);

/// One implementation with its name; for tests.
struct PhiloxKernel {
  const char* name;
  PhiloxFill fill;
  bool supported;
};

/// Every implementation, fastest first; the last one is always supported.
const std::array<PhiloxKernel, 3>& philox_kernels();

}  // namespace detail
}  // namespace speclab
