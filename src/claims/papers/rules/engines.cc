// Rules of inference engines that no paper states: their laws, each by a closed form.
#include "theory/engines.h"

#include <array>
#include <map>

#include "claims/papers/rules/rules.h"

namespace speclab {
namespace rules_engines {
namespace {

constexpr std::string_view kAnyPair = "any pair, any gamma";
constexpr BatteryShape kSmallTrees{.tokens = 3, .gammas = 2, .drafts = 2, .random = {2, 4, 12}};

void against_tail(Comparisons& says, const Instance& instance, const std::string& verifier,
                  std::string_view name, std::vector<Rational> tail) {
  const auto found = tail_of(verifier, instance);
  const auto wanted = ingredient(name, std::move(tail));
  for (std::size_t i = 1; i < wanted.size(); ++i) {
    says.equal(found.at(i), wanted[i], "P(tau >= {}) of {} against the closed form", i, verifier);
  }
}

/// The law of the first `tokens` tokens of the output.
std::map<TokenPath, Rational> output_of(std::string_view verifier, const Instance& instance,
                                        int tokens) {
  const auto answer = exact_answer(verifier, instance, tokens, 0, true);
  std::map<TokenPath, Rational> law;
  for (const auto& [path, probability] : answer.found.find(QuantityId::output_law)->values) {
    law[TokenPath(path.begin(), path.end())] = *probability.fraction;
  }
  return law;
}

/// A rule that decides token by token against its step law: P(tau >= i), and the first token.
void against_step(Comparisons& says, const Instance& instance, const std::string& verifier,
                  std::string_view name, const StepRule<Rational>& step) {
  Budget budget;
  const auto start = start_law(*instance.rows);
  against_tail(says, instance, verifier, name,
               stepwise_tail(*instance.rows, start, step, instance.gamma, budget));
  std::vector<Rational> first(static_cast<std::size_t>(instance.pair().vocabulary()));
  for (const auto& [state, weight] : start.entries()) {
    const auto law = step(state, instance.rows->draft(state), instance.rows->target(state));
    for (std::size_t x = 0; x < first.size(); ++x) {
      first[x] += weight * (law.accepted[x] + law.corrected[x]);
    }
  }
  auto found = output_of(verifier, instance, 1);
  for (std::size_t x = 0; x < first.size(); ++x) {
    says.equal(found[{static_cast<Token>(x)}], first[x],
               "P(first token = {}) of {} against the closed form", x, verifier);
  }
}

Comparisons greedy(const Instance& instance) {
  const std::string name = verifier_text("target-argmax(K={K})", instance);
  const auto start = start_law(*instance.rows);
  const int horizon = instance.gamma + 1;
  const Rational right = average(start, [&](State state) {
    return greedy_decode(*instance.rows, state, horizon).back().second;
  });
  Comparisons says;
  against_tail(says, instance, name, "engines.target-argmax.formula",
               target_argmax_tail(*instance.rows, start, instance.drafts, instance.gamma));
  if (start.entries().size() == 1) {
    says.equal(exact_tv(name, instance, horizon),
               ingredient("engines.target-argmax.tv", Rational(1 - right)),
               "TV of {} tokens of {} against 1 - T(m)", horizon, name);
  }
  return says;
}

constexpr ClaimRow kGreedy{
    .id = "engines.target-argmax",
    .source = kEngines,
    .statement =
        "verification against the target's argmax emits its greedy decode m: P(tau >= i) = 1 - (1 "
        "- D(m^i))^K, and TV = 1 - T(m) to the target's law",
    .hypotheses = "any pair, any gamma, any K; TV from one start",
    .check = greedy,
    .places = {kSmallTrees},
    .bites = {{raised("engines.target-argmax.formula"), raised("engines.target-argmax.tv"),
               replaced("target-argmax", "target-only")}},
};

Comparisons constant_ratio(const Instance& instance) {
  Comparisons says;
  for (const Rational& threshold : {Rational(1, 2), Rational(3, 4)}) {
    against_step(says, instance, fmt::format("constant-ratio(threshold={})", to_text(threshold)),
                 "engines.constant-ratio.formula",
                 StepRule<Rational>([threshold](auto draft, auto target) {
                   return constant_ratio_step<Rational>(draft, target, threshold);
                 }));
  }
  return says;
}

constexpr ClaimRow kConstantRatio{
    .id = "engines.constant-ratio",
    .source = kEngines,
    .statement =
        "acceptance iff t/d >= threshold emits d on {t >= threshold d} plus the refused mass times "
        "[t - d]+ / TV",
    .hypotheses = "any pair, any gamma; threshold 1/2 and 3/4",
    .check = constant_ratio,
    .places = {kLossless, NamedPair{kToy, 1}},
    .bites = {{raised("engines.constant-ratio.formula"),
               replaced("constant-ratio", "lenient(l=1)")}},
};

Comparisons dense_tree(const Instance& instance) {
  Comparisons says;
  for (const int children : {1, 2, 3}) {
    against_step(
        says, instance,
        verifier_text(fmt::format("dense-tree(tree={{{0}-{0}}})", children), instance),
        "engines.dense-tree.formula", StepRule<Rational>([children](auto draft, auto target) {
          return dense_tree_step<Rational>(draft, target, static_cast<std::size_t>(children));
        }));
  }
  return says;
}

constexpr ClaimRow kDenseTree{
    .id = "engines.dense-tree",
    .source = kEngines,
    .statement =
        "without updates child x_j of the most probable tokens is accepted with min(1, t/d) times "
        "the product of [1 - t/d]+ of the children before it",
    .hypotheses = "any pair; one to three children at every node",
    .check = dense_tree,
    .places = {kLossless, NamedPair{kThreeTokens, 1}},
    .bites = {{raised("engines.dense-tree.formula"), replaced("dense-tree", "wrong-dense-tree"),
               replaced("dense-tree", "rrs-without")}},
};

constexpr std::array<std::pair<std::string_view, MatchStop>, 3> kStops{
    {{"law", MatchStop::law}, {"own-keep", MatchStop::keep}, {"own-drop", MatchStop::drop}}};

constexpr ClaimRow kMatchLossless{
    .id = "engines.match-with-stop.lossless",
    .source = kEngines,
    .statement =
        "the target's own draw, compared with a draft that stops by any rule, keeps the target's "
        "law, also where the stop looks at the token that it drops",
    .hypotheses = "any pair, any gamma; the draft sampled or the most probable token",
    .check = lossless("match-with-stop(draft=sampled,stop=law,theta=1/2)",
                      "match-with-stop(draft=sampled,stop=own-keep,theta=1/2)",
                      "match-with-stop(draft=sampled,stop=own-drop,theta=1/2)",
                      "match-with-stop(draft=argmax,stop=law,theta=1/2)",
                      "match-with-stop(draft=argmax,stop=own-keep,theta=1/2)",
                      "match-with-stop(draft=argmax,stop=own-drop,theta=1/2)"),
    .places = {kLossless},
    .simulated = {{{.verifier = "match-with-stop(stop=own-drop,theta=1/3)",
                    .at = {kThreeTokens, 2},
                    .horizon = 3}}},
    .bites = {{replaced("match-with-stop", "stopping(verify=token,stop=own-drop,theta=1/2)"),
               replaced("match-with-stop", "wrong-late-stop(theta=1/2)")}},
};

Comparisons match_value(const Instance& instance) {
  Comparisons says;
  for (const auto& [stop, how] : kStops) {
    against_tail(says, instance, fmt::format("match-with-stop(stop={},theta=1/2)", stop),
                 "engines.match-with-stop.formula",
                 stopped_match_tail(*instance.rows, start_law(*instance.rows), how, Rational(1, 2),
                                    instance.gamma));
  }
  return says;
}

constexpr ClaimRow kMatchValue{
    .id = "engines.match-with-stop.value",
    .source = kEngines,
    .statement =
        "P(tau >= i) of match-with-stop = sum of T(v) D(v) over the paths v of i tokens that the "
        "stop lets be drafted",
    .hypotheses = kAnyPair,
    .check = match_value,
    .places = {kLossless},
    .bites = {{raised("engines.match-with-stop.formula"),
               replaced("match-with-stop", "sample-match(draft=sampled)")}},
};

/// The eps of typical acceptance here; alpha is 1.
const Rational kEps(1, 5);
/// Six tokens, so that e^-H < eps: four of 19/100 are above it, two of 3/25 below.
constexpr NamedPair kFlat{
    "iid(draft=[1/4,1/12,1/6,1/12,1/4,1/6],target=[19/100,19/100,19/100,19/100,3/25,3/25])", 1};

/// The law of gamma + 1 tokens must be that of the filtered target, a token at a time.
Comparisons typical_match(const Instance& instance) {
  Comparisons says;
  const std::string sampled = "typical-match(eps=1/5,alpha=1)";
  against_step(says, instance, sampled, "engines.typical-match.formula",
               StepRule<Rational>([](State state, auto draft, auto target) {
                 return typical_match_step<Rational>(state, draft, target, kEps);
               }));
  const std::string tree =
      verifier_text("typical-match(eps=1/5,alpha=1,tree={2-1},draw=top)", instance);
  for (const std::string& verifier : {sampled, tree}) {
    auto found = output_of(verifier, instance, instance.gamma);
    for (const Start& start : instance.pair().start()) {
      if (start.probability != 1) break;
      for (const PathLaws& path : whole_paths(*instance.rows, start.state, instance.gamma)) {
        Rational wanted(1);
        State state = start.state;
        for (const Token x : path.tokens) {
          wanted *= typical_law<Rational>(state, instance.rows->target(state),
                                          kEps)[static_cast<std::size_t>(x)];
          state = instance.rows->next(state, x);
        }
        says.equal(found[path.tokens], wanted, "P(output = {}) of {} against the product of t'",
                   path_text(path.tokens), verifier);
      }
    }
  }
  return says;
}

constexpr ClaimRow kTypicalMatch{
    .id = "engines.typical-match",
    .source = kEngines,
    .statement =
        "matching against the typical tokens alone emits the law t' = t on {t >= min(eps, alpha "
        "e^-H)}, normalised, and accepts sum d t'",
    .hypotheses = "any pair, any gamma; eps = 1/5, alpha = 1",
    .check = typical_match,
    .places = {kLossless, kFlat},
    .bites = {{raised("engines.typical-match.formula"),
               replaced("typical-match", "sample-match(draft=sampled)"),
               replaced("typical-match", "typical(eps=1/5,alpha=1)")}},
};

/// The longest typical path of at most `length` tokens.
TokenPath longest_typical(const Rows<Rational>& rows, State start, int length) {
  return longest_path(rows, start, 2, length, [&rows](State at, Token x) {
    return against_typical(at, rows.target(at), kEps, static_cast<std::size_t>(x)) > 0;
  });
}

/// The decode of `tokens` tokens by the longest typical path and the target's argmax.
TokenPath decode_by_path(const Instance& instance, State state, int tokens) {
  const Rows<Rational>& rows = *instance.rows;
  TokenPath output;
  while (static_cast<int>(output.size()) < tokens) {
    const int left = tokens - static_cast<int>(output.size());
    TokenPath path = longest_typical(rows, state, std::min(instance.gamma, left));
    for (const Token x : path) state = rows.next(state, x);
    if (static_cast<int>(path.size()) < left) {
      path.push_back(most_of(rows.target(state)));
      state = rows.next(state, path.back());
    }
    output.insert(output.end(), path.begin(), path.end());
  }
  return output;
}

Comparisons typical_path(const Instance& instance) {
  const std::string verifier = verifier_text(
      "typical(eps=1/5,alpha=1,correction=argmax,bonus=argmax,tree={2-2},draw=top)", instance);
  const int tokens = instance.gamma + 1;
  std::map<TokenPath, Rational> wanted;
  Rational length(0);
  for (const Start& start : instance.pair().start()) {
    wanted[decode_by_path(instance, start.state, tokens)] += start.probability;
    const TokenPath path = longest_typical(*instance.rows, start.state, instance.gamma);
    length += start.probability * static_cast<int>(path.size());
  }
  Comparisons says;
  says.equal(accepted(verifier, instance), ingredient("engines.typical-path.length", length),
             "E[tau] of {} against the longest typical path", verifier);
  auto found = output_of(verifier, instance, tokens);
  for (const auto& [path, probability] : wanted) {
    says.equal(found[path], probability, "P(output = {}) of {}", path_text(path), verifier);
  }
  return says;
}

constexpr ClaimRow kTypicalPath{
    .id = "engines.typical-path",
    .source = kEngines,
    .statement =
        "typical acceptance on a static tree of argmax drafts accepts the longest typical path, of "
        "several the likeliest, and its output is deterministic",
    .hypotheses =
        "any pair, any gamma; eps = 1/5, alpha = 1; two children at every node; correction and "
        "bonus "
        "argmax",
    .check = typical_path,
    .places = {kLossless, kFlat},
    .bites = {{raised("engines.typical-path.length"),
               replaced("typical", "typical(eps=1/5,alpha=1,draft=argmax)"),
               replaced("typical", "target-argmax(K=1)")}},
};

constexpr ClaimRow kClaims[] = {kGreedy,     kConstantRatio, kDenseTree,  kMatchLossless,
                                kMatchValue, kTypicalMatch,  kTypicalPath};

}  // namespace
}  // namespace rules_engines

Claims rules_engines_claims() { return rules_engines::kClaims; }

}  // namespace speclab
