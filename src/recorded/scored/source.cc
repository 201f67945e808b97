#include "recorded/scored/source.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

/// The first bytes of a regular file; "" of a pipe, which can be read once.
std::string first_bytes(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  std::array<char, 64> bytes{};
  if (file == nullptr) return "";
  return std::string(bytes.data(), std::fread(bytes.data(), 1, bytes.size(), file.get()));
}

}  // namespace

std::unique_ptr<TextSource> open_texts(const std::string& path, const TextFields& fields) {
  check_no_output(path);
  const std::string begins = first_bytes(path);
  if (begins.starts_with("\x89HDF\r\n\x1a\n")) return open_hdf5_texts(path, fields);
  const std::size_t first = begins.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const bool is_word = first != std::string::npos && begins[first] != '{' && begins[first] != '[' &&
                       begins.find("target_logprobs") != std::string::npos;
  return is_word ? open_csv_texts(path, fields) : open_json_texts(path, fields);
}

}  // namespace speclab
