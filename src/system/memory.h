#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace speclab {

/// Bytes that the process may allocate without swapping: the smallest of the kernel's MemAvailable,
/// what its limit on address space leaves (RLIMIT_AS), and the free part of the limits of the
/// control groups around it (version 2; page cache of files that are not in use counts as free).
/// Empty where the system does not report it.
/// @param root  prefix of /proc and /sys; for tests
std::optional<std::uint64_t> free_memory(const std::string& root = "");

/// Bytes of this process that are in memory; 0 where the system does not report it.
double resident_memory();

/// Bytes that may be used: `given`, or the value of set_most_memory, or three quarters of the free
/// memory; unlimited where the system does not report it.
double most_memory(std::optional<std::uint64_t> given = std::nullopt);

/// Sets the bytes that this process may use where none are given: its share, where several
/// processes share a machine. Call before other threads start.
void set_most_memory(double bytes);

/// "640 bytes", "1.5 KiB", "26.9 MiB", "1.61 GiB".
std::string size_text(double bytes);

}  // namespace speclab
