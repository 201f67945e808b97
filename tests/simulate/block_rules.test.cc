// canonical, path-block, recursive-block, recursive-greedy and spectr-coupled at a vocabulary of
// 256.
//
// False alarms: two tests at a level of 1e-10 each, with bounds that hold at any sample size: a
// right program fails this file with a probability of at most 2e-10 over the choice of seeds.
#include "catch.h"
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
constexpr std::string_view kLarge = "zipf(vocabulary=256,draft=1,target=1.1)";

/// The share of 20,000 iterations of one draft token that accept it.
template <class Program>
double accepted_share(const Program& program, const Rows<double>& rows) {
  using View = ViewOf<Program, double>;
  const View view(rows);
  Iteration<View> out;
  int accepted = 0;
  for (std::uint64_t trial = 0; trial < 20000; ++trial) {
    Sampler choices(7, trial, 0);
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
      Sampler choices(6, trial, 0);
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
