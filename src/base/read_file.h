#pragma once

#include <cstddef>
#include <string>

namespace speclab {

/// Longest file read into memory, in bytes.
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 30;

/// A path in quotes, for messages.
std::string quoted_path(const std::string& path);

/// The bytes of a file.
/// @throws InputError naming the path when it is missing, a directory, unreadable or longer than
/// `limit` bytes.
std::string read_file(const std::string& path, std::size_t limit = kMaxFileSize);

/// Checks that `text` is UTF-8 without NUL bytes.
/// @throws InputError "WHERE: ..." naming the first wrong byte, counted from 0.
void check_utf8(const std::string& text, const std::string& where);

}  // namespace speclab
