// Certificates and plans are checked independently of their construction: each fault is found.
#include <stdexcept>

#include "catch.h"
#include "model/registry.h"
#include "optimum/max_flow.h"
#include "optimum/optimum.h"
#include "optimum/prefix_tree.h"
#include "optimum/sparse_solve.h"
#include "stops.h"
#include "system/interrupt_scope.h"

namespace speclab::proof_test {
namespace {

struct Found {
  Rows<Rational> rows;
  Optimum optimum;
  Found(std::string_view pair, const AcceptanceProblem& problem)
      : rows(make_pair(pair)), optimum(find_optimum(rows, {problem, true, true})) {}
  [[nodiscard]] const AcceptanceProof& proof() const { return *optimum.starts.front().proof; }
  [[nodiscard]] const AcceptancePlan& plan() const { return *optimum.starts.front().plan; }
  [[nodiscard]] ProofVerdict verdict(const AcceptanceProof& proof) const {
    return check_proof(proof, optimum.request.problem, rows, 0);
  }
  [[nodiscard]] PlanVerdict verdict(const AcceptancePlan& plan) const {
    return check_plan(plan, optimum.request.problem, rows, 0);
  }
};

const AcceptanceProblem kProblems[] = {{VerifierClass::coupling, 2, 2},
                                       {VerifierClass::plug_and_play, 2, 2},
                                       {VerifierClass::coupling, 2, 1},
                                       {VerifierClass::plug_and_play, 2, 3},
                                       {VerifierClass::algorithm2, 2, 1}};

constexpr std::string_view kPairsOfProofs[] = {"iid(draft=[2/3,1/3],target=[1/3,2/3])",
                                               "iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])",
                                               "tree(vocabulary=3,depth=3,seed=4)"};

template <class Visit>
void each_found(const Visit& visit) {
  for (const std::string_view pair : kPairsOfProofs) {
    for (const AcceptanceProblem& problem : kProblems) {
      CAPTURE(pair, class_name(problem.verifiers), problem.drafts);
      visit(Found(pair, problem));
    }
  }
}

/// Calls visit(price) for every price of a proof; the caller changes it and puts it back.
template <class Visit>
void each_price(AcceptanceProof& proof, const Visit& visit) {
  for (auto& [prefix, price] : proof.inherited) visit(price);
  for (auto& [prefix, price] : proof.ceiling) visit(price);
  for (auto& block : proof.blocks) {
    for (auto& [prefix, price] : block.claims) visit(price);
    visit(block.weight);
  }
}

TEST_CASE("a certificate proves its bound, and none with one price changed does") {
  each_found([](const Found& found) {
    AcceptanceProof proof = found.proof();
    CHECK(found.verdict(proof).bound == found.optimum.worth);
    int prices = 0;
    each_price(proof, [&](Rational& price) {
      const Rational right = price;
      // Lower: something is worth too little, or the weight covers its claims no more.
      price = right - right / 7;
      const ProofVerdict lower = found.verdict(proof);
      CHECK_FALSE((lower.bound && *lower.bound <= found.optimum.worth));
      price = -right;
      CHECK_FALSE(found.verdict(proof).bound);
      price = right;
      ++prices;
    });
    CHECK(prices > 0);
  });
}

TEST_CASE("a raised price is detected") {
  each_found([](const Found& found) {
    AcceptanceProof proof = found.proof();
    each_price(proof, [&](Rational& price) {
      const Rational right = price;
      price = right + Rational(1, 7);
      const ProofVerdict raised = found.verdict(proof);
      CHECK_FALSE((raised.bound && *raised.bound < found.optimum.worth));
      price = right;
    });
  });
}

TEST_CASE("a certificate without one of its cuts proves nothing") {
  int dropped = 0;
  each_found([&](const Found& found) {
    for (std::size_t j = 0; j < found.proof().blocks.size(); ++j) {
      AcceptanceProof proof = found.proof();
      proof.blocks.erase(proof.blocks.begin() + static_cast<std::ptrdiff_t>(j));
      CHECK_FALSE(found.verdict(proof).bound);
      ++dropped;
    }
  });
  CHECK(dropped > 10);
}

TEST_CASE("a certificate for which the last tokens are worth nothing is none") {
  for (const AcceptanceProblem& problem : kProblems) {
    AcceptanceProblem shorter = problem;
    shorter.gamma = 1;
    const Found found(kPairsOfProofs[0], shorter);
    CHECK(check_proof(found.proof(), shorter, found.rows, 0).bound == found.optimum.worth);
    const ProofVerdict longer = check_proof(found.proof(), problem, found.rows, 0);
    CHECK_FALSE(longer.bound);
    CHECK_THAT(longer.fault, Containing("below 1"));
  }
}

TEST_CASE("a certificate of another pair, class or number of drafts proves nothing less") {
  const Found found(kPairsOfProofs[1], {VerifierClass::plug_and_play, 2, 2});
  const Rational coupling = Found(kPairsOfProofs[1], {VerifierClass::coupling, 2, 2}).optimum.worth;
  const ProofVerdict other =
      check_proof(found.proof(), {VerifierClass::coupling, 2, 2}, found.rows, 0);
  CHECK_FALSE((other.bound && *other.bound < coupling));
  const ProofVerdict more =
      check_proof(found.proof(), {VerifierClass::plug_and_play, 2, 3}, found.rows, 0);
  CHECK_FALSE((more.bound && *more.bound <= found.optimum.worth));
}

TEST_CASE("prefixes of many tokens are refused, and a signal ends them") {
  const Rows<Rational> few(make_pair("uniform(draft=6,target=3)"));
  CHECK(PrefixTree(few, 0, 6, 2000).size() == 1 + 3 + 9 + 27 + 81 + 243 + 729);
  CHECK_THROWS_WITH(PrefixTree(few, 0, 6, 1000), Containing("more than 1000 prefixes"));
  // 1 + 3 + 9 + 27 prefixes look at 4 10^7 tokens, those of length 4 at 8.1 10^7 more.
  const Rows<Rational> wide(make_pair("uniform(draft=1000000,target=3)"));
  CHECK_THROWS_WITH(PrefixTree(wide, 0, 6, 2000), Containing("lower gamma or the vocabulary"));
  const InterruptScope scope;
  raise_interrupt();
  CHECK(stops([&] { PrefixTree(few, 0, 6, 2000); }));
}

TEST_CASE("masses without the cuts are no verifier's") {
  const Rows<Rational> rows(make_pair(kPairsOfProofs[0]));
  const AcceptanceProblem problem{VerifierClass::coupling, 1, 2};
  const PrefixTree tree(rows, 0, 1, 100);
  std::vector<Rational> masses;
  for (const auto& node : tree.nodes()) masses.push_back(node.target);
  // Token 1: T = 2/3 is more than 1 - (1 - 1/3)^2 = 5/9.
  CHECK(worst_antichain(tree, masses, 2) == Rational(1, 9));
  CHECK_THROWS_AS(make_plan(tree, rows, problem, masses, 1000), std::logic_error);
  masses[2] = Rational(5, 9);
  CHECK(worst_antichain(tree, masses, 2) == Rational(0));
  CHECK(check_plan(make_plan(tree, rows, problem, masses, 1000), problem, rows, 0).expected ==
        Rational(8, 9));
}

TEST_CASE("a plan attains the optimum, and one that is changed is none") {
  each_found([](const Found& found) {
    const AcceptancePlan& right = found.plan();
    CHECK(found.verdict(right).expected == found.optimum.worth);
    for (std::size_t i = 0; i < right.choices.size(); ++i) {
      AcceptancePlan plan = right;
      plan.choices[i].probability += Rational(1, 1000);
      CHECK_FALSE(found.verdict(plan).expected);
      if (i + 1 == right.choices.size()) continue;
      // Moved to the next choice: the masses sum to 1, the drafts or the output do not fit.
      plan.choices[i + 1].probability -= Rational(1, 1000);
      if (plan.choices[i + 1].accepted != plan.choices[i].accepted ||
          plan.choices[i + 1].drafts != plan.choices[i].drafts) {
        CHECK(found.verdict(plan).expected != found.optimum.worth);
      }
    }
    AcceptancePlan plan = right;
    plan.choices.front().accepted = {7, 7};
    CHECK_FALSE(found.verdict(plan).expected);
    plan = right;
    plan.choices.pop_back();
    CHECK_FALSE(found.verdict(plan).expected);
  });
}

/// The choice of this draft that accepts so many tokens, or null.
AcceptancePlan::Choice* choice_of(AcceptancePlan& plan, const Prefix& draft, std::size_t accepted) {
  for (auto& choice : plan.choices) {
    if (choice.drafts.front() == draft && choice.accepted.size() == accepted) return &choice;
  }
  return nullptr;
}

TEST_CASE("a plan of Algorithm 2 does not depend on later drafts, and one that does is found") {
  const Found found("iid(draft=[1/8,1/4,5/8],target=[1/4,1/4,1/2])",
                    {VerifierClass::algorithm2, 2, 1});
  CHECK(found.verdict(found.plan()).expected == found.optimum.worth);
  // Token 2 is refused with probability 1/5. Draft (2,2) accepts its first token a little more
  // often, draft (2,0) less often.
  AcceptancePlan plan = found.plan();
  const Rational little(1, 1000);
  AcceptancePlan::Choice* none = choice_of(plan, {2, 2}, 0);
  AcceptancePlan::Choice* one = choice_of(plan, {2, 2}, 1);
  AcceptancePlan::Choice* whole = choice_of(plan, {2, 0}, 2);
  AcceptancePlan::Choice* refused = choice_of(plan, {2, 0}, 0);
  REQUIRE((none != nullptr && one != nullptr && whole != nullptr && refused != nullptr));
  none->probability -= little;
  one->probability += little;
  refused->probability += little;
  whole->probability -= little;
  const PlanVerdict verdict = found.verdict(plan);
  CHECK_FALSE(verdict.expected);
  CHECK_THAT(verdict.fault, Containing("by what is drafted after it"));
}

TEST_CASE("a law of the correction that is changed biases the output where it is used") {
  const Found found(kPairsOfProofs[0], {VerifierClass::coupling, 2, 1});
  int used = 0;
  for (const auto& [after, law] : found.plan().corrections) {
    AcceptancePlan plan = found.plan();
    std::vector<Rational>& changed = plan.corrections.at(after);
    changed = {Rational(1, 5), Rational(4, 5)};
    if (changed == law) continue;
    CHECK_FALSE(found.verdict(plan).expected);
    ++used;
  }
  CHECK(used > 0);
}

TEST_CASE("a sparse system is solved exactly, a singular one is not") {
  // z = (1/2, -1/3, 4): rows in an order that needs pivots off the diagonal.
  const std::vector<SparseRow> rows{{{1, Rational(3)}, {2, Rational(1)}},
                                    {{0, Rational(2)}, {1, Rational(3)}},
                                    {{0, Rational(1)}, {2, Rational(1, 4)}}};
  const auto z = solve_sparse(rows, {Rational(3), Rational(0), Rational(3, 2)});
  REQUIRE(z);
  CHECK(*z == std::vector<Rational>{Rational(1, 2), Rational(-1, 3), Rational(4)});
  const std::vector<SparseRow> singular{{{0, Rational(1)}, {1, Rational(2)}},
                                        {{0, Rational(2)}, {1, Rational(4)}}};
  CHECK_FALSE(solve_sparse(singular, {Rational(1), Rational(2)}));
}

TEST_CASE("the largest flow of a small network") {
  // 0 -> 1 (1/2), 0 -> 2 (1/3), 1 -> 2 (1/4), 1 -> 3 (1/8), 2 -> 3 (1): the cut at 0's side of 1.
  const std::vector<FlowEdge> edges{{0, 1, Rational(1, 2)},
                                    {0, 2, Rational(1, 3)},
                                    {1, 2, Rational(1, 4)},
                                    {1, 3, Rational(1, 8)},
                                    {2, 3, Rational(1)}};
  const Flow flow = largest_flow(edges, 4, 0, 3);
  CHECK(flow.value == Rational(17, 24));
  CHECK(flow.along[0] == flow.along[2] + flow.along[3]);
  CHECK(flow.along[4] == flow.along[1] + flow.along[2]);
  CHECK(flow.along[3] == Rational(1, 8));
}

}  // namespace
}  // namespace speclab::proof_test
