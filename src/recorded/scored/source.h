#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "recorded/scored/text.h"
#include "system/read_file.h"

namespace speclab {

/// What is read of the texts beside their numbers.
struct TextFields {
  std::string group;         ///< the field that parts the texts; "" for none
  bool show_tokens = false;  ///< whether tokens are kept
};

/// The texts of a file, one after another; memory is by the text.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// The next text, checked and settled (settle_text); false at the end.
  /// @throws InputError "FILE: line 3: ..."
  virtual bool next(ScoredText& text) = 0;
  /// Where the last text stands: "FILE: line 3".
  [[nodiscard]] virtual std::string place() const = 0;
};

/// Opens a file of scored texts: HDF5, distinguished by its first bytes, or CSV or JSON lines, by
/// the first line. These two may come through a pipe.
/// @throws InputError naming the file and what is wrong with it
std::unique_ptr<TextSource> open_texts(const std::string& path, const TextFields& fields);

/// A file, line by line.
class LineReader {
 public:
  /// Bytes that may be read beyond a line's end.
  static constexpr std::size_t kPadding = 64;

  /// @throws as open_input()
  explicit LineReader(std::string path);

  /// The next line that is not blank, without its line feed, until the next call; false at the end.
  /// @throws InputError where the file cannot be read or a line is too long; Error when interrupted
  bool next(std::string_view& line);
  /// The line that next() gives next; "" at the end.
  std::string_view peek();
  [[nodiscard]] std::string place() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  bool fill();

  std::string path_;
  InputStream file_;
  std::vector<char> bytes_;  ///< ends in kPadding bytes that are not of the file
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  std::int64_t number_ = 0;  ///< of the last line, from 1
};

/// A line as JSON. @param what  a line holds, for the message  @throws InputError "PLACE: ..."
Json read_json_line(std::string_view line, const std::string& place, const char* what);

/// The readers of the formats (docs/score.md).
std::unique_ptr<TextSource> open_json_texts(LineReader lines, const TextFields& fields);
std::unique_ptr<TextSource> open_csv_texts(LineReader lines, const TextFields& fields);
std::unique_ptr<TextSource> open_hdf5_texts(const std::string& path, const TextFields& fields);

/// Texts from the answers of two inference servers, a file a model, a response a line: completions
/// with prompt_logprobs or logprobs (OpenAI's form, vLLM's, SGLang's), SGLang's /generate, and
/// llama.cpp's completion_probabilities. Responses are joined by their tokens, which must agree one
/// by one: the tokens of the shorter response are the last ones of the longer. A token without a
/// log-probability, as the first of a prompt, begins no text. The draft's file is kept in memory.
/// @throws InputError naming file, line and token
std::unique_ptr<TextSource> open_responses(const std::string& target, const std::string& draft,
                                           const TextFields& fields);

}  // namespace speclab
