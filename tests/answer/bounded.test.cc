// What a bench keeps of a pair that is too large to keep whole.
#include "answer/answer.h"
#include "answer/bench.h"
#include "base/error.h"
#include "catch.h"
#include "scratch.h"

namespace speclab::bounded_test {
namespace {

std::string text_pair(const Scratch& scratch, const std::string& options) {
  std::string text;
  for (unsigned i = 0, x = 1; i < 4000; ++i, x = x * 75 % 65537) {
    text += "w" + std::to_string(x % 101 % 60) + " ";
  }
  return "ngram(text=\"" + scratch.write("text", text) + "\"," + options + ")";
}

TEST_CASE("a bench that may keep little gives the answers of one that may keep all") {
  const Scratch scratch;
  const std::string pair = text_pair(scratch, "draft=2,target=3");
  Bench free, tight(2'000'000);
  const auto ask = [&](Bench& bench, const char* verifier, Lengths lengths, Estimator estimator) {
    const Question question = bench.question(pair, verifier, lengths);
    return bench.sample(question, {.estimator = estimator, .trials = 600, .threads = 2}).tally;
  };
  const Lengths decode{.gamma = 3, .horizon = 10}, iteration{.gamma = 3, .horizon = {}};
  for (const char* verifier : {"block", "greedy-block", "kseq(K=2)"}) {
    CAPTURE(verifier);
    for (const auto& [lengths, estimator] :
         {std::pair{decode, Estimator::plain}, std::pair{iteration, Estimator::conditional}}) {
      CHECK(ask(tight, verifier, lengths, estimator) == ask(free, verifier, lengths, estimator));
    }
    const Question question = tight.question(pair, verifier, decode);
    CHECK(tight.sampled(question)->bytes() < 2'000'000);
  }
  const Question large = free.question(pair, "block", decode);
  CHECK(free.sampled(large)->bytes() > 2'000'000);
  CHECK(free.sampled(large) == free.doubles(large.pair));
  const Question same = tight.question(pair, "block", decode);
  CHECK(tight.sampled(same) != tight.doubles(same.pair));
  // The law of all sequences needs all rows at once, and is refused as before.
  CHECK_THROWS_WITH(tight.answer(same, ByEnumeration{}), Containing("may take"));
}

TEST_CASE("an iteration that needs more than the limit at once is refused with the number") {
  const Scratch scratch;
  const std::string pair = text_pair(scratch, "draft=1,target=3");
  Bench bench(2'000'000);
  const auto sample = [&](int gamma, int drafts, int threads) {
    const Question question = bench.question(pair, "rrs(K=" + std::to_string(drafts) + ")",
                                             {.gamma = gamma, .horizon = 200});
    return bench.sample(question, {.trials = 10, .threads = threads}).tally.trials;
  };
  CHECK(sample(4, 2, 1) == 10);
  CHECK_THROWS_WITH(sample(60, 2, 2), Containing("over the limit of 1.91 MiB"));
  CHECK_THROWS_WITH(sample(4, 40, 2), Containing("over the limit of 1.91 MiB"));
  CHECK_THROWS_WITH(sample(4, 2, 40), Containing("over the limit of 1.91 MiB"));
}

}  // namespace
}  // namespace speclab::bounded_test
