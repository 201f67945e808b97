// The processor's vector instructions change no bit of a result.
#include <cstdlib>

#include "apps/refused.h"
#include "system/processor.h"

namespace speclab::instructions_test {
namespace {

Finished run_by(const char* instructions, const std::vector<std::string>& arguments) {
  return Process(arguments,
                 [instructions] {
                   if (setenv("SPECLAB_INSTRUCTIONS", instructions, 1) != 0) _exit(126);
                 })
      .wait();
}

TEST_CASE("results are the same bits with every kind of vector instructions") {
  // The chain has a kernel of its own; the others draw from alias tables, of few and many tokens.
  for (const Words& question :
       {argv("--pair markov(vocabulary=7,horizon=50,seed=10) --verifier token --gamma inf "
             "--horizon 50"),
        argv("--pair", kToyPair,
             "--verifier block --verifier greedy-block --verifier batch(M=2) --gamma 3 "
             "--horizon 12 --iterations 3"),
        argv("--pair zipf(vocabulary=999,draft=1,target=1.2) --verifier rrs(K=2) "
             "--verifier traversal(K=2) --gamma 2 --horizon 8")}) {
    const Words words = argv("simulate --trials 5000 --format csv", question);
    const Finished scalar = run_by("scalar", words);
    REQUIRE(scalar.code == 0);
    for (const auto& [name, each] :
         {std::pair{"avx2", Instructions::avx2}, std::pair{"avx512", Instructions::avx512}}) {
      if (!has_instructions(each)) {
        WARN("this processor has no " << name << ": not compared");
        continue;
      }
      CHECK(run_by(name, words).out == scalar.out);
    }
  }
}

TEST_CASE("instructions that there are not are refused") {
  const Finished done = run_by("sse9", argv("list verifiers"));
  CHECK(done.code == 3);
  CHECK_THAT(done.err, Containing("SPECLAB_INSTRUCTIONS is 'sse9'; it takes scalar, avx2"));
  CHECK(run_by("", argv("list verifiers")).code == 0);
}

}  // namespace
}  // namespace speclab::instructions_test
