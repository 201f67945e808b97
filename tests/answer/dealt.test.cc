// Trials handed out in ranges: the tally of one rank, and what is lost or counted twice.
#include "answer/dealt.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "catch.h"
#include "simulate/tally_text.h"
#include "system/local_mail.h"

namespace speclab {
namespace {

constexpr WorkKind kKinds[] = {kTrialsWork, kClustersWork};
constexpr std::uint64_t kTrials = 100'000;

Question asked(Bench& bench) {
  return bench.question("bernoulli(draft=2/3,target=1/3)", "block", {4, 16, 0},
                        Arithmetic::floating);
}

BySimulation method() { return {.trials = kTrials, .threads = 1}; }

/// A rank that does a range as `here` makes it of an honest one.
void check_refused(const std::function<Tallied(Bench&, const Question&, BySimulation)>& here) {
  Bench bench;
  const Question question = asked(bench);
  int calls = 0;
  const RangeSampler faulty = [&](const BySimulation& range) {
    return ++calls == 3 ? here(bench, question, range) : bench.sample(question, range);
  };
  CHECK_THROWS_AS(deal_trials(question, method(), faulty, {}), std::logic_error);
  CHECK(calls > 3);
}

TEST_CASE("trials over several ranks are those of one, in whatever order they arrive") {
  Bench bench;
  const Question question = asked(bench);
  const std::string alone = tally_text(bench.sample(question, method()).tally);
  for (const MailFault fault : {MailFault::none, MailFault::last_first}) {
    Others others(4, kKinds, fault);
    Workers workers(&others.mail);
    CHECK(tally_text(bench.sample(question, method()).tally) == alone);
  }
}

TEST_CASE("a range that is lost is refused") {
  check_refused([](Bench&, const Question&, const BySimulation&) { return Tallied{}; });
  check_refused([](Bench& bench, const Question& question, BySimulation range) {
    --range.trials;
    return bench.sample(question, range);
  });
}

TEST_CASE("a range that is counted twice is refused") {
  check_refused([](Bench& bench, const Question& question, const BySimulation& range) {
    Tallied tallied = bench.sample(question, range);
    const Tally once = tallied.tally;
    tallied.tally += once;
    return tallied;
  });
}

TEST_CASE("clusters over several ranks are those of one, in whatever order they arrive") {
  Bench bench;
  const Question question = asked(bench);
  const std::vector<ClusterWish> wishes{{&question, 3, 500}, {&question, 0, 700}};
  const auto counted = [&] {
    std::vector<double> all;
    for (const auto& clusters : count_clusters(bench, wishes, method())) {
      for (const Cluster& each : clusters) {
        all.insert(all.end(), {each.tokens, each.steps, each.calls, each.accepted, each.trials});
      }
    }
    return all;
  };
  const auto alone = counted();
  for (const MailFault fault : {MailFault::none, MailFault::last_first}) {
    Others others(3, kKinds, fault);
    Workers workers(&others.mail);
    CHECK(counted() == alone);
  }
}

}  // namespace
}  // namespace speclab
