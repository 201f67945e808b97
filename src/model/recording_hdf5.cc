// A recording in HDF5, read row by row: attributes and datasets as docs/recorded.md says.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "model/recording.h"
#ifdef SPECLAB_HDF5
#include "model/hdf5_file.h"
#endif

namespace speclab {

#ifdef SPECLAB_HDF5
namespace {

using hdf5::Dataset;
using hdf5::shape_text;

class Hdf5Recording final : public Recording {
 public:
  explicit Hdf5Recording(const std::string& path) : Recording("recorded(" + path + ")", {path, 0}) {
    const std::lock_guard lock(hdf5::library());
    parts_.reset(new Parts(path, name_));
    recorded_format::check_format(parts_->file.word_attribute("format"),
                                  parts_->file.whole_attribute("version"), name_);
    shape_.vocabulary =
        recorded_format::check_vocabulary(parts_->file.whole_attribute("vocabulary"), name_);
    numbers_ = recorded_format::numbers(parts_->file.word_attribute("rows"), name_);
    parts_->file.check_members({"tokens", "starts", "draft", "draft_ids", "draft_values",
                                "draft_rest", "target", "target_ids", "target_values",
                                "target_rest"});
    open_paths();
    open_rows();
    // What tells two files apart without reading them through.
    const std::string identity =
        fmt::format("{} {} {}", parts_->file.size(), shape_text(parts_->tokens.shape), path);
    file_ = input_file(path, identity);
  }

  [[nodiscard]] bool has_row(RecordedModel model, std::int64_t, int position) const override {
    return static_cast<hsize_t>(position) < of(model).rows.shape[1];
  }

 private:
  static constexpr hsize_t kMostPositions = 1'000'000;

  /// The rows of one model: all tokens, or the likeliest with the mass of the rest.
  struct ModelRows {
    Dataset rows, tokens, rest;
  };

  /// All that is the library's.
  struct Parts {
    Parts(const std::string& path, const std::string& name) : file(path, name) {}
    hdf5::File file;
    Dataset tokens, starts;
    std::array<ModelRows, 2> models;
  };

  /// Also where the constructor fails, after its lock is gone.
  struct Close {
    void operator()(Parts* parts) const {
      const std::lock_guard lock(hdf5::library());
      delete parts;
    }
  };

  [[nodiscard]] ModelRows& of(RecordedModel model) const {
    return parts_->models[static_cast<std::size_t>(model)];
  }

  [[noreturn]] void refuse_file(const std::string& message) const {
    throw InputError(name_ + " " + message);
  }

  void open_paths() {
    parts_->tokens = parts_->file.integers("tokens", 2);
    const auto& paths = parts_->tokens.shape;
    shape_.prompts = static_cast<std::int64_t>(std::min<hsize_t>(paths[0], INT64_MAX));
    if (paths[0] == 0 || paths[1] == 0) {
      refuse_file("has no tokens; record one prompt at least");
    }
    if (paths[1] > kMostPositions) {
      refuse_file(fmt::format("has {} positions; {} are the most", paths[1], kMostPositions));
    }
    if (!parts_->file.exists("starts")) return;
    parts_->starts = parts_->file.integers("starts", 2);
    if (parts_->starts.shape != paths) {
      refuse_file(fmt::format("has starts that are {} and tokens that are {}; give them one shape",
                              shape_text(parts_->starts.shape), shape_text(paths)));
    }
  }

  void open_rows() {
    const auto vocabulary = static_cast<hsize_t>(shape_.vocabulary);
    for (const RecordedModel model : {RecordedModel::draft, RecordedModel::target}) {
      const std::string name = model == RecordedModel::draft ? "draft" : "target";
      const bool whole = parts_->file.exists(name);
      if (model == RecordedModel::draft) shape_.whole_rows = whole;
      if (whole != shape_.whole_rows || (whole && parts_->file.exists(name + "_values"))) {
        refuse_file(
            "has whole rows and rows of the likeliest tokens; give both models one of the two");
      }
      ModelRows& rows = of(model);
      if (whole) {
        rows.rows = parts_->file.floats(name, 3);
        check_rows(name, model, rows.rows.shape);
        if (rows.rows.shape[2] != vocabulary) {
          refuse_file(fmt::format("has '{}' with rows of {}; the vocabulary is {}", name,
                                  rows.rows.shape[2], vocabulary));
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
    rows.rows = parts_->file.floats(name + "_values", 3);
    rows.tokens = parts_->file.integers(name + "_ids", 3);
    rows.rest = parts_->file.floats(name + "_rest", 2);
    check_rows(name + "_values", model, rows.rows.shape);
    const auto& shape = rows.rows.shape;
    if (shape[2] == 0 || shape[2] > static_cast<hsize_t>(shape_.vocabulary)) {
      refuse_file(fmt::format("has '{}_values' with {} tokens a row, of a vocabulary of {}", name,
                              shape[2], shape_.vocabulary));
    }
    if (rows.tokens.shape != shape || rows.rest.shape != std::vector{shape[0], shape[1]}) {
      refuse_file(fmt::format(
          "has '{0}_values' with the shape {1}, '{0}_ids' with {2} and '{0}_rest' with "
          "{3}; they must fit",
          name, shape_text(shape), shape_text(rows.tokens.shape), shape_text(rows.rest.shape)));
    }
  }

  void check_rows(const std::string& name, RecordedModel model,
                  const std::vector<hsize_t>& shape) const {
    const auto& paths = parts_->tokens.shape;
    const bool one_more = model == RecordedModel::target && shape[1] == paths[1] + 1;
    if (shape[0] == paths[0] && (shape[1] == paths[1] || one_more)) return;
    refuse_file(fmt::format("has '{}' for {} prompts and {} positions; tokens has {} and {}", name,
                            shape[0], shape[1], paths[0], paths[1]));
  }

  void check_read(bool read, std::int64_t prompt, int position) const {
    if (read) return;
    const std::lock_guard lock(hdf5::library());
    throw InputError(fmt::format("{}: cannot be read: {}; the file may be cut off",
                                 place(prompt, position), hdf5::library_error()));
  }

  void read_path(std::int64_t prompt, RawPath& path) const override {
    check_read(read_integers(parts_->tokens, {prompt}, path.tokens), prompt, 0);
    if (!parts_->starts.present()) return;
    check_read(read_integers(parts_->starts, {prompt}, path.starts), prompt, 0);
  }

  void read_row(RecordedModel model, std::int64_t prompt, int position,
                RawRow& row) const override {
    const ModelRows& rows = of(model);
    const hdf5::Part place{prompt, position};
    check_read(read_floats(rows.rows, place, row.values), prompt, position);
    if (shape_.whole_rows) return;
    check_read(read_integers(rows.tokens, place, row.tokens), prompt, position);
    thread_local std::vector<double> rest;
    check_read(read_floats(rows.rest, place, rest), prompt, position);
    row.rest = rest.front();
  }

  std::unique_ptr<Parts, Close> parts_;
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
