#include "optimum/one_draft.h"

#include <algorithm>
#include <map>
#include <utility>

#include "system/interrupt.h"

namespace speclab {
namespace {

/// B = min(D, T). Each prefix has the price 1, of its ceiling T or, in a block whose claims sum to
/// gamma at most along a path, of its draft mass D.
NodeMasses of_any_coupling(const PrefixTree& tree) {
  NodeMasses found;
  AcceptanceProof::Block block{Rational(0), Rational(tree.depth()), {}};
  found.masses.emplace_back(1);
  for (std::size_t v = 1; v < tree.size(); ++v) {
    const PrefixTree::Node& node = tree[v];
    found.masses.push_back(std::min(node.draft, node.target));
    (node.draft < node.target ? block.claims : found.proof.ceiling)[tree.prefix(v)] = 1;
    found.worth += found.masses.back();
  }
  found.proof.blocks.push_back(std::move(block));
  return found;
}

/// Parts of gains, by price and by the prefix at which they are bought.
using Parts = std::map<std::pair<Rational, std::size_t>, Rational>;

/// The parts at v, one price and place for those that are no cheaper than `price` there.
void pass(Parts& parts, const Rational& price, std::size_t v, Rational gain) {
  Rational dear(0);
  while (!parts.empty() && !(parts.rbegin()->first.first < price)) {
    dear += parts.rbegin()->second;
    parts.erase(std::prev(parts.end()));
  }
  if (gain > 0) dear += gain;
  if (dear > 0) parts[{price, v}] = std::move(dear);
  while (gain < 0 && !parts.empty()) {
    const auto dearest = std::prev(parts.end());
    gain += dearest->second;
    if (gain > 0) {
      dearest->second = gain;
    } else {
      parts.erase(dearest);
    }
  }
}

void pour(Parts& from, Parts& into) {
  if (from.size() > into.size()) std::swap(from, into);
  for (const auto& [place, gain] : from) into[place] += gain;
  from.clear();
}

/// The prices where so much is bought at each prefix. @param gains  T times the gain, by prefix
void add_prices(const PrefixTree& tree, const std::vector<Rational>& gains,
                const std::vector<Rational>& bought, AcceptanceProof& proof) {
  std::vector<Rational> left = gains;
  for (std::size_t v = tree.size(); v-- > 1;) {
    left[v] -= bought[v];
    if (!(left[v] > 0)) continue;
    proof.inherited[tree.prefix(v)] = left[v] / tree[v].target;
    left[tree[v].parent] += left[v];
  }
  AcceptanceProof::Block block{Rational(0), Rational(0), {}};
  std::vector<Rational> along(tree.size());
  for (std::size_t v = 1; v < tree.size(); ++v) {
    along[v] = along[tree[v].parent];
    if (!(bought[v] > 0)) continue;
    const Rational claim = bought[v] / tree[v].target;
    block.claims[tree.prefix(v)] = claim;
    along[v] += claim;
    block.weight = std::max(block.weight, along[v]);
  }
  if (block.weight > 0) proof.blocks.push_back(std::move(block));
}

NodeMasses of_plug_and_play(const PrefixTree& tree, const AcceptanceProblem& problem) {
  NodeMasses found;
  std::vector<Parts> parts(tree.size());
  std::vector<Rational> gains(tree.size());
  std::vector<Rational> dearest(tree.size());
  for (std::size_t v = tree.size(); v-- > 1;) {
    check_interrupted();
    const PrefixTree::Node& node = tree[v];
    gains[v] = node.target * problem.gain(node.state);
    pass(parts[v], node.draft / node.target, v, gains[v]);
    if (!parts[v].empty()) dearest[v] = parts[v].rbegin()->first.first;
    pour(parts[v], parts[node.parent]);
  }
  pass(parts[0], Rational(1), 0, Rational(0));
  std::vector<Rational> bought(tree.size());
  for (const auto& [place, gain] : parts[0]) bought[place.second] += gain;
  add_prices(tree, gains, bought, found.proof);
  dearest[0] = 1;
  found.masses.emplace_back(1);
  for (std::size_t v = 1; v < tree.size(); ++v) {
    dearest[v] = std::min(dearest[v], dearest[tree[v].parent]);
    found.masses.push_back(tree[v].target * dearest[v]);
    found.worth += dearest[v] * gains[v];
  }
  return found;
}

}  // namespace

bool needs_no_program(const AcceptanceProblem& problem) {
  return problem.drafts == 1 && (problem.verifiers == VerifierClass::coupling ||
                                 problem.verifiers == VerifierClass::plug_and_play);
}

NodeMasses masses_of_one_draft(const PrefixTree& tree, const AcceptanceProblem& problem) {
  NodeMasses found = problem.verifiers == VerifierClass::coupling ? of_any_coupling(tree)
                                                                  : of_plug_and_play(tree, problem);
  found.size.prefixes = tree.size() - 1;
  return found;
}

}  // namespace speclab
