#include "simulate/step_table.h"

#include <algorithm>
#include <cmath>

#include "run/each_sequence.h"
#include "run/runs.h"
#include "simulate/tally.h"

namespace speclab {
namespace {

/// Sequences of decisions of all steps, at most: a tenth of a second.
constexpr std::size_t kMostSequences = std::size_t{1} << 20;
constexpr std::size_t kMostSteps = 65536;  ///< states times tokens

/// Adds the weights of one row: of a step, or of the bonus. False where it is undefined.
bool add_weights(const AnyProgram<PairView<double>>& program, const Rows<double>& rows, State state,
                 bool bonus, std::span<double> weights) {
  const PairView<double> view(rows);
  const std::size_t vocabulary = weights.size() / 2;
  bool defined = true;
  each_sequence(program, view, view.root(state), {.drafts = bonus ? 0 : 1, .bonus = bonus}, true,
                [&](const Iteration<PairView<double>>& out, double weight) {
                  if (out.ending == Ending::undefined) {
                    defined = false;
                    return;
                  }
                  const std::size_t ends = out.ending == Ending::horizon ? 0 : vocabulary;
                  weights[ends + static_cast<std::size_t>(out.tokens.back())] += weight;
                });
  return defined;
}

/// The weights in units of 2^-64 of the whole.
std::vector<WideCount> to_units(std::span<const double> weights) {
  std::vector<WideCount> units;
  WideCount left = WideCount{1} << 64;
  for (const double weight : weights) {
    units.push_back(static_cast<WideCount>(std::ldexp(weight, 64)));
    left -= units.back();
  }
  // Below zero it wraps around, and so does the sum.
  const auto likeliest = std::max_element(weights.begin(), weights.end()) - weights.begin();
  units[static_cast<std::size_t>(likeliest)] += left;
  return units;
}

}  // namespace

std::shared_ptr<const StepTable> StepTable::make(const Verifier& verifier,
                                                 const Rows<double>& rows) {
  const std::size_t states = rows.pair().states();
  const auto vocabulary = static_cast<std::size_t>(rows.vocabulary());
  const auto steps = verifier.runs->steps;
  if (steps == nullptr || !steps(verifier.program.get()) || vocabulary > StateTable::kSmall ||
      states > std::min(kMostSteps / vocabulary, kMostSequences / (vocabulary * vocabulary))) {
    return nullptr;
  }
  for (State state = 0; rows.resets() && state < states; ++state) {
    if (rows.roots(state).size() > 1) return nullptr;
  }
  const AnyProgram<PairView<double>> program(verifier.program.get(), verifier.runs->plain->doubles);
  const Rows<double>::Reading reading(rows);
  std::vector<double> weights(4 * vocabulary * states);
  for (State state = 0; state < states; ++state) {
    for (const bool bonus : {false, true}) {
      const std::size_t row = 2 * vocabulary * (2 * std::size_t{state} + (bonus ? 1 : 0));
      if (!add_weights(program, rows, state, bonus, {&weights[row], 2 * vocabulary})) {
        return nullptr;
      }
    }
  }
  return std::make_shared<const StepTable>(rows, weights);
}

StepTable::StepTable(const Rows<double>& rows, std::span<const double> weights) {
  const std::size_t size = 2 * static_cast<std::size_t>(rows.vocabulary());
  const std::size_t count = weights.size() / size;
  const auto row_of = [&](std::size_t i) { return weights.subspan(i * size, size); };
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = row_of(i);
    const auto outcomes = std::count_if(row.begin(), row.end(), [](double w) { return w > 0; });
    while ((std::ptrdiff_t{1} << bits_) < outcomes) ++bits_;
  }
  for (std::size_t i = 0; i < count; ++i) add_row(rows, static_cast<State>(i / 2), row_of(i));
}

void StepTable::add_row(const Rows<double>& rows, State state, std::span<const double> weights) {
  struct Share {
    std::size_t outcome;
    WideCount units;
  };
  const std::size_t vocabulary = weights.size() / 2;
  const std::size_t size = std::size_t{1} << bits_;
  const WideCount room = (WideCount{1} << 64) >> bits_;
  const std::vector<WideCount> units = to_units(weights);
  std::vector<Share> low;
  std::vector<Share> high;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i] > 0) (units[i] < room ? low : high).push_back({i, units[i]});
  }
  low.resize(low.size() + size - (low.size() + high.size()), {0, 0});
  const auto add = [&](std::size_t own, WideCount keep, std::size_t other) {
    const auto token = [&](std::size_t i) { return static_cast<Token>(i % vocabulary); };
    const auto next = [&](std::size_t i) {
      const State after = rows.next(state, token(i));
      if (i < vocabulary) return row(after);
      return row(rows.resets() ? rows.roots(after).front().state : after) + kEnds;
    };
    cells_.push_back({static_cast<std::uint64_t>(keep), {next(own), next(other)}});
    tokens_.push_back({token(own), token(other)});
  };
  while (!low.empty()) {
    // What is missing from the low ones is above the room in the high ones.
    const Share small = low.back();
    Share& large = high.back();
    low.pop_back();
    add(small.outcome, small.units, large.outcome);
    large.units -= room - small.units;
    if (large.units < room) {
      low.push_back(large);
      high.pop_back();
    }
  }
  for (const Share& full : high) add(full.outcome, room, full.outcome);
}

}  // namespace speclab
