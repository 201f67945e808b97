#include "recorded/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/text.h"
#include "model/families/families.h"
#include "model/lane_sum.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

std::string_view model_name(RecordedModel model) {
  return model == RecordedModel::draft ? "draft" : "target";
}

/// "recorded(x.h5): prompt 3, position 5, target row".
[[noreturn]] void refuse_row(const std::string& where, RecordedModel model,
                             const std::string& message) {
  throw InputError(fmt::format("{}, {} row: {}", where, model_name(model), message));
}

[[noreturn]] void refuse_entry(const std::string& where, RecordedModel model, std::int64_t token,
                               double value, std::string_view needed) {
  refuse_row(where, model, fmt::format("token {} has {}; {}", token, value, needed));
}

/// The sum of entries, each checked to be 0 or more. @param token  index -> token
template <class TokenOf>
double checked_sum(std::span<const double> values, const std::string& where, RecordedModel model,
                   const TokenOf& token) {
  bool negative = false;
  for (const double value : values) negative |= value < 0;
  const double sum = lane_sum(values.size(), [&](std::size_t i) { return values[i]; });
  if (negative || !std::isfinite(sum)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] >= 0 && std::isfinite(values[i])) continue;
      refuse_entry(where, model, static_cast<std::int64_t>(token(i)), values[i],
                   "a probability is a number of 0 or more");
    }
  }
  return sum;
}

void check_sum(double sum, RecordedFloat kept, Token vocabulary, const std::string& where,
               RecordedModel model) {
  const double most = most_missing(kept, vocabulary);
  if (std::abs(sum - 1) <= most) return;
  refuse_row(where, model,
             fmt::format("it sums to {:.6g}, not to 1 within {:.2g}; record the probabilities of a "
                         "whole softmax, or logits (rows=\"logits\")",
                         sum, most));
}

/// The probabilities of logits, in place.
void soften(std::span<double> values, const std::string& where, RecordedModel model) {
  double largest = -HUGE_VAL;
  for (std::size_t x = 0; x < values.size(); ++x) {
    if (std::isnan(values[x]) || values[x] == HUGE_VAL) {
      refuse_entry(where, model, static_cast<std::int64_t>(x), values[x],
                   "a logit is a number, or -inf for a token that cannot come");
    }
    largest = std::max(largest, values[x]);
  }
  if (largest == -HUGE_VAL) refuse_row(where, model, "every logit is -inf; one must be a number");
  for (double& value : values) value = std::exp(value - largest);
}

void divide(std::span<double> values, double sum) {
  for (double& value : values) value /= sum;
}

}  // namespace

double most_missing(RecordedFloat kept, Token vocabulary) {
  constexpr double kMost = 1.0 / 128;
  const double single = vocabulary * 0x1p-24 + 0x1p-22;
  if (kept != RecordedFloat::float16) return std::min(kMost, single);
  return std::min(kMost, single + 0x1p-11 + vocabulary * 0x1p-25);
}

const double* RecordedRow::find(Token x) const {
  if (whole()) return &law[static_cast<std::size_t>(x)];
  const auto place = std::lower_bound(known.begin(), known.end(), x);
  if (place == known.end() || *place != x) return nullptr;
  return &law[static_cast<std::size_t>(place - known.begin())];
}

void Recording::refuse(const std::string& message) const {
  throw InputError(name_ + ": " + message);
}

std::string Recording::place(PathNumber at) const {
  if (shape_.paths == 1) return fmt::format("{}: prompt {}", name_, at.prompt);
  return fmt::format("{}: prompt {}, path {}", name_, at.prompt, at.path);
}

std::string Recording::place(PathNumber at, int position) const {
  return fmt::format("{}, position {}", place(at), position);
}

void Recording::check_whole(RawRow& raw, RecordedModel model, const std::string& where,
                            RecordedRow& row) const {
  if (raw.values.size() != static_cast<std::size_t>(shape_.vocabulary)) {
    refuse_row(where, model,
               fmt::format("it has {} entries; the vocabulary is {}", raw.values.size(),
                           shape_.vocabulary));
  }
  row.known.clear();
  row.rest = 0;
  row.law.swap(raw.values);
  if (numbers_ == RecordedNumbers::logits) soften(row.law, where, model);
  const double sum = checked_sum(row.law, where, model, [](std::size_t i) { return i; });
  if (numbers_ == RecordedNumbers::probabilities) {
    check_sum(sum, kept(model), shape_.vocabulary, where, model);
  }
  divide(row.law, sum);
}

void Recording::check_known(RawRow& raw, RecordedModel model, const std::string& where,
                            RecordedRow& row) const {
  std::vector<std::size_t> order(raw.tokens.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return raw.tokens[a] < raw.tokens[b]; });
  row.known.clear();
  row.law.clear();
  for (const std::size_t i : order) {
    const std::int64_t token = raw.tokens[i];
    if (token < 0 || token >= shape_.vocabulary) {
      refuse_row(where, model,
                 fmt::format("token {} is none of the vocabulary's 0 to {}", token,
                             shape_.vocabulary - 1));
    }
    if (!row.known.empty() && row.known.back() == token) {
      refuse_row(where, model, fmt::format("token {} is listed twice", token));
    }
    row.known.push_back(static_cast<Token>(token));
    row.law.push_back(raw.values[i]);
  }
  double sum = checked_sum(row.law, where, model, [&](std::size_t i) { return row.known[i]; });
  if (!(raw.rest >= 0) || !std::isfinite(raw.rest)) {
    refuse_row(
        where, model,
        fmt::format("the rest is {}; it is the mass of all other tokens, 0 or more", raw.rest));
  }
  const bool all_known = row.known.size() == static_cast<std::size_t>(shape_.vocabulary);
  if (all_known && raw.rest > most_missing(kept(model), shape_.vocabulary)) {
    refuse_row(
        where, model,
        fmt::format("every token is listed and the rest is {}; it is the mass of tokens that "
                    "are not listed, so give 0",
                    raw.rest));
  }
  if (!all_known) sum += raw.rest;
  check_sum(sum, kept(model), shape_.vocabulary, where, model);
  divide(row.law, sum);
  row.rest = all_known ? 0 : raw.rest / sum;
  if (row.rest > 0) return;
  // The rest is 0: every probability is known.
  std::vector<double> whole(static_cast<std::size_t>(shape_.vocabulary), 0.0);
  for (std::size_t i = 0; i < row.known.size(); ++i) {
    whole[static_cast<std::size_t>(row.known[i])] = row.law[i];
  }
  row.law = std::move(whole);
  row.known.clear();
}

