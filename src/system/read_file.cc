#include "system/read_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <boost/locale/utf.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "system/interrupt.h"
#include "system/output_files.h"

namespace speclab {
namespace {

/// Devices such as /dev/zero never end; a terminal is one that does.
void refuse_device(const std::string& path, std::FILE* file) {
  struct stat found {};
  const int number = fileno(file);
  if (::fstat(number, &found) != 0 || ::isatty(number) == 1) return;
  const bool device = S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode);
  const bool empty = S_ISCHR(found.st_mode) && found.st_rdev == makedev(1, 3);  // /dev/null
  if (!device || empty) return;
  throw InputError(quoted_path(path) + " is a device and no file; copy what is meant to a file");
}

/// Bytes between polls for cancellation: well under a second of any work.
constexpr std::size_t kStride = std::size_t{1} << 20;

}  // namespace

void refuse_reading(const std::string& path, int error) {
  if (error == EINTR) check_interrupted();
  throw InputError("cannot read " + quoted_path(path) + ": " +
                   std::generic_category().message(error) + "; check the path");
}

std::string quoted_path(const std::string& path) {
  return fmt::format("'{}'", abbreviate(path, 200));
}

InputStream open_input(const std::string& path) {
  check_no_output(path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(quoted_path(path) + " is a directory; give a file");
  }
  InputStream file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) refuse_reading(path, errno);
  refuse_device(path, file.get());
  return file;
}

std::string read_file(const std::string& path, std::size_t limit) {
  const InputStream file = open_input(path);
  std::error_code ignored;
  std::string bytes;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size <= limit) bytes.reserve(size);
  std::array<char, 65536> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    check_interrupted();
    bytes.append(block.data(), count);
    if (bytes.size() > limit) {
      throw InputError(quoted_path(path) + " is longer than " + std::to_string(limit) +
                       " bytes; give a shorter file");
    }
  }
  if (std::ferror(file.get()) != 0) refuse_reading(path, errno);
  return bytes;
}

std::string first_bytes(const std::string& path, std::size_t most) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  const InputStream file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return "";
  std::string bytes(most, '\0');
  bytes.resize(std::fread(bytes.data(), 1, most, file.get()));
  return bytes;
}

InputFile input_file(const std::string& path, const std::string& bytes) {
  std::uint64_t digest = task_hash("");
  for (std::size_t at = 0; at < bytes.size(); at += kStride) {
    check_interrupted();
    digest = task_hash(std::string_view(bytes).substr(at, kStride), digest);
  }
  return {path, digest};
}

void check_lasting(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status) ||
      std::filesystem::is_directory(status)) {
    return;
  }
  throw InputError(quoted_path(path) +
                   " is a pipe or a device, which can be read once; copy it to a file");
}

void check_utf8(const std::string& text, const std::string& where) {
  namespace utf = boost::locale::utf;
  std::size_t points = 0;
  for (auto at = text.begin(); at != text.end(); ++points) {
    if (points % kStride == 0) check_interrupted();
    const auto offset = at - text.begin();
    const utf::code_point point = utf::utf_traits<char>::decode(at, text.end());
    if (point == 0) {
      throw InputError(
          fmt::format("{}: byte {} is NUL, so it is binary; give a text file", where, offset));
    }
    if (point == utf::illegal || point == utf::incomplete) {
      throw InputError(fmt::format(
          "{}: byte {} does not begin a valid UTF-8 character; give a text file in UTF-8", where,
          offset));
    }
  }
}

}  // namespace speclab
