#include "simulate/output_means.h"

#include <omp.h>

#include <cstdint>
#include <stdexcept>

#include "model/view.h"
#include "run/runs.h"
#include "simulate/buffered_stream.h"
#include "simulate/engine.h"
#include "simulate/output_controls.h"
#include "simulate/text_means.h"
#include "system/interrupt.h"
#include "system/openmp.h"
#include "system/parallel.h"

namespace speclab {
namespace {

/// The means of decodes, one after another.
class MeanDecoder {
 public:
  MeanDecoder(const Verifier& verifier, const Rows<double>& rows, const TrialPlan& plan)
      : text_(own_form(verifier)), rows_(rows), view_(rows), plan_(plan) {}

  DecodeMeans decode(std::uint64_t trial) {
    Rows<double>::Reading reading(rows_);
    BufferedStream numbers(plan_.key, trial, kOnlyRun, Purpose::draft);
    auto node = view_.root(plan_.starts[choose_start(plan_, trial)]);
    const int horizon = *plan_.lengths.horizon;
    DecodeMeans means;
    text_.begin();
    for (int i = 0; i < horizon; ++i) {
      reading.pause();
      check_interrupted();
      const auto laws = view_.at(node);
      const Token y = pick(laws.target(), numbers.uniform());
      ++means.tokens;
      add_output_terms(rows_, node, laws, y, i + 1 == horizon, means.controls);
      text_.take(laws, y, window_within(plan_.lengths.gamma, horizon - i));
      if (y == plan_.end_token) break;
      node = view_.next(node, y);
    }
    means.calls = text_.calls();
    means.steps = text_.steps();
    return means;
  }

 private:
  TextMeans text_;
  const Rows<double>& rows_;
  PairView<double> view_;
  const TrialPlan& plan_;
};

}  // namespace

OutputForm own_form(const Verifier& verifier) {
  return {.program = verifier.program.get(),
          .add_steps = verifier.runs->output_steps,
          .start = static_cast<double>(verifier.drafts)};
}

bool averages_output(const Verifier& verifier, const Pair& pair, const Lengths& lengths) {
  return averages_drafts(lengths) && verifier.runs->output_steps != nullptr &&
         verifier.drafts <= kMostAveraged && verifier.info->drafting == Drafting::window &&
         !pair.resets();
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
