#pragma once

#include <map>
#include <vector>

#include "model/carries/carried_view.h"
#include "prove/family.h"
#include "run/draft_trees.h"

namespace speclab {

/// The outcome of an iteration, over all its sequences of decisions.
struct ProofOutcomes {
  /// Where the program pauses after a prefix (verifiers/pauses.h).
  struct Pause {
    int length;
    Number weight;
  };
  std::map<std::vector<Token>, Number> law;  ///< of gamma + 1 tokens: see run_iteration
  Number accepted;                           ///< E[tau]
  Number some_accepted;                      ///< P(tau >= 1), of Contexts::step
  Number undefined;                          ///< probability of a 0/0, within the law's tokens
  std::vector<Pause> pauses;                 ///< of Contexts::step
};

/// Adds the law of `length` tokens that begin with `tokens`, of probability `weight`, and continue
/// from the node by its target.
template <class View>
void go_on(const View& view, const typename View::Node& node, std::vector<Token>& tokens,
           const Number& weight, std::size_t length, std::map<std::vector<Token>, Number>& law) {
  if (tokens.size() == length) {
    law[tokens] += weight;
    return;
  }
  const auto laws = view.at(node);
  for (Token x = 0; x < laws.vocabulary(); ++x) {
    const Number share = laws.target(x);
    if (share.function() == Functions::kZeroFunction) continue;
    tokens.push_back(x);
    go_on(view, tokens.size() < length ? view.next(node, x) : node, tokens, Number(weight * share),
          length, law);
    tokens.pop_back();
  }
}

extern template class DraftTree<PairView<Number>, AnyChoices<Number, State>>;  // run/draft_trees.h
extern template void go_on(const PairView<Number>&, const State&, std::vector<Token>&,
                           const Number&, std::size_t, std::map<std::vector<Token>, Number>&);
extern template void go_on(const CarriedView<Number>&, const CarriedView<Number>::Node&,
                           std::vector<Token>&, const Number&, std::size_t,
                           std::map<std::vector<Token>, Number>&);

}  // namespace speclab
