// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025).
#include "theory/sun2025.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/one_iteration.h"
#include "claims/optimum.h"
#include "claims/registry.h"
#include "claims/simulated.h"
#include "theory/sun2024.h"
#include "verifiers/block.h"
#include "verifiers/greedy_block.h"

namespace speclab {
namespace {

constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

Rational accepted(std::string_view verifier, const Instance& instance) {
  return exact_result(verifier, instance).expected_accepted;
}

/// Lemma 1 is an existence statement: token verification is beaten on some pair, by a verifier that
/// is lossless there.
ClaimResult lemma1(const ClaimContext& context) {
  Examination examination(context);
  bool beaten = false;
  Instance where;
  enumerate_pairs({.tokens = 2, .gammas = 2, .denominator = 4}, [&](const Instance& instance) {
    beaten = accepted("block", instance) > accepted("token", instance);
    if (beaten) where = instance;
    return beaten;
  });
  if (!beaten) where = make_instance(kToy, 2);
  const auto compare = [](const Instance& instance) -> std::vector<Compared> {
    return {{"TV of block's output to the target's",
             exact_result("block", instance, instance.gamma + 2).decode->tv_to_target, Order::equal,
             Rational(0)},
            {"E[tau] of block against token", accepted("block", instance), Order::above,
             accepted("token", instance)}};
  };
  examination.check({where, make_instance(kToy, 2)}, compare);
  return examination.finish();
}

ClaimResult theorem1(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 4, .gammas = 3, .random = context.size(4, 12, 60)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      const int horizon = instance.gamma + 2;
                      if (instance.pair().vocabulary() > 3 && instance.gamma > 2) return {};
                      const auto result = exact_result("block", instance, horizon);
                      return {{fmt::format("undefined mass, T={}", horizon),
                               result.decode->undefined_mass, Order::equal, Rational(0)},
                              {fmt::format("TV of the first {} tokens to the target's", horizon),
                               result.decode->tv_to_target, Order::equal, Rational(0)}};
                    });
  simulate_output_law(examination, "block", make_instance(kToy, 3), 5);
  simulate_output_law(examination, "block",
                      make_instance("tree(vocabulary=3,depth=3,seed=5,denominator=12)", 2), 4);
  return examination.finish();
}

/// The weights w_i(x^i) of block verification for every drafted path.
std::map<TokenPath, Rational> block_weights(const Instance& instance, State start) {
  std::map<TokenPath, Rational> weights{{{}, Rational(1)}};
  for (const PathLaws& path : paths_from(*instance.rows, start, instance.gamma)) {
    if (path.tokens.empty() || path.draft == 0) continue;
    TokenPath parent = path.tokens;
    parent.pop_back();
    State state = start;
    for (const Token x : parent) state = instance.rows->next(state, x);
    const auto x = static_cast<std::size_t>(path.tokens.back());
    weights[path.tokens] = min_one<Rational>(weights.at(parent) * instance.rows->target(state)[x] /
                                             instance.rows->draft(state)[x]);
  }
  return weights;
}

/// P(tau >= i, X^i = x^i) = D(x^i) w_i(x^i) for every path.
ClaimResult lemma3(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 60)}, [](const Instance& instance) {
        std::vector<Compared> comparisons;
        for (const Start& start : instance.pair().start()) {
          const auto reach = reach_by_path(BlockVerification{}, instance, start.state);
          const auto weights = block_weights(instance, start.state);
          for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
            if (path.tokens.empty() || path.draft == 0) continue;
            comparisons.push_back({fmt::format("P(tau >= {} | X = {}) against w",
                                               path.tokens.size(), path_text(path.tokens)),
                                   reach.at(path.tokens) / path.draft, Order::equal,
                                   weights.at(path.tokens)});
          }
        }
        return comparisons;
      });
  const Instance toy = make_instance(kToy, 4);
  Budget budget;
  simulate_accepted_law(
      examination, "block", toy,
      law_of_tail(block_tail(*toy.rows, start_law(*toy.rows), toy.gamma, budget)));
  return examination.finish();
}

