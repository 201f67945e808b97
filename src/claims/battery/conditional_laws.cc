#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "answer/iteration_law.h"
#include "claims/battery/properties.h"
#include "claims/engine/ingredient.h"

namespace speclab {
namespace {

using Masses = std::vector<double>;

/// Largest difference of the law proportional to `masses` from `law`.
double distance(const Masses& masses, const Masses& law) {
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  double worst = 0;
  for (std::size_t y = 0; y < law.size(); ++y) {
    worst = std::max(worst, std::abs(masses[y] / total - law[y]));
  }
  return worst;
}

/// The token that ends each outcome, by what came before it.
using Endings = std::map<std::vector<Token>, Masses>;

void record(Endings& endings, std::span<const Token> key, const IterationOutcome<double>& out,
            Token vocabulary) {
  Masses& masses = endings[std::vector<Token>(key.begin(), key.end())];
  masses.resize(static_cast<std::size_t>(vocabulary));
  masses[static_cast<std::size_t>(out.tokens.back())] += out.weight;
}

}  // namespace

ConditionalLaws conditional_laws(std::string_view verifier, const Instance& instance) {
  const Rows<double>& rows = instance.doubles();
  ConditionalLaws laws;
  IterationLaws<double> iterations(make_verifier(played(verifier)),
                                   instance.bench->doubles(instance.pair_pointer()));
  for (const Start& start : rows.pair().start()) {
    Endings bonus;      // by the accepted block
    Endings corrected;  // by what was drafted and rejected
    for (const IterationOutcome<double>& out : iterations.from(start.state, instance.gamma)) {
      if (out.tokens.empty()) continue;
      const auto before = std::span(out.tokens).first(out.tokens.size() - 1);
      if (out.ending == Ending::bonus && out.accepted == instance.gamma) {
        record(bonus, before, out, rows.vocabulary());
      }
      if (out.ending == Ending::correction && before.empty()) {
        record(corrected, out.draft, out, rows.vocabulary());
      }
    }
    for (const auto& [block, masses] : bonus) {
      State state = start.state;
      for (const Token x : block) state = rows.next(state, x);
      const auto target = rows.target(state);
      laws.bonus = std::max(laws.bonus, distance(masses, Masses(target.begin(), target.end())));
    }
    Masses all(static_cast<std::size_t>(rows.vocabulary()));
    for (const auto& [drafted, masses] : corrected) {
      for (std::size_t y = 0; y < all.size(); ++y) all[y] += masses[y];
    }
    const double total = std::accumulate(all.begin(), all.end(), 0.0);
    for (double& mass : all) mass /= total;
    for (const auto& [drafted, masses] : corrected) {
      laws.correction = std::max(laws.correction, distance(masses, all));
    }
  }
  return laws;
}

}  // namespace speclab
