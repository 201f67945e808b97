// Which rules keep the target's law: exactly, over gamma + 2 tokens, on random trees and chains
// with zeros and ties; every lossless rule of the registry on three hundred of them. And that the
// rules which do not keep it are seen not to, on the same pairs.
#include <fmt/format.h>

#include <set>

#include "base/spec.h"
#include "catch.h"
#include "message_of.h"
#include "theory/small_pairs.h"
#include "toy.h"

namespace speclab::rules_lossless_test {
namespace {

constexpr int kPairs = 60;

/// Laws that differ at every position up to the horizon.
std::string random_tree(int index, int gamma) {
  return fmt::format("tree(vocabulary={},depth={},seed={})", 2 + index % 2, gamma + 1,
                     1 + index / 2);
}

/// On how many of the pairs the output's law is not the target's; each with one gamma of 1, 2, 3,
/// or with `only`.
int biased_pairs(const std::string& spec, int only = 0) {
  int biased = 0;
  for (int index = 0; index < kPairs; ++index) {
    const int gamma = only > 0 ? only : 1 + index / 2 % 3;
    const std::string pair = random_tree(index, gamma);
    CAPTURE(spec, pair, gamma);
    const auto result = run_named(spec, pair, {.lengths = {.gamma = gamma, .horizon = gamma + 2}});
    CHECK(result.undefined_mass == 0);
    CHECK(result.decode->undefined_mass == 0);
    biased += result.decode->tv_to_target != 0;
  }
  return biased;
}

/// A rule with the longest drafts, at two tokens and at three, on which it is held; "{}" stands for
/// a tree of the draft's depth.
struct Held {
  std::string_view spec;
  int two;
  int three;
};

/// Every lossless rule of the registry, and those whose losslessness depends on a parameter.
constexpr Held kHeld[] = {
    {"autoregressive", 3, 3},
    {"token", 4, 3},
    {"block", 4, 3},
    {"one-hot-block", 3, 2},
    {"lazy-block", 3, 2},
    {"greedy-block", 3, 2},
    {"rrs(K=3)", 2, 2},
    {"kseq(K=2)", 2, 2},
    {"batch(M=2)", 2, 2},
    {"slot-block(K=2)", 2, 2},
    {"spectr-coupled(K=2)", 2, 1},
    {"sample-match", 3, 2},
    {"sample-match(draft=argmax)", 4, 3},
    {"match-with-stop(stop=own-drop,theta=1/3)", 3, 2},
    {"target-only(K=3)", 2, 2},
    {"target-only(tree={},draw=with)", 2, 2},
    {"target-only(tree={},draw=top)", 3, 2},
    {"target-only(tree={},draw=without)", 2, 2},
    {"one-hot(K=2)", 2, 2},
    {"one-hot(tree={},draw=with)", 2, 2},
    {"one-hot(tree={},draw=top)", 3, 2},
    {"one-hot(tree={},draw=without)", 2, 2},
    {"sglang(tree={},draw=top,single=1,acc=1)", 3, 2},
    {"sglang(K=2,single=1,acc=1)", 2, 2},
    {"naive-tree(K=3)", 2, 2},
    {"rrs-without(K=3)", 3, 2},
    {"rrs-without(tree={})", 2, 2},
    {"spechub(K=2)", 2, 2},
    {"spechub(tree={})", 2, 2},
    {"traversal-without(K=3)", 3, 2},
    {"traversal-without(tree={})", 2, 2},
    {"traversal-merged(K=2)", 2, 2},
    {"traversal(K=2)", 2, 2},
    {"canonical(K=2)", 2, 2},
    {"canonical(K=3)", 2, 2},
    {"canonical(K=4)", 2, 1},
    {"path-block(K=2)", 2, 2},
    {"path-block(K=3)", 1, 1},
    {"recursive-block(K=2)", 2, 2},
    {"optimal(K=2)", 2, 1},
    {"optimal(K=2,class=coupling)", 2, 1},
    {"recursive-greedy(K=2)", 2, 2},
    {"recycle(rule=token,K=2)", 2, 2},
    {"recycle(rule=block,K=2)", 2, 2},
    {"recycle(rule=block,K=3)", 2, 1},
    {"recycle(rule=rrs,K=2)", 2, 1},
    {"recycle(rule=wrong-largest-rho,K=2)", 2, 2},
    {"recycle(rule=batch,K=2)", 2, 2},
    {"recycle(rule=recursive-block,K=2)", 2, 2},
    {"recycle(rule=path-block,K=2)", 2, 2},
    {"recycle(rule=path-block,K=3)", 1, 1},
    {"recycle(rule=slot-block,K=2)", 2, 1},
    {"recycle(rule=traversal,K=2)", 2, 1},
    {"recycle-greedy(K=2,after=carry)", 2, 2},
    {"best-and-tail(nodes=1)", 2, 2},
    {"best-and-tail(nodes=2)", 2, 2},
    {"best-and-tail(nodes=3)", 3, 1},
    {"best-and-tail(nodes=4)", 2, 2},
    {"gumbel", 3, 2},
    {"gumbel-list(K=2)", 2, 2},
    {"gumbel-list(K=3)", 2, 1},
    {"gumbel-list(K=2,clocks=all)", 2, 2},
    {"poisson-list(K=2)", 2, 2},
    {"poisson-list(K=3)", 2, 1},
};

constexpr int kRandomPairs = 300;

/// One of three hundred pairs for drafts of this length: trees whose laws differ at every position
/// up to the horizon, and chains; of two tokens and of three by turns.
PairPointer random_one(int index, int gamma) {
  const int vocabulary = 2 + index % 2;
  if (index / 2 % 2 == 0) {
    return make_pair(fmt::format("tree(vocabulary={},depth={},seed={},denominator={})", vocabulary,
                                 gamma + 1, 1 + index, 2 + index / 4 % 6));
  }
  return random_pair(static_cast<unsigned>(index), static_cast<std::size_t>(vocabulary),
                     1 + static_cast<std::size_t>(index) / 4 % 4);
}

/// On how many of the three hundred pairs the output of gamma + 2 tokens has not the target's law.
int biased_of_all(const Held& held) {
  int biased = 0;
  for (int index = 0; index < kRandomPairs; ++index) {
    const int gamma = 1 + index / 4 % (index % 2 == 0 ? held.two : held.three);
    std::string spec(held.spec);
    if (const auto at = spec.find("{}"); at != std::string::npos) {
      std::string tree = "2";
      for (int depth = 1; depth < gamma; ++depth) tree += depth == 1 ? "-2" : "-1";
      spec.replace(at, 2, tree);
    }
    const Rows<Rational> rows(random_one(index, gamma));
    const ExactNumbers<Rational> result =
        run_exact(make_verifier(spec), rows, {.lengths = {.gamma = gamma, .horizon = gamma + 2}});
    CAPTURE(spec, index, gamma);
    CHECK(result.undefined_mass == 0);
    CHECK(result.decode->undefined_mass == 0);
    biased += result.decode->tv_to_target != 0;
  }
  return biased;
}

TEST_CASE("three hundred random trees and chains: every lossless rule gives the target's law") {
  for (const Held& held : kHeld) {
    CAPTURE(held.spec);
    CHECK(biased_of_all(held) == 0);
  }
}

TEST_CASE("every lossless rule of the registry is among those checked") {
  std::set<std::string> names;
  for (const Held& held : kHeld) {
    std::string spec(held.spec);
    if (const auto at = spec.find("{}"); at != std::string::npos) spec.replace(at, 2, "2");
    names.insert(parse_spec(spec).name);
  }
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    if (row.kind == VerifierKind::lossless) CHECK(names.contains(std::string(row.name)));
  }
}

TEST_CASE("on the same pairs rules that are nearly right are seen to be biased") {
  // Each differs from a right one in one line.
  CHECK(biased_of_all({"wrong-path-order(K=2,order=ties)", 2, 2}) > 30);
  CHECK(biased_of_all({"wrong-path-order(K=2,order=clipped)", 2, 2}) > 15);
  CHECK(biased_of_all({"wrong-dense-tree(tree={})", 2, 2}) > 150);
  CHECK(biased_of_all({"wrong-block-residual(weight=none)", 2, 2}) > 5);
  CHECK(biased_of_all({"wrong-no-carry", 3, 2}) > 30);
  CHECK(biased_of_all({"wrong-flat-carry", 3, 2}) > 10);
  CHECK(biased_of_all({"wrong-own-order(nodes=2)", 2, 2}) > 5);
  CHECK(biased_of_all({"sglang(K=2,single=1,acc=9/10)", 2, 2}) > 30);
}

TEST_CASE("the random pairs have zeros and ties") {
  int zeros = 0;
  int ties = 0;
  for (int index = 0; index < kRandomPairs; ++index) {
    const Rows<Rational> rows(random_one(index, 1));
    for (State state = 0; state < rows.pair().states(); ++state) {
      const auto draft = rows.draft(state);
      const auto target = rows.target(state);
      for (std::size_t x = 0; x < draft.size(); ++x) {
        zeros += (draft[x] == 0) != (target[x] == 0);
        for (std::size_t y = 0; y < x; ++y) {
          ties += draft[x] > 0 && draft[y] > 0 && target[x] * draft[y] == target[y] * draft[x];
        }
      }
    }
  }
  CHECK(zeros > 300);
  CHECK(ties > 100);
}

TEST_CASE("stopping by the law, after an unlikely token, or by a coin of the law is lossless") {
  for (const char* verify : {"token", "block"}) {
    for (const char* stop : {"law", "own-keep", "own-drop-renormalised"}) {
      for (const char* end : {"theta=1/2", "theta=3/10", "theta=1/2,side=above"}) {
        const auto spec = fmt::format("stopping(verify={},stop={},{})", verify, stop, end);
        CHECK(biased_pairs(spec) == 0);
      }
    }
  }
}

TEST_CASE("greedy block verification stops without a bias where its carry ends with the draft") {
  for (const char* stop : {"law", "own-keep"}) {
    for (const char* end : {"theta=1/2", "theta=2/3", "theta=1/2,side=above"}) {
      const auto spec = fmt::format("stopping(verify=greedy-block,stop={},{})", stop, end);
      CHECK(biased_pairs(spec, 3) == 0);
    }
  }
}

TEST_CASE("where nothing stops, stopping is the verifier it is around") {
  for (int index = 0; index < 20; ++index) {
    const std::string pair = random_tree(index, 3);
    const ExactRequest request{.lengths = {.gamma = 3}};
    const auto stopped = [&](const char* verify) {
      const auto spec = fmt::format("stopping(verify={},stop=law,theta=0)", verify);
      return run_named(spec, pair, request).accepted_law;
    };
    CAPTURE(pair);
    for (const char* verify : {"token", "block", "greedy-block"}) {
      CHECK(stopped(verify) == run_named(verify, pair, request).accepted_law);
    }
  }
}

TEST_CASE("the other rules are seen to be biased on the same pairs") {
  CHECK(biased_pairs("stopping(verify=token,stop=own-drop,theta=1/2)") > kPairs / 2);
  CHECK(biased_pairs("stopping(verify=block,stop=own-drop,theta=1/2)", 3) > kPairs / 2);
  CHECK(biased_pairs("hsd-released", 1) == 0);
  CHECK(biased_pairs("hsd-released", 3) > kPairs / 4);
  CHECK(biased_pairs("relaxed(pi=ensemble,weight=1/2)") > kPairs / 2);
  CHECK(biased_pairs("relaxed(pi=ensemble,weight=1)") == 0);
  CHECK(biased_pairs("typical(eps=2/5,alpha=4/5)") > kPairs / 2);
  CHECK(biased_pairs("top-within(n=2,delta=1/5)") > kPairs / 2);
  CHECK(biased_pairs("entropy-verify(alpha=1/4,theta=1/4)") > kPairs / 2);
  CHECK(biased_pairs("fly(window=1,theta=1/2)", 3) > kPairs / 4);
  CHECK(biased_pairs("fly(window=3,theta=1/2)", 3) == 0);
  CHECK(biased_pairs("fly-released(window=1,theta=1/2)", 1) > kPairs / 2);
}

TEST_CASE("undecided thresholds are refused in rationals, and named") {
  ExactRequest request{.lengths = {.gamma = 2}};
  const char* level = "iid(draft=[1/2,1/4,1/4],target=[1/3,1/3,1/3])";
  const auto refusal = [&](const std::string& spec) {
    CHECK_NOTHROW(run_named<double>(spec, level, request));
    return message_of([&] { run_named(spec, level, request); });
  };
  const std::string near = "109861228866811/100000000000000";  // of ln 3, to 3e-16
  CHECK_THAT(refusal("fly(window=1,theta=" + near + ")"),
             Containing("fly: at state 0, the entropy") && Containing("1.09861228866811"));
  // KL(t||d) = ln(32/27) / 3 = 0.0566330122651324...
  CHECK_THAT(refusal("relaxed(pi=fuzzy,divergence=kl,threshold=566330122651324/10000000000000000)"),
             Containing("relaxed: at state 0, KL(t||d)"));
  // m = 3^{-1/10} is below theta, and t/(m d) = 0.744 at the draft of 1/2 is no rational.
  CHECK_THAT(refusal("entropy-verify(alpha=1/10,theta=1)"),
             Containing("entropy-verify: at state 0, m = e^(-alpha H(t)) is 0.89595") &&
                 Containing("theta = 1: the acceptance"));
  // m = 3^{-1/2} is no rational either, but every t/(m d) is above 1.
  CHECK(run_named("entropy-verify(alpha=1/2,theta=1)", level, request).expected_accepted == 2);
  // At the threshold itself: t(x) = 1/3 > e^{-ln 3} is false, exactly.
  request.lengths.gamma = 1;
  const char* typical = "typical(eps=1,alpha=1)";
  CHECK(run_named(typical, level, request).expected_accepted == 0);
  CHECK(run_named<double>(typical, level, request).expected_accepted == 0);
}

TEST_CASE("parameters that make no sense are refused") {
  const auto refused = [](const char* spec, const char* why) {
    CAPTURE(spec);
    CHECK_THROWS_WITH(make_verifier(spec), Containing(why));
  };
  refused("stopping(verify=greedy-block,stop=own-drop,theta=1/2)", "carry");
  refused("stopping(theta=2)", "theta=2 is out of range");
  refused("relaxed(pi=fuzzy,divergence=tv,threshold=-1)", "negative");
  refused("relaxed(pi=ensemble,alpha=1/2)", "weight");
  refused("relaxed(pi=fuzzy,threshold=1)", "divergence");
  refused("entropy-verify(alpha=1,theta=0)", "theta=0 divides by 0");
  refused("entropy-verify(alpha=-1,theta=1)", "negative");
  refused("fly(window=-1,theta=1)", "window=-1 must be a whole number");
  refused("fly(window=1,theta=-1)", "negative");
}

}  // namespace
}  // namespace speclab::rules_lossless_test
