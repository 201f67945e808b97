#pragma once

#include <utility>
#include <vector>

#include "base/types.h"
#include "verifiers/info.h"
#include "verifiers/window.h"

namespace speclab {

/// The origin of the last token of an iteration.
enum class Ending {
  correction,  ///< drawn after a rejection
  bonus,       ///< drawn after every draft was accepted
  horizon,     ///< every draft was accepted and no token follows: the horizon is reached, or
               ///< the window of a run ends
  undefined,   ///< the correction's law had no weight (a 0/0): no token was added
};

/// Whether the target was called in an iteration. It is called in every iteration without drafts or
/// with a window of drafts; a run calls it only after the low-complexity verifier's "no", which
/// does not occur in a run that its window or an end-of-sequence token ends.
/// @param whole  no end-of-sequence token comes before the last one
constexpr bool calls_target(Drafting drafting, Ending ending, bool whole) {
  return drafting != Drafting::run || (ending != Ending::horizon && whole);
}

/// The result of one iteration: X_1..X_tau, then Y unless the ending is `horizon` or `undefined`.
/// Reused between iterations, so that its vectors keep their capacity.
template <class View>
struct Iteration {
  using Real = typename View::Real;
  using Node = typename View::Node;

  std::vector<Token> tokens;  ///< what is emitted
  int accepted = 0;           ///< tau
  Ending ending = Ending::horizon;
  Node node{};  ///< the context after the tokens, carry included

  /// One step of a draft: the token, the node after it and a weight chosen by the verifier.
  struct Step {
    Token token;
    Node node;
    Real weight;
  };
  std::vector<Step> path;  ///< scratch for the verifier

  void begin(const Node& root) {
    tokens.clear();
    path.clear();
    accepted = 0;
    ending = Ending::horizon;
    node = root;
  }

  /// Emits an accepted draft token.
  void accept(Token token, Node after) {
    tokens.push_back(token);
    ++accepted;
    node = std::move(after);
  }

  /// Accepts the first `count` steps of `path`.
  void accept_path(int count) {
    for (int i = 0; i < count; ++i) tokens.push_back(path[static_cast<std::size_t>(i)].token);
    accepted = count;
    if (count > 0) node = path[static_cast<std::size_t>(count) - 1].node;
  }

  /// Emits the correction or the bonus token; kUndefined marks the iteration as undefined.
  void add(const View& view, Token token, Ending how) {
    if (token == kUndefined) {
      ending = Ending::undefined;
      return;
    }
    tokens.push_back(token);
    node = view.next(node, token);
    ending = how;
  }

  /// Draws and emits the correction from `law`.
  template <class Choices, class Law>
  void correct(const View& view, Choices& choices, const Law& law) {
    add(view, choices.correct(law), Ending::correction);
  }

  /// Every draft was accepted, in a tree down to a leaf: draws the bonus token from the target
  /// unless the horizon is reached.
  template <class Choices>
  void finish(const View& view, Choices& choices, Window window) {
    if (window.bonus_after(accepted)) {
      const auto laws = view.at(node);
      add(view, choices.correct(laws.target()), Ending::bonus);
    } else {
      ending = Ending::horizon;
    }
  }
};

}  // namespace speclab
