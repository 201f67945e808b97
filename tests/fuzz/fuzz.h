#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

/// A fuzz target: what is done with one input (libFuzzer). Each file beside this one has one, and
/// docs/develop/testing.md lists the properties that the targets check.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace speclab::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process where an input breaks a property, so that libFuzzer keeps the input.
inline void demand(bool holds, std::string_view property) {
  if (holds) return;
  std::fprintf(stderr, "speclab: a property is broken: %.*s\n", static_cast<int>(property.size()),
               property.data());
  std::abort();
}

/// The longest message: one that quotes a whole file is none.
inline constexpr std::size_t kLongestMessage = 2000;

/// What f makes of an input, or nothing where it refuses it: by an error of the project's own with
/// a message of its own, which SPECLAB_FUZZ_SAY shows. What else f throws ends the process.
template <class F>
auto accepted(const F& f) -> std::optional<std::invoke_result_t<F>> {
  try {
    return f();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    static const bool say = std::getenv("SPECLAB_FUZZ_SAY") != nullptr;
    if (say) std::fprintf(stderr, "refused: %s\n", error.what());
    demand(!message.empty(), "a refusal has a message");
    demand(message.size() <= kLongestMessage, "a refusal quotes a part of the input, not all");
    demand(error.code() != ExitCode::done && error.code() != ExitCode::verdict_differs,
           "a refusal is no verdict");
    return std::nullopt;
  }
}

/// A file in memory, which goes away with the object.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
    demand(file_ >= 0 &&
               ::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
           "a file in memory is made");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

/// A folder in memory for as long as the process lives: for what is read together with files beside
/// it.
class MemoryFolder {
 public:
  MemoryFolder() : path_(fmt::format("/dev/shm/speclab-fuzz.{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  ~MemoryFolder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Makes the file anew: with an inode of its own too, by which the HDF5 library knows it.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(file(name));
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  void clear() const {
    for (const auto& each : std::filesystem::directory_iterator(path_)) {
      std::filesystem::remove_all(each);
    }
  }

 private:
  std::string path_;
};

/// Whether all numbers in a text are small: a pair of a million tokens is right, and makes the
/// fuzzer slow.
inline bool modest(std::string_view text) {
  constexpr std::ptrdiff_t kMostDigits = 3;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (auto at = text.begin(); at != text.end();) {
    const auto first = std::find_if(at, text.end(), digit);
    at = std::find_if_not(first, text.end(), digit);
    if (at - first > kMostDigits) return false;
    // 1e6
    if (at != first && at != text.end() && (*at == 'e' || *at == 'E')) return false;
  }
  return true;
}

}  // namespace speclab::fuzz
