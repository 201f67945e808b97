#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "model/filter.h"
#include "system/read_file.h"

namespace speclab {

// Recorded probabilities of real models (docs/recorded.md): for each of P prompts K drafted paths
// of at most N tokens, the draft's row at each position and the target's, each given the prompt and
// the path before it. Positions are counted from 0 here, and so are paths. Row N of the target is
// the row after the whole path. An iteration begins at the same positions of all paths of a prompt,
// in one shared context; from there on the paths are drawn independently.

/// The kind of the numbers of a recorded row.
enum class RecordedNumbers { probabilities, logits };

/// Their stored type, which bounds how far a softmax's sum may be from 1.
enum class RecordedFloat { float16, float32, float64 };

enum class RecordedModel { draft, target };

struct RecordingShape {
  Token vocabulary = 0;
  std::int64_t prompts = 0;
  int paths = 1;           ///< per prompt
  bool whole_rows = true;  ///< false where only the likeliest tokens are kept
  bool texts = false;      ///< scored texts, which have no rows (recorded/scored/text.h)
  /// Whether the drafts are the draft's likeliest tokens (argmax) and were not drawn: in each
  /// context the tokens by which the paths go on, in the order of the paths, are its first, second,
  /// .. by probability. The draft's rows may then be left out.
  bool likeliest = false;
};

/// A drafted path; by default the first of a prompt.
struct PathNumber {
  PathNumber(std::int64_t of_prompt, int number = 0) : prompt(of_prompt), path(number) {}
  std::int64_t prompt;
  int path;
};

struct RecordedPath {
  std::vector<Token> tokens;
  std::vector<int> starts;  ///< positions at which an iteration begins, rising; at least one
  /// Of a prompt's first path: at each position the token that the output has in its context, which
  /// is the drafted one up to the first refusal of its iteration; -1 behind that and where it is
  /// not recorded. Empty where no position has one.
  std::vector<Token> emitted;

  /// The drafted tokens of the iteration that begins at starts[i]: up to the next start, or the
  /// end.
  [[nodiscard]] int segment(std::size_t i) const {
    const auto end = i + 1 < starts.size() ? starts[i + 1] : static_cast<int>(tokens.size());
    return end - starts[i];
  }
};

/// A next-token law as recorded, checked and normalised.
struct RecordedRow {
  std::vector<double> law;   ///< by token, or parallel to `known`
  std::vector<Token> known;  ///< rising; empty: all tokens
  double rest = 0;           ///< total mass of all other tokens

  [[nodiscard]] bool whole() const { return known.empty(); }
  /// The entry of a token, or null where it is part of the rest.
  [[nodiscard]] const double* find(Token x) const;
  /// The probability of a token; 0 where it is part of the rest.
  [[nodiscard]] double known_probability(Token x) const {
    const double* found = find(x);
    return found == nullptr ? 0 : *found;
  }
};

/// The most that the sum of a softmax of V numbers of this type may be from 1. A sum in single
/// precision, in any order, has a relative error of at most V 2^-24, also when stored as float64; a
/// number in half precision has a relative error of 2^-11 and an absolute error of 2^-25. Never
/// above 1/128: a row off by 1e-2 is no softmax of these types. Worked example: float32, V =
/// 128,000: 0.0076.
double most_missing(RecordedFloat kept, Token vocabulary);

/// A recording, read piecewise: a file may be larger than memory. Thread-safe. Everything is
/// checked when it is read, and an error names its place.
class Recording {
 public:
  virtual ~Recording() = default;

  [[nodiscard]] const RecordingShape& shape() const { return shape_; }
  /// "recorded(x.h5)", for messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The file, with a digest of the bytes read when it was opened.
  [[nodiscard]] const InputFile& file() const { return file_; }

  /// @throws InputError naming the prompt and the position
  [[nodiscard]] RecordedPath path(PathNumber at) const;

  /// The row of one model at a position, into `row`. @pre has_row  @throws InputError naming them
  /// and the token
  void read(RecordedModel model, PathNumber at, int position, RecordedRow& row) const;

