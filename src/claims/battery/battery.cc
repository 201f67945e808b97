#include "claims/battery/battery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "base/integer.h"
#include "claims/battery/small_pairs.h"

namespace speclab {
namespace {

constexpr std::array<std::string_view, 21> kPairs{
    "iid(draft=[1],target=[1])",
    "iid(draft=[2/3,1/3],target=[1/3,2/3])",
    "iid(draft=[1/2,1/2],target=[1/2,1/2])",
    "iid(draft=[2/3,1/3],target=[2/3,1/3])",
    "iid(draft=[1,0],target=[0,1])",
    "iid(draft=[1,0],target=[1,0])",
    "iid(draft=[1,0],target=[1/2,1/2])",
    "iid(draft=[1,0],target=[1/4,3/4])",
    "iid(draft=[1/2,1/2],target=[1,0])",
    "iid(draft=[1/2,1/2],target=[3/4,1/4])",
    "iid(draft=[1/6,5/6],target=[1/2,1/2])",
    "iid(draft=[500001/1000000,499999/1000000],target=[1/2,1/2])",
    "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
    "iid(draft=[1/2,1/2,0],target=[1/4,3/8,3/8])",
    "iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])",
    "iid(draft=[1/2,1/4,1/4],target=[0,1,0])",
    "iid(draft=[1/3,1/3,1/3],target=[1/2,1/2,0])",
    "iid(draft=[1/2,1/2,0,0],target=[0,0,1/4,3/4])",
    "uniform(draft=4,target=2)",
    "bernoulli(draft=2/3,target=1/3,eos=1)",
    "tree(vocabulary=3,depth=2,seed=8,denominator=12,eos=0)",
};

/// The largest denominator among the laws of the first states.
Integer largest_denominator(const Rows<Rational>& rows) {
  Integer largest(1);
  const State states = std::min<State>(rows.pair().states(), 64);
  for (State state = 0; state < states; ++state) {
    for (const auto law : {rows.draft(state), rows.target(state)}) {
      for (const Rational& p : law) largest = std::max(largest, Integer(denominator(p)));
    }
  }
  return largest;
}

/// Calls visit(parts) for every way to write `total` as an ordered sum of `count` parts >= 0, in
/// decreasing lexicographic order, until it returns true.
bool compositions(int total, int count, std::vector<int>& parts,
                  const std::function<bool()>& visit) {
  if (count == 1) {
    parts.push_back(total);
    const bool stop = visit();
    parts.pop_back();
    return stop;
  }
  for (int part = total; part >= 0; --part) {
    parts.push_back(part);
    const bool stop = compositions(total - part, count - 1, parts, visit);
    parts.pop_back();
    if (stop) return true;
  }
  return false;
}

/// Whether the tokens stand in decreasing order of (draft, target): one labelling of each class.
bool in_order(const AutomatonState& laws) {
  for (std::size_t x = 1; x < laws.draft.size(); ++x) {
    if (std::tie(laws.draft[x - 1], laws.target[x - 1]) < std::tie(laws.draft[x], laws.target[x])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Instance> battery(const ClaimContext& context, const BatteryShape& shape) {
  std::vector<std::string> names(kPairs.begin(), kPairs.end());
  for (int i = 0; i < shape.random.at(context.effort); ++i) {
    const int vocabulary = 2 + i % 2;
    const std::uint64_t seed = (context.seed * 1000 + static_cast<std::uint64_t>(i)) % 4294967296U;
    names.push_back(fmt::format("tree(vocabulary={},depth=3,seed={},denominator={})", vocabulary,
                                seed, 3 + i % 6));
  }
  struct Listed {
    Instance instance;
    Integer denominator;
    [[nodiscard]] Token vocabulary() const { return instance.pair().vocabulary(); }
  };
  std::vector<Listed> pairs;
  for (const std::string& name : names) {
    Instance instance = make_instance(name);
    if (instance.pair().vocabulary() > shape.tokens.at(context.effort)) continue;
    if (!shape.contexts && !instance.pair().memoryless()) continue;
    Integer largest = largest_denominator(*instance.rows);
    pairs.push_back({std::move(instance), std::move(largest)});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Listed& a, const Listed& b) {
    return std::tuple(a.vocabulary(), a.denominator) < std::tuple(b.vocabulary(), b.denominator);
  });
  std::vector<Instance> instances;
  for (auto first = pairs.begin(); first != pairs.end();) {
    const Token vocabulary = first->vocabulary();
    const auto last = std::find_if(first, pairs.end(), [vocabulary](const Listed& pair) {
      return pair.vocabulary() != vocabulary;
    });
    for (int gamma = 1; gamma <= shape.gammas.at(context.effort); ++gamma) {
      for (int drafts = shape.least_drafts; drafts <= shape.drafts; ++drafts) {
        for (auto pair = first; pair != last; ++pair) {
          instances.push_back(pair->instance);
          instances.back().gamma = gamma;
          instances.back().drafts = drafts;
        }
      }
    }
    first = last;
  }
  return instances;
}

namespace {

using Visit = std::function<bool(const Instance&)>;

/// Calls visit(contexts) for every way to give `count` contexts laws of `tokens` tokens whose least
/// common denominator is `whole`, until it returns true; `next` is left empty.
bool each_laws(int tokens, int count, int whole, std::vector<AutomatonState>& contexts, int common,
               const std::function<bool()>& visit) {
  if (count == 0) return common == 1 && visit();
  std::vector<int> draft;
  std::vector<int> target;
  const auto law = [whole](const std::vector<int>& parts) {
    std::vector<Rational> made;
    for (const int part : parts) made.emplace_back(part, whole);
    return made;
  };
  return compositions(whole, tokens, draft, [&] {
    return compositions(whole, tokens, target, [&] {
      int divisor = common;
      for (const int part : draft) divisor = std::gcd(divisor, part);
      for (const int part : target) divisor = std::gcd(divisor, part);
      contexts.push_back({law(draft), law(target), {}});
      const bool stop = each_laws(tokens, count - 1, whole, contexts, divisor, visit);
      contexts.pop_back();
      return stop;
    });
  });
}

/// Whether every context is reached from the first, and first met in the order of its number.
bool in_order_met(const std::vector<State>& moves, State states) {
  const std::size_t tokens = moves.size() / states;
  State met = 1;
  for (State at = 0; at < met; ++at) {
    for (std::size_t x = 0; x < tokens; ++x) {
      const State to = moves[at * tokens + x];
      if (to > met) return false;
      if (to == met) ++met;
    }
  }
  return met == states;
}

/// All pairs of `states` >= 2 contexts.
bool each_automaton(int tokens, int states, int whole, int gamma, int drafts, const Visit& visit) {
  const auto width = static_cast<std::size_t>(tokens);
  std::vector<State> moves(static_cast<std::size_t>(states) * width, 0);
  const auto last = static_cast<State>(states - 1);
  while (true) {
    if (in_order_met(moves, static_cast<State>(states))) {
      std::vector<AutomatonState> contexts;
      const bool stop = each_laws(tokens, states, whole, contexts, whole, [&] {
        std::vector<AutomatonState> made = contexts;
        for (std::size_t at = 0; at < made.size(); ++at) {
          const auto from = moves.begin() + static_cast<std::ptrdiff_t>(at * width);
          made[at].next.assign(from, from + tokens);
        }
        return visit(listed_automaton(std::move(made), gamma, drafts));
      });
      if (stop) return true;
    }
    const auto digit =
        std::find_if(moves.rbegin(), moves.rend(), [&](State m) { return m < last; });
    if (digit == moves.rend()) return false;
    ++*digit;
    std::fill(moves.rbegin(), digit, State{0});
  }
}

/// All pairs of one context.
bool each_memoryless(const SearchSpace& space, int tokens, int whole, int gamma, int drafts,
                     const Visit& visit) {
  std::vector<AutomatonState> contexts;
  return each_laws(tokens, 1, whole, contexts, whole, [&] {
    const AutomatonState& laws = contexts.front();
    if (!space.labelled && !in_order(laws)) return false;
    return visit(iid_instance(laws.draft, laws.target, gamma, drafts));
  });
}

}  // namespace

std::uint64_t enumerate_pairs(const SearchSpace& space, Effort effort, const Visit& visit) {
  std::uint64_t calls = 0;
  const Visit counted = [&](const Instance& instance) {
    ++calls;
    return visit(instance);
  };
  for (int tokens = 1; tokens <= space.tokens.at(effort); ++tokens) {
    for (int gamma = space.least_gamma; gamma <= space.gammas.at(effort); ++gamma) {
      for (int drafts = space.least_drafts; drafts <= space.drafts.at(effort); ++drafts) {
        for (int contexts = 1; contexts <= space.states.at(effort); ++contexts) {
          for (int whole = 1; whole <= space.denominator.at(effort); ++whole) {
            const bool stop = contexts == 1
                                  ? each_memoryless(space, tokens, whole, gamma, drafts, counted)
                                  : each_automaton(tokens, contexts, whole, gamma, drafts, counted);
            if (stop) return calls;
          }
        }
      }
    }
  }
  return calls;
}

}  // namespace speclab
