// The optimum over a class of verifiers against values computed elsewhere, against the programs
// written out from the definitions, and against closed forms.
#include "optimum/optimum.h"

#include <algorithm>

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "optimum/explicit_programs.h"
#include "theory/multi_draft.h"
#include "theory/plug_and_play.h"
#include "theory/sun2024.h"
#include "vectors.h"
#include "verifiers/several/spectr_coupled.h"

namespace speclab::optimum_test {
namespace {

constexpr std::string_view kToyPair = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
constexpr std::string_view kThree = "iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])";
constexpr std::string_view kTie = "iid(draft=[5/6,1/6],target=[1/2,1/2])";

const std::string_view kPairs[] = {
    kToyPair,
    kThree,
    "iid(draft=[1,0],target=[0,1])",
    "iid(draft=[1/2,1/2],target=[1/2,1/2])",
    "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
    "iid(draft=[500001/1000000,499999/1000000],target=[1/2,1/2])",
    "tree(vocabulary=2,depth=3,seed=4)",
    "tree(vocabulary=3,depth=2,seed=9)",
    "bernoulli(draft=2/3,target=1/3,eos=1)",
};

Optimum optimum(std::string_view pair, VerifierClass verifiers, int gamma, int drafts,
                bool plan = true) {
  const Rows<Rational> rows(make_pair(pair));
  return find_optimum(rows, {{verifiers, gamma, drafts}, true, plan});
}

/// The certified value.
Rational best(std::string_view pair, VerifierClass verifiers, int gamma, int drafts) {
  const Optimum found = optimum(pair, verifiers, gamma, drafts);
  CHECK(found.certified);
  CHECK(found.bound == found.worth);
  return found.worth;
}

TEST_CASE("several drafts: values computed independently") {
  using enum VerifierClass;
  const nlohmann::json vectors = read_vectors("coupled.json").at("public").at("optimum");
  REQUIRE(vectors.size() == 8);
  for (const auto& vector : vectors) {
    const auto pair = vector.at("pair").get<std::string>();
    const int gamma = vector.at("gamma").get<int>();
    const int drafts = vector.at("K").get<int>();
    CAPTURE(pair, gamma, drafts);
    CHECK(best(pair, coupling, gamma, drafts) == value_of(vector.at("full_information")));
    CHECK(best(pair, plug_and_play, gamma, drafts) == value_of(vector.at("plug_and_play")));
    const Rows<Rational> rows(make_pair(pair));
    Budget budget;
    CHECK(expectation(best_tail(rows, 0, drafts, gamma, budget)) ==
          value_of(vector.at("levelwise_bound")));
    CHECK(
        run_program(SpectrCoupled{drafts}, pair, {.lengths = {.gamma = gamma}}).expected_accepted ==
        value_of(vector.at("equation5")));
  }
}

TEST_CASE("whole levels alone do not bound as well as all antichains") {
  const Rows<Rational> rows(make_pair(kTie));
  Budget budget;
  CHECK(best(kTie, VerifierClass::coupling, 2, 2) < expectation(best_tail(rows, 0, 2, 2, budget)));
}

/// sum over paths of min(D, T), and of the product of min(d, t).
void sums_of_minima(const Rows<Rational>& rows, State state, int left, const Rational& draft,
                    const Rational& target, const Rational& product, Rational& joint,
                    Rational& each) {
  if (left == 0) return;
  for (Token x = 0; x < rows.vocabulary(); ++x) {
    const Rational& d = rows.draft(state)[static_cast<std::size_t>(x)];
    const Rational& t = rows.target(state)[static_cast<std::size_t>(x)];
    const Rational both = product * std::min(d, t);
    joint += std::min<Rational>(draft * d, target * t);
    each += both;
    sums_of_minima(rows, rows.next(state, x), left - 1, draft * d, target * t, both, joint, each);
  }
}

TEST_CASE("one draft: greedy block, block and token verification attain the optimum") {
  for (const std::string_view pair : kPairs) {
    for (const int gamma : {1, 2}) {
      CAPTURE(pair, gamma);
      const Rows<Rational> rows(make_pair(pair));
      Rational joint(0), each(0), block(0);
      for (const Start& start : rows.pair().start()) {
        Rational from_joint(0), from_each(0);
        sums_of_minima(rows, start.state, gamma, Rational(1), Rational(1), Rational(1), from_joint,
                       from_each);
        joint += start.probability * from_joint;
        each += start.probability * from_each;
        block += start.probability * (PlugAndPlay<Rational>(rows, gamma).most(start.state, 1) - 1);
      }
      CHECK(best(pair, VerifierClass::coupling, gamma, 1) == joint);
      CHECK(best(pair, VerifierClass::plug_and_play, gamma, 1) == block);
      CHECK(best(pair, VerifierClass::algorithm2, gamma, 1) == each);
    }
  }
}

TEST_CASE("one draft of many tokens is certified without a program") {
  for (const int gamma : {9, 14}) {
    const Optimum found = optimum(kToyPair, VerifierClass::coupling, gamma, 1, /*plan=*/false);
    CHECK(found.certified);
    CHECK(found.worth ==
          bernoulli_block_accepted(Rational(1, 3), Rational(2, 3), gamma, FirstTerm::corrected));
  }
}

TEST_CASE("one draft: the programs over all pairs of a draft and an output agree") {
  for (const std::string_view pair : kPairs) {
    CAPTURE(pair);
    const Rows<Rational> rows(make_pair(pair));
    Rational couplings(0), valid(0);
    for (const Start& start : rows.pair().start()) {
      couplings += start.probability * certify(coupling_program(rows, start.state, 2)).bound;
      valid += start.probability *
               certify(valid_program(rows, start.state, 2, [](const Prefix&, int tau, State) {
                 return Rational(tau);
               })).bound;
    }
    CHECK(best(pair, VerifierClass::coupling, 2, 1) == couplings);
    CHECK(best(pair, VerifierClass::plug_and_play, 2, 1) == valid);
  }
}

TEST_CASE("one position: alpha* by its formula and by the program over sets of drafts") {
  for (const std::string_view pair : kPairs) {
    const Rows<Rational> rows(make_pair(pair));
    if (rows.pair().start().size() != 1) continue;
    for (const int drafts : {1, 2, 3, 5}) {
      CAPTURE(pair, drafts);
      const State start = rows.pair().start().front().state;
      const auto draft = rows.draft(start);
      const auto target = rows.target(start);
      const Rational found = best(pair, VerifierClass::coupling, 1, drafts);
      CHECK(found == best_acceptance(draft, target, drafts));
      CHECK(found == certify(position_program(draft, target, drafts)).bound);
      CHECK(found == best(pair, VerifierClass::plug_and_play, 1, drafts));
    }
  }
}

struct Block {
  Prefix tokens;
  Rational draft;
  Rational target;
};

/// All blocks of two tokens.
std::vector<Block> blocks_of_two(const Rows<Rational>& rows) {
  std::vector<Block> blocks;
  for (Token x = 0; x < rows.vocabulary(); ++x) {
    for (Token y = 0; y < rows.vocabulary(); ++y) {
      const State after = rows.next(0, x);
      const auto i = static_cast<std::size_t>(x), j = static_cast<std::size_t>(y);
      blocks.push_back({{x, y},
                        rows.draft(0)[i] * rows.draft(after)[j],
                        rows.target(0)[i] * rows.target(after)[j]});
    }
  }
  return blocks;
}

long shared(const Prefix& a, const Prefix& b) {
  return std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
}

/// Couplings of two drafts of two tokens with an output, outcome by outcome.
Rational two_drafts(const Rows<Rational>& rows) {
  const auto blocks = blocks_of_two(rows);
  LinearProgram program;
  const std::size_t n = blocks.size();
  program.law_rows = n * n;
  for (const Block& a : blocks) {
    for (const Block& b : blocks) program.totals.push_back(a.draft * b.draft);
  }
  for (const Block& y : blocks) program.totals.push_back(y.target);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      for (std::size_t y = 0; y < n; ++y) {
        const Prefix& output = blocks[y].tokens;
        const long worth =
            std::max(shared(blocks[a].tokens, output), shared(blocks[b].tokens, output));
        program.columns.push_back(
            {Rational(worth), {{a * n + b, Rational(1)}, {n * n + y, Rational(1)}}});
      }
    }
  }
  return certify(program).bound;
}

