#include "answer/law_test.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "simulate/forced.h"

namespace speclab {

LawTest test_law(Bench& bench, const Question& question, BySimulation method, CountedLaw counted,
                 std::span<const double> law, std::span<const double> alternative, double level,
                 double power, std::uint64_t most_trials) {
  method.trials = std::min(fit_sample_size(law, alternative, level, power), most_trials);
  const Tally tally = bench.sample(question, method).tally;
  std::vector<std::uint64_t> counts =
      counted == CountedLaw::accepted ? tally.accepted : tally.outputs;
  std::uint64_t outside =
      method.trials - std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  for (std::size_t i = law.size(); i < counts.size(); ++i) outside += counts[i];
  counts.resize(law.size());
  counts.push_back(outside);
  std::vector<double> padded(law.begin(), law.end());
  padded.push_back(0);
  return {fit_test(padded, counts), fit_power(law, alternative, method.trials, level)};
}

std::uint64_t tokens_outside_support(const Verifier& verifier, const Rows<double>& rows, int gamma,
                                     double coin, int sweeps) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  const Window window{.drafts = gamma, .bonus = true};
  std::uint64_t outside = 0;
  for (const Start& start : rows.pair().start()) {
    for (int i = 0; i < sweeps; ++i) {
      for (int j = 0; j < sweeps; ++j) {
        const ForcedUniforms uniforms{(i + 0.5) / sweeps, coin, (j + 0.5) / sweeps};
        State state = start.state;
        for (const Token x : forced_tokens(ready, rows, start.state, window, uniforms)) {
          if (!(rows.target(state)[static_cast<std::size_t>(x)] > 0)) ++outside;
          state = rows.next(state, x);
        }
      }
    }
  }
  return outside;
}

}  // namespace speclab
