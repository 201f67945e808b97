// Draws and coins, and what no verifier may do whatever its random numbers are.
#include "simulate/sampler.h"

#include <fmt/format.h>

#include <vector>

#include "catch.h"
#include "run/runs.h"
#include "toy.h"

namespace speclab::sampler_test {
namespace {

constexpr double kMost = 1 - 0x1p-53;

Token picked(std::vector<double> weights, double u) {
  return pick(DenseLaw<double>(std::move(weights)), u);
}

TEST_CASE("a draw is the first token whose cumulative weight exceeds u") {
  CHECK(picked({0.25, 0.5, 0.25}, 0) == 0);
  CHECK(picked({0.25, 0.5, 0.25}, 0.2499) == 0);
  CHECK(picked({0.25, 0.5, 0.25}, 0.25) == 1);
  CHECK(picked({0.25, 0.5, 0.25}, 0.75) == 2);
  CHECK(picked({0.25, 0.5, 0.25}, kMost) == 2);
  CHECK(picked({1, 2, 1}, 0.5) == 1);  // weights need not sum to 1
}

TEST_CASE("a draw never takes a token of weight zero") {
  CHECK(picked({0, 1, 0}, 0) == 1);
  CHECK(picked({0, 1, 0}, kMost) == 1);
  CHECK(picked({0, 0.1, 0.2, 0}, kMost) == 2);
  CHECK(picked({0, 1e-320, 0}, kMost) == 1);
  // Rounding leaves a remainder beyond the last weight; it goes to the last token that has any.
  std::vector<double> tenths(11, 0.1);
  tenths.back() = 0;
  CHECK(picked(tenths, kMost) == 9);
  CHECK(picked({0, 0, 0}, 0.5) == kUndefined);
}

TEST_CASE("a coin of 0 never accepts and a coin of 1 always does") {
  for (const double u : {0.0, 0.5, kMost}) {
    const BufferedStream constant = BufferedStream::constant(u);
    Sampler choices(constant, constant, constant);
    CHECK_FALSE(choices.accept(0));
    CHECK(choices.accept(1));
    CHECK(choices.accept(2.5));
    CHECK(choices.accept(0.5) == (u < 0.5));
  }
}

/// Decodes `horizon` tokens with constant numbers and gives the states' target probabilities of
/// what was emitted; stops where a draw is undefined.
template <class View>
std::vector<double> emitted_probabilities(const AnyProgram<View>& program, const Rows<double>& rows,
                                          int gamma, int horizon, const double (&u)[3]) {
  const View view(rows);
  Sampler choices(BufferedStream::constant(u[0]), BufferedStream::constant(u[1]),
                  BufferedStream::constant(u[2]));
  Iteration<View> out;
  State state = rows.pair().start().front().state;
  auto node = view.root(state);
  std::vector<double> result;
  while (static_cast<int>(result.size()) < horizon) {
    out.begin(node);
    program(view, node, window_within(gamma, horizon - static_cast<int>(result.size())), choices,
            out);
    for (const Token x : out.tokens) {
      REQUIRE(x >= 0);
      REQUIRE(x < rows.vocabulary());
      result.push_back(rows.target(state)[static_cast<std::size_t>(x)]);
      state = rows.next(state, x);
    }
    if (out.ending == Ending::undefined) break;
    REQUIRE_FALSE(out.tokens.empty());
    node = out.node;
    REQUIRE(view.state(node) == state);
  }
  return result;
}

TEST_CASE("no lossless verifier emits a token of target probability zero, whatever the coins") {
  std::vector<std::string> pairs(kHardPairs.begin(), kHardPairs.end());
  for (int seed = 1; seed <= 12; ++seed) {
    pairs.push_back(fmt::format("tree(vocabulary=3,depth=4,seed={},denominator=7)", seed));
  }
  int decodes = 0;
  for (const VerifierInfo& row : verifier_rows()) {
    const Verifier named = make_verifier(row.example);
    for (const std::string& pair : pairs) {
      const Rows<double> rows(make_pair(pair));
      const Verifier verifier = prepare(named, rows.pair_pointer());
      for (const int gamma : {1, 2, 4, kUnbounded}) {
        for (int corner = 0; corner < 8; ++corner) {
          const double u[3] = {(corner & 1) != 0 ? kMost : 0.0, (corner & 2) != 0 ? kMost : 0.0,
                               (corner & 4) != 0 ? kMost : 0.0};
          CAPTURE(row.name, pair, gamma, corner);
          std::vector<double> probabilities;
          with_runs(*verifier.runs, [&]<template <class> class View>(const RunsOn<View>& runs) {
            const AnyProgram<View<double>> program(verifier.program.get(), runs.doubles);
            probabilities = emitted_probabilities(program, rows, gamma, 6, u);
          });
          if (row.kind != VerifierKind::lossless) continue;
          ++decodes;
          CHECK(probabilities.size() >= 6);
          for (const double probability : probabilities) CHECK(probability > 0);
        }
      }
    }
  }
  CHECK(decodes >= 4 * 25 * 4 * 8);
}

}  // namespace
}  // namespace speclab::sampler_test
