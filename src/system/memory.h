#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace speclab {

/// Bytes that the process may still take without swapping: the kernel's MemAvailable, or what the
/// limit of a control group around it leaves (version 2; of its pages those of files that are not
/// in use count as free), whichever is less. Nothing where the system does not say.
/// @param root  where /proc and /sys are looked for; for tests
std::optional<std::uint64_t> free_memory(const std::string& root = "");

/// Bytes of this process that are in memory; 0 where the system does not say.
double resident_memory();

/// Bytes that may be taken: those given, or those of set_most_memory, or three quarters of what is
/// free now; no limit where the system does not say.
double most_memory(std::optional<std::uint64_t> given = std::nullopt);

/// The bytes that this process may take from now on where none are given: its share, where several
/// processes share a machine. Before there are other threads.
void set_most_memory(double bytes);

/// "640 bytes", "1.5 KiB", "26.9 MiB", "1.61 GiB".
std::string size_text(double bytes);

}  // namespace speclab
