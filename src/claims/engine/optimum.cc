#include "claims/engine/optimum.h"

#include <functional>
#include <map>
#include <tuple>

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

Rational best_tokens(const Instance& instance, int iterations, std::optional<int> least) {
  using Need = std::optional<int>;
  std::map<std::tuple<State, int, Need>, Rational> known;
  const std::function<Rational(State, int, Need)> best = [&](State state, int left,
                                                             Need need) -> Rational {
    if (need && *need <= 0) return Rational(1);
    if (left == 0) return Rational(0);
    const std::tuple key{state, left, need};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    const auto worth = [&](const Prefix&, int tau, State after) {
      if (need) return best(after, left - 1, *need - tau - 1);
      return Rational(Rational(tau + 1) + best(after, left - 1, {}));
    };
    return known[key] = certify(valid_program(instance, state, worth)).bound;
  };
  return average(start_law(*instance.rows),
                 [&](State state) { return best(state, iterations, least); });
}

}  // namespace speclab