  /// The same without the filter of the target: the row that emitted tokens were drawn from.
  void read_unfiltered(RecordedModel model, PathNumber at, int position, RecordedRow& row) const;

  /// The row of a context shared by several paths of a prompt, with the same tokens from the start
  /// of the iteration: that of the first path. @throws InputError also where another path's row
  /// differs by more than rounding: most_missing of the mass may differ
  void read_shared(RecordedModel model, std::int64_t prompt, std::span<const int> paths,
                   int position, RecordedRow& row) const;

  /// Whether this row is recorded: the target's may end with the last token or one after it.
  [[nodiscard]] virtual bool has_row(RecordedModel model, PathNumber at, int position) const = 0;

  /// "recorded(x.h5): prompt 3, position 5", with its path where there are several.
  [[nodiscard]] std::string place(PathNumber at, int position) const;

  /// Applies a sampler's filter to the target.
  /// @throws InputError where a filter needs probabilities that are not recorded
  void filter_target(const SamplingFilter& filter);

 protected:
  struct RawPath {
    std::vector<std::int64_t> tokens;   ///< -1 after the path's end
    std::vector<std::int64_t> starts;   ///< 0 or 1 per position; empty: only position 0
    std::vector<std::int64_t> emitted;  ///< of the first path; empty: none is recorded
  };
  struct RawRow {
    std::vector<double> values;
    std::vector<std::int64_t> tokens;  ///< of the values where only some are stored
    double rest = 0;
  };

  /// What a file says of itself, by the names of the attributes in docs/recorded.md.
  struct Attributes {
    std::function<bool(const char* name)> has;
    /// @throws InputError where there is none, or one of another kind
    std::function<std::int64_t(const char* name)> whole;
    std::function<std::string(const char* name)> word;
  };

  Recording(std::string name, InputFile file) : name_(std::move(name)), file_(std::move(file)) {}

  /// Checks the format, and takes the shape but for the prompts, and the kind of the numbers.
  /// @throws InputError "WHERE has ..."
  void read_attributes(const Attributes& of, const std::string& where);

  virtual void read_path(PathNumber at, RawPath& path) const = 0;
  virtual void read_row(RecordedModel model, PathNumber at, int position, RawRow& row) const = 0;

  /// "recorded(x.h5): prompt 3", with its path where there are several.
  [[nodiscard]] std::string place(PathNumber at) const;

  /// @throws InputError "recorded(x.h5): MESSAGE"
  [[noreturn]] void refuse(const std::string& message) const;

  std::string name_;
  InputFile file_;
  RecordingShape shape_;
  RecordedNumbers numbers_ = RecordedNumbers::probabilities;
  RecordedFloat draft_kept_ = RecordedFloat::float64;
  RecordedFloat target_kept_ = RecordedFloat::float64;

 private:
  [[nodiscard]] RecordedFloat kept(RecordedModel model) const {
    return model == RecordedModel::draft ? draft_kept_ : target_kept_;
  }
  void read_starts(PathNumber at, const RawPath& raw, RecordedPath& path) const;
  void read_emitted(PathNumber at, const RawPath& raw, RecordedPath& path) const;
  void filter(RecordedModel model, RecordedRow& row) const;
  void check_whole(RawRow& raw, RecordedModel model, const std::string& where,
                   RecordedRow& row) const;
  void check_known(RawRow& raw, RecordedModel model, const std::string& where,
                   RecordedRow& row) const;

  SamplingFilter target_filter_;
};

/// The first bytes of an HDF5 file.
inline constexpr std::string_view kHdf5Signature("\x89HDF\r\n\x1a\n", 8);

/// Opens a recording: HDF5 or JSON lines, distinguished by the file's first bytes.
/// @throws InputError naming the file and what is wrong with it
std::shared_ptr<Recording> open_recording(const std::string& path);

/// The readers of the two formats. @param bytes  the whole file
std::shared_ptr<Recording> open_hdf5_recording(const std::string& path);
std::shared_ptr<Recording> open_json_recording(const std::string& path, std::string bytes);

}  // namespace speclab