/// Adds the law of `count` tokens drawn from the view's target after `node` to `law`.
void extend(const CarriedView<Rational>& view, const CarriedView<Rational>::Node& node,
            const Rational& mass, int count, TokenPath& tokens,
            std::map<TokenPath, Rational>& law) {
  if (count == 0) {
    law[tokens] += mass;
    return;
  }
  const auto laws = view.at(node);
  for (Token x = 0; x < view.vocabulary(); ++x) {
    if (!(laws.target(x) > 0)) continue;
    tokens.push_back(x);
    extend(view, view.next(node, x), mass * laws.target(x), count - 1, tokens, law);
    tokens.pop_back();
  }
}

/// One iteration of greedy block verification, continued with the modified target alone.
ClaimResult lemma8(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 60)}, [](const Instance& instance) {
        std::vector<Compared> comparisons;
        const CarriedView<Rational> view(*instance.rows);
        for (const Start& start : instance.pair().start()) {
          std::map<TokenPath, Rational> law;
          each_iteration(GreedyBlockVerification{}, instance, start.state, true,
                         [&](const auto& out, const Rational& weight) {
                           TokenPath tokens = out.tokens;
                           const auto length = static_cast<std::size_t>(instance.gamma);
                           if (tokens.size() >= length) {
                             tokens.resize(length);
                             law[tokens] += weight;
                           } else {
                             extend(view, out.node, weight,
                                    instance.gamma - static_cast<int>(tokens.size()), tokens, law);
                           }
                         });
          for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
            if (path.tokens.size() != static_cast<std::size_t>(instance.gamma)) continue;
            comparisons.push_back({fmt::format("P(X^tau, Y, Z = {})", path_text(path.tokens)),
                                   law[path.tokens], Order::equal, path.target});
          }
        }
        return comparisons;
      });
  simulate_output_law(examination, "greedy-block", make_instance(kToy, 3), 5);
  return examination.finish();
}

ClaimResult theorem3(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    return {{"E[tau] of greedy-block against block", accepted("greedy-block", instance),
             Order::at_least, accepted("block", instance)}};
  };
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 60)}, statement);
  examination.search(
      {.tokens = context.size(2, 3, 3), .gammas = 3, .denominator = context.size(5, 5, 8)},
      statement);
  return examination.finish();
}

/// The listing must be block verification: no undefined mass and the same law of tau.
ClaimResult listing(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4},
                     [](const Instance& instance) -> std::vector<Compared> {
                       const auto printed = exact_result("block-listing", instance);
                       const auto block = exact_result("block", instance);
                       return {{"mass of 0/0", printed.undefined_mass, Order::equal, Rational(0)},
                               {"E[tau] of the listing against Algorithm 2",
                                printed.expected_accepted, Order::equal, block.expected_accepted}};
                     });
  examination.search(
      {.tokens = 2, .gammas = 2, .denominator = 4},
      [](const Instance& instance) -> std::vector<Compared> {
        const auto printed = exact_result("block-listing", instance);
        if (printed.undefined_mass > 0) return {};
        const auto block = exact_result("block", instance);
        return {{"P(tau = gamma) of the listing against Algorithm 2", printed.accepted_law.back(),
                 Order::equal, block.accepted_law.back()}};
      });
  return examination.finish();
}

