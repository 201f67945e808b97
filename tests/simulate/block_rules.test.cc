// The simulated laws of the accepted tokens of canonical, path-block, recursive-block,
// recursive-greedy and spectr-coupled are the exact ones.
//
// False alarms: eight tests at a level of 1e-10 each, with bounds that hold at any sample size: a
// right program fails this file with a probability of at most 8e-10 over the choice of seeds.
#include "base/random.h"
#include "catch.h"
#include "run/each_sequence.h"
#include "simulate/sampler.h"
#include "simulate/statistics.h"
#include "theory/lin2026.h"
#include "theory/multi_draft.h"
#include "toy.h"
#include "verifiers/several/canonical.h"
#include "verifiers/several/path_block.h"
#include "verifiers/several/recursive_block.h"
#include "verifiers/several/recursive_greedy.h"
#include "verifiers/several/spectr_coupled.h"

namespace speclab::block_rules_test {
namespace {

constexpr double kLevel = 1e-10;
constexpr std::uint64_t kTrials = 100000;
constexpr std::string_view kPair = "iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])";

/// The number of iterations that ended in each (tau, last token): cells tau * V + Y.
template <class Program>
std::vector<std::uint64_t> simulated(const Program& program, const Rows<double>& rows,
                                     Window window) {
  using View = ViewOf<Program, double>;
  const View view(rows);
  const auto width = static_cast<std::size_t>(rows.vocabulary());
  std::vector<std::uint64_t> counts((static_cast<std::size_t>(window.drafts) + 1) * width);
  Iteration<View> out;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Sampler<Stream> choices(Stream(5, trial, 0, Purpose::draft),
                            Stream(5, trial, 0, Purpose::accept),
                            Stream(5, trial, 0, Purpose::correct));
    out.begin(view.root(0));
    program(view, view.root(0), window, choices, out);
    REQUIRE(out.ending != Ending::undefined);
    ++counts[static_cast<std::size_t>(out.accepted) * width +
             static_cast<std::size_t>(out.tokens.back())];
  }
  return counts;
}

/// The exact law of the same cells.
template <class Program>
std::vector<double> exact_cells(const Program& program, const Rows<double>& rows, Window window) {
  using View = ViewOf<Program, double>;
  const View view(rows);
  const auto width = static_cast<std::size_t>(rows.vocabulary());
  std::vector<double> law((static_cast<std::size_t>(window.drafts) + 1) * width);
  each_sequence(program, view, view.root(0), window, true,
                [&](const Iteration<View>& out, double weight) {
                  law[static_cast<std::size_t>(out.accepted) * width +
                      static_cast<std::size_t>(out.tokens.back())] += weight;
                });
  return law;
}

template <class Program>
void check_simulated(const Program& program) {
  const Rows<double> rows(make_pair(kPair));
  const Window window{.drafts = 2, .bonus = true};
  const auto counts = simulated(program, rows, window);
  const auto test = fit_test(exact_cells(program, rows, window), counts);
  CAPTURE(test.sample, test.statistic, test.degrees, test.p_value);
  CHECK_FALSE(test.too_small);
  CHECK_FALSE(test.rejects(kLevel));
  // The test can fail: it distinguishes these counts from the law of the same rule with one draft
  // less.
  CHECK(fit_test(exact_cells(PathBlock{1}, rows, window), counts).rejects(kLevel));
}

TEST_CASE("canonical: simulated as exact") {
  check_simulated(Canonical{2});
  check_simulated(Canonical{3});
}
TEST_CASE("path-block: simulated as exact") { check_simulated(PathBlock{2}); }
TEST_CASE("recursive-block: simulated as exact") { check_simulated(RecursiveBlock{2}); }
TEST_CASE("recursive-greedy: simulated as exact") { check_simulated(RecursiveGreedy{2}); }
TEST_CASE("spectr-coupled: simulated as exact") { check_simulated(SpectrCoupled{3}); }

constexpr std::string_view kLarge = "zipf(vocabulary=256,draft=1,target=1.1)";

/// The share of 20,000 iterations of one draft token that accept it.
template <class Program>
double accepted_share(const Program& program, const Rows<double>& rows) {
  using View = ViewOf<Program, double>;
  const View view(rows);
  Iteration<View> out;
  int accepted = 0;
  for (std::uint64_t trial = 0; trial < 20000; ++trial) {
    Sampler<Stream> choices(Stream(7, trial, 0, Purpose::draft),
                            Stream(7, trial, 0, Purpose::accept),
                            Stream(7, trial, 0, Purpose::correct));
    out.begin(view.root(0));
    program(view, view.root(0), {.drafts = 1, .bonus = true}, choices, out);
    accepted += out.accepted;
  }
  return accepted / 20000.0;
}

TEST_CASE("at a vocabulary of 256 canonical accepts with alpha*, spectr-coupled with equation 5") {
  const Rows<double> rows(make_pair(kLarge));
  const double best = best_acceptance(rows.draft(0), rows.target(0), 2);
  CHECK(mean_p_bound(accepted_share(Canonical{}, rows), best, 1, 20000) > kLevel);
  Budget budget(1e6);
  const double bound = spectr_gbv_tail(rows, start_law(rows), 3, 1, budget)[1];
  CHECK(mean_p_bound(accepted_share(SpectrCoupled{3}, rows), bound, 1, 20000) > kLevel);
  CHECK(mean_p_bound(accepted_share(PathBlock{1}, rows), best, 1, 20000) < kLevel);
}

TEST_CASE("the rules of several blocks run at a vocabulary of 256") {
  const Rows<double> rows(make_pair(kLarge));
  const auto run = [&](const auto& program) {
    using Program = std::decay_t<decltype(program)>;
    using View = ViewOf<Program, double>;
    const View view(rows);
    Iteration<View> out;
    for (std::uint64_t trial = 0; trial < 20; ++trial) {
      Sampler<Stream> choices(Stream(6, trial, 0, Purpose::draft),
                              Stream(6, trial, 0, Purpose::accept),
                              Stream(6, trial, 0, Purpose::correct));
      auto node = view.root(0);
      for (int i = 0; i < 4; ++i) {
        out.begin(node);
        program(view, node, {.drafts = 5, .bonus = true}, choices, out);
        REQUIRE(out.ending != Ending::undefined);
        REQUIRE(out.tokens.size() == static_cast<std::size_t>(out.accepted) + 1);
        node = out.node;
      }
    }
  };
  run(Canonical{});
  run(PathBlock{4});
  run(RecursiveBlock{4});
  run(RecursiveGreedy{4});
  run(SpectrCoupled{4});
}

}  // namespace
}  // namespace speclab::block_rules_test
