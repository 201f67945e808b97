#include "claims/engine/simulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/target_cells.h"

namespace speclab {
namespace {

/// The power that a sample is chosen for.
constexpr double kPower = 0.999999;
/// No test makes more trials than this.
constexpr std::uint64_t kMostTrials = 20'000'000;

std::vector<double> to_doubles(const std::vector<Rational>& law) {
  std::vector<double> near;
  for (const Rational& p : law) near.push_back(to_double(p));
  return near;
}

/// The target's law in the cells of the outputs, and no mass of undefined outcomes.
std::vector<double> output_cells(const Instance& instance, int horizon) {
  std::vector<double> law = to_doubles(target_cells(*instance.rows, horizon));
  law.push_back(0);
  return law;
}

/// `law` with `shift` of mass (at most half of the cell) moved from its largest cell to its next
/// largest: the direction that is hardest to see.
std::vector<double> shifted_law(std::vector<double> law, double shift) {
  std::vector<std::size_t> order(law.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return law[a] > law[b]; });
  const double moved = std::min(shift, law[order[0]] / 2);
  law[order[0]] -= moved;
  law[order[1]] += moved;
  return law;
}

/// P(tau = i) from tail[i] = P(tau >= i).
std::vector<Rational> law_of_tail(const std::vector<Rational>& tail) {
  std::vector<Rational> law;
  for (std::size_t i = 0; i < tail.size(); ++i) {
    law.push_back(i + 1 < tail.size() ? Rational(tail[i] - tail[i + 1]) : tail[i]);
  }
  return law;
}

LawTest run_test(std::string_view verifier, const Instance& instance, std::optional<int> horizon,
                 const std::vector<double>& law, const std::vector<double>& alternative,
                 std::uint64_t seed, int threads) {
  BySimulation method;
  method.seed = seed;
  method.threads = threads;
  const CountedLaw counted = horizon ? CountedLaw::output : CountedLaw::accepted;
  return test_law(*instance.bench, question_of(verifier, instance, horizon), method, counted, law,
                  alternative, kTestLevel, kPower, kMostTrials);
}

void add(Examination& examination, const Instance& instance, std::string_view what,
         const LawTest& test, double shift) {
  examination.test(instance,
                   fmt::format("{}, {} trials, G={:.6g}, against {} of the mass in a wrong cell",
                               what, test.fit.sample, test.fit.statistic, shift),
                   test.fit.p_bound, test.power);
}

}  // namespace

double test_shift(const ClaimContext& context) {
  return context.effort == Effort::quick ? 0.02 : context.effort == Effort::standard ? 0.01 : 0.001;
}

LawTest test_accepted_law(std::string_view verifier, const Instance& instance,
                          const std::vector<Rational>& law, std::uint64_t seed, double shift,
                          int threads) {
  const std::vector<double> near = to_doubles(law);
  return run_test(verifier, instance, std::nullopt, near, shifted_law(near, shift), seed, threads);
}

LawTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                        std::uint64_t seed, double shift, int threads) {
  return test_output_law(verifier, instance, horizon, seed,
                         shifted_law(output_cells(instance, horizon), shift), threads);
}

LawTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                        std::uint64_t seed, const std::vector<double>& alternative, int threads) {
  return run_test(verifier, instance, horizon, output_cells(instance, horizon), alternative, seed,
                  threads);
}

void simulate_law(Examination& examination, const SimulatedLaw& law) {
  const ClaimContext& context = examination.context();
  const Instance instance = make_instance(law.at);
  const double shift = test_shift(context);
  if (law.tail != nullptr) {
    add(examination, instance, fmt::format("law of tau of {}", law.verifier),
        test_accepted_law(law.verifier, instance, law_of_tail(law.tail->values(instance)),
                          context.seed, shift, context.threads),
        shift);
  } else {
    add(examination, instance, fmt::format("law of {} tokens of {}", law.horizon, law.verifier),
        test_output_law(law.verifier, instance, law.horizon, context.seed, shift, context.threads),
        shift);
  }
}

}  // namespace speclab
