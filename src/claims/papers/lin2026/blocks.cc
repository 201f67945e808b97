#include "claims/papers/lin2026/blocks.h"

#include <set>

#include "claims/engine/outcomes.h"
#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/drafts.h"
#include "theory/lin2026.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace {

Rational bound(const Instance& at, int drafts) {
  Budget budget;
  return expectation(spectr_gbv_tail(*at.rows, start_law(*at.rows), drafts, at.gamma, budget));
}

}  // namespace

Rational printed_bound(const Instance& instance, int drafts) {
  return ingredient("lin2026.equation5", bound(instance, drafts));
}

const NamedForm kEquation5{"equation (5)", "lin2026.equation5",
                           [](const Instance& at) { return bound(at, at.drafts); }};
const NamedForm kNextBound{"equation (5) with K + 1 drafts", "lin2026.remark5.2.next",
                           [](const Instance& at) { return printed_bound(at, at.drafts + 1); }};
const NamedForm kBoundTerm{"T [1 - (1 - min(D/T, 1))^K]", "lin2026.equation5.term",
                           [](const Instance& at, State, const PathLaws& path) {
                             if (path.target == 0) return Rational(0);
                             const Rational found = min_one<Rational>(path.draft / path.target);
                             return Rational(path.target * accepted_once(found, at.drafts));
                           }};

Rational left_of(const PathLaws& path, int drafts) {
  if (!(path.target > path.draft)) return Rational(0);
  return path.target * power<Rational>(1 - path.draft / path.target, drafts);
}

Rational sub_block_coin(const PathLaws& path, const Rational& following, bool whole, int drafts) {
  const Rational hits = accepted_once(path.draft, drafts);
  const Rational top = (whole ? path.target : following) - left_of(path, drafts);
  const Rational bottom = whole ? hits : Rational(hits - path.target + following);
  return bottom > 0 ? Rational(top / bottom) : Rational(0);
}

PrintedCoins::PrintedCoins(const Instance& instance, State start)
    : paths_(paths_from(*instance.rows, start, instance.gamma)) {
  const int drafts = instance.drafts;
  std::map<TokenPath, Rational> following;
  for (const PathLaws& path : paths_) {
    if (path.tokens.empty()) continue;
    following[TokenPath(path.tokens.begin(), path.tokens.end() - 1)] += left_of(path, drafts);
  }
  for (const PathLaws& path : paths_) {
    const bool whole = path.length() == instance.gamma;
    coins_[path.tokens] =
        ingredient("lin2026.coins", sub_block_coin(path, following[path.tokens], whole, drafts));
  }
  paths_.erase(paths_.begin());  // the empty one
  const std::vector<PathLaws> blocks = blocks_of(instance, start).drafts;
  each_tuple(blocks.size(), static_cast<std::size_t>(drafts), [&](const auto& outcome) {
    Rational probability(1);
    std::set<TokenPath> seen;
    for (const std::size_t x : outcome) {
      probability *= blocks[x].draft;
      const TokenPath& block = blocks[x].tokens;
      for (auto end = block.begin() + 1; end <= block.end(); ++end)
        seen.emplace(block.begin(), end);
    }
    outcomes_.push_back({{seen.begin(), seen.end()}, std::move(probability)});
  });
}

Rational PrintedCoins::some_falls(const TokenPath& prefix, int least) const {
  Rational sum(0);
  for (const Drafted& drafted : outcomes_) {
    Rational none(1);
    for (const TokenPath& block : drafted.sub_blocks) {
      if (block.size() < static_cast<std::size_t>(least) || !begins(block, prefix)) continue;
      none *= 1 - coins_.at(block);
    }
    sum += drafted.probability * (1 - none);
  }
  return sum;
}

Rational object_distance(std::string_view verifier, const Instance& instance) {
  Decoding decoding(verifier_text(verifier, instance), instance);
  Rational distance(0);
  for (const Start& start : instance.pair().start()) {
    auto law = decoding.continued(start.state, instance.gamma, true);
    for (const PathLaws& path : whole_paths(*instance.rows, start.state, instance.gamma)) {
      const Rational mass = ingredient("lin2026.q-new", law[path.tokens]);
      distance += start.probability * positive_part<Rational>(path.target - mass);
    }
  }
  return distance;
}

}  // namespace speclab
