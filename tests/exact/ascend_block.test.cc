// The rule ascend-block against numbers of an independent program, and where it is not block
// verification.
#include "verifiers/biased/ascend_block.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "toy.h"
#include "vectors.h"
#include "verifiers/chain/token.h"

namespace speclab::ascend_block_test {
namespace {

TEST_CASE("ascend-block on the toy pair at gamma 3: its law of tau, its bias, its undefined mass") {
  const auto found = run_named("ascend-block", kToy, {.lengths = {.gamma = 3, .horizon = 4}});
  CHECK(to_double(found.expected_accepted) == Approx(2.5690511749258813).epsilon(1e-13));
  const std::vector<double> law{0.10812240225805639, 0.03260040328903421, 0.0413808117218812,
                                0.8178963827310283};
  for (std::size_t i = 0; i < law.size(); ++i) {
    CHECK(to_double(found.accepted_law[i]) == Approx(law[i]).epsilon(1e-13));
  }
  // A prefix with S_i = 0 is accepted, and nothing is left to correct from.
  CHECK(to_double(found.undefined_mass) == Approx(0.04486816923292971).epsilon(1e-13));
  CHECK(to_double(found.decode->tv_to_target) == Approx(0.39184820395781644).epsilon(1e-13));
  const Rows<Rational> rows(make_pair(kToy));
  const OnceLaw<AscendBlock> once(AscendBlock{}, rows, 3, 4);
  CHECK(to_double(once.tv()) == Approx(0.3636625573053294).epsilon(1e-13));
  const auto plain =
      run_named("ascend-block(residual=token)", kToy, {.lengths = {.gamma = 3, .horizon = 4}});
  CHECK(plain.expected_accepted == found.expected_accepted);
  CHECK(plain.undefined_mass == 0);
  CHECK(to_double(plain.decode->tv_to_target) == Approx(0.3693116643416926).epsilon(1e-13));
  const OnceLaw<AscendBlock> once_plain(AscendBlock{false}, rows, 3, 4);
  CHECK(to_double(once_plain.tv()) == Approx(0.3424505532785145).epsilon(1e-13));
  CHECK(to_double(once_plain.first()[0]) == Approx(0.5585442644086103).epsilon(1e-13));
}

TEST_CASE("ascend-block of one token is token verification, of two it is biased") {
  for (const std::string_view pair : kHardPairs) {
    CAPTURE(pair);
    const auto one = run_program(AscendBlock{}, pair, {.lengths = {.gamma = 1, .horizon = 3}});
    CHECK(one.accepted_law ==
          run_program(TokenVerification{}, pair, {.lengths = {.gamma = 1, .horizon = 3}})
              .accepted_law);
    CHECK(one.decode->tv_to_target == 0);
  }
  CHECK(to_double(run_named("ascend-block", kToy, {.lengths = {.gamma = 2, .horizon = 3}})
                      .expected_accepted) == Approx(1.573209231484408).epsilon(1e-13));
}

}  // namespace
}  // namespace speclab::ascend_block_test
