// The optimum over all verifiers of a class, proved exactly.
#include "catch.h"
#include "claims/engine/optimum.h"

namespace speclab::certificate_test {
namespace {

/// The prices are worth at least every column's reward, and the bound is what they say.
void check_proof(const LinearProgram& program, const Certificate& certificate) {
  Rational bound(0);
  for (std::size_t i = 0; i < program.totals.size(); ++i) {
    bound += program.totals[i] * certificate.prices[i];
  }
  CHECK(bound == certificate.bound);
  for (const auto& column : program.columns) {
    Rational worth(0);
    for (const auto& [row, coefficient] : column.entries) {
      worth += coefficient * certificate.prices[row];
    }
    CHECK(worth >= column.reward);
  }
}

Rational tau_bound(const Instance& instance) {
  const auto program =
      valid_program(instance, 0, [](const TokenPath&, int tau, State) { return Rational(tau); });
  const Certificate certificate = certify(program);
  check_proof(program, certificate);
  CHECK(certificate.attained == certificate.bound);
  return certificate.bound;
}

TEST_CASE("toy pair, gamma 2: block is the plug-and-play optimum, greedy the coupling's") {
  const Instance toy = make_instance(kToy, 2);
  CHECK(tau_bound(toy) == Rational(11, 9));
  const auto couplings = coupling_program(toy, 0);
  const Certificate certificate = certify(couplings);
  check_proof(couplings, certificate);
  CHECK(certificate.bound == Rational(4, 3));
  CHECK(certificate.attained == Rational(4, 3));
  CHECK(best_tokens(toy, 1) == Rational(20, 9));
  CHECK(best_tokens(toy, 3) == Rational(20, 3));
}

TEST_CASE("one position: alpha* of the toy pair") {
  const Instance toy = make_instance(kToy);
  const Rows<Rational>& rows = *toy.rows;
  const std::vector<Rational> draft(rows.draft(0).begin(), rows.draft(0).end());
  const std::vector<Rational> target(rows.target(0).begin(), rows.target(0).end());
  for (const auto& [k, best] :
       {std::pair{1, Rational(2, 3)}, {2, Rational(8, 9)}, {3, Rational(1)}}) {
    const auto program = position_program(draft, target, k);
    const Certificate certificate = certify(program);
    check_proof(program, certificate);
    CHECK(certificate.bound == best);
    CHECK(certificate.attained == best);
  }
}

TEST_CASE("laws that differ by less than the solver's tolerance are still solved exactly") {
  const Instance near =
      make_instance("iid(draft=[500001/1000000,499999/1000000],target=[1/2,1/2])", 2);
  const auto program = coupling_program(near, 0);
  const Certificate certificate = certify(program);
  check_proof(program, certificate);
  CHECK(certificate.raised == 0);
  CHECK(certificate.bound == parse_rational("1.999997999999"));
  CHECK(certificate.attained == certificate.bound);
}

TEST_CASE("zeros, equal, disjoint and context-dependent laws: block attains the bound") {
  for (const char* pair :
       {"iid(draft=[1,0],target=[0,1])", "iid(draft=[1/2,1/2],target=[1/2,1/2])",
        "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", "tree(vocabulary=2,depth=3,seed=4)",
        "tree(vocabulary=3,depth=2,seed=9)"}) {
    CAPTURE(pair);
    const Instance instance = make_instance(pair, 2);
    CHECK(tau_bound(instance) == accepted("block", instance));
  }
}

}  // namespace
}  // namespace speclab::certificate_test
