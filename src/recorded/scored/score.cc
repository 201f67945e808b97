#include "recorded/scored/score.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/error.h"
#include "system/interrupt.h"
#include "system/openmp.h"
#include "system/parallel.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

/// Tokens that are read before they are decoded, by all threads.
constexpr std::size_t kTokensAtOnce = std::size_t{1} << 18;

class Scoring {
 public:
  Scoring(const ScoreRequest& request, ScoreResult& result,
          const std::function<void(std::int64_t)>& progress)
      : request_(request),
        result_(result),
        progress_(progress),
        tests_(request.drawn),
        threads_(thread_count(request.threads)) {
    for (int t = 0; t < threads_; ++t) decoders_.push_back(std::make_unique<TextDecoder>());
  }

  void read(TextSource& source) {
    for (;;) {
      check_interrupted();
      if (used_ == texts_.size()) texts_.emplace_back();
      ScoredText& text = texts_[used_];
      if (!source.next(text)) return;
      ++used_;
      tokens_ += text.size();
      check_width(text, source);
      tests_.add(text);
      if (tokens_ >= kTokensAtOnce) settle();
    }
  }

  void settle() {
    std::vector<TextCluster> found(used_);
    std::vector<std::vector<TokenFate>> fates(request_.shading ? used_ : 0);
    const int shaded_gamma =
        request_.shading ? std::min(request_.shading->gamma, result_.longest) : 0;
    parallel_for(static_cast<std::int64_t>(used_), threads_, [&](std::int64_t i) {
      check_interrupted();
      const auto at = static_cast<std::size_t>(i);
      TextDecoder& decoder = *decoders_[static_cast<std::size_t>(omp_get_thread_num())];
      decoder.load(texts_[at]);
      found[at] = {1, static_cast<double>(texts_[at].size()), decoder.optimum(), {}};
      for (const TextVerifier& verifier : request_.verifiers) {
        found[at].decodes.push_back(decoder.decode(verifier));
      }
      if (!fates.empty()) {
        fates[at] = decoder.fates(request_.shading->verifier, shaded_gamma);
      }
    });
    for (std::size_t i = 0; i < fates.size(); ++i) shade(texts_[i], std::move(fates[i]));
    for (std::size_t i = 0; i < used_; ++i) {
      ++result_.texts;
      result_.tokens += static_cast<std::int64_t>(texts_[i].size());
      group(texts_[i].group).add(std::move(found[i]), request_.most_clusters);
    }
    used_ = 0;
    tokens_ = 0;
    if (progress_) progress_(result_.tokens);
  }

  void finish() {
    settle();
    result_.checks = tests_.checks();
    result_.never_drafted = tests_.never_drafted();
  }

 private:
  TextGroup& group(const std::string& name) {
    const auto [place, is_new] = numbers_.try_emplace(name, result_.groups.size());
    if (is_new) result_.groups.push_back({.name = name});
    return result_.groups[place->second];
  }

  void shade(const ScoredText& text, std::vector<TokenFate> fates) {
    if (text.tokens.empty()) {
      throw InputError(
          "a text that is to be shown needs its tokens; give \"tokens\" in every line");
    }
    for (std::size_t j = 0; j < fates.size(); ++j) {
      TokenCost& cost = result_.costs[text.tokens[j]];
      cost.count += 1;
      cost.corrections += std::max(0.0, 1 - fates[j].accepted - fates[j].bonus);
    }
    if (shaded_ >= kMostShaded) return;
    shaded_ += fates.size();
    result_.shaded.push_back({text.id, text.tokens, std::move(fates)});
  }

  void check_width(const ScoredText& text, const TextSource& source) {
    if (width_ && *width_ != text.width) {
      const auto form = [](int width) {
        return width > 0 ? fmt::format("lists of {}", width) : std::string("numbers");
      };
      throw InputError(
          fmt::format("{}: draft_logprobs is of {} and that of the texts before it of "
                      "{}; score the files one by one",
                      source.place(), form(text.width), form(*width_)));
    }
    width_ = text.width;
    if (text.width > 0) result_.longest = std::min(kMostScored, text.width);
  }

  const ScoreRequest& request_;
  ScoreResult& result_;
  const std::function<void(std::int64_t)>& progress_;
  TextTests tests_;
  int threads_;
  std::vector<std::unique_ptr<TextDecoder>> decoders_;
  std::vector<ScoredText> texts_;
  std::size_t used_ = 0;
  std::size_t tokens_ = 0;
  std::size_t shaded_ = 0;  ///< tokens
  std::optional<int> width_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

TextCluster& TextCluster::operator+=(const TextCluster& other) {
  texts += other.texts;
  tokens += other.tokens;
  for (std::size_t i = 0; i < optimum.size(); ++i) optimum[i] += other.optimum[i];
  for (std::size_t v = 0; v < decodes.size(); ++v) decodes[v] += other.decodes[v];
  return *this;
}

void TextGroup::add(TextCluster text, std::size_t most) {
  tokens += static_cast<std::int64_t>(text.tokens);
  if (texts++ % per_cluster != 0) {
    clusters.back() += text;
    return;
  }
  if (clusters.size() == most) {
    for (std::size_t i = 0; i < most / 2; ++i) {
      TextCluster both = std::move(clusters[2 * i]);
      both += clusters[2 * i + 1];
      clusters[i] = std::move(both);
    }
    clusters.resize(most / 2);
    per_cluster *= 2;
  }
  clusters.push_back(std::move(text));
}

ScoreResult score_texts(const NextSource& next, const ScoreRequest& request,
                        const std::function<void(std::int64_t)>& progress) {
  const Stopwatch watch;
  ScoreResult result;
  Scoring scoring(request, result, progress);
  while (const auto source = next()) scoring.read(*source);
  scoring.finish();
  result.seconds = watch.seconds();
  return result;
}

ScoreResult score_texts(const std::vector<std::string>& files, const ScoreRequest& request,
                        const std::function<void(std::int64_t)>& progress) {
  std::size_t at = 0;
  const NextSource next = [&]() -> std::unique_ptr<TextSource> {
    if (at == files.size()) return nullptr;
    return open_texts(files[at++], request.fields);
  };
  return score_texts(next, request, progress);
}

}  // namespace speclab
