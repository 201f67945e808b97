#include "claims/optimum.h"

#include <algorithm>
#include <map>

#include "claims/ingredient.h"

namespace speclab {
namespace {

/// The paths of exactly `length` tokens with their joint laws.
std::vector<PathLaws> blocks(const Rows<Rational>& rows, State start, int length) {
  auto paths = paths_from(rows, start, length);
  std::erase_if(paths, [length](const PathLaws& path) {
    return path.tokens.size() != static_cast<std::size_t>(length);
  });
  return paths;
}

int common_prefix(const TokenPath& a, const TokenPath& b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin());
  return static_cast<int>(end - a.begin());
}

}  // namespace

LinearProgram coupling_program(const Instance& instance, State start) {
  const auto paths = blocks(*instance.rows, start, instance.gamma);
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
      program.columns.push_back({ingredient("coupling-program.reward", shared),
                                 {{i, Rational(1)}, {drafts.size() + j, Rational(1)}}});
    }
  }
  return program;
}

LinearProgram valid_program(const Instance& instance, State start, const Worth& worth) {
  const Rows<Rational>& rows = *instance.rows;
  LinearProgram program;
  std::vector<PathLaws> drafts = blocks(rows, start, instance.gamma);
  std::erase_if(drafts, [](const PathLaws& path) { return !(path.draft > 0); });
  std::vector<PathLaws> outputs = blocks(rows, start, instance.gamma + 1);
  std::erase_if(outputs, [](const PathLaws& path) { return !(path.target > 0); });
  program.law_rows = drafts.size();
  for (const PathLaws& path : drafts) program.totals.push_back(path.draft);
  for (const PathLaws& path : outputs) program.totals.push_back(path.target);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    TokenPath emitted;
    State state = start;
    for (int tau = 0;; ++tau) {
      for (Token y = 0; y < rows.vocabulary(); ++y) {
        TokenPath all = emitted;
        all.push_back(y);
        // The outputs that begin with X^tau, Y, each with its share of the plain continuation.
        Rational mass(0);
        std::vector<std::size_t> matching;
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (std::equal(all.begin(), all.end(), outputs[o].tokens.begin())) {
            matching.push_back(o);
            mass += outputs[o].target;
          }
        }
        if (matching.empty()) continue;  // the target never emits this
        LinearProgram::Column column{
            ingredient("valid-program.reward", worth(drafts[i].tokens, tau, rows.next(state, y))),
            {{i, Rational(1)}}};
        for (const std::size_t o : matching) {
          column.entries.emplace_back(drafts.size() + o, outputs[o].target / mass);
        }
        program.columns.push_back(std::move(column));
      }
      if (tau == instance.gamma) break;
      const Token x = drafts[i].tokens[static_cast<std::size_t>(tau)];
      emitted.push_back(x);
      state = rows.next(state, x);
    }
  }
  return program;
}

LinearProgram position_program(std::span<const Rational> draft, std::span<const Rational> target,
                               int k) {
  // Sets of drafts with one probability and one support are one row: what matters is the set.
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
      program.columns.push_back({ingredient("position-program.reward", Rational(set[y] ? 1 : 0)),
                                 {{row, Rational(1)}, {sets.size() + y, Rational(1)}}});
    }
    ++row;
  }
  return program;
}

Rational best_coupling(const Instance& instance) {
  Rational total(0);
  for (const Start& start : instance.pair().start()) {
    total += start.probability * certify(coupling_program(instance, start.state)).bound;
  }
  return total;
}

Rational best_tokens(const Instance& instance, int iterations) {
  std::map<std::pair<State, int>, Rational> known;
  const std::function<Rational(State, int)> best = [&](State state, int left) -> Rational {
    if (left == 0) return Rational(0);
    const auto found = known.find({state, left});
    if (found != known.end()) return found->second;
    const Rational value =
        certify(valid_program(instance, state, [&](const TokenPath&, int tau, State after) {
          return Rational(Rational(tau + 1) + best(after, left - 1));
        })).bound;
    known[{state, left}] = value;
    return value;
  };
  Rational total(0);
  for (const Start& start : instance.pair().start()) {
    total += start.probability * best(start.state, iterations);
  }
  return total;
}

}  // namespace speclab
