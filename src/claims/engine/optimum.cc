#include "claims/engine/optimum.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "claims/engine/ingredient.h"
#include "claims/engine/work.h"
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

/// Blocks of so many tokens that a law takes.
double taken(const Instance& instance, State start, int length, Rational PathLaws::*law) {
  limit_work(std::pow(instance.pair().vocabulary(), length), "blocks", kMostEntries);
  const auto paths = whole_paths(*instance.rows, start, length);
  return static_cast<double>(std::count_if(paths.begin(), paths.end(),
                                           [law](const PathLaws& path) { return path.*law > 0; }));
}

void limit_entries(double entries) { limit_work(entries, "entries of its program", kMostEntries); }

}  // namespace

LinearProgram coupling_program(const Instance& instance, State start) {
  limit_entries(taken(instance, start, instance.gamma, &PathLaws::draft) *
                taken(instance, start, instance.gamma, &PathLaws::target));
  return planted("coupling-program.reward",
                 coupling_program(*instance.rows, start, instance.gamma));
}

LinearProgram valid_program(const Instance& instance, State start, const Worth& worth) {
  limit_entries(taken(instance, start, instance.gamma, &PathLaws::draft) * (instance.gamma + 1) *
                taken(instance, start, instance.gamma + 1, &PathLaws::target));
  return planted("valid-program.reward",
                 valid_program(*instance.rows, start, instance.gamma, worth));
}

LinearProgram position_program(const Instance& instance, int drafts) {
  const auto draft = instance.draft();
  const auto drawn =
      std::count_if(draft.begin(), draft.end(), [](const Rational& d) { return d > 0; });
  limit_entries(std::pow(drawn, drafts) * static_cast<double>(draft.size()));
  return position_program(instance.draft(), instance.target(), drafts);
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
