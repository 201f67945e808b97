// A recording in HDF5, read row by row: docs/recorded.md has its attributes and datasets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/error.h"
#include "base/text.h"
#include "recorded/recording.h"
#ifdef SPECLAB_HDF5
#include "recorded/hdf5_file.h"
#endif

namespace speclab {

#ifdef SPECLAB_HDF5
namespace {

using hdf5::Dataset;
using hdf5::shape_text;

/// The checksum of numbers of 64 bits: sum over i = 0, 1, .. of (2 i + 1) bits_i modulo 2^64, which
/// changes with any one of them.
template <class Number>
std::uint64_t checksum_of(const std::vector<Number>& numbers) {
  static_assert(sizeof(Number) == sizeof(std::uint64_t));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    sum += (2 * std::uint64_t{i} + 1) * std::bit_cast<std::uint64_t>(numbers[i]);
  }
  return sum;
}

class Hdf5Recording final : public Recording {
 public:
  explicit Hdf5Recording(const std::string& path) : Recording("recorded(" + path + ")", {path, 0}) {
    const std::lock_guard lock(hdf5::library());
    parts_.reset(new Parts(path, name_));
    const hdf5::File& file = parts_->file;
    read_attributes({.has = [&](const char* name) { return file.has_attribute(name); },
                     .whole = [&](const char* name) { return file.whole_attribute(name); },
                     .word = [&](const char* name) { return file.word_attribute(name); }},
                    name_);
    if (file.has_attribute("paths")) extra_ = 1;
    file.check_members({"tokens", "starts", "emitted", "draft", "draft_ids", "draft_values",
                        "draft_rest", "target", "target_ids", "target_values", "target_rest",
                        "draft_sums", "target_sums", "path_sums", "start_sums", "emitted_sums"});
    open_paths();
    open_rows();
    open_sums();
    // Identifies a file without reading all of it.
    const std::string identity =
        fmt::format("{} {} {}", parts_->file.size(), shape_text(parts_->tokens.shape), path);
    file_ = input_file(path, identity);
  }

  [[nodiscard]] bool has_row(RecordedModel model, PathNumber, int position) const override {
    const Dataset& rows = of(model).rows;
    return rows.present() && static_cast<hsize_t>(position) < rows.shape[1 + extra_];
  }

 private:
  static constexpr hsize_t kMostPositions = 1'000'000;

  /// The rows of one model: all tokens, or the likeliest with the mass of the rest.
  struct ModelRows {
    Dataset rows, tokens, rest;
    Dataset sums;  ///< a checksum a row, where the recording has them
  };

  /// All objects of the library.
  struct Parts {
    Parts(const std::string& path, const std::string& name) : file(path, name) {}
    hdf5::File file;
    Dataset tokens, starts, emitted;
    /// A checksum a path and a prompt, where the recording has them.
    Dataset sums, start_sums, emitted_sums;
    std::array<ModelRows, 2> models;
  };

  [[nodiscard]] ModelRows& of(RecordedModel model) const {
    return parts_->models[static_cast<std::size_t>(model)];
  }

  [[noreturn]] void refuse_file(const std::string& message) const {
    throw InputError(name_ + " " + message);
  }

  void open_paths() {
    parts_->tokens = parts_->file.integers("tokens", 2 + extra_);
    const auto& tokens = parts_->tokens.shape;
    shape_.prompts = static_cast<std::int64_t>(std::min<hsize_t>(tokens.front(), INT64_MAX));
    if (tokens.front() == 0 || tokens.back() == 0) {
      refuse_file("has no tokens; record one prompt at least");
    }
    if (tokens.back() > kMostPositions) {
      refuse_file(fmt::format("has {} positions; {} are the most", tokens.back(), kMostPositions));
    }
    if (extra_ == 1 && tokens[1] != static_cast<hsize_t>(shape_.paths)) {
      refuse_file(fmt::format("has tokens of {} paths a prompt; its attribute 'paths' is {}",
                              tokens[1], shape_.paths));
    }
    open_of_prompt("starts", parts_->starts);
    open_of_prompt("emitted", parts_->emitted);
  }

