#include <algorithm>
#include <cmath>
#include <map>

#include "claims/engine/ingredient.h"
#include "claims/battery/properties.h"
#include "exact/drafted.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

using Masses = std::vector<double>;

/// Largest difference of the law proportional to `masses` from `law`.
double distance(const Masses& masses, const Masses& law) {
  double total = 0;
  for (const double mass : masses) total += mass;
  double worst = 0;
  for (std::size_t y = 0; y < law.size(); ++y) {
    worst = std::max(worst, std::abs(masses[y] / total - law[y]));
  }
  return worst;
}

ConditionalLaws measure(const Verifier& verifier, const Instance& instance) {
  const Rows<double>& rows = instance.doubles();
  ConditionalLaws laws;
  const auto width = static_cast<std::size_t>(rows.vocabulary());
  for (const Start& start : rows.pair().start()) {
    std::map<std::vector<Token>, Masses> bonus;      // by the accepted block
    std::map<std::vector<Token>, Masses> corrected;  // by what was drafted and rejected
    const auto visit = [&](const DraftedIteration<double>& out) {
      if (out.tokens.empty()) return;
      const auto last = static_cast<std::size_t>(out.tokens.back());
      const auto record = [&](auto& table, std::span<const Token> key) {
        Masses& masses = table[std::vector<Token>(key.begin(), key.end())];
        masses.resize(width);
        masses[last] += out.weight;
      };
      const auto before = out.tokens.first(out.tokens.size() - 1);
      if (out.ending == Ending::bonus && out.accepted == instance.gamma) record(bonus, before);
      if (out.ending == Ending::correction && before.empty()) record(corrected, out.drafted);
    };
    each_drafted<double>(verifier, rows, start.state,
                         {.window = {.drafts = instance.gamma, .bonus = true}}, visit);
    for (const auto& [block, masses] : bonus) {
      State state = start.state;
      for (const Token x : block) state = rows.next(state, x);
      const auto target = rows.target(state);
      laws.bonus = std::max(laws.bonus, distance(masses, Masses(target.begin(), target.end())));
    }
    Masses all(width);
    for (const auto& [drafted, masses] : corrected) {
      for (std::size_t y = 0; y < width; ++y) all[y] += masses[y];
    }
    double total = 0;
    for (const double mass : all) total += mass;
    for (double& mass : all) mass /= total;
    for (const auto& [drafted, masses] : corrected) {
      laws.correction = std::max(laws.correction, distance(masses, all));
    }
  }
  return laws;
}

}  // namespace

ConditionalLaws conditional_laws(std::string_view verifier, const Instance& instance) {
  const Verifier made = prepare(make_verifier(played(verifier)), instance.pair_pointer());
  return measure(made, instance);
}

}  // namespace speclab
