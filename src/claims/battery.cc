#include "claims/battery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "model/iid.h"

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

using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

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

std::string law_text(const std::vector<Rational>& law) {
  std::string text;
  for (const Rational& p : law) text += (text.empty() ? "" : ",") + to_text(p);
  return "[" + text + "]";
}

Instance memoryless(const std::vector<int>& draft, const std::vector<int>& target, int whole,
                    int gamma, int drafts) {
  std::vector<Rational> draft_law;
  std::vector<Rational> target_law;
  for (const int part : draft) draft_law.emplace_back(part, whole);
  for (const int part : target) target_law.emplace_back(part, whole);
  std::string name =
      fmt::format("iid(draft={},target={})", law_text(draft_law), law_text(target_law));
  return name_instance(std::make_shared<IidPair>(std::move(draft_law), std::move(target_law)),
                       std::move(name), gamma, drafts);
}

/// Whether `whole` is the least common denominator of both laws.
bool in_lowest_terms(const std::vector<int>& draft, const std::vector<int>& target, int whole) {
  int common = whole;
  for (const int part : draft) common = std::gcd(common, part);
  for (const int part : target) common = std::gcd(common, part);
  return common == 1;
}

/// Whether the tokens stand in decreasing order of (draft, target): one labelling of each class.
bool in_order(const std::vector<int>& draft, const std::vector<int>& target) {
  for (std::size_t x = 1; x < draft.size(); ++x) {
    if (std::pair(draft[x - 1], target[x - 1]) < std::pair(draft[x], target[x])) return false;
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

std::uint64_t enumerate_pairs(const SearchSpace& space, Effort effort,
                              const std::function<bool(const Instance&)>& visit) {
  std::uint64_t calls = 0;
  for (int tokens = 1; tokens <= space.tokens.at(effort); ++tokens) {
    for (int gamma = space.least_gamma; gamma <= space.gammas.at(effort); ++gamma) {
      for (int drafts = space.least_drafts; drafts <= space.drafts.at(effort); ++drafts) {
        for (int whole = 1; whole <= space.denominator.at(effort); ++whole) {
          std::vector<int> draft;
          std::vector<int> target;
          const auto try_pair = [&] {
            if (!in_lowest_terms(draft, target, whole)) return false;
            if (!space.labelled && !in_order(draft, target)) return false;
            ++calls;
            return visit(memoryless(draft, target, whole, gamma, drafts));
          };
          if (compositions(whole, tokens, draft,
                           [&] { return compositions(whole, tokens, target, try_pair); })) {
            return calls;
          }
        }
      }
    }
  }
  return calls;
}

}  // namespace speclab