TEST_CASE("two drafts of two tokens: the program over all outcomes agrees") {
  for (const std::string_view pair :
       {kToyPair, kTie, std::string_view("tree(vocabulary=2,depth=3,seed=4)"),
        std::string_view("tree(vocabulary=2,depth=2,seed=11)"), kThree}) {
    CAPTURE(pair);
    CHECK(best(pair, VerifierClass::coupling, 2, 2) == two_drafts(Rows<Rational>(make_pair(pair))));
  }
}

TEST_CASE("larger programs are certified too") {
  using enum VerifierClass;
  constexpr std::string_view kEight =
      "iid(draft=[3/20,1/10,1/8,3/16,1/16,1/8,1/10,3/20],target=[1/20,1/5,1/16,3/16,1/8,1/8,1/5,1/"
      "20])";
  for (const VerifierClass one : {coupling, plug_and_play}) {
    CHECK(optimum(kThree, one, 3, 3, false).certified);
    CHECK(optimum(kEight, one, 2, 2, false).certified);
  }
}

TEST_CASE("doubles agree with fractions") {
  for (const std::string_view pair : kPairs) {
    CAPTURE(pair);
    const Rows<Rational> rows(make_pair(pair));
    const Optimum near = find_optimum(rows, {{VerifierClass::plug_and_play, 2, 2}, false, false});
    CHECK_FALSE(near.certified);
    CHECK(to_double(near.worth) ==
          Approx(to_double(best(pair, VerifierClass::plug_and_play, 2, 2))).margin(1e-8));
  }
}