/// D(x^i) P(tau >= i | X^i = x^i) over all valid verifiers, certified path by path.
ClaimResult lemma4(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = context.size(2, 2, 3), .random = context.size(2, 6, 20)},
      [](const Instance& instance) -> std::vector<Compared> {
        if (instance.pair().vocabulary() > 2 && instance.gamma > 2) return {};
        std::vector<Compared> comparisons;
        for (const Start& start : instance.pair().start()) {
          const auto weights = block_weights(instance, start.state);
          for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
            if (path.tokens.empty() || path.draft == 0) continue;
            const auto reached = [&](const TokenPath& draft, int tau, State) {
              return Rational(
                  static_cast<std::size_t>(tau) >= path.tokens.size() &&
                          std::equal(path.tokens.begin(), path.tokens.end(), draft.begin())
                      ? 1
                      : 0);
            };
            comparisons.push_back(
                {fmt::format("certified optimum of P(tau >= {} | X = {}) against w",
                             path.tokens.size(), path_text(path.tokens)),
                 certify(valid_program(instance, start.state, reached)).bound / path.draft,
                 Order::at_most, weights.at(path.tokens)});
          }
        }
        return comparisons;
      });
  return examination.finish();
}

/// E[N(i)] of block against the certified optimum over all valid verifiers, iteration by iteration.
ClaimResult theorem2(const ClaimContext& context) {
  Examination examination(context);
  const int iterations = context.size(2, 2, 3);
  examination.check(
      {.tokens = 3, .gammas = context.size(2, 3, 3), .random = context.size(4, 8, 20)},
      [&](const Instance& instance) -> std::vector<Compared> {
        if (instance.pair().end_token()) return {};
        if (instance.pair().vocabulary() > 2 && instance.gamma > 2) return {};
        const auto block = exact_result("block", instance, std::nullopt, iterations);
        std::vector<Compared> comparisons;
        for (int i = 1; i <= iterations; ++i) {
          if (i > 1 && !instance.pair().memoryless() &&
              (instance.pair().vocabulary() > 2 || instance.gamma > 2)) {
            continue;
          }
          comparisons.push_back({fmt::format("E[N({})] of block against the certified optimum", i),
                                 block.expected_tokens[static_cast<std::size_t>(i) - 1],
                                 Order::at_least, best_tokens(instance, i)});
        }
        const auto token = exact_result("token", instance, std::nullopt, iterations);
        comparisons.push_back({fmt::format("E[N({})] of block against token", iterations),
                               block.expected_tokens.back(), Order::at_least,
                               token.expected_tokens.back()});
        return comparisons;
      });
  return examination.finish();
}

/// The optimum over all couplings is at most the sum of min(D, T).
ClaimResult lemma10(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
      [](const Instance& instance) -> std::vector<Compared> {
        if (instance.pair().vocabulary() > 2 && instance.gamma > 2) return {};
        Budget budget;
        std::vector<Compared> comparisons;
        for (const Start& start : instance.pair().start()) {
          comparisons.push_back(
              {"certified optimum over all couplings against sum min(D, T)",
               certify(coupling_program(instance, start.state)).bound, Order::at_most,
               expectation(greedy_tail(*instance.rows, point_law(*instance.rows, start.state),
                                       instance.gamma, budget))});
        }
        return comparisons;
      });
  return examination.finish();
}

/// C.1 asks whether one of the two is ahead over several iterations. Each side is a statement of
/// its own; the note shows the exact crossing on the toy pair.
ClaimResult section_c1(const ClaimContext& context, Order greedy_against_block) {
  Examination examination(context);
  constexpr int kIterations = 4;
  const auto tokens = [](const Instance& instance) {
    return std::pair(
        exact_result("greedy-block", instance, std::nullopt, kIterations).expected_tokens,
        exact_result("block", instance, std::nullopt, kIterations).expected_tokens);
  };
  examination.search(
      {.tokens = 2, .gammas = 2, .denominator = context.size(4, 5, 8)},
      [&](const Instance& instance) {
        const auto [greedy, block] = tokens(instance);
        std::vector<Compared> comparisons;
        for (std::size_t i = 0; i < greedy.size(); ++i) {
          comparisons.push_back({fmt::format("E[N({})] of greedy-block against block", i + 1),
                                 greedy[i], greedy_against_block, block[i]});
        }
        return comparisons;
      });
  for (const int gamma : {2, 3}) {
    const Instance toy = make_instance(kToy, gamma);
    const auto [greedy, block] = tokens(toy);
    const auto list = [](const std::vector<Rational>& values) {
      std::string text;
      for (const Rational& value : values) text += " " + to_text(value);
      return text;
    };
    std::string detail = fmt::format("gamma={}, E[N(i)], i=1..{}: greedy-block{}, block{}", gamma,
                                     kIterations, list(greedy), list(block));
    for (std::size_t i = 0; i < greedy.size(); ++i) {
      const auto relation = greedy[i] > block[i]   ? "greedy-block ahead"
                            : greedy[i] < block[i] ? "block ahead"
                                                   : "level";
      detail += fmt::format("{} i={}: {}", i == 0 ? ";" : ",", i + 1, relation);
    }
    examination.note(toy, Method::exact, detail);
  }
  return examination.finish();
}