void Recording::read_unfiltered(RecordedModel model, PathNumber at, int position,
                                RecordedRow& row) const {
  thread_local RawRow raw;
  raw.values.clear();
  raw.tokens.clear();
  raw.rest = 0;
  read_row(model, at, position, raw);
  const std::string where = place(at, position);
  if (shape_.whole_rows) {
    check_whole(raw, model, where, row);
  } else {
    check_known(raw, model, where, row);
  }
}

void Recording::filter(RecordedModel model, RecordedRow& row) const {
  if (model == RecordedModel::target && !target_filter_.idle()) {
    apply_filter(target_filter_, row.law);
  }
}

void Recording::read(RecordedModel model, PathNumber at, int position, RecordedRow& row) const {
  read_unfiltered(model, at, position, row);
  filter(model, row);
}

void Recording::read_shared(RecordedModel model, std::int64_t prompt, std::span<const int> paths,
                            int position, RecordedRow& row) const {
  read_unfiltered(model, {prompt, paths.front()}, position, row);
  RecordedRow other;
  for (const int path : paths.subspan(1)) {
    read_unfiltered(model, {prompt, path}, position, other);
    const double apart =
        lane_sum(row.law.size(),
                 [&](std::size_t x) { return std::abs(row.law[x] - other.law[x]); }) /
        2;
    const double most = most_missing(kept(model), shape_.vocabulary);
    if (apart <= most) continue;
    refuse_row(
        place({prompt, path}, position), model,
        fmt::format("{:.2g} of its mass lies elsewhere than in that of path {}, which has the "
                    "same tokens before it ({:.2g} is the most); one context has one row, so "
                    "record it for both",
                    apart, paths.front(), most));
  }
  filter(model, row);
}

void Recording::read_attributes(const Attributes& of, const std::string& where) {
  constexpr std::string_view kFormat = "speclab-recorded";
  constexpr int kVersion = 1;
  constexpr int kMostPaths = 10'000;
  const auto refuse_attribute = [&](const std::string& message) {
    throw InputError(where + " has " + message);
  };
  const std::string format = of.word("format");
  const std::int64_t version = of.whole("version");
  if (format != kFormat) {
    refuse_attribute(
        fmt::format("the format '{}'; a recording has format '{}'", abbreviate(format), kFormat));
  }
  if (version != kVersion) {
    refuse_attribute(fmt::format("version {}; this program reads version {}", version, kVersion));
  }
  const std::int64_t vocabulary = of.whole("vocabulary");
  if (vocabulary < 1 || vocabulary > kMaxVocabulary) {
    refuse_attribute(fmt::format("a vocabulary of {}; give a whole number from 1 to {}", vocabulary,
                                 kMaxVocabulary));
  }
  shape_.vocabulary = static_cast<Token>(vocabulary);
  const std::string rows = of.word("rows");
  if (rows != "probabilities" && rows != "logits") {
    refuse_attribute("rows '" + abbreviate(rows) + "'; the rows are probabilities or logits");
  }
  numbers_ = rows == "logits" ? RecordedNumbers::logits : RecordedNumbers::probabilities;
  if (of.has("paths")) {
    const std::int64_t paths = of.whole("paths");
    if (paths < 1 || paths > kMostPaths) {
      refuse_attribute(
          fmt::format("{} paths a prompt; give a whole number from 1 to {}", paths, kMostPaths));
    }
    shape_.paths = static_cast<int>(paths);
  }
  if (!of.has("drafts")) return;
  const std::string drafts = of.word("drafts");
  if (drafts != "sampled" && drafts != "argmax") {
    refuse_attribute("drafts '" + abbreviate(drafts) +
                     "'; the drafts are sampled, or argmax where they are the likeliest tokens");
  }
  shape_.likeliest = drafts == "argmax";
}

void Recording::filter_target(const SamplingFilter& filter) {
  if (!filter.idle() && !shape_.whole_rows) {
    refuse("a filter needs the probability of every token, and only the likeliest are recorded");
  }
  target_filter_ = filter;
}

std::shared_ptr<Recording> open_recording(const std::string& path) {
  check_no_output(path);
  // The first bytes decide only the format: if the file is replaced before it is opened again, all
  // data come from the new one.
  if (first_bytes(path, kHdf5Signature.size()) == kHdf5Signature) return open_hdf5_recording(path);
  std::string bytes = read_file(path);
  if (bytes.starts_with(kHdf5Signature)) check_lasting(path);  // of a pipe, which is read only once
  return open_json_recording(path, std::move(bytes));
}

}  // namespace speclab
