#include "recorded/scored/scored_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "recorded/scored/score.h"
#include "system/openmp.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

/// Identifies a file by its size and what its texts sum to, without keeping them.
std::string identity_of(const std::string& path, std::int64_t texts, double sum) {
  std::error_code ignored;
  return fmt::format("{} {} {}", std::filesystem::file_size(path, ignored), texts, sum);
}

}  // namespace

ScoredRecording::ScoredRecording(const std::string& files)
    : Recording("scored(" + files + ")", {files, 0}) {
  shape_.whole_rows = false;
  shape_.texts = true;
}

std::shared_ptr<ScoredRecording> ScoredRecording::open(const std::string& path) {
  check_lasting(path);  // its texts are read again for every request
  auto recording = std::make_shared<ScoredRecording>(path);
  const auto source = open_texts(path, {});
  ScoredText text;
  double sum = 0;
  while (source->next(text)) {
    ++recording->shape_.prompts;
    for (std::size_t j = 0; j < text.size(); ++j) {
      sum += text.target[j] + std::max(text.draft[j], -1e3) / 2;
    }
  }
  recording->file_ = input_file(path, identity_of(path, recording->shape_.prompts, sum));
  return recording;
}

void ScoredRecording::read_path(PathNumber, RawPath&) const {
  refuse("has no drafted paths: it is scored text by text");
}

void ScoredRecording::read_row(RecordedModel, PathNumber, int, RawRow&) const {
  refuse("has no rows: it is scored text by text");
}

RecordedResults run_scored(const Recording& recording, const RecordedRequest& request,
                           const std::function<void(std::int64_t)>& progress) {
  ScoreRequest asked;
  asked.threads = request.threads;
  asked.most_clusters = std::numeric_limits<std::size_t>::max();
  for (const Verifier& verifier : request.verifiers) {
    const std::string why = why_not_recorded(verifier, recording.shape());
    if (!why.empty()) throw InputError(recording.name() + ": " + why);
    asked.verifiers.push_back(*text_verifier(verifier));
  }
  for (const int gamma : request.gammas) {
    if (gamma <= kMostScored) continue;
    throw InputError(fmt::format("{}: gamma is {}; texts are scored for 1 to {}", recording.name(),
                                 gamma == kUnbounded ? "inf" : std::to_string(gamma), kMostScored));
  }
  const ScoreResult found = score_texts(std::vector{recording.file().path}, asked);
  if (progress) progress(found.texts);
  for (const int gamma : request.gammas) {
    if (gamma <= found.longest) continue;
    throw InputError(fmt::format("{}: gamma is {}; its draft_logprobs are of {} tokens a start",
                                 recording.name(), gamma, found.longest));
  }
  RecordedResults all;
  all.longest = {0, 0, found.longest};
  all.threads = thread_count(request.threads);
  all.seconds = found.seconds;
  const TextGroup& texts = found.groups.front();
  for (std::size_t v = 0; v < request.verifiers.size(); ++v) {
    for (const int gamma : request.gammas) {
      const auto g = static_cast<std::size_t>(gamma - 1);
      RecordedResult& result = all.results.emplace_back();
      result.verifier = request.verifiers[v].name;
      result.gamma = gamma;
      const auto each = [&](const auto& number) {
        return texts.each([&](const TextCluster& text) { return number(text.decodes[v]); });
      };
      result.iterations = each([g](const TextDecode& decode) { return decode.calls[g]; });
      result.tokens = texts.each([](const TextCluster& text) { return text.tokens; });
      result.accepted = each([gamma](const TextDecode& decode) { return decode.accepted(gamma); });
      result.undefined.assign(texts.clusters.size(), 0.0);
      for (std::size_t i = 0; i <= g + 1; ++i) {
        result.law.push_back(each([i, g](const TextDecode& decode) {
          const double reached = i == 0 ? decode.calls[g] : decode.reached[i - 1][g];
          return i == g + 1 ? reached : std::max(0.0, reached - decode.reached[i][g]);
        }));
      }
    }
  }
  return all;
}

namespace {

PairPointer make_scored(SpecReader& spec) {
  return std::make_shared<RecordedPair>(
      ScoredRecording::open(spec.path("path", /*positional=*/true)));
}

PairPointer refuse_filter(const PairPointer&, const PairFilters&, const SpecReader& spec) {
  spec.refuse(
      "the log-probabilities are of the filters that they were computed with; score the texts "
      "again with these filters");
}

}  // namespace

constinit const PairFamily kScoredFamily{
    .name = "scored",
    .parameters = "PATH",
    .prose =
        "texts of a target with the log-probability of each token under both models (JSON lines, "
        "HDF5 or CSV)",
    .source = "this project",
    .example = "",
    .make = &make_scored,
    .filter = &refuse_filter,
    .no_end = "a text ends where its tokens end; leave out eos="};

}  // namespace speclab
