#include "optimum/iterations.h"

#include <stdexcept>

#include "base/error.h"
#include "optimum/optimum.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

class BestIterations {
 public:
  BestIterations(const Rows<Rational>& rows, int gamma, int drafts)
      : rows_(rows), gamma_(gamma), drafts_(drafts) {}

  /// V_i(state), i = left
  Rational tokens(State state, int left) {
    if (left == 0) return Rational(0);
    const auto found = steps_.find({left, state});
    if (found != steps_.end()) return found->second.tokens;
    check_interrupted();
    OptimumRequest request{{VerifierClass::plug_and_play, gamma_, drafts_}, true, false};
    if (left > 1) add_gains(state, left - 1, gamma_, request.problem.gains);
    StartOptimum best = find_optimum_from(rows_, {state, Rational(1)}, request);
    if (!best.certified) throw std::logic_error("an iteration's prices do not prove its masses");
    IterationOptimum& step = steps_[{left, state}];
    step.tokens = 1 + after(state, left - 1) + best.worth;
    step.proof = *std::move(best.proof);
    return step.tokens;
  }

  [[nodiscard]] auto take_steps() && { return std::move(steps_); }

 private:
  /// E_{y~t} V_i(next(state, y)), i = left
  Rational after(State state, int left) {
    Rational sum(0);
    for (Token y = 0; left > 0 && y < rows_.vocabulary(); ++y) {
      const Rational& t = rows_.target(state)[static_cast<std::size_t>(y)];
      if (t > 0) sum += t * tokens(rows_.next(state, y), left);
    }
    return sum;
  }

  /// The gains of all states that up to `depth` tokens lead to, under both models.
  void add_gains(State state, int left, int depth, std::map<State, Rational>& gains) {
    std::vector<State> layer{state};
    for (; depth > 0 && !layer.empty(); --depth) {
      std::vector<State> longer;
      for (const State from : layer) {
        for (Token x = 0; x < rows_.vocabulary(); ++x) {
          const auto at = static_cast<std::size_t>(x);
          if (rows_.draft(from)[at] == 0 || rows_.target(from)[at] == 0) continue;
          const State to = rows_.next(from, x);
          if (gains.find(to) != gains.end()) continue;
          gains[to] = 1 + after(to, left) - tokens(to, left);
          longer.push_back(to);
        }
      }
      layer = std::move(longer);
    }
  }

  const Rows<Rational>& rows_;
  int gamma_;
  int drafts_;
  std::map<std::pair<int, State>, IterationOptimum> steps_;
};

}  // namespace

IterationsOptimum find_iterations(const Rows<Rational>& rows, int gamma, int drafts,
                                  int iterations) {
  check_sizes(rows.pair(), gamma, drafts, iterations);
  if (rows.pair().end_token() || rows.resets()) {
    throw InputError(
        "the most tokens of several iterations are known where none ends the sequence and every "
        "iteration goes on from the last one's state; leave out the pair's eos, or ask for one "
        "iteration");
  }
  BestIterations best(rows, gamma, drafts);
  IterationsOptimum found;
  for (int i = 1; i <= iterations; ++i) {
    Rational tokens(0);
    for (const Start& start : rows.pair().start()) {
      tokens += start.probability * best.tokens(start.state, i);
    }
    found.tokens.push_back(std::move(tokens));
  }
  found.steps = std::move(best).take_steps();
  return found;
}

}  // namespace speclab
