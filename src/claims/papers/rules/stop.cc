// Drafts that stop early, as inference engines have them, and hierarchical speculative decoding
// (Zhou et al. 2026), which is block verification under another name.
#include <algorithm>
#include <map>

#include "claims/engine/one_iteration.h"
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/rules.h"
#include "verifiers/chain/block_coin.h"
#include "verifiers/chain/stopping.h"
#include "verifiers/registry.h"

namespace speclab {
namespace rules_stop {
namespace {

constexpr SearchSpace kOneToken{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}};
constexpr SearchSpace kBlocks{
    .tokens = 2, .least_gamma = 2, .gammas = {2, 3, 3}, .denominator = {3, 4, 6}};
constexpr BatteryShape kHierarchy{.tokens = 3, .gammas = {2, 3, 3}, .random = {2, 4, 12}};

/// What hierarchical speculative decoding says of one path: r* at each prefix, the ratio T/D capped
/// at the largest ratio of a prefix before it, and P(accept exactly i tokens) by its coins
/// sum [r* t - d]+ / sum [d - r* t]+.
struct Hierarchy {
  std::vector<Rational> ratios;  ///< min(1, r*), i = 1 .. gamma
  std::vector<Rational> coins;   ///< of i = 1 .. gamma
};

/// What block verification says of it: w_i and h_i.
struct Blocks {
  std::vector<Rational> weights;
  std::vector<Rational> coins;
};

/// sum of [a t - b d]+ and its negative part, at a state.
Rational excess(const Rows<Rational>& rows, State state, const Rational& a, const Rational& b) {
  Rational sum(0);
  for (std::size_t x = 0; x < rows.draft(state).size(); ++x) {
    sum += positive_part<Rational>(a * rows.target(state)[x] - b * rows.draft(state)[x]);
  }
  return sum;
}

Hierarchy hierarchy_along(const Rows<Rational>& rows, State state, const TokenPath& path) {
  Hierarchy result;
  Rational ratio(1);
  Rational largest(1);  // of the ratios before
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto x = static_cast<std::size_t>(path[i]);
    ratio *= rows.target(state)[x] / rows.draft(state)[x];
    result.ratios.push_back(lesser<Rational>(Rational(1), ratio / largest));
    largest = std::max(largest, ratio);
    state = rows.next(state, path[i]);
    const Rational& capped = result.ratios.back();
    if (i + 1 == path.size()) {
      result.coins.push_back(capped);
      continue;
    }
    Rational deficit(0);
    for (std::size_t y = 0; y < rows.draft(state).size(); ++y) {
      deficit += positive_part<Rational>(rows.draft(state)[y] - capped * rows.target(state)[y]);
    }
    // 0/0: the two laws are one there, and the longer block is accepted surely.
    result.coins.push_back(
        deficit > 0 ? Rational(excess(rows, state, capped, Rational(1)) / deficit) : Rational(0));
  }
  return result;
}

Blocks blocks_along(const Rows<Rational>& rows, State state, const TokenPath& path) {
  Blocks result;
  Rational weight(1);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto x = static_cast<std::size_t>(path[i]);
    weight = lesser<Rational>(Rational(1), weight * rows.target(state)[x] / rows.draft(state)[x]);
    state = rows.next(state, path[i]);
    result.weights.push_back(weight);
    result.coins.push_back(i + 1 == path.size()
                               ? weight
                               : block_coin(excess(rows, state, weight, Rational(1)), weight));
  }
  return result;
}

/// Calls visit(start, path) for every draft of gamma tokens.
template <class Visit>
void each_draft(const Instance& instance, const Visit& visit) {
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.size() != static_cast<std::size_t>(instance.gamma)) continue;
      if (path.draft > 0) visit(start, path);
    }
  }
}

Comparisons terms(const Instance& instance) {
  Comparisons comparisons;
  each_draft(instance, [&](const Start& start, const PathLaws& path) {
    const Hierarchy one = hierarchy_along(*instance.rows, start.state, path.tokens);
    const Blocks other = blocks_along(*instance.rows, start.state, path.tokens);
    const auto ratios = ingredient("zhou2026.block.ratio", one.ratios);
    const auto coins = ingredient("zhou2026.block.coin", one.coins);
    for (std::size_t i = 0; i < other.weights.size(); ++i) {
      const std::string at = fmt::format("at {} of {}", i + 1, path_text(path.tokens));
      comparisons.push_back(
          {"capped ratio " + at + " against w", ratios[i], Order::equal, other.weights[i]});
      comparisons.push_back(
          {"coin " + at + " against block's", coins[i], Order::equal, other.coins[i]});
    }
  });
  return comparisons;
}

