// What a decode adds up to is summed over positions and contexts. Checked against sums over the
// joint law of all tokens so far, in fractions, for every verifier; and the joint law beyond its
// limit.
#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "catch.h"
#include "exact/plain.h"
#include "toy.h"

namespace speclab::sums_test {
namespace {

/// What a decode adds up to, over prefixes that are never merged unless their tokens are the same.
struct Joint {
  Rational tokens{0}, calls{0}, rejections{0}, steps{0}, undefined{0}, iterations{0};
  std::map<int, Rational> accepted;  ///< iterations that accept so many tokens
};

/// The number of tokens up to and with the end-of-sequence token.
std::size_t up_to_end(const std::vector<Token>& tokens, std::optional<Token> end) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == end) return i + 1;
  }
  return tokens.size();
}

template <class View>
Joint joint_sums(const View& view, const PlainProgram<View>& program, const Rows<Rational>& rows,
                 int gamma, int horizon) {
  using Node = typename View::Node;
  const auto end = rows.pair().end_token();
  const Drafting drafting = program.runner.traits().drafting;
  Joint sums;
  std::map<std::pair<std::vector<Token>, Node>, Rational> open;
  for (const Start& start : rows.pair().start()) {
    open[{{}, view.root(start.state)}] += start.probability;
  }
  while (!open.empty()) {
    const std::vector<Token> tokens = open.begin()->first.first;
    const Node root = open.begin()->first.second;
    const Rational mass = open.begin()->second;
    open.erase(open.begin());
    const int left = horizon - static_cast<int>(tokens.size());
    const Window window{std::min(gamma, left), gamma < left};
    sums.iterations += mass;
    program.enumerate(view, root, window, true, [&](const auto& out, const Rational& weight) {
      const Rational here = mass * weight;
      const auto emitted = up_to_end(out.tokens, end);
      const bool whole = emitted == out.tokens.size();
      const bool undefined = out.ending == Ending::undefined;
      sums.tokens += here * static_cast<long>(emitted);
      if (calls_target(drafting, out.ending, whole)) sums.calls += here;
      if (out.ending == Ending::correction && whole) sums.rejections += here;
      const int steps = static_cast<int>(emitted) + (undefined ? 1 : 0);
      sums.steps += here * draft_steps(drafting, window.drafts, steps);
      if (undefined) sums.undefined += here;
      sums.accepted[std::min(out.accepted, static_cast<int>(emitted))] += here;
      const bool ended = end && emitted > 0 && out.tokens[emitted - 1] == *end;
      if (undefined || ended || static_cast<int>(emitted) == left) return;
      auto longer = tokens;
      longer.insert(longer.end(), out.tokens.begin(), out.tokens.end());
      open[{std::move(longer), out.node}] += here;
    });
  }
  return sums;
}

const std::vector<std::string_view> kPairs{kToy,
                                           "iid(draft=[1/2,1/4,1/4],target=[0,1,0])",
                                           "iid(draft=[0,1/2,1/2],target=[1/2,1/2,0],eos=1)",
                                           "bernoulli(draft=2/3,target=1/3,eos=1)",
                                           "tree(vocabulary=2,depth=3,seed=5)",
                                           "tree(vocabulary=2,depth=3,seed=8,eos=0)",
                                           "markov(vocabulary=2,horizon=4,seed=3)",
                                           "markov(vocabulary=2,horizon=4,seed=3,eos=0)"};

TEST_CASE("sums over positions and contexts are those over the joint law for every verifier") {
  for (const std::string_view pair : kPairs) {
    const Rows<Rational> rows(make_pair(pair));
    for (const VerifierInfo& row : verifier_rows()) {
      CAPTURE(pair, row.name);
      const Verifier verifier = prepare(make_verifier(row.example), rows.pair_pointer());
      with_plain(verifier, rows, [&](const auto& view, const auto& program) {
        const Joint joint = joint_sums(view, program, rows, 2, 4);
        const ExactNumbers<Rational> found =
            run_with(program.runner, rows, {.lengths = {.gamma = 2, .horizon = 4}});
        REQUIRE(found.decode);
        CHECK(found.decode->tokens == joint.tokens);
        CHECK(found.decode->target_calls == joint.calls);
        CHECK(found.decode->rejections == joint.rejections);
        CHECK(found.decode->draft_steps == joint.steps);
        CHECK(found.decode->undefined_mass == joint.undefined);
        Rational beyond(0);
        for (int i = 2; i > 0; --i) {
          const auto known = joint.accepted.find(i);
          if (known != joint.accepted.end()) beyond += known->second;
          CHECK(found.decode->position_rates[static_cast<std::size_t>(i) - 1] ==
                beyond / joint.iterations);
        }
      });
    }
  }
}

TEST_CASE("beyond the limit the joint law is missing with a note, and the sums are there") {
  const Rows<double> rows(make_pair("markov(vocabulary=7,horizon=50,seed=10)"));
  ExactRequest request{.lengths = {.gamma = 4, .horizon = 50}};
  const auto found = run_exact(make_verifier("block"), rows, request);
  CHECK(!found.has(QuantityId::tv_to_target));
  REQUIRE(found.find(QuantityId::tv_to_target) != nullptr);
  CHECK_THAT(found.find(QuantityId::tv_to_target)->missing, Containing("1.8e+42 sequences"));
  CHECK_THAT(found.find(QuantityId::tv_to_target)->missing, Containing("max-paths"));
  CHECK(std::abs(found.at(QuantityId::decode_tokens) - 50) < 1e-12);
  CHECK(found.at(QuantityId::output_undefined) == 0);
  // Block verification is lossless: each call but the last emits tau + 1 tokens.
  CHECK(found.at(QuantityId::target_calls) > 50.0 / 5);
  CHECK(found.at(QuantityId::target_calls) < 50);
  // Asked for by name it is refused.
  request.law = true;
  CHECK_THROWS_AS(run_exact(make_verifier("block"), rows, request), LimitError);
}

}  // namespace
}  // namespace speclab::sums_test
