// The output form of a verifier (verifiers/output_step.h) against its enumerated decisions: one law
// of the tokens, of how many are accepted and of how the iteration ends, in fractions. And that
// forms with a fault have another.
#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "answer/registration.h"
#include "catch.h"
#include "model/registry.h"
#include "plain.h"
#include "resetting_pairs.h"
#include "simulate/output_means.h"
#include "vectors.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/gumbel.h"
#include "verifiers/chain/sample_match.h"
#include "verifiers/chain/token.h"
#include "verifiers/several/kseq.h"
#include "verifiers/several/rrs.h"

namespace speclab::output_forms_test {
namespace {

using Outcome = std::tuple<std::vector<Token>, int, Ending>;
using Law = std::map<Outcome, Rational>;

/// By the decisions of the verifier.
Law decided(std::string_view verifier, const Rows<Rational>& rows, Window window) {
  Law law;
  with_plain(make_verifier(verifier), rows, [&](const auto& view, const auto& program) {
    const auto root = view.root(rows.pair().start()[0].state);
    program.enumerate(view, root, window, true, [&](const auto& out, const Rational& weight) {
      law[{out.tokens, out.accepted, out.ending}] += weight;
    });
  });
  std::erase_if(law, [](const auto& entry) { return entry.second == 0; });
  return law;
}

/// Follows the output of a form from a node on.
template <class Form>
struct Follower {
  const Form& form;
  const PairView<Rational>& view;
  Window window;
  Law law{};

  void follow(State node, const Rational& memory, const Rational& probability,
              std::vector<Token> tokens) {
    const auto accepted = static_cast<int>(tokens.size());
    if (accepted == window.drafts && !window.bonus) {
      law[{tokens, accepted, Ending::horizon}] += probability;
      return;
    }
    const auto laws = view.at(node);
    tokens.push_back(0);
    for (Token y = 0; y < view.vocabulary(); ++y) {
      if (laws.target(y) == 0) continue;
      tokens.back() = y;
      Rational left(probability * laws.target(y));
      std::vector<OutputStep<Rational>> steps;
      if (accepted < window.drafts) form.add_output_steps(laws, y, memory, steps);
      const Rational here = left;
      for (const auto& step : steps) {
        if (step.probability == 0) continue;
        left -= here * step.probability;
        follow(view.next(node, y), step.memory, Rational(here * step.probability), tokens);
      }
      CHECK(left >= 0);
      const Ending ending = accepted < window.drafts ? Ending::correction : Ending::bonus;
      if (left != 0) law[{tokens, accepted, ending}] += left;
    }
  }
};

template <class Form>
Law drawn(const Form& form, const Rows<Rational>& rows, Window window) {
  const PairView<Rational> view(rows);
  Follower<Form> follower{form, view, window};
  follower.follow(rows.pair().start()[0].state, Rational(draft_count(form)), Rational(1), {});
  return follower.law;
}

std::vector<std::string> pairs() {
  std::vector<std::string> all{"iid(draft=[1/2,1/2],target=[1/2,1/2])",
                               "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
                               "iid(draft=[1],target=[1])", "bernoulli(draft=1,target=0)"};
  for (int i = 0; i < 16; ++i) {
    all.push_back(fmt::format("tree(vocabulary={},depth=4,seed={})", 2 + i % 2, 1 + i / 2));
  }
  return all;
}

/// On how many pairs and windows a form has another law than the verifier's decisions.
/// @param most  the longest drafts, at most two tokens and at three
template <class Form>
int differing(const Form& form, std::string_view verifier, std::pair<int, int> most) {
  int count = 0;
  for (const std::string& pair : pairs()) {
    const Rows<Rational> rows(make_pair(pair));
    const int longest = rows.vocabulary() < 3 ? most.first : most.second;
    for (int drafts = 0; drafts <= longest; ++drafts) {
      for (const bool bonus : {false, true}) {
        const Window window{.drafts = drafts, .bonus = bonus};
        count += decided(verifier, rows, window) != drawn(form, rows, window);
      }
    }
  }
  return count;
}

template <class Program>
int differing(const char* verifier, std::pair<int, int> most) {
  return differing(program_of<Program>(verifier), verifier, most);
}

/// Does not cut the weight at 1.
struct UncutBlock : BlockVerification {
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& w,
                        std::vector<OutputStep<Real>>& steps) const {
    BlockVerification::add_output_steps(laws, y, w, steps);
    if (!steps.empty()) steps.back().memory = w * likelihood_ratio(laws, y);
  }
};

/// Forgets how many drafts are in play.
struct AllInPlay : RecursiveRejection {
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real&,
                        std::vector<OutputStep<Real>>& steps) const {
    RecursiveRejection::add_output_steps(laws, y, Real(drafts), steps);
  }
};

