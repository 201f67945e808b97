#include "experiment/stored_trials.h"

#include "catch.h"
#include "model/pair_around.h"
#include "model/registry.h"
#include "scratch.h"
#include "system/interrupt.h"

namespace speclab::stored_trials_test {
namespace {

/// A Bernoulli pair whose tables a signal stops, from a moment on.
class StoppedPair final : public PairAround {
 public:
  StoppedPair() : PairAround(make_pair("bernoulli(draft=1/3,target=2/3)")) {}
  void rows(State state, std::span<double> draft, std::span<double> target) const override {
    inner_->rows(state, draft, target);
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    inner_->rows(state, draft, target);
  }
  [[nodiscard]] std::vector<Start> start() const override {
    if (stops) signals_seen = 1;
    check_interrupted();
    return inner_->start();
  }

  bool stops = false;
};

}  // namespace

TEST_CASE("a signal between two ranges of trials keeps what was finished") {
  const Scratch scratch;
  Store store(scratch.file("results.sqlite"));
  const auto pair = std::make_shared<StoppedPair>();
  const Question question{pair, make_verifier("token"), {.gamma = 2, .horizon = 4}};
  const BySimulation method{.trials = 192, .threads = 1};
  {
    Bench bench;
    StoredTrials trials(store, bench, question, method, "key");
    const bool whole =
        trials.reach(192, 64, [&](std::uint64_t reached) { pair->stops = reached >= 128; });
    signals_seen = 0;
    CHECK_FALSE(whole);
    CHECK(trials.done() == 128);
  }
  pair->stops = false;
  Bench bench;
  StoredTrials trials(store, bench, question, method, "key");
  CHECK(trials.reach(192, 64, [](std::uint64_t) {}));
  CHECK(trials.found() == 128);
}

}  // namespace speclab::stored_trials_test
