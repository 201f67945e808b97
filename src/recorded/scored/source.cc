#include "recorded/scored/source.h"

#include "recorded/recording.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {

std::unique_ptr<TextSource> open_texts(const std::string& path, const TextFields& fields) {
  check_no_output(path);
  const bool hdf5 = first_bytes(path, kHdf5Signature.size()) == kHdf5Signature;
  if (hdf5) return open_hdf5_texts(path, fields);
  LineReader lines(path);
  const std::string_view line = lines.peek();
  const std::size_t first = line.find_first_not_of(" \t\r\xef\xbb\xbf");
  const bool names = first != std::string_view::npos && line[first] != '{' && line[first] != '[' &&
                     line.find("target_logprobs") != std::string_view::npos;
  return names ? open_csv_texts(std::move(lines), fields)
               : open_json_texts(std::move(lines), fields);
}

}  // namespace speclab
