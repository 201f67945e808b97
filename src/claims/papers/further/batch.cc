// Two requests that share one verification budget a step: which splits keep the law of both, and
// whether to stop at the first fall of the throughput is best. By a program of its own.
#include "claims/papers/further/batch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "claims/engine/work.h"

namespace speclab {
namespace batch {

std::vector<DraftedBlock> drafted_blocks(const Instance& at) {
  std::vector<DraftedBlock> blocks;
  for (const PathLaws& path : whole_paths(*at.rows, at.start(), at.gamma)) {
    if (path.draft == 0) continue;
    DraftedBlock block{.tokens = path.tokens, .weight = path.draft};
    Rational own(1), known(1), kept(1);
    State state = at.start();
    for (const Token token : path.tokens) {
      const auto x = static_cast<std::size_t>(token);
      const auto draft = at.rows->draft(state);
      const auto target = at.rows->target(state);
      const Rational overlap = 1 - total_variation(draft, target);
      block.own.push_back(own *= ingredient("speclab.batch.own", draft[x]));
      block.known.push_back(known *= overlap);
      block.likely.push_back(kept * overlap);
      block.kept.push_back(kept *= min_one<Rational>(target[x] / draft[x]));
      state = at.rows->next(state, token);
    }
    blocks.push_back(std::move(block));
  }
  const auto size = static_cast<double>(blocks.size());
  limit_work(size * size, "pairs of blocks", kMostEntries);
  return blocks;
}

Split ranked(const DraftedBlock& one, const DraftedBlock& other, Products products,
             std::size_t budget) {
  Split split{0, 0};
  const auto& a = one.*products;
  const auto& b = other.*products;
  while (split.first + split.second < std::min(budget, a.size() + b.size())) {
    const bool first =
        split.second == b.size() || (split.first < a.size() && a[split.first] >= b[split.second]);
    ++(first ? split.first : split.second);
  }
  return split;
}

namespace {

using Text = std::vector<Token>;
using TextLaw = std::map<Text, Rational>;

/// Adds what the target adds to a text, up to gamma + 1 tokens.
void continue_text(const Instance& at, const Text& text, State state, const Rational& weight,
                   TextLaw& law) {
  const int left = at.gamma + 1 - static_cast<int>(text.size());
  for (const PathLaws& path : whole_paths(*at.rows, state, left)) {
    Text whole = text;
    whole.insert(whole.end(), path.tokens.begin(), path.tokens.end());
    law[whole] += weight * path.target;
  }
}

/// The law of gamma + 1 tokens where token verification sees the first `length` of a block.
TextLaw verified(const Instance& at, const DraftedBlock& block, std::size_t length) {
  TextLaw law;
  Text text;
  Rational reached(1);
  State state = at.start();
  for (std::size_t i = 0; i < length; ++i) {
    const auto draft = at.rows->draft(state);
    const auto target = at.rows->target(state);
    const auto x = static_cast<std::size_t>(block.tokens[i]);
    const Rational kept =
        ingredient("speclab.batch.ratio", min_one<Rational>(target[x] / draft[x]));
    const Rational excess = total_variation(draft, target);
    for (std::size_t y = 0; kept < 1 && y < target.size(); ++y) {
      if (target[y] <= draft[y]) continue;
      Text ended = text;
      ended.push_back(static_cast<Token>(y));
      continue_text(at, ended, at.rows->next(state, static_cast<Token>(y)),
                    reached * (1 - kept) * (target[y] - draft[y]) / excess, law);
    }
    reached *= kept;
    text.push_back(block.tokens[i]);
    state = at.rows->next(state, block.tokens[i]);
  }
  continue_text(at, text, state, reached, law);
  return law;
}

using Scheduler = std::function<Split(const DraftedBlock& one, const DraftedBlock& other)>;

/// Tokens a unit of time by budget: (2 + the sum of the admitted products) / c(budget).
std::vector<Rational> throughput(const DraftedBlock& one, const DraftedBlock& other, bool convex) {
  std::vector<Rational> speed;
  for (std::size_t n = 0; n <= one.known.size() + other.known.size(); ++n) {
    const Split split = ranked(one, other, &DraftedBlock::known, n);
    Rational tokens(2);
    for (std::size_t i = 0; i < split.first; ++i) tokens += one.known[i];
    for (std::size_t i = 0; i < split.second; ++i) tokens += other.known[i];
    const auto steps = static_cast<long long>(convex ? n : (n + 1) / 2);
    speed.push_back(tokens / (1 + Rational(steps, convex ? 4 : 2)));
  }
  return speed;
}

/// The first budget whose throughput one token more lowers.
std::size_t first_peak(const std::vector<Rational>& speed) {
  std::size_t n = 0;
  while (n + 1 < speed.size() && speed[n + 1] >= speed[n]) ++n;
  return n;
}

/// That the joint law of both requests' first gamma + 1 tokens is the product of the target's.
Comparisons keeps_both(const Instance& at, const Scheduler& schedule) {
  const auto blocks = drafted_blocks(at);
  const auto pairs = static_cast<double>(blocks.size() * blocks.size());
  limit_work(pairs * std::pow(at.pair().vocabulary(), 2 * (at.gamma + 1)), "pairs of texts",
             kMostEntries);
  std::map<std::pair<Text, Text>, Rational> joint;
  for (const DraftedBlock& one : blocks) {
    for (const DraftedBlock& other : blocks) {
      const Split split = schedule(one, other);
      const TextLaw of_one = verified(at, one, split.first);
      const TextLaw of_other = verified(at, other, split.second);
      for (const auto& [left, weight] : of_one) {
        for (const auto& [right, more] : of_other) {
          joint[{left, right}] += one.weight * other.weight * weight * more;
        }
      }
    }
  }
  TextLaw target;
  continue_text(at, {}, at.start(), Rational(1), target);
  Rational distance(0);
  for (const auto& [left, weight] : target) {
    for (const auto& [right, more] : target) {
      distance += abs(Rational(weight * more - joint[{left, right}]));
      joint.erase({left, right});
    }
  }
  for (const auto& [texts, weight] : joint) distance += weight;
  Comparisons says;
  says.equal(distance / 2, 0, "TV of both requests' first {} tokens", at.gamma + 1);
  return says;
}

Comparisons every_budget(const Instance& at, Products products) {
  Comparisons says;
  for (const std::size_t budget : budgets(at)) {
    for (Compared& each : keeps_both(at, [&](const auto&one, const auto&other) {
           return ranked(one, other, products, budget);
         })) {
      each.what += fmt::format(", a budget of {}", budget);
      says.push_back(std::move(each));
    }
  }
  return says;
}
Comparisons by_own(const Instance& at) { return every_budget(at, &DraftedBlock::own); }
Comparisons by_known(const Instance& at) { return every_budget(at, &DraftedBlock::known); }

/// The budget that `choose` takes of the throughputs.
Comparisons by_throughput(const Instance& at, bool convex,
                          std::size_t (*choose)(const std::vector<Rational>&)) {
  return keeps_both(at, [&](const DraftedBlock& one, const DraftedBlock& other) {
    return ranked(one, other, &DraftedBlock::known, choose(throughput(one, other, convex)));
  });
}
std::size_t best_budget(const std::vector<Rational>& speed) {
  return static_cast<std::size_t>(std::max_element(speed.begin(), speed.end()) - speed.begin());
}
Comparisons stop_early(const Instance& at) { return by_throughput(at, false, first_peak); }
Comparisons take_best(const Instance& at) { return by_throughput(at, false, best_budget); }
Comparisons take_best_convex(const Instance& at) { return by_throughput(at, true, best_budget); }

/// Whether the throughput has one peak, against whether its first peak is the largest.
Comparisons compare_peaks(const Instance& at, Order order) {
  Comparisons says;
  const auto blocks = drafted_blocks(at);
  for (const DraftedBlock& one : blocks) {
    for (const DraftedBlock& other : blocks) {
      for (const bool convex : {true, false}) {
        const auto speed = throughput(one, other, convex);
        bool single = true;
        for (std::size_t n = 1; n + 1 < speed.size(); ++n) {
          const auto here = speed.begin() + static_cast<std::ptrdiff_t>(n);
          single = single && speed[n] >= std::min(*std::max_element(speed.begin(), here),
                                                  *std::max_element(here + 1, speed.end()));
        }
        const Rational stopped = ingredient("speclab.batch.stopped", speed[first_peak(speed)]);
        const bool best = stopped == *std::max_element(speed.begin(), speed.end());
        says.add(Rational(best ? 1 : 0), order, Rational(single ? 1 : 0),
                 "the first peak is the largest (1) against there is one peak (1)");
      }
    }
  }
  return says;
}
Comparisons if_and_only_if(const Instance& at) { return compare_peaks(at, Order::equal); }
Comparisons if_one_peak(const Instance& at) { return compare_peaks(at, Order::at_least); }

constexpr std::string_view kSource = "arXiv 2607.05147 (DSpark), at second hand";
constexpr std::string_view kTwo =
    "two requests of one pair, token verification, products of confidences ranked over both";
constexpr SearchSpace kMemoryless{.tokens = 2, .gammas = 2, .denominator = 3};
constexpr SearchSpace kContexts{
    .tokens = 2, .gammas = 2, .denominator = 2, .states = 2, .one_start = true};
constexpr NamedPair kLonger{"tree(vocabulary=2,depth=4,seed=7)", 3};
constexpr NamedPair kWider{"tree(vocabulary=3,depth=3,seed=2)", 2};

constexpr ClaimRow kOwn{
    .id = "speclab.batch.own-confidence",
    .source = "this project, after arXiv 2607.05147 (DSpark), which has it biased",
    .statement =
        "a budget split by the draft probabilities of the drafted tokens themselves keeps the law "
        "of both requests",
    .hypotheses = kTwo,
    .recorded = ClaimVerdict::refuted,
    .check = by_own,
    .places = {kMemoryless, kContexts, kLonger, kWider},
    .correction = {"confidences that are known before the token is drawn, such as sum of min(d, t)",
                   by_known,
                   {},
                   Amends::by_replacement},
    .bites = {{constant("speclab.batch.own")}},
};

constexpr ClaimRow kStop{
    .id = "speclab.batch.early-stop",
    .source = kSource,
    .statement =
        "to admit tokens until the throughput (2 + sum of products) / c(N) would fall keeps the "
        "law of both requests",
    .hypotheses = "confidences known before the token is drawn; any cost c, here in steps of two",
    .check = stop_early,
    .places = {kContexts, kLonger, kWider},
    .bites = {{halved("speclab.batch.ratio")}},
};

constexpr ClaimRow kBest{
    .id = "speclab.batch.best-budget",
    .source = "this project, after arXiv 2607.05147 (DSpark)",
    .statement =
        "to admit the N tokens of the largest throughput over all N keeps the law of both requests",
    .hypotheses = "confidences known before the token is drawn; any cost c, here in steps of two",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = take_best,
    .places = {kContexts, kLonger, kWider},
    .correction = {"for a convex cost, where it is the early stop", take_best_convex, {}},
    .bites = {{halved("speclab.batch.ratio")}},
};

constexpr ClaimRow kPeak{
    .id = "speclab.batch.one-peak",
    .source = kSource,
    .statement =
        "the early stop has the largest throughput if and only if the throughput rises, then falls",
    .hypotheses = "any cost c, here in steps of one and of two",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = if_and_only_if,
    .places = {kContexts, kLonger, kWider},
    .correction = {"if it rises, then falls; a later peak may be lower", if_one_peak, {}},
    .bites = {{lowered("speclab.batch.stopped")}},
};

constexpr ClaimRow kClaims[] = {kOwn, kStop, kBest, kPeak};

}  // namespace
}  // namespace batch

Claims batch_claims() { return batch::kClaims; }

}  // namespace speclab
