#include "optimum/acceptance_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "optimum/max_flow.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// A set of drafted prefixes, by node, in order.
using NodeSet = std::vector<std::size_t>;

/// P(set) of K drafts. A draft ends at a node with the part of its mass that continues to no child.
std::map<NodeSet, Rational> drafted_sets(const PrefixTree& tree, int drafts, std::size_t most) {
  std::vector<Rational> ends;
  for (std::size_t v = 0; v < tree.size(); ++v) ends.push_back(tree[v].draft);
  for (std::size_t v = 1; v < tree.size(); ++v) ends[tree[v].parent] -= tree[v].draft;
  std::map<NodeSet, Rational> sets{{{}, Rational(1)}};
  for (int k = 0; k < drafts; ++k) {
    std::map<NodeSet, Rational> after;
    for (const auto& [set, mass] : sets) {
      check_interrupted();
      for (std::size_t v = 0; v < ends.size(); ++v) {
        if (ends[v] == 0) continue;
        NodeSet grown = set;
        const auto at = std::lower_bound(grown.begin(), grown.end(), v);
        if (at == grown.end() || *at != v) grown.insert(at, v);
        after[std::move(grown)] += mass * ends[v];
        if (after.size() > most) {
          throw LimitError(fmt::format(
              "there are more than {} sets of drafts; lower gamma or the number of drafts", most));
        }
      }
    }
    sets = std::move(after);
  }
  return sets;
}

/// The prefixes that can be accepted of a set: all nonempty prefixes of its members.
NodeSet acceptable(const PrefixTree& tree, const NodeSet& set) {
  NodeSet nodes;
  for (std::size_t v : set) {
    for (; v != 0; v = tree[v].parent) nodes.push_back(v);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<AcceptancePlan::Choice> choices_of(const PrefixTree& tree, int drafts,
                                               const std::vector<Rational>& stopped,
                                               std::size_t most) {
  const auto sets = drafted_sets(tree, drafts, most);
  std::vector<std::pair<const NodeSet*, NodeSet>> open;
  std::size_t pairs = 0;
  for (const auto& [set, mass] : sets) {
    open.emplace_back(&set, acceptable(tree, set));
    pairs += open.back().second.size();
  }
  if (pairs > most) {
    throw LimitError(fmt::format(
        "there are {} pairs of a set of drafts and what to accept, more than {}; lower gamma or "
        "the number of drafts",
        pairs, most));
  }
  // Vertices: the source, the nodes except the root, the sink, the sets.
  const std::size_t source = 0;
  const std::size_t sink = tree.size();
  std::vector<FlowEdge> edges;
  Rational wanted(0);
  for (std::size_t v = 1; v < tree.size(); ++v) {
    edges.push_back({v, sink, stopped[v]});
    wanted += stopped[v];
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Rational& mass = sets.at(*open[i].first);
    edges.push_back({source, sink + 1 + i, mass});
    for (const std::size_t v : open[i].second) edges.push_back({sink + 1 + i, v, mass});
  }
  const Flow flow = largest_flow(edges, tree.size() + 1 + open.size(), source, sink);
  if (flow.value != wanted) {
    throw std::logic_error("the masses of accepted prefixes exceed those of the drafts");
  }
  std::vector<AcceptancePlan::Choice> choices;
  std::size_t at = tree.size() - 1;  // the edges, in order of construction
  for (const auto& [set, nodes] : open) {
    std::vector<Prefix> drafted;
    for (const std::size_t v : *set) drafted.push_back(tree.prefix(v));
    std::sort(drafted.begin(), drafted.end());
    Rational left = sets.at(*set);
    ++at;
    for (const std::size_t v : nodes) {
      const Rational& part = flow.along[at++];
      if (part == 0) continue;
      left -= part;
      choices.push_back({drafted, tree.prefix(v), part});
    }
    if (left > 0) choices.push_back({std::move(drafted), {}, left});
  }
  return choices;
}

/// Decides token by token: x of a draft is accepted after v with b = B(vx) / (B(v) d(x|v)),
/// whatever follows.
std::vector<AcceptancePlan::Choice> token_choices(const PrefixTree& tree,
                                                  const std::vector<Rational>& masses,
                                                  std::size_t most) {
  std::vector<AcceptancePlan::Choice> choices;
  for (const auto& [set, mass] : drafted_sets(tree, 1, most)) {
    const std::size_t end = set.front();
    NodeSet path;
    for (std::size_t v = end; v != 0; v = tree[v].parent) path.insert(path.begin(), v);
    Rational reached = mass;
    std::size_t at = 0;
    for (const std::size_t v : path) {
      const Rational passed =
          masses[at] == 0
              ? Rational(0)
              : Rational(reached * masses[v] * tree[at].draft / (masses[at] * tree[v].draft));
      if (reached > passed) {
        choices.push_back({{tree.prefix(end)}, tree.prefix(at), Rational(reached - passed)});
      }
      reached = passed;
      at = v;
    }
    if (reached > 0) choices.push_back({{tree.prefix(end)}, tree.prefix(end), reached});
  }
  return choices;
}

}  // namespace

AcceptancePlan make_plan(const PrefixTree& tree, const Rows<Rational>& rows,
                         const AcceptanceProblem& problem, const std::vector<Rational>& masses,
                         std::size_t most) {
  AcceptancePlan plan;
  std::vector<Rational> stopped = masses;
  for (std::size_t v = 1; v < tree.size(); ++v) stopped[tree[v].parent] -= masses[v];
  plan.choices = problem.verifiers == VerifierClass::algorithm2
                     ? token_choices(tree, masses, most)
                     : choices_of(tree, problem.drafts, stopped, most);
  const bool coupling = problem.verifiers == VerifierClass::coupling;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree[v].depth == tree.depth()) continue;
    const auto target = rows.target(tree[v].state);
    const Rational& scale = coupling ? tree[v].target : masses[v];
    std::vector<Rational> law;
    for (const Rational& t : target) law.push_back(scale * t);
    for (const std::size_t child : tree[v].children) {
      law[static_cast<std::size_t>(tree[child].token)] -= masses[child];
    }
    Rational mass(0);
    for (const Rational& weight : law) mass += weight;
    if (mass == 0) continue;
    for (Rational& weight : law) weight /= mass;
    plan.corrections.emplace(tree.prefix(v), std::move(law));
  }
  return plan;
}

}  // namespace speclab
