#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace speclab {

/// Longest file read into memory, in bytes.
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 30;

/// A path in quotes, for messages.
std::string quoted_path(const std::string& path);

/// A file opened to be read.
using InputStream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
/// Opens a file or a pipe.
/// @throws InputError naming the path when it is missing, a directory or a device that is neither a
/// terminal nor /dev/null; UsageError when the command will write it; Error when interrupted, also
/// while a pipe waits for its writer
InputStream open_input(const std::string& path);

/// Throws what explains why a file is unreadable: an error number of the system.
[[noreturn]] void refuse_reading(const std::string& path, int error);

/// The bytes of a file.
/// @throws InputError as open_input(), and when it is unreadable or longer than `limit` bytes;
/// Error when interrupted
std::string read_file(const std::string& path, std::size_t limit = kMaxFileSize);

/// At most so many of a regular file's first bytes, which distinguish formats; "" of what is
/// unreadable, and of a pipe, which can be read only once.
std::string first_bytes(const std::string& path, std::size_t most);

/// A file that was read: its path and a 64-bit hash (FNV-1a) of the bytes, by which results detect
/// that it changed.
struct InputFile {
  std::string path;
  std::uint64_t digest = 0;
  bool operator==(const InputFile&) const = default;
};

/// The file at this path with these bytes.
InputFile input_file(const std::string& path, const std::string& bytes);

/// Checks that a path is neither a pipe nor a device, which can be read only once, whereas a
/// resumed command reads its inputs again. A path that does not exist passes.
/// @throws InputError naming the path
void check_lasting(const std::string& path);

/// Checks that `text` is UTF-8 without NUL bytes.
/// @throws InputError "WHERE: ..." naming the first invalid byte, counted from 0.
void check_utf8(const std::string& text, const std::string& where);

}  // namespace speclab
