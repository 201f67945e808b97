// Trials on rows that forget are the trials on rows that keep everything.
#include "catch.h"
#include "scratch.h"
#include "simulate/simulate.h"
#include "toy.h"

namespace speclab::bounded_rows_test {
namespace {

TEST_CASE("rows that forget give the same tallies for any number of threads") {
  const Scratch scratch;
  std::string text;
  for (unsigned i = 0, x = 1; i < 4000; ++i, x = x * 75 % 65537) {
    text += "w" + std::to_string(x % 101 % 60) + " ";
  }
  const std::string path = scratch.write("text", text);
  SimulateRequest request{
      .lengths = {.gamma = 3, .horizon = 12, .iterations = 2}, .trials = 700, .seed = 5};
  for (const char* options : {"draft=1,target=3", "draft=2,target=3,eos=0"}) {
    const PairPointer pair = make_pair("ngram(text=\"" + path + "\"," + options + ")");
    for (const char* name : {"token", "block", "greedy-block", "kseq(K=2)", "spectr-gbv(K=2)",
                             "rrs(K=2)", "slot-block(K=2)", "gumbel"}) {
      CAPTURE(options, name);
      const Verifier verifier = make_verifier(name);
      request.threads = 1;
      const Rows<double> whole(pair);
      const Tally expected = run_trials(verifier, whole, request).tally;
      const std::size_t most = whole.bytes() / 10;
      for (const int threads : {1, 3}) {
        request.threads = threads;
        const Rows<double> bounded(pair, most);
        CHECK(run_trials(verifier, bounded, request).tally == expected);
        // What the last iteration of each thread added is still there: a tenth and a part of one.
        CHECK(bounded.bytes() < whole.bytes() / 2);
      }
    }
  }
}

}  // namespace
}  // namespace speclab::bounded_rows_test
