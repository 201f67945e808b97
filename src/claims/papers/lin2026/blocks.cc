#include "claims/papers/lin2026/blocks.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "claims/papers/lin2026/drafts.h"
#include "verifiers/registry.h"
#include "verifiers/several/spectr_coupled.h"
#include "verifiers/several/spectr_gbv.h"

namespace speclab {
namespace {

/// Equation (2), and (3) for a whole block; 0/0 never falls.
/// @param own        T (1 - min(D/T, 1))^K of the sub-block
/// @param following  the sum of the same over its extensions
Rational coin_of(const PathLaws& path, const Rational& own, const Rational& following, bool whole,
                 int drafts) {
  const Rational hits = once_of(path.draft, drafts);
  const Rational top = whole ? Rational(path.target - own) : Rational(following - own);
  const Rational bottom = whole ? hits : Rational(hits - path.target + following);
  return ingredient("lin2026.coins", bottom > 0 ? Rational(top / bottom) : Rational(0));
}

/// Adds `mass` times the law of the next `left` tokens from `node` to `law`, after `tokens`.
void continue_from(const BlockView& view, const BlockView::Node& node, TokenPath& tokens, int left,
                   const Rational& mass, std::map<TokenPath, Rational>& law) {
  if (left == 0) {
    law[tokens] += mass;
    return;
  }
  const auto laws = view.at(node);
  for (Token x = 0; x < laws.vocabulary(); ++x) {
    const Rational target = ingredient("lin2026.q-new", Rational(laws.target(x)));
    if (target == 0) continue;
    tokens.push_back(x);
    continue_from(view, view.next(node, x), tokens, left - 1, mass * target, law);
    tokens.pop_back();
  }
}

}  // namespace

void each_of_blocks(std::string_view verifier, const Instance& instance, State start,
                    bool corrections, const BlockVisit& visit) {
  const Verifier known = make_verifier(played(with_drafts(verifier, instance.drafts)));
  if (const auto* printed = program_as<SpectrGbv>(known)) {
    return each_iteration(*printed, instance, start, corrections, visit);
  }
  if (const auto* coupled = program_as<SpectrCoupled>(known)) {
    return each_iteration(*coupled, instance, start, corrections, visit);
  }
  throw std::logic_error(known.name + " verifies no blocks of several drafts with a carry");
}

std::map<TokenPath, Rational> continued_law(std::string_view verifier, const Instance& instance,
                                            State start) {
  const BlockView view(*instance.rows);
  std::map<TokenPath, Rational> law;
  each_of_blocks(verifier, instance, start, true,
                 [&](const CarriedIteration& out, const Rational& weight) {
                   if (out.ending == Ending::undefined) return;
                   TokenPath tokens = out.tokens;
                   const int left = instance.gamma - static_cast<int>(tokens.size());
                   if (left <= 0) tokens.resize(static_cast<std::size_t>(instance.gamma));
                   continue_from(view, out.node, tokens, std::max(left, 0), weight, law);
                 });
  return law;
}

PrintedCoins::PrintedCoins(const Instance& instance, State start)
    : paths_(paths_from(*instance.rows, start, instance.gamma)) {
  const int drafts = instance.drafts;
  const auto residual = [drafts](const PathLaws& path) -> Rational {
    if (!(path.target > path.draft)) return Rational(0);
    return path.target * power<Rational>(1 - path.draft / path.target, drafts);
  };
  std::map<TokenPath, Rational> following;
  for (const PathLaws& path : paths_) {
    if (path.tokens.empty()) continue;
    following[TokenPath(path.tokens.begin(), path.tokens.end() - 1)] += residual(path);
  }
  std::vector<PathLaws> blocks;
  for (const PathLaws& path : paths_) {
    const bool whole = path.tokens.size() == static_cast<std::size_t>(instance.gamma);
    coins_[path.tokens] = coin_of(path, residual(path), following[path.tokens], whole, drafts);
    if (whole && path.draft > 0) blocks.push_back(path);
  }
  paths_.erase(paths_.begin());  // the empty one
  std::vector<std::size_t> outcome(static_cast<std::size_t>(drafts), 0);
  for (std::size_t k = 0; k < outcome.size();) {
    Rational probability(1);
    std::set<TokenPath> seen;
    for (const std::size_t x : outcome) {
      probability *= blocks[x].draft;
      const TokenPath& block = blocks[x].tokens;
      for (auto end = block.begin() + 1; end <= block.end(); ++end)
        seen.emplace(block.begin(), end);
    }
    outcomes_.push_back({{seen.begin(), seen.end()}, std::move(probability)});
    for (k = 0; k < outcome.size() && ++outcome[k] == blocks.size(); ++k) outcome[k] = 0;
  }
}

Rational PrintedCoins::some_falls(const TokenPath& prefix, int least) const {
  Rational sum(0);
  for (const Drafted& drafted : outcomes_) {
    Rational none(1);
    for (const TokenPath& block : drafted.sub_blocks) {
      if (block.size() < static_cast<std::size_t>(least) || block.size() < prefix.size()) continue;
      if (std::equal(prefix.begin(), prefix.end(), block.begin())) none *= 1 - coins_.at(block);
    }
    sum += drafted.probability * (1 - none);
  }
  return sum;
}

}  // namespace speclab
