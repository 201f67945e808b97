// Which rules that engines run keep the target's law: exactly, over gamma + 2 tokens, on random
// trees with zeros. And that the rules which do not are seen not to, on the same trees.
#include <fmt/format.h>

#include "catch.h"
#include "toy.h"
#include "vectors.h"
#include "verifiers/accepted_set.h"
#include "verifiers/block.h"
#include "verifiers/entropy_verify.h"
#include "verifiers/fly.h"
#include "verifiers/greedy_block.h"
#include "verifiers/gumbel.h"
#include "verifiers/hsd_released.h"
#include "verifiers/relaxed.h"
#include "verifiers/sample_match.h"
#include "verifiers/stopping.h"
#include "verifiers/token.h"

namespace speclab {
namespace {

constexpr int kPairs = 60;

/// Laws that differ at every position up to the horizon.
std::string random_tree(int index, int gamma) {
  return fmt::format("tree(vocabulary={},depth={},seed={})", 2 + index % 2, gamma + 1,
                     1 + index / 2);
}

template <class Program>
Rational tv(const Program& program, const std::string& pair, int gamma, int horizon) {
  ExactRequest request;
  request.lengths.gamma = gamma;
  request.lengths.horizon = horizon;
  const auto result = run_program(program, pair, request);
  CHECK(result.undefined_mass == 0);
  CHECK(result.decode->undefined_mass == 0);
  return result.decode->tv_to_target;
}

/// On how many of the pairs the output's law is not the target's; each with one gamma of 1, 2, 3,
/// or with `only`.
template <class Program>
int biased_pairs(const std::string& spec, int only = 0) {
  const auto program = program_of<Program>(spec);
  int biased = 0;
  for (int index = 0; index < kPairs; ++index) {
    const int gamma = only > 0 ? only : 1 + index / 2 % 3;
    const std::string pair = random_tree(index, gamma);
    CAPTURE(spec, pair, gamma);
    biased += tv(program, pair, gamma, gamma + 2) != 0;
  }
  return biased;
}

TEST_CASE("the target's own draw and the shared clocks are lossless") {
  CHECK(biased_pairs<SampleMatch>("sample-match") == 0);
  CHECK(biased_pairs<SampleMatch>("sample-match(draft=argmax)") == 0);
  CHECK(biased_pairs<Gumbel>("gumbel") == 0);
}

TEST_CASE("stopping by the law, after an unlikely token, or by a coin of the law is lossless") {
  for (const char* verify : {"token", "block"}) {
    for (const char* stop : {"law", "own-keep", "own-drop-renormalised"}) {
      for (const char* end : {"theta=1/2", "theta=3/10", "theta=1/2,side=above"}) {
        const auto spec = fmt::format("stopping(verify={},stop={},{})", verify, stop, end);
        CHECK(biased_pairs<Stopping>(spec) == 0);
      }
    }
  }
}

TEST_CASE("greedy block verification stops without a bias where its carry ends with the draft") {
  for (const char* stop : {"law", "own-keep"}) {
    for (const char* end : {"theta=1/2", "theta=2/3", "theta=1/2,side=above"}) {
      const auto spec = fmt::format("stopping(verify=greedy-block,stop={},{})", stop, end);
      CHECK(biased_pairs<Stopping>(spec, 3) == 0);
    }
  }
}

TEST_CASE("where nothing stops, stopping is the verifier it is around") {
  for (int index = 0; index < 20; ++index) {
    const std::string pair = random_tree(index, 3);
    ExactRequest request;
    request.lengths.gamma = 3;
    const auto stopped = [&](const char* verify) {
      const auto spec = fmt::format("stopping(verify={},stop=law,theta=0)", verify);
      return run_program(program_of<Stopping>(spec), pair, request).accepted_law;
    };
    CAPTURE(pair);
    CHECK(stopped("token") == run_program(TokenVerification{}, pair, request).accepted_law);
    CHECK(stopped("block") == run_program(BlockVerification{}, pair, request).accepted_law);
    CHECK(stopped("greedy-block") ==
          run_program(GreedyBlockVerification{}, pair, request).accepted_law);
  }
}

TEST_CASE("the other rules are seen to be biased on the same pairs") {
  CHECK(biased_pairs<Stopping>("stopping(verify=token,stop=own-drop,theta=1/2)") > kPairs / 2);
  CHECK(biased_pairs<Stopping>("stopping(verify=block,stop=own-drop,theta=1/2)", 3) > kPairs / 2);
  CHECK(biased_pairs<HsdReleased>("hsd-released", 1) == 0);
  CHECK(biased_pairs<HsdReleased>("hsd-released", 3) > kPairs / 4);
  CHECK(biased_pairs<Relaxed>("relaxed(pi=ensemble,weight=1/2)") > kPairs / 2);
  CHECK(biased_pairs<Relaxed>("relaxed(pi=ensemble,weight=1)") == 0);
  CHECK(biased_pairs<Typical>("typical(eps=2/5,alpha=4/5)") > kPairs / 2);
  CHECK(biased_pairs<TopWithin>("top-within(n=2,delta=1/5)") > kPairs / 2);
  CHECK(biased_pairs<EntropyVerify>("entropy-verify(alpha=1/4,theta=1/4)") > kPairs / 2);
  CHECK(biased_pairs<Fly>("fly(window=1,theta=1/2)", 3) > kPairs / 4);
  CHECK(biased_pairs<Fly>("fly(window=3,theta=1/2)", 3) == 0);
  CHECK(biased_pairs<FlyReleased>("fly-released(window=1,theta=1/2)", 1) > kPairs / 2);
}

TEST_CASE("undecided thresholds are refused in rationals, and named") {
  ExactRequest request;
  const char* level = "iid(draft=[1/2,1/4,1/4],target=[1/3,1/3,1/3])";
  const auto refusal = [&](const auto& program) {
    CHECK_NOTHROW(run_program<std::decay_t<decltype(program)>, double>(program, level, request));
    try {
      run_program(program, level, request);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  const std::string near = "109861228866811/100000000000000";  // of ln 3, to 3e-16
  request.lengths.gamma = 2;
  CHECK_THAT(refusal(program_of<Fly>("fly(window=1,theta=" + near + ")")),
             Containing("fly: at state 0, the entropy") && Containing("1.09861228866811"));
  // KL(t||d) = ln(32/27) / 3 = 0.0566330122651324...
  CHECK_THAT(refusal(program_of<Relaxed>(
                 "relaxed(pi=fuzzy,divergence=kl,threshold=566330122651324/10000000000000000)")),
             Containing("relaxed: at state 0, KL(t||d)"));
  // m = 3^{-1/10} is below theta, and t/(m d) = 0.744 at the draft of 1/2 is no rational.
  CHECK_THAT(refusal(program_of<EntropyVerify>("entropy-verify(alpha=1/10,theta=1)")),
             Containing("entropy-verify: at state 0, m = e^(-alpha H(t)) is 0.89595") &&
                 Containing("theta = 1: the acceptance"));
  // m = 3^{-1/2} is no rational either, but every t/(m d) is above 1.
  const auto sure = program_of<EntropyVerify>("entropy-verify(alpha=1/2,theta=1)");
  CHECK(run_program(sure, level, request).expected_accepted == 2);
  // At the threshold itself: t(x) = 1/3 > e^{-ln 3} is false, exactly.
  request.lengths.gamma = 1;
  const auto typical = program_of<Typical>("typical(eps=1,alpha=1)");
  CHECK(run_program(typical, level, request).expected_accepted == 0);
  CHECK(run_program<Typical, double>(typical, level, request).expected_accepted == 0);
}

TEST_CASE("parameters that make no sense are refused") {
  const auto refused = [](const auto& read, const char* spec, const char* why) {
    CAPTURE(spec);
    CHECK_THROWS_WITH(read(spec), Containing(why));
  };
  const auto stopping = [](const char* spec) { return program_of<Stopping>(spec); };
  refused(stopping, "stopping(verify=greedy-block,stop=own-drop,theta=1/2)", "carry");
  refused(stopping, "stopping(theta=2)", "theta");
  const auto relaxed = [](const char* spec) { return program_of<Relaxed>(spec); };
  refused(relaxed, "relaxed(pi=fuzzy,divergence=tv,threshold=-1)", "negative");
  refused(relaxed, "relaxed(pi=ensemble,alpha=1/2)", "weight");
  refused(relaxed, "relaxed(pi=fuzzy,threshold=1)", "divergence");
  const auto entropy = [](const char* spec) { return program_of<EntropyVerify>(spec); };
  refused(entropy, "entropy-verify(alpha=1,theta=0)", "theta=0");
  refused(entropy, "entropy-verify(alpha=-1,theta=1)", "negative");
  const auto fly = [](const char* spec) { return program_of<Fly>(spec); };
  refused(fly, "fly(window=-1,theta=1)", "window");
  refused(fly, "fly(window=1,theta=-1)", "negative");
}

}  // namespace
}  // namespace speclab
