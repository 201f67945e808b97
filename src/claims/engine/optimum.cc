#include "claims/engine/optimum.h"

#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "claims/engine/ingredient.h"
#include "theory/measure.h"

namespace speclab {
namespace {

/// The program with its rewards handed through as an ingredient.
LinearProgram planted(std::string_view name, LinearProgram program) {
  for (LinearProgram::Column& column : program.columns) {
    column.reward = ingredient(name, column.reward);
  }
  return program;
}

}  // namespace

LinearProgram coupling_program(const Instance& instance, State start) {
  return planted("coupling-program.reward",
                 coupling_program(*instance.rows, start, instance.gamma));
}

LinearProgram valid_program(const Instance& instance, State start, const Worth& worth) {
  return planted("valid-program.reward",
                 valid_program(*instance.rows, start, instance.gamma, worth));
}

Rational best_coupling(const Instance& instance) {
  return average(start_law(*instance.rows),
                 [&](State state) { return certify(coupling_program(instance, state)).bound; });
}

Rational best_tokens(const Instance& instance, int iterations) {
  std::map<std::pair<State, int>, Rational> known;
  const std::function<Rational(State, int)> best = [&](State state, int left) -> Rational {
    if (left == 0) return Rational(0);
    const auto found = known.find({state, left});
    if (found != known.end()) return found->second;
    const Rational value =
        certify(valid_program(instance, state, [&](const Prefix&, int tau, State after) {
          return Rational(Rational(tau + 1) + best(after, left - 1));
        })).bound;
    known[{state, left}] = value;
    return value;
  };
  return average(start_law(*instance.rows), [&](State state) { return best(state, iterations); });
}

Rational best_tail(const Instance& instance, int iterations, int least) {
  std::map<std::tuple<State, int, int>, Rational> known;
  const std::function<Rational(State, int, int)> best = [&](State state, int left,
                                                            int need) -> Rational {
    if (left == 0 || need <= 0) return Rational(need <= 0 ? 1 : 0);
    const auto found = known.find({state, left, need});
    if (found != known.end()) return found->second;
    const Rational value =
        certify(valid_program(instance, state, [&](const Prefix&, int tau, State after) {
          return best(after, left - 1, need - tau - 1);
        })).bound;
    known[{state, left, need}] = value;
    return value;
  };
  return average(start_law(*instance.rows),
                 [&](State state) { return best(state, iterations, least); });
}

}  // namespace speclab