/// E[tau] by the hierarchy's coins: the longest prefix whose coin accepts.
Rational hierarchy_accepts(const Instance& instance) {
  Rational sum(0);
  each_draft(instance, [&](const Start& start, const PathLaws& path) {
    const Hierarchy terms = hierarchy_along(*instance.rows, start.state, path.tokens);
    Rational left(1);
    for (std::size_t i = path.tokens.size(); i-- > 0;) {
      sum += start.probability * path.draft * left * terms.coins[i] * static_cast<int>(i + 1);
      left *= 1 - terms.coins[i];
    }
  });
  return sum;
}

constexpr ClaimRow kHsdBlock{
    .id = "zhou2026.block",
    .source = "Zhou et al. 2026 (HSD), capped prefix ratios and branch divergences",
    .statement = "hierarchical speculative decoding is block verification, term by term",
    .hypotheses = "any pair, any gamma; every ratio and every coin of every draft",
    .check = terms,
    .places = {kHierarchy, kBlocks},
    .bites = {{{"zhou2026.block.ratio", Fault::lowered}, {"zhou2026.block.coin", Fault::halved}}},
};

Comparisons hsd_above(const Instance& instance) {
  return {{"E[tau] of HSD against block",
           ingredient("zhou2026.above-block.tokens", hierarchy_accepts(instance)), Order::above,
           accepted("block", instance)}};
}

constexpr ClaimRow kHsdAbove{
    .id = "zhou2026.above-block",
    .source = "Zhou et al. 2026 (HSD), against block verification",
    .statement = "E[tau] of HSD > E[tau] of block",
    .hypotheses = "gamma >= 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = hsd_above,
    .places = {kBlocks, NamedPair{kToy, 2}},
    .correction = {"with = for >: they accept the same, always",
                   [](const Instance& instance) {
                     Comparisons comparisons = hsd_above(instance);
                     comparisons[0].order = Order::equal;
                     return comparisons;
                   },
                   {kBlocks, kHierarchy}},
    .bites = {{{"zhou2026.above-block.tokens", Fault::raised},
               {"block", Fault::replaced, "token"}}},
};

constexpr ClaimRow kHsdReleased{
    .id = "zhou2026.released",
    .source = "Zhou et al. 2026 (HSD), released code",
    .statement = "the output of the released code has the target's law",
    .hypotheses = "gamma >= 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return lossless_each(instance, {"hsd-released"}, 1); },
    .places = {kBlocks, NamedPair{kToy, 2}},
    .correction = {"with w_gamma for min(1, T/D) as the last coin, which is block",
                   [](const Instance& instance) { return lossless_each(instance, {"block"}); },
                   {kHierarchy}},
    .bites = {{{"hsd-released", Fault::replaced, "block"},
               {"block", Fault::replaced, "hsd-released"}}},
};

/// A stopping rule around each verification that it goes with.
Comparisons stopping(const Instance& instance, std::string_view stop,
                     const std::vector<std::string>& ends, int beyond = 2) {
  std::vector<std::string> verifiers;
  for (const char* verify : {"token", "block", "greedy-block"}) {
    const bool drops = stop.starts_with("own-drop");
    if (drops && std::string_view(verify) == "greedy-block") continue;
    for (const std::string& end : ends) {
      verifiers.push_back(fmt::format("stopping(verify={},stop={},{})", verify, stop, end));
    }
  }
  return lossless_each(instance, verifiers, beyond);
}

constexpr ClaimRow kStopLaw{
    .id = "engines.stop-law",
    .source = "draft stops where the draft's law is flat; token, block, greedy block verification",
    .statement = "to stop drafting where max d < theta (or > theta) keeps the target's law",
    .hypotheses = "any pair, any gamma",
    .check =
        [](const Instance& instance) {
          return stopping(instance, "law", {"theta=3/5", "theta=1/2,side=above"});
        },
    .places = {kLossless},
    .bites = {{{"stopping", Fault::replaced, "stopping(verify=token,stop=own-drop,theta=1/2)"},
               {"stopping", Fault::replaced, "wrong-late-stop(theta=1/2)"}}},
};