// --- Drafts that are independent given the output

/// 1 - sum t (1 - u)(1 - d)^(K-1), u = min(1, d/t): one draft looks at the output.
Rational one_looks(const Rows<Rational>& rows, int drafts) {
  Rational missed(0);
  for (std::size_t x = 0; x < 2; ++x) {
    const Rational& d = rows.draft(0)[x];
    const Rational& t = rows.target(0)[x];
    Rational miss = positive_part<Rational>(t - d);
    for (int k = 1; k < drafts; ++k) miss *= 1 - d;
    missed += miss;
  }
  return 1 - missed;
}

TEST_CASE("independent drafts of one token out of two: one of them depends on the output") {
  using enum VerifierClass;
  for (const char* pair :
       {"iid(draft=[2/3,1/3],target=[1/3,2/3])", "iid(draft=[1/2,1/2],target=[1/2,1/2])",
        "iid(draft=[1/2,1/2],target=[3/4,1/4])", "iid(draft=[1,0],target=[1/4,3/4])"}) {
    for (const int drafts : {1, 2, 3}) {
      CAPTURE(pair, drafts);
      const Optimum found = optimum(pair, conditionally_independent, 1, drafts, false);
      CHECK(found.certified);
      CHECK(found.worth == one_looks(Rows<Rational>(make_pair(pair)), drafts));
    }
  }
  CHECK(optimum(kToyPair, conditionally_independent, 2, 1, false).worth == Rational(4, 3));
}

TEST_CASE("independent drafts: values computed independently") {
  using enum VerifierClass;
  const nlohmann::json vectors =
      read_vectors("coupled.json").at("public").at("conditionally_independent");
  REQUIRE(vectors.size() == 5);
  for (const auto& vector : vectors) {
    CAPTURE(vector.dump());
    const nlohmann::json& pair = vector.at("pair");
    const Rows<Rational> rows(pair.is_string() ? make_pair(pair.get<std::string>())
                                               : read_json_pair(read_json(pair.dump()), "test"));
    const auto most = [&](VerifierClass verifiers) {
      const AcceptanceProblem problem{verifiers, vector.at("gamma").get<int>(),
                                      vector.at("K").get<int>()};
      return find_optimum(rows, {problem, true, false}).worth;
    };
    // Of two tokens a member of the class is given that reaches what all couplings do.
    const bool one_token = vector.at("gamma") == 1;
    CHECK(most(conditionally_independent) ==
          value_of(vector.at(one_token ? "class_optimum" : "value_of_member")));
    if (!one_token) CHECK(most(coupling) == value_of(vector.at("full_information")));
  }
}

TEST_CASE("independent drafts beyond what is proved: a member and a bound") {
  const Optimum found = optimum("iid(draft=[1/4,3/4,0],target=[1/2,0,1/2])",
                                VerifierClass::conditionally_independent, 2, 2, false);
  CHECK_FALSE(found.certified);
  CHECK(found.worth >= Rational(131, 256));
  CHECK(found.worth < found.bound);
  CHECK(found.bound ==
        best("iid(draft=[1/4,3/4,0],target=[1/2,0,1/2])", VerifierClass::coupling, 2, 2));
  CHECK(found.notes.size() == 1);
}

// --- Refusals

TEST_CASE("questions outside a class are refused") {
  using enum VerifierClass;
  const Rows<Rational> rows(make_pair(kToyPair));
  CHECK_THROWS_AS(find_optimum(rows, {{algorithm2, 2, 2}, true, false}), UsageError);
  CHECK_THROWS_AS(find_optimum(rows, {{coupling, kUnbounded, 1}, true, false}), UsageError);
  CHECK_THROWS_AS(find_optimum(rows, {{conditionally_independent, 1, 1}, false, false}),
                  UsageError);
  CHECK_THROWS_AS(find_optimum(rows, {{conditionally_independent, 1, 1}, true, true}), UsageError);
  CHECK_THROWS_AS(find_optimum(rows, {{coupling, 40, 1}, true, false}), LimitError);
}

}  // namespace
}  // namespace speclab::optimum_test