  /// A dataset with a number for each position of a prompt, which may be left out.
  void open_of_prompt(const std::string& name, Dataset& found) {
    if (!parts_->file.exists(name)) return;
    const auto& tokens = parts_->tokens.shape;
    found = parts_->file.integers(name, 2);
    if (found.shape != std::vector{tokens.front(), tokens.back()}) {
      refuse_file(
          fmt::format("has {} that are {} and tokens that are {}; give as many prompts "
                      "and positions",
                      name, shape_text(found.shape), shape_text(tokens)));
    }
  }

  void open_rows() {
    const auto vocabulary = static_cast<hsize_t>(shape_.vocabulary);
    const auto exists = [this](const char* name) { return parts_->file.exists(name); };
    const bool no_draft = shape_.likeliest && !exists("draft") && !exists("draft_values");
    shape_.whole_rows = exists(no_draft ? "target" : "draft");
    for (const RecordedModel model : {RecordedModel::draft, RecordedModel::target}) {
      if (model == RecordedModel::draft && no_draft) continue;
      const std::string name = model == RecordedModel::draft ? "draft" : "target";
      const bool whole = parts_->file.exists(name);
      if (whole != shape_.whole_rows || (whole && parts_->file.exists(name + "_values"))) {
        refuse_file(
            "has whole rows and rows of the likeliest tokens; give both models one of the two");
      }
      ModelRows& rows = of(model);
      if (whole) {
        rows.rows = parts_->file.floats(name, 3 + extra_);
        check_rows(name, model, rows.rows.shape);
        if (rows.rows.shape.back() != vocabulary) {
          refuse_file(fmt::format("has '{}' with rows of {}; the vocabulary is {}", name,
                                  rows.rows.shape.back(), vocabulary));
        }
      } else {
        open_likeliest(name, model, rows);
      }
      (model == RecordedModel::draft ? draft_kept_ : target_kept_) = rows.rows.kept;
    }
  }

  void open_likeliest(const std::string& name, RecordedModel model, ModelRows& rows) {
    if (!parts_->file.exists(name + "_values")) {
      refuse_file(fmt::format(
          "lacks the dataset '{0}'; give it, or '{0}_ids', '{0}_values' and '{0}_rest'", name));
    }
    if (numbers_ == RecordedNumbers::logits) {
      refuse_file(
          "keeps the logits of the likeliest tokens; the rest is a mass, so give probabilities");
    }
    if (shape_.paths > 1) {
      refuse_file(
          "keeps the likeliest tokens of several paths; what takes several drafts sums over all "
          "tokens, so record whole rows, or one path");
    }
    rows.rows = parts_->file.floats(name + "_values", 3 + extra_);
    rows.tokens = parts_->file.integers(name + "_ids", 3 + extra_);
    rows.rest = parts_->file.floats(name + "_rest", 2 + extra_);
    check_rows(name + "_values", model, rows.rows.shape);
    const auto& shape = rows.rows.shape;
    if (shape.back() == 0 || shape.back() > static_cast<hsize_t>(shape_.vocabulary)) {
      refuse_file(fmt::format("has '{}_values' with {} tokens a row, of a vocabulary of {}", name,
                              shape.back(), shape_.vocabulary));
    }
    if (rows.tokens.shape != shape ||
        rows.rest.shape != std::vector(shape.begin(), shape.end() - 1)) {
      refuse_file(fmt::format(
          "has '{0}_values' with the shape {1}, '{0}_ids' with {2} and '{0}_rest' with "
          "{3}; they must fit",
          name, shape_text(shape), shape_text(rows.tokens.shape), shape_text(rows.rest.shape)));
    }
  }

  void open_sums() {
    const auto open = [&](const std::string& name, std::vector<hsize_t> shape, Dataset& sums) {
      if (shape.empty() || !parts_->file.exists(name)) return;
      shape.pop_back();
      sums = parts_->file.integers(name, shape.size());
      if (sums.shape == shape) return;
      refuse_file(fmt::format("has '{}' with the shape {}; it is {} here", name,
                              shape_text(sums.shape), shape_text(shape)));
    };
    for (const RecordedModel model : {RecordedModel::draft, RecordedModel::target}) {
      const std::string name = model == RecordedModel::draft ? "draft_sums" : "target_sums";
      open(name, of(model).rows.shape, of(model).sums);
    }
    open("path_sums", parts_->tokens.shape, parts_->sums);
    if (parts_->starts.present()) open("start_sums", parts_->starts.shape, parts_->start_sums);
    if (parts_->emitted.present()) {
      open("emitted_sums", parts_->emitted.shape, parts_->emitted_sums);
    }
  }

