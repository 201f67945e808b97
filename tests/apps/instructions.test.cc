// The processor's vector instructions change no bit of a result.
#include "apps/refused.h"
#include "system/processor.h"

namespace speclab::instructions_test {
namespace {

Environment allowing(const char* instructions) { return {{"SPECLAB_INSTRUCTIONS", instructions}}; }

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
    const Finished scalar = succeeds(allowing("scalar"), words);
    for (const auto& [name, each] :
         {std::pair{"avx2", Instructions::avx2}, std::pair{"avx512", Instructions::avx512}}) {
      if (!has_instructions(each)) {
        WARN("this processor has no " << name << ": not compared");
        continue;
      }
      CHECK(speclab_run(allowing(name), words).out == scalar.out);
    }
  }
}

TEST_CASE("instructions that there are not are refused") {
  const Finished done = speclab_run(allowing("sse9"), "list verifiers");
  CHECK(done.code == 3);
  CHECK_THAT(done.err, Containing("SPECLAB_INSTRUCTIONS is 'sse9'; it takes scalar, avx2"));
  succeeds(allowing(""), "list verifiers");
}

}  // namespace
}  // namespace speclab::instructions_test
