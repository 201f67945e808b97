// Scored texts as CSV, a line a token: after a line of names `id`, `target_logprobs` and
// `draft_logprobs`, and where wanted `tokens` and the field that parts the texts; lines in a row
// with one id are a text.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "recorded/scored/source.h"

namespace speclab {
namespace {

/// The cells of a line; a cell in quotes may hold commas, and quotes written twice.
std::vector<std::string> cells_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

class CsvTexts final : public TextSource {
 public:
  CsvTexts(LineReader lines, const TextFields& fields) : lines_(std::move(lines)) {
    std::string_view line;
    lines_.next(line);
    if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    names_ = cells_of(line);
    id_ = column("id");
    target_ = column("target_logprobs");
    draft_ = column("draft_logprobs");
    if (!fields.group.empty()) group_ = column(fields.group);
    const auto tokens = std::find(names_.begin(), names_.end(), "tokens");
    if (tokens != names_.end()) tokens_ = static_cast<std::size_t>(tokens - names_.begin());
    read_line();
    if (!ahead_)
      throw InputError(lines_.path() + " has no token; write one a line after the names");
  }

  [[nodiscard]] std::string place() const override { return place_; }

  bool next(ScoredText& text) override {
    if (!ahead_) return false;
    place_ = lines_.place();
    text.clear();
    text.id = (*ahead_)[id_];
    if (group_) text.group = (*ahead_)[*group_];
    while (ahead_ && (*ahead_)[id_] == text.id) {
      text.target.push_back(log_of(target_));
      text.draft.push_back(log_of(draft_));
      if (tokens_) text.tokens.push_back((*ahead_)[*tokens_]);
      read_line();
    }
    settle_text(text, 0, place_);
    return true;
  }

 private:
  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    throw InputError(fmt::format("{}: there is no column '{}'{}; the columns are {}",
                                 lines_.place(), abbreviate(name), suggestion(name, names_),
                                 abbreviate(join(names_), 200)));
  }

  void read_line() {
    std::string_view line;
    ahead_.reset();
    if (!lines_.next(line)) return;
    ahead_ = cells_of(line);
    if (ahead_->size() == names_.size()) return;
    throw InputError(fmt::format("{}: it has {} cells and the names are {}; give as many",
                                 lines_.place(), ahead_->size(), names_.size()));
  }

  [[nodiscard]] double log_of(std::size_t at) const {
    const std::string& cell = (*ahead_)[at];
    if (cell.empty() || cell == "null") return -HUGE_VAL;
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error == std::errc() && end == cell.data() + cell.size()) return value;
    throw InputError(
        fmt::format("{}: {} is '{}'; give a number, or -inf for a token that is never "
                    "drawn",
                    lines_.place(), names_[at], abbreviate(cell)));
  }

  LineReader lines_;
  std::vector<std::string> names_;
  std::size_t id_ = 0, target_ = 0, draft_ = 0;
  std::optional<std::size_t> tokens_, group_;
  std::optional<std::vector<std::string>> ahead_;  ///< the cells of the line that is read
  std::string place_;
};

}  // namespace

std::unique_ptr<TextSource> open_csv_texts(LineReader lines, const TextFields& fields) {
  return std::make_unique<CsvTexts>(std::move(lines), fields);
}

}  // namespace speclab
