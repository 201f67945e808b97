// The verifiers with faulty coins or uniforms, run with chosen numbers.
#include <string_view>
#include <vector>

#include "catch.h"
#include "run/runs.h"
#include "simulate/sampler.h"
#include "toy.h"
#include "verifiers/chain/token.h"
#include "wrong_pairs.h"

namespace speclab::wrong_coins_test {
namespace {

/// How many of the runs with constant uniforms, 0 and 1 - 2^-53 included, emit a token to which the
/// target gives 0.
int forbidden(const char* name, std::string_view pair, int gamma) {
  const Verifier verifier = make_verifier(name);
  const Rows<double> rows(make_pair(pair));
  int count = 0;
  with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    const V<double> view(rows);
    const AnyProgram<V<double>> program(verifier.program.get(), runs.doubles);
    Iteration<V<double>> out;
    for (const double draft : {0.0, 0.3, 0.6, kLast}) {
      for (const double coin : {0.0, 0.5, kLast}) {
        for (const double correction : {0.0, 0.5, kLast}) {
          Sampler choices(BufferedStream::constant(draft), BufferedStream::constant(coin),
                          BufferedStream::constant(correction));
          out.begin(view.root(0));
          program(view, view.root(0), Window{.drafts = gamma, .bonus = true}, choices, out);
          auto node = view.root(0);
          for (const Token x : out.tokens) {
            if (!(view.at(node).target(x) > 0)) {
              ++count;
              break;
            }
            node = view.next(node, x);
          }
        }
      }
    }
  });
  return count;
}

TEST_CASE("coin <= 0: forced coins show what the exact law cannot") {
  constexpr std::string_view kZero = "iid(draft=[1/2,1/4,1/4],target=[0,1/2,1/2])";
  CHECK(forbidden("wrong-closed-coin", kZero, 1) ==
        12);  // the alias table drafts 0 at all four, coin 0
  CHECK(forbidden("wrong-closed-coin", kZero, 3) == 12);
  for (const std::string_view pair : {kZero, kThree, kHalves}) {
    for (const int gamma : {1, 2, 3}) {
      CHECK(forbidden("token", pair, gamma) == 0);
      CHECK(forbidden("block", pair, gamma) == 0);
      CHECK(forbidden("greedy-block", pair, gamma) == 0);
    }
  }
}

TEST_CASE("the shared uniform: a cell is a uniform used twice") {
  const Verifier verifier = make_verifier("wrong-shared-uniform");
  const AnyProgram<PairView<double>> program(verifier.program.get(), verifier.runs->plain->doubles);
  for (const std::string_view pair : {kThree, kHalves, kQuarters, kToy}) {
    const Rows<double> rows(make_pair(pair));
    const PairView<double> view(rows);
    const auto laws = view.at(0);
    const auto residual = laws.residual(1.0);
    for (int i = 0; i < 24; ++i) {
      const double u = (i + 0.5) / 24;
      const Token x = pick_in_order(laws.draft(), u);
      Iteration<PairView<double>> out;
      for (const double coin : {0.0, kLast}) {
        Sampler choices(BufferedStream::constant(u), BufferedStream::constant(coin),
                        BufferedStream::constant(0.5));
        out.begin(0);
        program(view, 0, {.drafts = 1, .bonus = false}, choices, out);
        const bool accepted = coin < likelihood_ratio(laws, x);
        CAPTURE(pair, u, coin);
        CHECK(out.accepted == (accepted ? 1 : 0));
        CHECK(out.tokens == std::vector<Token>{accepted ? x : pick_in_order(residual, u)});
      }
    }
  }
}

/// Follows a script of drafts and compares every coin with the same number.
struct OneCoin {
  std::vector<Token> drafts;
  double coin;
  std::size_t at = 0;
  template <class Law>
  Token draft(const Law&) {
    return drafts[at++];
  }
  bool accept(double probability) const { return coin < probability; }
  template <class Law>
  Token correct(const Law& law) const {
    return pick(law, 0.5);
  }
};

TEST_CASE("the reseeded coins: token verification with one number for all its coins") {
  const Rows<double> rows(make_pair(kToy));
  const PairView<double> view(rows);
  std::vector<Rational> law(4);
  for (unsigned path = 0; path < 8; ++path) {
    std::vector<Token> drafts;
    Rational weight(1, 2);  // of each half of [0, 1): the ratios are 1/2 and 2
    for (unsigned i = 0; i < 3; ++i) {
      drafts.push_back(static_cast<Token>((path >> i) & 1U));
      weight *= drafts.back() == 0 ? Rational(2, 3) : Rational(1, 3);
    }
    for (const double coin : {0.25, 0.75}) {
      OneCoin choices{drafts, coin};
      Iteration<PairView<double>> out;
      out.begin(0);
      TokenVerification{}(view, 0, {.drafts = 3, .bonus = true}, choices, out);
      law[static_cast<std::size_t>(out.accepted)] += weight;
    }
  }
  CHECK(run_named("wrong-reseeded-coins", kToy, {.lengths = {.gamma = 3}}).accepted_law == law);
}

}  // namespace
}  // namespace speclab::wrong_coins_test
