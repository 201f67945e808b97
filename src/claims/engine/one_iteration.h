#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "claims/engine/row.h"
#include "run/each_sequence.h"
#include "theory/measure.h"
#include "verifiers/chain/greedy_block.h"
#include "verifiers/program.h"

namespace speclab {

using TokenPath = std::vector<Token>;

/// Calls visit(iteration, weight) for every sequence of decisions of one full iteration (gamma
/// drafts and a bonus) of `program` from `start`. `iteration.path` holds what the program drafted.
template <class Program, class Visit>
void each_iteration(const Program& program, const Instance& instance, State start, bool corrections,
                    Visit&& visit) {
  using View = ViewOf<Program, Rational>;
  const View view(*instance.rows);
  each_sequence(program, view, view.root(start), {.drafts = instance.gamma, .bonus = true},
                corrections, visit);
}

/// What is known of a path of tokens from a start.
struct PathLaws {
  TokenPath tokens;
  State state;      ///< after the tokens
  Rational draft;   ///< joint draft probability
  Rational target;  ///< joint target probability
};

/// Every path of 0 .. length tokens, parents before children, in the order of their tokens; those
/// that neither model ever takes are left out.
inline std::vector<PathLaws> paths_from(const Rows<Rational>& rows, State start, int length) {
  std::vector<PathLaws> paths{{{}, start, Rational(1), Rational(1)}};
  std::size_t begin = 0;
  for (int i = 0; i < length; ++i) {
    const std::size_t end = paths.size();
    for (std::size_t at = begin; at < end; ++at) {
      const PathLaws parent = paths[at];
      const auto draft = rows.draft(parent.state);
      const auto target = rows.target(parent.state);
      for (std::size_t x = 0; x < draft.size(); ++x) {
        PathLaws child{parent.tokens, rows.next(parent.state, static_cast<Token>(x)),
                       parent.draft * draft[x], parent.target * target[x]};
        if (child.draft == 0 && child.target == 0) continue;
        child.tokens.push_back(static_cast<Token>(x));
        paths.push_back(std::move(child));
      }
    }
    begin = end;
  }
  return paths;
}

/// "(0,1)".
inline std::string path_text(const TokenPath& path) {
  std::string text;
  for (const Token x : path) text += (text.empty() ? "" : ",") + std::to_string(x);
  return "(" + text + ")";
}

/// Where programs over whole blocks, and long decodes, stay small.
inline constexpr Filter kSmall{"V <= 2 or gamma <= 2", [](const Instance& instance) {
                                 return instance.pair().vocabulary() <= 2 || instance.gamma <= 2;
                               }};

}  // namespace speclab
