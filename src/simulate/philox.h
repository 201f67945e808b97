#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

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
/// them. The bits are those of Random123's philox4x32 on any processor.
/// @param groups  1 .. kPhiloxGroups
void philox_fill(std::uint64_t key, const PhiloxCounters& counters, std::size_t groups,
                 PhiloxWords& words);

/// One implementation with its name; for tests.
struct PhiloxKernel {
  const char* name;
  void (*fill)(std::uint64_t, const PhiloxCounters&, std::size_t, PhiloxWords&);
  bool supported;
};

/// Every implementation, fastest first; the last one is always supported.
std::span<const PhiloxKernel> philox_kernels();

/// The first implementation that the processor supports.
template <class Kernel>
const Kernel& fastest_of(std::span<const Kernel> kernels) {
  return *std::find_if(kernels.begin(), kernels.end(), [](const Kernel& k) { return k.supported; });
}

}  // namespace speclab
