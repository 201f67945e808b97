#include "optimum/explicit_programs.h"

#include <algorithm>
#include <map>

namespace speclab {
namespace {

int common_prefix(const Prefix& a, const Prefix& b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin());
  return static_cast<int>(end - a.begin());
}

}  // namespace

LinearProgram coupling_program(const Rows<Rational>& rows, State start, int gamma) {
  const auto paths = whole_paths(rows, start, gamma);
  LinearProgram program;
  std::vector<const PathLaws*> drafts;
  std::vector<const PathLaws*> targets;
  for (const PathLaws& path : paths) {
    if (path.draft > 0) drafts.push_back(&path);
    if (path.target > 0) targets.push_back(&path);
  }
  program.law_rows = drafts.size();
  for (const auto* path : drafts) program.totals.push_back(path->draft);
  for (const auto* path : targets) program.totals.push_back(path->target);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const Rational shared(common_prefix(drafts[i]->tokens, targets[j]->tokens));
      program.columns.push_back({shared, {{i, Rational(1)}, {drafts.size() + j, Rational(1)}}});
    }
  }
  return program;
}

LinearProgram valid_program(const Rows<Rational>& rows, State start, int gamma,
                            const Worth& worth) {
  LinearProgram program;
  std::vector<PathLaws> drafts = whole_paths(rows, start, gamma);
  std::erase_if(drafts, [](const PathLaws& path) { return !(path.draft > 0); });
  std::vector<PathLaws> outputs = whole_paths(rows, start, gamma + 1);
  std::erase_if(outputs, [](const PathLaws& path) { return !(path.target > 0); });
  program.law_rows = drafts.size();
  for (const PathLaws& path : drafts) program.totals.push_back(path.draft);
  for (const PathLaws& path : outputs) program.totals.push_back(path.target);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    Prefix emitted;
    State state = start;
    for (int tau = 0;; ++tau) {
      for (Token y = 0; y < rows.vocabulary(); ++y) {
        Prefix all = emitted;
        all.push_back(y);
        // The outputs that begin with X^tau, Y, each with its share of the continuation by the
        // target.
        Rational mass(0);
        std::vector<std::size_t> matching;
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (std::equal(all.begin(), all.end(), outputs[o].tokens.begin())) {
            matching.push_back(o);
            mass += outputs[o].target;
          }
        }
        if (matching.empty()) continue;  // impossible under the target
        LinearProgram::Column column{worth(drafts[i].tokens, tau, rows.next(state, y)),
                                     {{i, Rational(1)}}};
        for (const std::size_t o : matching) {
          column.entries.emplace_back(drafts.size() + o, outputs[o].target / mass);
        }
        program.columns.push_back(std::move(column));
      }
      if (tau == gamma) break;
      const Token x = drafts[i].tokens[static_cast<std::size_t>(tau)];
      emitted.push_back(x);
      state = rows.next(state, x);
    }
  }
  return program;
}

LinearProgram position_program(std::span<const Rational> draft, std::span<const Rational> target,
                               int k) {
  // Tuples of drafts with the same set of tokens share one row: only the set matters.
  std::map<std::vector<bool>, Rational> sets{{std::vector<bool>(draft.size()), Rational(1)}};
  for (int i = 0; i < k; ++i) {
    std::map<std::vector<bool>, Rational> after;
    for (const auto& [set, mass] : sets) {
      for (std::size_t x = 0; x < draft.size(); ++x) {
        if (!(draft[x] > 0)) continue;
        std::vector<bool> grown = set;
        grown[x] = true;
        after[grown] += mass * draft[x];
      }
    }
    sets = std::move(after);
  }
  LinearProgram program;
  program.law_rows = sets.size();
  for (const auto& [set, mass] : sets) program.totals.push_back(mass);
  for (const Rational& p : target) program.totals.push_back(p);
  std::size_t row = 0;
  for (const auto& [set, mass] : sets) {
    for (std::size_t y = 0; y < target.size(); ++y) {
      program.columns.push_back(
          {Rational(set[y] ? 1 : 0), {{row, Rational(1)}, {sets.size() + y, Rational(1)}}});
    }
    ++row;
  }
  return program;
}

}  // namespace speclab
