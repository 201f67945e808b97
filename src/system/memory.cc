#include "system/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <mutex>

namespace speclab {
namespace {

/// The number after `key` at the start of a line; with an empty key that of the first line.
/// Empty where there is no such file, line or number ("max").
std::optional<std::uint64_t> number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t digit = line.find_first_not_of(' ', key.size());
    if (digit == std::string::npos || line[digit] < '0' || line[digit] > '9') return std::nullopt;
    return std::stoull(line.substr(digit));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> available(const std::string& root) {
  const auto kilobytes = number_in(root + "/proc/meminfo", "MemAvailable:");
  if (!kilobytes) return std::nullopt;
  return *kilobytes * 1024;
}

/// The bytes free under the limit of the control group in this folder.
std::optional<std::uint64_t> left_by_group(const std::string& folder) {
  const auto limit = number_in(folder + "/memory.max", "");
  const auto taken = number_in(folder + "/memory.current", "");
  if (!limit || !taken) return std::nullopt;
  const auto idle = number_in(folder + "/memory.stat", "inactive_file ");
  const std::uint64_t used = *taken - std::min(*taken, idle.value_or(0));
  return *limit - std::min(*limit, used);
}

/// The path of the process's control group of version 2, "" or "/a/b".
std::string group(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::/")) return line == "0::/" ? "" : line.substr(3);
  }
  return "";
}

/// The bytes of address space that the process may still map under its limit (ulimit -v).
std::optional<std::uint64_t> left_of_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  std::ifstream file("/proc/self/statm");
  std::uint64_t mapped = 0;  // pages
  if (!(file >> mapped)) return std::nullopt;
  mapped *= static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, mapped);
}

std::optional<double> g_most;

/// The free memory as it was at most 50 ms ago: to read it takes 0.1 ms, and a check of a claim
/// asks for thousands of answers that take less.
std::optional<std::uint64_t> recent_free_memory() {
  using Clock = std::chrono::steady_clock;
  static std::mutex mutex;
  static std::optional<std::uint64_t> free;
  static std::optional<Clock::time_point> read;
  const std::scoped_lock lock(mutex);
  const Clock::time_point now = Clock::now();
  if (!read || now - *read > std::chrono::milliseconds(50)) {
    free = free_memory();
    read = now;
  }
  return free;
}

}  // namespace

void set_most_memory(double bytes) { g_most = bytes; }

std::optional<std::uint64_t> free_memory(const std::string& root) {
  std::optional<std::uint64_t> least = available(root);
  const auto addresses = root.empty() ? left_of_addresses() : std::nullopt;
  if (addresses) least = std::min(least.value_or(*addresses), *addresses);
  // The limit of every enclosing group applies to the process.
  for (std::string path = group(root);; path.resize(path.rfind('/'))) {
    if (const auto left = left_by_group(fmt::format("{}/sys/fs/cgroup{}", root, path))) {
      least = std::min(least.value_or(*left), *left);
    }
    if (path.empty()) return least;
  }
}

double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double whole = 0;
  double resident = 0;
  if (!(file >> whole >> resident)) return 0;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double most_memory(std::optional<std::uint64_t> given) {
  if (given) return static_cast<double>(*given);
  if (g_most) return *g_most;
  const auto free = recent_free_memory();
  return free ? 0.75 * static_cast<double>(*free) : HUGE_VAL;
}

std::string size_text(double bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

}  // namespace speclab
