#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace speclab {

/// Longest file read into memory, in bytes.
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 30;

/// A path in quotes, for messages.
std::string quoted_path(const std::string& path);

/// The bytes of a file.
/// @throws InputError naming the path when it is missing, a directory, unreadable or longer than
/// `limit` bytes; Error when interrupted, also while a pipe waits for its writer
std::string read_file(const std::string& path, std::size_t limit = kMaxFileSize);

/// A file that something was made from: where it was read, and a 64-bit hash of the bytes read
/// (FNV-1a), by which results know that it has not changed since.
struct InputFile {
  std::string path;
  std::uint64_t digest = 0;
  bool operator==(const InputFile&) const = default;
};

/// The file of this path that held these bytes.
InputFile input_file(const std::string& path, const std::string& bytes);

/// Checks that a path is no pipe and no device, which give their bytes once: what is gone on with
/// later must be readable again. A path where nothing is passes.
/// @throws InputError naming the path
void check_lasting(const std::string& path);

/// Checks that `text` is UTF-8 without NUL bytes.
/// @throws InputError "WHERE: ..." naming the first wrong byte, counted from 0.
void check_utf8(const std::string& text, const std::string& where);

}  // namespace speclab