ClaimResult greedy_ahead(const ClaimContext& context) {
  return section_c1(context, Order::at_least);
}
ClaimResult block_ahead(const ClaimContext& context) { return section_c1(context, Order::at_most); }

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;

constexpr std::array kClaims{
    ClaimRow{"sun2025.lemma1", "sun2025 Lemma 1",
             "some valid verifier has a larger E[tau] than token verification on some pair", "none",
             kHolds, "", lemma1},
    ClaimRow{"sun2025.theorem1", "sun2025 Theorem 1",
             "the output of decoding with block verification has the target's law",
             "any pair, any gamma", kHolds, "", theorem1},
    ClaimRow{"sun2025.lemma3", "sun2025 Lemma 3", "P(tau >= i | X^i = x^i) = w_i(x^i) for block",
             "D(x^i) > 0", kHolds, "", lemma3},
    ClaimRow{"sun2025.lemma4", "sun2025 Lemma 4",
             "P(tau >= i | X^i = x^i) <= w_i(x^i) for every valid verifier", "D(x^i) > 0", kHolds,
             "", lemma4},
    ClaimRow{"sun2025.theorem2", "sun2025 Theorem 2",
             "E[N(i)] of block >= E[N(i)] of every valid verifier, for every i",
             "valid: plug-and-play in Algorithm 3 (Definition 1)", kHolds, "", theorem2},
    ClaimRow{"sun2025.lemma8", "sun2025 Lemma 8",
             "(X^tau, Y, Z) ~ T^gamma for greedy-block, Z from the modified target",
             "any pair, any gamma", kHolds, "", lemma8},
    ClaimRow{"sun2025.lemma9", "sun2025 Lemma 9",
             "P(X^i = x^i, tau >= i) = min(D(x^i), T(x^i)) for greedy-block", "any pair, any gamma",
             kHolds, "", greedy_reach},
    ClaimRow{"sun2025.lemma10", "sun2025 Lemma 10",
             "max over couplings of X ~ D^gamma, Y ~ T^gamma of E[common prefix] <= sum min(D, T)",
             "any pair, any gamma", kHolds, "", lemma10},
    ClaimRow{"sun2025.theorem3", "sun2025 Theorem 3",
             "E[tau] of greedy-block >= E[tau] of block in one iteration", "same pair, same gamma",
             kHolds, "", theorem3},
    ClaimRow{"sun2025.sectionC1.greedy-ahead", "sun2025 section C.1 (left open there)",
             "E[N(i)] of greedy-block >= E[N(i)] of block for every i", "same pair, same gamma",
             kRefuted, "", greedy_ahead},
    ClaimRow{"sun2025.sectionC1.block-ahead", "sun2025 section C.1 (left open there)",
             "E[N(i)] of block >= E[N(i)] of greedy-block for every i", "same pair, same gamma",
             kRefuted, "", block_ahead},
    ClaimRow{"sun2025.appendixA", "sun2025 appendix A, Python listing",
             "the listing is Algorithm 2: it accepts the same blocks and never divides 0 by 0",
             "any pair, any gamma", kRefuted, "", listing},
};

}  // namespace

std::span<const ClaimRow> sun2025_claims() { return kClaims; }

}  // namespace speclab
