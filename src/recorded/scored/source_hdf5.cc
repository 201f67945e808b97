// Scored texts in HDF5, a row a text: target_logprobs [P][N], NaN after a text's end;
// draft_logprobs [P][N] or [P][N][g]; where wanted tokens [P][N] and start [P], whole numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "recorded/scored/source.h"
#ifdef SPECLAB_HDF5
#include "recorded/hdf5_file.h"
#endif

namespace speclab {

#ifdef SPECLAB_HDF5
namespace {

using hdf5::Dataset;

constexpr hsize_t kMostWide = 1 << 20;

class Hdf5Texts final : public TextSource {
 public:
  Hdf5Texts(const std::string& path, const TextFields& fields) : path_(path) {
    if (!fields.group.empty()) {
      throw InputError(
          path + ": texts are parted by a member of JSON lines or a column of CSV; HDF5 has none");
    }
    const std::lock_guard lock(hdf5::library());
    parts_.reset(new Parts(path));
    parts_->file.check_members({"target_logprobs", "draft_logprobs", "tokens", "start"});
    parts_->target = parts_->file.floats("target_logprobs", 2);
    const std::size_t rank = parts_->file.rank("draft_logprobs");
    parts_->draft = parts_->file.floats("draft_logprobs", rank == 3 ? 3 : 2);
    const auto& shape = parts_->target.shape;
    const auto& drafts = parts_->draft.shape;
    if (!std::equal(shape.begin(), shape.end(), drafts.begin())) {
      throw InputError(
          fmt::format("{} has target_logprobs {} and draft_logprobs {}; give a number "
                      "a token in both",
                      path, hdf5::shape_text(shape), hdf5::shape_text(drafts)));
    }
    if (rank == 3) {
      if (drafts[2] < 1 || drafts[2] > kMostWide) {
        throw InputError(
            fmt::format("{} has draft_logprobs {}; give 1 to {} numbers a start, such as those of "
                        "the tokens that are drafted from it",
                        path, hdf5::shape_text(drafts), kMostWide));
      }
      width_ = static_cast<int>(drafts[2]);
    }
    if (fields.show_tokens && parts_->file.exists("tokens")) {
      parts_->tokens = parts_->file.integers("tokens", 2);
    }
    if (parts_->file.exists("start")) parts_->start = parts_->file.integers("start", 1);
    if (shape[0] == 0) throw InputError(path + " has no text; write one a row");
  }

  [[nodiscard]] std::string place() const override {
    return fmt::format("{}: row {}", path_, at_ - 1);
  }

  bool next(ScoredText& text) override {
    if (at_ == parts_->target.shape[0]) return false;
    const hdf5::Part part{at_++};
    text.id = std::to_string(at_ - 1);
    text.width = width_;
    check_read(read_floats(parts_->target, part, text.target));
    check_read(read_floats(parts_->draft, part, text.draft));
    const auto end = std::find_if(text.target.begin(), text.target.end(),
                                  [](double log) { return std::isnan(log); });
    const auto size = static_cast<std::size_t>(end - text.target.begin());
    if (std::any_of(end, text.target.end(), [](double log) { return !std::isnan(log); })) {
      throw InputError(
          fmt::format("{}: target_logprobs[{}] is NaN before the text's end; NaN "
                      "stands after the last token alone",
                      place(), size));
    }
    text.target.resize(size);
    text.draft.resize(size * static_cast<std::size_t>(std::max(width_, 1)));
    text.tokens.clear();
    std::vector<std::int64_t> numbers;
    if (parts_->tokens.present()) {
      check_read(read_integers(parts_->tokens, part, numbers));
      for (std::size_t j = 0; j < std::min(size, numbers.size()); ++j) {
        text.tokens.push_back(fmt::format("{} ", numbers[j]));
      }
    }
    std::int64_t start = 0;
    if (parts_->start.present()) {
      check_read(read_integers(parts_->start, part, numbers));
      start = numbers.front();
    }
    settle_text(text, start, place());
    return true;
  }

 private:
  struct Parts {
    explicit Parts(const std::string& path) : file(path, path) {}
    hdf5::File file;
    Dataset target, draft, tokens, start;
  };

  void check_read(const std::optional<std::string>& why) const {
    if (why) {
      throw InputError(
          fmt::format("{}: cannot be read: {}; the file may be cut off", place(), *why));
    }
  }

  std::string path_;
  std::unique_ptr<Parts, hdf5::Close> parts_;
  int width_ = 0;
  hsize_t at_ = 0;
};

}  // namespace

std::unique_ptr<TextSource> open_hdf5_texts(const std::string& path, const TextFields& fields) {
  return std::make_unique<Hdf5Texts>(path, fields);
}

#else

std::unique_ptr<TextSource> open_hdf5_texts(const std::string& path, const TextFields&) {
  throw InputError(path +
                   " is an HDF5 file, which this build cannot read: install HDF5 (Debian: "
                   "libhdf5-dev) and build again, or write JSON lines");
}

#endif

}  // namespace speclab
