#include "recorded/run_recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "recorded/drawn.h"
#include "recorded/given_law.h"
#include "recorded/path_view.h"
#include "recorded/scored/scored_recording.h"
#include "recorded/scored/text.h"
#include "system/interrupt.h"
#include "system/memory.h"
#include "system/openmp.h"
#include "system/parallel.h"
#include "system/stopwatch.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

void check_asked(const Recording& recording, const RecordedRequest& request) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(recording.name() + ": " + what);
  };
  for (const Verifier& verifier : request.verifiers) {
    const std::string why = why_not_recorded(verifier, recording.shape());
    if (!why.empty()) refuse(why);
  }
  for (const int gamma : request.gammas) {
    if (gamma == kUnbounded) refuse("gamma inf has no end here; give a number");
  }
}

/// The paths that a verifier takes: the drafts of one without a draft model go unread. A tree of
/// the likeliest tokens may be among any of them.
int paths_of(const Verifier& verifier, const RecordingShape& shape) {
  if (shape.likeliest && verifier.drafts > 1) return shape.paths;
  return std::max(1, verifier.drafts);
}

int most_paths(const RecordedRequest& request, const RecordingShape& shape) {
  int most = 1;
  for (const Verifier& verifier : request.verifiers) {
    most = std::max(most, paths_of(verifier, shape));
  }
  return most;
}

/// The recorded drafts of one iteration.
struct Segment {
  std::int64_t prompt;
  int start;
  std::vector<int> fitting;  ///< [K - 1]: the drafts that each of the first K paths has
};

/// What is added up over a prompt besides the results.
struct DraftedSums {
  RecordedSegment longest;
  DrawnTest drafts, emitted;
};

class RecordedRun {
 public:
  RecordedRun(const PairPointer& pair, const RecordedRequest& request)
      : recording_(*recording_of(*pair)), request_(request) {
    const auto prompts = static_cast<std::size_t>(recording_.shape().prompts);
    longest_ = *std::max_element(request.gammas.begin(), request.gammas.end());
    paths_ = most_paths(request, recording_.shape());
    for (const Verifier& verifier : request.verifiers) {
      ready_.push_back(prepare(verifier, pair));
      for (const int gamma : request.gammas) {
        RecordedResult result;
        result.verifier = verifier.name;
        result.gamma = gamma;
        for (auto* sums :
             {&result.iterations, &result.tokens, &result.accepted, &result.undefined}) {
          sums->assign(prompts, 0.0);
        }
        result.law.assign(static_cast<std::size_t>(gamma) + 1, std::vector<double>(prompts, 0.0));
        results_.push_back(std::move(result));
      }
    }
    skipped_.assign(results_.size() * prompts, 0);
    undefined_.assign(results_.size() * prompts, 0);
    drafted_.resize(prompts);
  }

  void one(std::int64_t prompt) {
    std::vector<RecordedPath> paths;
    for (int k = 0; k < paths_; ++k) paths.push_back(recording_.path({prompt, k}));
    for (std::size_t i = 0; i < paths.front().starts.size(); ++i) {
      check_interrupted();
      Segment segment{prompt, paths.front().starts[i], {}};
      for (const RecordedPath& path : paths) {
        const int before = segment.fitting.empty() ? path.segment(i) : segment.fitting.back();
        segment.fitting.push_back(std::min(before, path.segment(i)));
      }
      RecordedSegment& longest = drafted_[static_cast<std::size_t>(prompt)].longest;
      const int all = segment.fitting.back();
      if (all > longest.tokens) longest = {prompt, segment.start, all};
      PathRows rows = rows_of(paths, i, segment);
      check_drafted(rows, segment);
      check_emitted(paths.front(), segment, rows.tokens(0).size());
      for (std::size_t q = 0; q < results_.size(); ++q) iteration(q, rows, segment);
    }
  }

  RecordedResults finish() {
    check_drawn();
    const auto prompts = static_cast<std::size_t>(recording_.shape().prompts);
    for (std::size_t q = 0; q < results_.size(); ++q) {
      for (std::size_t p = 0; p < prompts; ++p) {
        results_[q].skipped += skipped_[q * prompts + p];
        results_[q].undefined_iterations += undefined_[q * prompts + p];
      }
    }
    RecordedResults all;
    all.results = std::move(results_);
    for (const DraftedSums& sums : drafted_) {
      if (sums.longest.tokens > all.longest.tokens) all.longest = sums.longest;
    }
    return all;
  }

