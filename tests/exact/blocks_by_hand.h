// Drafted blocks by hand: every path with the weights of its sub-blocks.
#pragma once

#include "by_hand.h"

namespace speclab {

/// One drafted path with the weights of its sub-blocks.
struct Drafted {
  std::vector<Token> tokens;
  std::vector<State> states;  ///< [i]: after i tokens
  Rational mass;              ///< D(path)
  HandRow clamped, plain;     ///< [i]: w_i of block verification, r_i = T / D
};

inline std::vector<Drafted> drafted_paths(const Rows<Rational>& rows, State root, int drafts) {
  std::vector<Drafted> paths{{{}, {root}, 1, {1}, {1}}};
  for (int i = 0; i < drafts; ++i) {
    std::vector<Drafted> longer;
    for (const Drafted& path : paths) {
      const HandLaws laws = hand_laws(rows, path.states.back());
      for (std::size_t x = 0; x < laws.draft.size(); ++x) {
        if (!(laws.draft[x] > 0)) continue;
        Drafted next = path;
        const Rational ratio = laws.target[x] / laws.draft[x];
        const Rational w = path.clamped.back() * ratio;
        next.tokens.push_back(static_cast<Token>(x));
        next.states.push_back(rows.next(path.states.back(), static_cast<Token>(x)));
        next.mass *= laws.draft[x];
        next.clamped.push_back(w < 1 ? w : Rational(1));
        next.plain.push_back(path.plain.back() * ratio);
        longer.push_back(std::move(next));
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

}  // namespace speclab