  /// @param sum  of what was read
  void check_sum(const Dataset& sums, const hdf5::Part& place, std::uint64_t sum, PathNumber at,
                 int position) const {
    if (!sums.present()) return;
    thread_local std::vector<std::int64_t> known;
    check_read(read_integers(sums, place, known), at, position);
    if (std::bit_cast<std::uint64_t>(known.front()) == sum) return;
    check_read("its checksum is another, so that numbers of it were changed", at, position);
  }

  void check_rows(const std::string& name, RecordedModel model,
                  const std::vector<hsize_t>& shape) const {
    std::vector<hsize_t> found(shape.begin(), shape.end() - 1);
    if (found == parts_->tokens.shape) return;
    if (model == RecordedModel::target) --found.back();
    if (found == parts_->tokens.shape) return;
    refuse_file(
        fmt::format("has '{}' with the shape {} for tokens that are {}; give {}a row a token", name,
                    shape_text(shape), shape_text(parts_->tokens.shape),
                    model == RecordedModel::target ? "one more than or just " : ""));
  }

  void check_read(const std::optional<std::string>& why, PathNumber at, int position) const {
    if (!why) return;
    throw InputError(
        fmt::format("{}: cannot be read: {}; the file may be cut off", place(at, position), *why));
  }

  [[nodiscard]] hdf5::Part part(PathNumber at) const {
    hdf5::Part part{static_cast<hsize_t>(at.prompt)};
    if (extra_ == 1) part.push_back(static_cast<hsize_t>(at.path));
    return part;
  }

  void read_path(PathNumber at, RawPath& path) const override {
    check_read(read_integers(parts_->tokens, part(at), path.tokens), at, 0);
    check_sum(parts_->sums, part(at), checksum_of(path.tokens), at, 0);
    const hdf5::Part prompt{static_cast<hsize_t>(at.prompt)};
    const auto read_of_prompt = [&](const Dataset& from, const Dataset& sums,
                                    std::vector<std::int64_t>& numbers) {
      if (!from.present()) return;
      check_read(read_integers(from, prompt, numbers), at, 0);
      check_sum(sums, prompt, checksum_of(numbers), at, 0);
    };
    read_of_prompt(parts_->starts, parts_->start_sums, path.starts);
    if (at.path == 0) read_of_prompt(parts_->emitted, parts_->emitted_sums, path.emitted);
  }

  void read_row(RecordedModel model, PathNumber at, int position, RawRow& row) const override {
    const ModelRows& rows = of(model);
    hdf5::Part place = part(at);
    place.push_back(static_cast<hsize_t>(position));
    check_read(read_floats(rows.rows, place, row.values), at, position);
    check_sum(rows.sums, place, checksum_of(row.values), at, position);
    if (shape_.whole_rows) return;
    check_read(read_integers(rows.tokens, place, row.tokens), at, position);
    thread_local std::vector<double> rest;
    check_read(read_floats(rows.rest, place, rest), at, position);
    row.rest = rest.front();
  }

  std::size_t extra_ = 0;  ///< 1 where the datasets have a dimension for the paths of a prompt
  std::unique_ptr<Parts, hdf5::Close> parts_;
};

}  // namespace

std::shared_ptr<Recording> open_hdf5_recording(const std::string& path) {
  return std::make_shared<Hdf5Recording>(path);
}

#else

std::shared_ptr<Recording> open_hdf5_recording(const std::string& path) {
  throw InputError("recorded(" + path +
                   ") is an HDF5 file, which this build cannot read: install HDF5 (Debian: "
                   "libhdf5-dev) and build again, or record JSON lines");
}

#endif

}  // namespace speclab