 private:
  [[nodiscard]] const Verifier& verifier_of(std::size_t q) const {
    return ready_[q / request_.gammas.size()];
  }

  [[nodiscard]] int paths_of(const Verifier& verifier) const {
    return speclab::paths_of(verifier, recording_.shape());
  }

  /// Whether the paths of a verifier have so many drafts here.
  [[nodiscard]] bool fits(const Verifier& verifier, int gamma, const Segment& segment) const {
    if (request_.common_starts) return longest_ <= segment.fitting.back();
    return gamma <= segment.fitting[static_cast<std::size_t>(paths_of(verifier)) - 1];
  }

  /// The rows along the part of each path that is read from start number i on.
  [[nodiscard]] PathRows rows_of(const std::vector<RecordedPath>& paths, std::size_t i,
                                 const Segment& segment) const {
    std::vector<PathDrafts> drafts;
    for (int k = 0; k < paths_; ++k) {
      const RecordedPath& path = paths[static_cast<std::size_t>(k)];
      int used = 0;
      for (const RecordedResult& result : results_) {
        const Verifier& verifier = verifier_of(static_cast<std::size_t>(&result - results_.data()));
        if (k < paths_of(verifier) && fits(verifier, result.gamma, segment)) {
          used = std::max(used, result.gamma);
        }
      }
      const bool last = i + 1 == path.starts.size();
      drafts.push_back(
          {std::span(path.tokens)
               .subspan(static_cast<std::size_t>(segment.start), static_cast<std::size_t>(used)),
           last ? path.segment(i) + 1 : path.segment(i)});
    }
    return {recording_, segment.prompt, segment.start, std::move(drafts)};
  }

  /// Drafted tokens of probability 0 are none; the others are remembered for check_drawn.
  void check_drafted(PathRows& rows, const Segment& segment) {
    if (recording_.shape().likeliest) {
      for (int at = 0; at < rows.places(); ++at) rows.rank_ahead(at);
      return;
    }
    DraftedSums& sums = drafted_[static_cast<std::size_t>(segment.prompt)];
    for (int k = 0; k < paths_; ++k) {
      int at = 0;
      int position = segment.start;
      for (const Token token : rows.tokens(k)) {
        rows.add_drafted(at, token, sums.drafts);
        if (recording_.shape().whole_rows && !(rows.draft(at, token) > 0)) {
          throw InputError(
              fmt::format("{}: the draft gives the drafted token {} probability 0; record the row "
                          "that it was drawn from",
                          recording_.place({segment.prompt, k}, position), token));
        }
        at = rows.next(at, token);
        ++position;
      }
    }
  }

  /// Emitted tokens of target probability 0 are none; the others are remembered for check_drawn.
  /// @param used  positions of the iteration that are looked at
  void check_emitted(const RecordedPath& path, const Segment& segment, std::size_t used) {
    if (path.emitted.empty()) return;
    DrawnTest& test = drafted_[static_cast<std::size_t>(segment.prompt)].emitted;
    RecordedRow row;
    for (std::size_t i = 0; i < used; ++i) {
      const int position = segment.start + static_cast<int>(i);
      const Token token = path.emitted[static_cast<std::size_t>(position)];
      if (token < 0) return;
      recording_.read_unfiltered(RecordedModel::target, segment.prompt, position, row);
      test.add(row.known_probability(token), DrawnMoments(row));
      if (row.whole() && !(row.known_probability(token) > 0)) {
        throw InputError(
            fmt::format("{}: the target gives the emitted token {} probability 0; record the row "
                        "that it was drawn from",
                        recording_.place(segment.prompt, position), token));
      }
    }
  }

  void iteration(std::size_t q, const PathRows& rows, const Segment& segment) {
    RecordedResult& result = results_[q];
    const Verifier& verifier = verifier_of(q);
    const auto p = static_cast<std::size_t>(segment.prompt);
    const std::size_t place = q * drafted_.size() + p;
    if (!fits(verifier, result.gamma, segment)) {
      ++skipped_[place];
      return;
    }
    const GivenLaw law = law_of(verifier, rows, result.gamma);
    result.iterations[p] += 1;
    result.tokens[p] += law.tokens;
    result.undefined[p] += law.undefined;
    undefined_[place] += law.undefined > 0 ? 1 : 0;
    for (std::size_t i = 0; i < law.accepted.size(); ++i) {
      result.law[i][p] += law.accepted[i];
      result.accepted[p] += static_cast<double>(i) * law.accepted[i];
    }
  }

