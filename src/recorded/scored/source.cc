#include "recorded/scored/source.h"

#include "recorded/recording.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

/// A line of names may be so long.
constexpr std::size_t kLongestNames = std::size_t{1} << 16;

}  // namespace

std::unique_ptr<TextSource> open_texts(const std::string& path, const TextFields& fields) {
  check_no_output(path);
  const std::string begins = first_bytes(path, kLongestNames);
  if (begins.starts_with(kHdf5Signature)) return open_hdf5_texts(path, fields);
  const std::size_t first = begins.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const bool is_word = first != std::string::npos && begins[first] != '{' && begins[first] != '[' &&
                       begins.find("target_logprobs") != std::string::npos;
  return is_word ? open_csv_texts(path, fields) : open_json_texts(path, fields);
}

}  // namespace speclab
