#include <algorithm>
#include <cmath>
#include <map>

#include "claims/properties.h"
#include "exact/runner.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

/// An enumerator that keeps the tokens drafted in the sequence being run.
class Recorder : public Enumerator<double> {
 public:
  template <class Law>
  Token draft(const Law& law) {
    const Token x = Enumerator<double>::draft(law);
    drafted.push_back(x);
    return x;
  }
  std::vector<Token> drafted;
};

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

template <class Program>
ConditionalLaws measure(const Program& program, const Instance& instance) {
  using View = ViewOf<Program, double>;
  const Rows<double> rows = instance.doubles();
  const View view(rows);
  ConditionalLaws laws;
  const auto width = static_cast<std::size_t>(rows.vocabulary());
  for (const Start& start : rows.pair().start()) {
    std::map<std::vector<Token>, Masses> bonus;      // by the accepted block
    std::map<std::vector<Token>, Masses> corrected;  // by what was drafted and rejected
    Recorder choices;
    Iteration<View> out;
    do {
      choices.restart();
      choices.drafted.clear();
      out.begin(view.root(start.state));
      program(view, view.root(start.state), Window{.drafts = instance.gamma, .bonus = true},
              choices, out);
      if (out.tokens.empty()) continue;
      const auto last = static_cast<std::size_t>(out.tokens.back());
      const auto record = [&](auto& table, const std::vector<Token>& key) {
        Masses& masses = table[key];
        masses.resize(width);
        masses[last] += choices.weight();
      };
      const std::vector<Token> before(out.tokens.begin(), out.tokens.end() - 1);
      if (out.ending == Ending::bonus && out.accepted == instance.gamma) record(bonus, before);
      if (out.ending == Ending::correction && before.empty()) record(corrected, choices.drafted);
    } while (choices.advance());
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
  const Verifier made = prepare(make_verifier(verifier), instance.pair_pointer());
  return std::visit([&](const auto& program) { return measure(program, instance); }, made.program);
}

}  // namespace speclab
