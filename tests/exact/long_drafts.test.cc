// Long drafts and larger vocabularies: losslessness at gamma 5 and 6, where modifications nest
// three deep and more, and block verification's tails on five tokens and more.
#include <fmt/format.h>

#include "by_hand.h"

namespace speclab::long_drafts_test {
namespace {

/// TV exactly 0 over gamma + `beyond` tokens.
void check_lossless(const std::string& verifier, const std::string& pair, int gamma, int beyond) {
  CAPTURE(verifier, pair, gamma);
  const auto result =
      run_named(verifier, pair, {.lengths = {.gamma = gamma, .horizon = gamma + beyond}});
  CHECK(result.decode->tv_to_target == 0);
  CHECK(result.decode->undefined_mass == 0);
}

TEST_CASE("drafts of five and six tokens: lossless, the carry nested as deep as it goes") {
  for (const int gamma : {5, 6}) {
    for (const char* verifier : {"token", "block", "greedy-block"}) {
      check_lossless(verifier, std::string(kToy), gamma, 1);
      check_lossless(verifier, "iid(draft=[1/4,3/4],target=[2/5,3/5])", gamma, 1);
      check_lossless(verifier, "tree(vocabulary=2,depth=2,seed=5)", gamma, 1);
    }
  }
}

TEST_CASE("greedy block verification at gamma 5: the tails are the overlaps of the joint laws") {
  for (const int seed : {3, 5, 8}) {
    const std::string pair = fmt::format("tree(vocabulary=2,depth=5,seed={})", seed);
    const Rows<Rational> rows(make_pair(pair));
    const auto found = run_named("greedy-block", pair, {.lengths = {.gamma = 5}});
    Rational above(1);
    for (int i = 1; i <= 5; ++i) {
      above -= found.accepted_law[static_cast<std::size_t>(i) - 1];
      Rational overlap(0);
      for (int code = 0; code < 1 << i; ++code) {
        Rational draft(1), target(1);
        State state = 0;
        for (int j = 0; j < i; ++j) {
          const auto x = static_cast<std::size_t>((code >> j) & 1);
          draft *= rows.draft(state)[x];
          target *= rows.target(state)[x];
          state = rows.next(state, static_cast<Token>(x));
        }
        overlap += std::min(draft, target);
      }
      CAPTURE(pair, i);
      CHECK(above == overlap);
    }
  }
}

/// E_d of the least of 1, w_1, .., w_i: P(tau >= i) of block verification.
Rational block_tail_by_paths(const Rows<Rational>& rows, State state, int left,
                             const Rational& mass, const Rational& weight) {
  if (left == 0) return mass * weight;
  const HandLaws laws = hand_laws(rows, state);
  Rational sum(0);
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    if (!(laws.draft[x] > 0)) continue;
    const Rational next = weight * laws.target[x] / laws.draft[x];
    sum += block_tail_by_paths(rows, rows.next(state, static_cast<Token>(x)), left - 1,
                               Rational(mass * laws.draft[x]), next < 1 ? next : Rational(1));
  }
  return sum;
}

TEST_CASE("five to nine tokens: lossless, and block accepts as the least ratio says") {
  const std::vector<std::string> pairs{
      "iid(draft=[1/10,1/5,3/10,1/5,1/5],target=[3/10,1/10,1/5,3/20,1/4])",
      "iid(draft=[1/4,1/8,1/8,1/4,1/8,1/8],target=[1/8,1/4,0,1/8,1/4,1/4])",
      "tree(vocabulary=5,depth=2,seed=4)", "tree(vocabulary=9,depth=1,seed=6)"};
  for (const std::string& pair : pairs) {
    const Rows<Rational> rows(make_pair(pair));
    for (const char* verifier : {"token", "block", "greedy-block", "rrs(K=2)"}) {
      check_lossless(verifier, pair, 2, 0);
    }
    const auto found = run_named("block", pair, {.lengths = {.gamma = 3}});
    Rational above(1);
    for (int i = 1; i <= 3; ++i) {
      above -= found.accepted_law[static_cast<std::size_t>(i) - 1];
      CAPTURE(pair, i);
      CHECK(above == block_tail_by_paths(rows, 0, i, Rational(1), Rational(1)));
    }
  }
}

}  // namespace
}  // namespace speclab::long_drafts_test
