#include "simulate/output_means.h"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "model/view.h"
#include "run/runs.h"
#include "simulate/buffered_stream.h"
#include "simulate/engine.h"
#include "simulate/output_controls.h"
#include "system/interrupt.h"
#include "system/openmp.h"
#include "system/parallel.h"

namespace speclab {
namespace {

/// Iterations under way that have accepted all tokens since they began and are alike.
struct UnderWay {
  int left = 0;       ///< drafts that may be accepted; of 0 the next token is the bonus
  double memory = 0;  ///< verifiers/output_step.h
  double count = 0;   ///< expected

  [[nodiscard]] auto key() const { return std::tie(memory, left, count); }
  [[nodiscard]] bool is_like(const UnderWay& other) const {
    return left == other.left && memory == other.memory;
  }
};

/// The means of decodes, one after another.
class MeanDecoder {
 public:
  MeanDecoder(const Verifier& verifier, const Rows<double>& rows, const TrialPlan& plan)
      : program_(verifier.program.get()),
        add_steps_(verifier.runs->output_steps),
        start_(verifier.drafts),
        rows_(rows),
        view_(rows),
        plan_(plan) {}

  DecodeMeans decode(std::uint64_t trial) {
    Rows<double>::Reading reading(rows_);
    BufferedStream numbers(plan_.key, trial, kOnlyRun, Purpose::draft);
    auto node = view_.root(plan_.starts[choose_start(plan_, trial)]);
    const int horizon = *plan_.lengths.horizon;
    means_ = {};
    under_way_.clear();
    double beginning = 1;
    for (int i = 0; i < horizon; ++i) {
      reading.pause();
      check_interrupted();
      begin(beginning, window_within(plan_.lengths.gamma, horizon - i));
      const auto laws = view_.at(node);
      const Token y = pick(laws.target(), numbers.uniform());
      ++means_.tokens;
      add_output_terms(rows_, node, y, i + 1 == horizon, means_.controls);
      if (y == plan_.end_token) break;
      beginning = end(laws, y);
      node = view_.next(node, y);
    }
    return means_;
  }

 private:
  /// Where fewer iterations than this would go on they end, so that long drafts do not make long
  /// lists; each is below the rounding of a decode's calls.
  static constexpr double kFewest = 0x1p-60;

  void begin(double count, const Window& window) {
    if (!(count > 0)) return;
    means_.calls += count;
    means_.steps += count * window.drafts;
    under_way_.push_back({window.drafts, start_, count});
  }

  /// Takes a token; returns how many iterations are expected to end with it.
  double end(const Laws<double>& laws, Token y) {
    double ended = 0;
    next_.clear();
    std::optional<double> memory;  // that steps_ are of
    for (const UnderWay& each : under_way_) {
      if (each.left == 0) {
        ended += each.count;
        continue;
      }
      if (memory != each.memory) {
        memory = each.memory;
        steps_.clear();
        add_steps_(program_, laws, y, *memory, steps_);
      }
      double rest = each.count;
      for (const OutputStep<double>& step : steps_) {
        const double count = each.count * step.probability;
        if (count < kFewest) continue;
        rest -= count;
        next_.push_back({each.left - 1, step.memory, count});
      }
      ended += std::max(0.0, rest);
    }
    merge();
    return ended;
  }

  /// Goes on to the iterations of next_, those that are alike added up in an order of their own.
  void merge() {
    std::sort(next_.begin(), next_.end(),
              [](const UnderWay& a, const UnderWay& b) { return a.key() < b.key(); });
    std::size_t apart = 0;
    for (const UnderWay& each : next_) {
      if (apart > 0 && next_[apart - 1].is_like(each)) {
        next_[apart - 1].count += each.count;
      } else {
        next_[apart++] = each;
      }
    }
    next_.resize(apart);
    under_way_.swap(next_);
  }

  const void* program_;
  AddOutputSteps add_steps_;
  double start_;
  const Rows<double>& rows_;
  PairView<double> view_;
  const TrialPlan& plan_;
  DecodeMeans means_;
  std::vector<UnderWay> under_way_;
  std::vector<UnderWay> next_;             ///< scratch
  std::vector<OutputStep<double>> steps_;  ///< scratch
};

}  // namespace

bool averages_output(const Verifier& verifier, const Pair& pair, const Lengths& lengths) {
  if (!lengths.horizon || verifier.runs->output_steps == nullptr) return false;
  if (verifier.drafts > kMostAveraged) return false;
  return (lengths.gamma <= kLongestAveraged || lengths.gamma >= *lengths.horizon) &&
         verifier.info->drafting == Drafting::window && !pair.resets();
}

std::vector<DecodeMeans> output_means(const Verifier& verifier, const Rows<double>& rows,
                                      const SimulateRequest& request) {
  const TrialPlan plan = make_plan(rows, request);
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  if (!averages_output(ready, rows.pair(), request.lengths)) {
    throw std::logic_error("means of decodes of a verifier that has no such form");
  }
  const int threads = thread_count(request.threads);
  rows.make_tables(threads);
  std::vector<MeanDecoder> decoders(static_cast<std::size_t>(threads),
                                    MeanDecoder(ready, rows, plan));
  std::vector<DecodeMeans> means(request.trials);
  parallel_for(static_cast<std::int64_t>(request.trials), threads, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const auto worker = static_cast<std::size_t>(omp_get_thread_num());
    means[at] = decoders[worker].decode(request.first_trial + at);
  });
  return means;
}

}  // namespace speclab