constexpr ClaimRow kStopKeep{
    .id = "engines.stop-own-keep",
    .source = "the draft ends after an unlikely token",
    .statement =
        "to stop after a drafted token of d(x) < theta, and keep it, keeps the target's "
        "law",
    .hypotheses = "any pair, any gamma",
    .check =
        [](const Instance& instance) {
          return stopping(instance, "own-keep", {"theta=1/2", "theta=1/2,side=above"});
        },
    .places = {kLossless},
    .bites = {{{"stopping", Fault::replaced, "stopping(verify=block,stop=own-drop,theta=1/2)"}}},
};

constexpr ClaimRow kStopDrop{
    .id = "engines.stop-own-drop",
    .source = "the draft ends before an unlikely token",
    .statement =
        "to discard a drafted token of d(x) < theta, and stop there, keeps the target's "
        "law",
    .hypotheses = "token and block verification",
    .recorded = ClaimVerdict::holds_with_correction,
    .check =
        [](const Instance& instance) { return stopping(instance, "own-drop", {"theta=1/2"}, 0); },
    .places = {kOneToken, NamedPair{kToy, 1}, NamedPair{kToy, 2}},
    .correction = {"where the kept tokens are tested against d restricted to {d >= theta}, "
                   "normalised",
                   [](const Instance& instance) {
                     return stopping(instance, "own-drop-renormalised", {"theta=1/2", "theta=2/5"});
                   },
                   {kLossless, kOneToken}},
    .bites = {{{"stopping", Fault::replaced, "stopping(verify=block,stop=law,theta=1/2)"},
               {"stopping", Fault::replaced, "wrong-late-stop(theta=1/2)"}}},
};

/// TV of the first `length` <= gamma + 1 tokens of one iteration that the target continues, for a
/// memoryless pair.
Rational once_tv(std::string_view verifier, const Instance& instance, std::size_t length) {
  const Verifier made = make_verifier(played(verifier));
  const auto target = instance.rows->target(0);
  std::map<TokenPath, Rational> law;
  const auto go_on = [&](const auto& self, const TokenPath& path, const Rational& weight) -> void {
    if (path.size() >= length) {
      law[TokenPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length))] += weight;
      return;
    }
    for (std::size_t x = 0; x < target.size(); ++x) {
      TokenPath longer = path;
      longer.push_back(static_cast<Token>(x));
      self(self, longer, weight * target[x]);
    }
  };
  go_on(go_on, {}, Rational(-1));
  each_iteration(
      *program_as<Stopping>(made), instance, 0, true,
      [&](const auto& out, const Rational& weight) { go_on(go_on, out.tokens, weight); });
  Rational sum(0);
  for (const auto& [path, difference] : law) sum += abs(difference);
  return sum / 2;
}

/// Says nothing where the first token tells.
Comparisons unseen(const Instance& instance) {
  const std::string_view verifier = "stopping(verify=block,stop=own-drop,theta=1/2)";
  if (once_tv(verifier, instance, 1) > 0) return {};
  const int length = instance.gamma + 1;
  return {{fmt::format("TV of {} tokens of one iteration of {}, the first being right,", length,
                       verifier),
           once_tv(verifier, instance, static_cast<std::size_t>(length)), Order::equal,
           Rational(0)}};
}

constexpr ClaimRow kStopUnseen{
    .id = "engines.stop-own-drop.first-token",
    .source = "the draft ends before an unlikely token, around block verification",
    .statement =
        "a draft that drops its unlikely tokens is lossless where its first token is right",
    .hypotheses = "block verification, theta = 1/2, gamma = 2",
    .recorded = ClaimVerdict::refuted,
    .check = unseen,
    .places = {SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = {3, 4, 6}},
               NamedPair{kToy, 2}},
    .bites = {{{"stopping", Fault::replaced, "stopping(verify=block,stop=law,theta=1/2)"}}},
};

constexpr ClaimRow kClaims[] = {kHsdBlock, kHsdAbove, kHsdReleased, kStopLaw,
                                kStopKeep, kStopDrop, kStopUnseen};

}  // namespace
}  // namespace rules_stop

Claims rules_stop_claims() { return rules_stop::kClaims; }

}  // namespace speclab