  [[nodiscard]] GivenLaw law_of(const Verifier& verifier, const PathRows& rows, int gamma) const {
    try {
      return given_law(verifier, rows, paths_of(verifier), {.drafts = gamma, .bonus = true});
    } catch (const InputError& error) {
      throw InputError(verifier.name + ": " + error.what());
    } catch (const ProbabilityError& error) {
      throw ContractError(verifier.name + ": " + error.what());
    } catch (const ContractError& error) {
      throw InputError(verifier.name + " does not answer for recorded drafts: " + error.what());
    }
  }

  void check_drawn() const {
    DrawnTest drafts, emitted;
    for (const DraftedSums& sums : drafted_) {
      drafts.add(sums.drafts);
      emitted.add(sums.emitted);
    }
    drafts.check(recording_, "drafted tokens", "draft's rows");
    emitted.check(recording_, "emitted tokens", "target's rows");
  }

  const Recording& recording_;
  const RecordedRequest& request_;
  int longest_ = 1;
  int paths_ = 1;  ///< of a prompt that are read
  std::vector<Verifier> ready_;
  std::vector<RecordedResult> results_;
  std::vector<std::int64_t> skipped_, undefined_;  ///< [result][prompt]
  std::vector<DraftedSums> drafted_;               ///< by prompt
};

/// Rows of the longest window of every thread, and what is kept of the prompts.
void check_memory(const Recording& recording, const RecordedRequest& request, int threads) {
  double kept = 0;
  double longest = 0;
  for (const int gamma : request.gammas) {
    longest = std::max(longest, static_cast<double>(gamma));
    kept += static_cast<double>(request.verifiers.size()) * (7.0 + gamma) * sizeof(double) *
            static_cast<double>(recording.shape().prompts);
  }
  const int paths = most_paths(request, recording.shape());
  const double row = static_cast<double>(recording.shape().vocabulary) * sizeof(double);
  const double places = 1 + longest * paths;
  // Both rows of a place and the raw numbers of two; of several paths their tables (56 bytes a
  // token and the sums of K powers) as well, and what one is sorted by.
  const double tables = paths > 1 ? 7 + 2 * (1 + std::min(paths, PowerSums::kMost)) : 0;
  const double bytes = kept + (places * (2 + tables) + (paths > 1 ? 4 : 2)) * row * threads;
  const double limit = most_memory(request.max_memory);
  if (bytes <= limit) return;
  throw LimitError(
      fmt::format("the rows of {} that are in memory at a time take {}, over the limit of {}; "
                  "lower gamma or the "
                  "threads, or allow more memory (max-memory)",
                  recording.name(), size_text(bytes), size_text(limit)));
}

}  // namespace

const RecordedResult& RecordedResults::of(const std::string& verifier, int gamma) const {
  for (const RecordedResult& result : results) {
    if (result.verifier == verifier && result.gamma == gamma) return result;
  }
  throw std::out_of_range(verifier + " was not run at this gamma");
}

RecordedResults run_recorded(const PairPointer& pair, const RecordedRequest& request,
                             const std::function<void(std::int64_t)>& progress) {
  const Recording& recording = *recording_of(*pair);
  if (recording.shape().texts) return run_scored(recording, request, progress);
  const int threads = thread_count(request.threads);
  check_asked(recording, request);
  check_memory(recording, request, threads);
  RecordedRun run(pair, request);
  const Stopwatch watch;
  // After a fault only the prompts before it are of interest: the first one is reported.
  std::atomic<std::int64_t> faulty{recording.shape().prompts};
  std::atomic<std::int64_t> done{0};
  std::mutex showing;
  parallel_for(recording.shape().prompts, threads, [&](std::int64_t prompt) {
    if (prompt > faulty) return;
    try {
      run.one(prompt);
    } catch (...) {
      std::int64_t first = faulty;
      while (prompt < first && !faulty.compare_exchange_weak(first, prompt)) {
      }
      throw;
    }
    const std::int64_t count = ++done;
    if (!progress) return;
    const std::lock_guard lock(showing);
    progress(count);
  });
  RecordedResults results = run.finish();
  results.threads = threads;
  results.seconds = watch.seconds();
  return results;
}

}  // namespace speclab