/// Loses the drafts in play but the accepted one.
struct OneInPlay : RecursiveRejection {
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& in_play,
                        std::vector<OutputStep<Real>>& steps) const {
    RecursiveRejection::add_output_steps(laws, y, in_play, steps);
    for (auto& step : steps) step.memory = Real(1);
  }
};

/// Holds the steps in doubles to those in fractions, at every state and token of a pair.
template <class Program>
int same_in_doubles(const Program& program, const PairPointer& pair,
                    const std::vector<Rational>& memories) {
  const Rows<Rational> rational(pair);
  const Rows<double> doubles(pair);
  int compared = 0;
  for (State state = 0; state < pair->states(); ++state) {
    const auto exact = PairView<Rational>(rational).at(state);
    const auto ranked = PairView<double>(doubles).at(state);
    const Laws<double> listed(doubles.draft(state), doubles.target(state));
    for (Token y = 0; y < pair->vocabulary(); ++y) {
      if (exact.target(y) == 0) continue;
      for (const Rational& memory : memories) {
        std::vector<OutputStep<Rational>> expected;
        program.add_output_steps(exact, y, memory, expected);
        for (const Laws<double>* laws : {&ranked, &listed}) {
          std::vector<OutputStep<double>> steps;
          program.add_output_steps(*laws, y, to_double(memory), steps);
          REQUIRE(steps.size() == expected.size());
          for (std::size_t i = 0; i < steps.size(); ++i) {
            CHECK(std::abs(steps[i].probability - to_double(expected[i].probability)) < 1e-12);
            CHECK(std::abs(steps[i].memory - to_double(expected[i].memory)) < 1e-12);
            ++compared;
          }
        }
      }
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("an output form has the law of the verifier's decisions") {
  CHECK(differing<TokenVerification>("token", {4, 3}) == 0);
  CHECK(differing<BlockVerification>("block", {4, 3}) == 0);
  CHECK(differing<SampleMatch>("sample-match", {3, 2}) == 0);
  CHECK(differing<SampleMatch>("sample-match(draft=argmax)", {4, 3}) == 0);
  CHECK(differing<Gumbel>("gumbel", {3, 2}) == 0);
  CHECK(differing<RecursiveRejection>("rrs(K=1)", {3, 2}) == 0);
  CHECK(differing<RecursiveRejection>("rrs(K=2)", {3, 2}) == 0);
  CHECK(differing<RecursiveRejection>("rrs(K=3)", {2, 2}) == 0);
  CHECK(differing<KSequential>("kseq(K=1)", {3, 2}) == 0);
  CHECK(differing<KSequential>("kseq(K=2)", {3, 2}) == 0);
  CHECK(differing<KSequential>("kseq(K=3)", {2, 2}) == 0);
}

TEST_CASE("an output form with a fault has another law") {
  CHECK(differing(UncutBlock(), "block", {4, 3}) > 0);
  CHECK(differing(TokenVerification(), "block", {4, 3}) > 0);  // forgets the weight
  AllInPlay all;
  all.drafts = 2;
  CHECK(differing(all, "rrs(K=2)", {3, 2}) > 0);
  OneInPlay one;
  one.drafts = 2;
  CHECK(differing(one, "rrs(K=2)", {3, 2}) > 0);
  CHECK(differing(program_of<KSequential>("kseq(K=2)"), "rrs(K=2)", {3, 2}) > 0);
}

TEST_CASE("in doubles an output form has the steps of fractions, with tables and without") {
  for (const char* text :
       {"tree(vocabulary=3,depth=3,seed=5)", "zipf(vocabulary=12,draft=1,target=6/5)",
        "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])"}) {
    CAPTURE(text);
    const PairPointer pair = make_pair(text);
    const std::vector<Rational> counts{1, 2, 3};
    CHECK(same_in_doubles(TokenVerification(), pair, {1}) > 0);
    CHECK(same_in_doubles(BlockVerification(), pair, {1, Rational(1, 2), Rational(1, 9)}) > 0);
    CHECK(same_in_doubles(Gumbel(), pair, {1}) > 0);
    CHECK(same_in_doubles(program_of<RecursiveRejection>("rrs(K=3)"), pair, counts) > 0);
    CHECK(same_in_doubles(program_of<KSequential>("kseq(K=1)"), pair, {1}) > 0);
  }
}

TEST_CASE("these verifiers have an output form, on pairs that do not reset") {
  const std::set<std::string_view> expected{"token",  "block", "sample-match",
                                            "gumbel", "rrs",   "kseq"};
  const auto with_form = [](const PairPointer& pair) {
    std::set<std::string_view> found;
    for (const VerifierRow* row : listed_verifiers()) {
      if (averages_output(make_verifier(row->example), *pair, {2, 4})) found.insert(row->name);
    }
    return found;
  };
  CHECK(with_form(make_pair("bernoulli(draft=1/3,target=2/3)")) == expected);
  // Its draft begins anew with each iteration.
  CHECK(with_form(make_pair(latent("conditioned"))).empty());
}

}  // namespace speclab::output_forms_test
