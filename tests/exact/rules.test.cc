// The rules that engines run on one chain, against exact vectors made by an independent program in
// fractions (tests/data/rules.json): everything that a vector says, in rationals.
#include "catch.h"
#include "rules_vectors.h"
#include "verifiers/accepted_set.h"
#include "verifiers/entropy_verify.h"
#include "verifiers/fly.h"
#include "verifiers/gumbel.h"
#include "verifiers/hsd_released.h"
#include "verifiers/relaxed.h"
#include "verifiers/sample_match.h"
#include "verifiers/stopping.h"

namespace speclab {
namespace {

const RuleVectors& vectors() {
  static const RuleVectors all;
  return all;
}

template <class Program>
void check_vector(const Program& program, const RuleVector& vector) {
  CAPTURE(vector.spec, vector.pair, vector.gamma);
  const Rows<Rational>& rows = vectors().rows(vector.pair);
  using View = ViewOf<Program, Rational>;
  const ProgramRunner<Program, View> runner(program);
  ExactRequest request;
  request.gamma = vector.gamma;
  const auto result = run_with<View>(runner, rows, request);
  CHECK(result.expected_accepted == vector.expected_accepted);
  CHECK(result.accepted_law == vector.accepted_law);
  CHECK(result.undefined_mass == vector.undefined_mass);
  const OnceResult once = run_once(program, rows, vector.gamma);
  CHECK(once.first_token_law == vector.first_token_law);
  CHECK(once.once_tv == vector.once_tv);
  for (const auto& [horizon, tv] : vector.decode_tv) {
    request.horizon = horizon;
    CAPTURE(horizon);
    CHECK(run_with<View>(runner, rows, request).decode->tv_to_target == tv);
  }
}

/// All vectors of a rule, as many as there are.
template <class Program>
void check_rule(std::string_view rule, std::size_t count) {
  const auto found = vectors().of(rule);
  CHECK(found.size() == count);
  for (const auto& vector : found) {
    // A rule that is block term by term has vectors of its own and no program.
    check_vector(program_of<Program>(rule == "hsd" ? "block" : vector.spec), vector);
  }
}

TEST_CASE("vectors of token") { check_rule<TokenVerification>("token", 16); }
TEST_CASE("vectors of block") { check_rule<BlockVerification>("block", 16); }
TEST_CASE("vectors of sample-match") { check_rule<SampleMatch>("sample-match", 32); }
TEST_CASE("vectors of gumbel") { check_rule<Gumbel>("gumbel", 16); }
TEST_CASE("vectors of relaxed") { check_rule<Relaxed>("relaxed", 224); }
TEST_CASE("vectors of typical") { check_rule<Typical>("typical", 96); }
TEST_CASE("vectors of top-within") { check_rule<TopWithin>("top-within", 96); }
TEST_CASE("vectors of entropy-verify") { check_rule<EntropyVerify>("entropy-verify", 48); }
TEST_CASE("vectors of stopping") { check_rule<Stopping>("stopping", 288); }
TEST_CASE("vectors of fly") { check_rule<Fly>("fly", 80); }
TEST_CASE("vectors of fly-released") { check_rule<FlyReleased>("fly-released", 32); }
TEST_CASE("vectors of hsd: it is block") { check_rule<BlockVerification>("hsd", 16); }
TEST_CASE("vectors of hsd-released") { check_rule<HsdReleased>("hsd-released", 16); }

}  // namespace
}  // namespace speclab
