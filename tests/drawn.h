#pragma once

#include <map>
#include <string>

#include "draft/tree.h"
#include "model/registry.h"
#include "run/enumerator.h"

namespace speclab {

/// The order in which a test asks for the vertices of a draft tree.
enum class Asking {
  depth_first,    ///< a child's draws before the next sibling is asked for
  breadth_first,  ///< all children of a vertex before those of the next
  last_first,     ///< the last draw of a vertex first, and its last child's subtree first
};

/// All draws of the subtree of v in the order in which they were made: "(1,0,1 (..)(..))".
template <class Tree>
std::string drawn_text(Tree& tree, Vertex v) {
  std::string text = "(";
  for (int j = 0; j < tree.draws(v); ++j) {
    text += (j > 0 ? "," : "") + std::to_string(tree.token(*tree.draw(v, j)));
  }
  if (tree.draws(v) > 0) text += " ";
  for (int j = 0; const auto child = tree.child(v, j); ++j) {
    text += std::to_string(tree.multiplicity(*child)) + drawn_text(tree, *child);
  }
  return text + ")";
}

template <class Tree>
void ask(Tree& tree, Vertex v, Asking asking) {
  if (asking == Asking::depth_first) {
    for (int j = 0; const auto child = tree.child(v, j); ++j) ask(tree, *child, asking);
  } else if (asking == Asking::breadth_first) {
    for (int j = 0; j < tree.draws(v); ++j) tree.draw(v, j);
    for (int j = 0; const auto child = tree.child(v, j); ++j) ask(tree, *child, asking);
  } else {
    const int draws = tree.draws(v);
    if (draws > 0) tree.draw(v, draws - 1);
    int count = 0;
    while (tree.child(v, count)) ++count;
    for (int j = count; j-- > 0;) ask(tree, *tree.child(v, j), asking);
  }
}

/// One draft set from a root, as text.
template <class View, class Choices>
std::string drawn(const DraftSource& source, const View& view, const typename View::Node& root,
                  int drafts, Choices& choices, Asking asking = Asking::depth_first) {
  DraftTree<View, Choices> tree(source, view, root, drafts, choices);
  ask(tree, kRootVertex, asking);
  return drawn_text(tree, kRootVertex);
}

/// The exact law of the draft set from a root.
template <class View>
std::map<std::string, Rational> law_of_draws(const DraftSource& source, const View& view,
                                             const typename View::Node& root, int drafts,
                                             Asking asking = Asking::depth_first) {
  std::map<std::string, Rational> law;
  Enumerator<Rational> choices;
  do {
    choices.restart();
    const std::string text = drawn(source, view, root, drafts, choices, asking);
    law[text] += choices.weight();
  } while (choices.advance());
  return law;
}

}  // namespace speclab
