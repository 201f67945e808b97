#include "model/families/listed_tree.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/text.h"

namespace speclab {

std::vector<Token> parse_prefix(std::string_view text, Token vocabulary, const std::string& where) {
  std::vector<Token> prefix;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    Token token = -1;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), token);
    if (status != std::errc{} || std::to_string(token) != word || token < 0 ||
        token >= vocabulary || comma == text.size() - 1) {
      throw InputError(where + ": write tokens from 0 to " + std::to_string(vocabulary - 1) +
                       " joined by commas, such as \"0\" or \"0,0\"");
    }
    prefix.push_back(token);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return prefix;
}

ListedTreePair::ListedTreePair(Token vocabulary, const ListedLaws& draft, const ListedLaws& target)
    : vocabulary_(vocabulary), nodes_(1) {
  for (const auto& [listed, row] :
       {std::pair(&draft, &Node::draft), std::pair(&target, &Node::target)}) {
    for (const auto& [prefix, law] : *listed) {
      State node = 0;
      for (const Token token : prefix) {
        const auto [child, is_new] =
            nodes_[node].children.try_emplace(token, static_cast<State>(nodes_.size()));
        node = child->second;
        if (is_new) nodes_.emplace_back();
      }
      nodes_[node].*row = laws_.size();
      laws_.push_back(law);
    }
  }
  // A node is made after its parent, so that one pass propagates the rows downwards.
  for (const Node& node : nodes_) {
    for (const auto& [token, child] : node.children) {
      if (nodes_[child].draft == kInherited) nodes_[child].draft = node.draft;
      if (nodes_[child].target == kInherited) nodes_[child].target = node.target;
    }
  }

  std::map<std::pair<std::size_t, std::size_t>, State> frozen;
  const auto trie = static_cast<State>(nodes_.size());
  for (State node = 0; node < trie; ++node) {
    if (nodes_[node].children.empty()) {
      nodes_[node].otherwise = node;
      continue;
    }
    if (nodes_[node].children.size() == static_cast<std::size_t>(vocabulary)) continue;
    const std::pair key{nodes_[node].draft, nodes_[node].target};
    const auto [state, is_new] = frozen.try_emplace(key, static_cast<State>(nodes_.size()));
    nodes_[node].otherwise = state->second;
    if (is_new) nodes_.push_back({{}, state->second, key.first, key.second});
  }
}

State ListedTreePair::next(State state, Token token) const {
  const Node& node = nodes_[state];
  const auto child = node.children.find(token);
  return child == node.children.end() ? node.otherwise : child->second;
}

void ListedTreePair::rows(State state, std::span<Rational> draft,
                          std::span<Rational> target) const {
  const Law& draft_law = laws_[nodes_[state].draft];
  const Law& target_law = laws_[nodes_[state].target];
  std::copy(draft_law.begin(), draft_law.end(), draft.begin());
  std::copy(target_law.begin(), target_law.end(), target.begin());
}

}  // namespace speclab
