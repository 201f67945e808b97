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

SimulatedTest run_test(const std::vector<double>& law, std::string_view verifier,
                       const Instance& instance, const BySimulation& method,
                       std::optional<int> horizon, const std::vector<double>& alternative) {
  const Question question = question_of(verifier, instance, horizon);
  const CountedLaw counted = horizon ? CountedLaw::output : CountedLaw::accepted;
  return test_law(*instance.bench, question, method, counted, law, alternative, kTestLevel, kPower,
                  kMostTrials);
}

void add(Examination& examination, const Instance& instance, std::string_view what,
         const SimulatedTest& test, double shift) {
  examination.test(instance,
                   fmt::format("{}, {} trials, G={:.6g}, against {} of the mass in a wrong cell",
                               what, test.fit.sample, test.fit.statistic, shift),
                   test.fit.p_bound, test.power);
}

}  // namespace

double test_shift(const ClaimContext& context) {
  return context.effort == Effort::quick ? 0.02 : context.effort == Effort::standard ? 0.01 : 0.001;
}

std::vector<double> shifted_law(std::vector<double> law, double shift) {
  if (law.size() < 2) law.resize(2);
  std::vector<std::size_t> order(law.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return law[a] > law[b]; });
  const double moved = std::min(shift, law[order[0]] / 2);
  law[order[0]] -= moved;
  law[order[1]] += moved;
  return law;
}

SimulatedTest test_accepted_law(std::string_view verifier, const Instance& instance,
                                const std::vector<Rational>& law, std::uint64_t seed, double shift,
                                int threads) {
  BySimulation request;
  request.seed = seed;
  request.threads = threads;
  auto near = to_doubles(law);
  if (near.size() < 2) near.resize(2);
  return run_test(near, verifier, instance, request, std::nullopt, shifted_law(near, shift));
}

SimulatedTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                              std::uint64_t seed, double shift, int threads) {
  std::vector<double> law = to_doubles(target_cells(*instance.rows, horizon));
  law.push_back(0);
  return test_output_law(verifier, instance, horizon, seed, shifted_law(law, shift), threads);
}

SimulatedTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                              std::uint64_t seed, const std::vector<double>& alternative,
                              int threads) {
  BySimulation request;
  request.seed = seed;
  request.threads = threads;
  std::vector<double> law = to_doubles(target_cells(*instance.rows, horizon));
  law.push_back(0);
  return run_test(law, verifier, instance, request, horizon, alternative);
}

std::vector<Rational> law_of_tail(const std::vector<Rational>& tail) {
  std::vector<Rational> law;
  for (std::size_t i = 0; i < tail.size(); ++i) {
    law.push_back(i + 1 < tail.size() ? Rational(tail[i] - tail[i + 1]) : tail[i]);
  }
  return law;
}

void simulate_law(Examination& examination, const SimulatedLaw& law) {
  const ClaimContext& context = examination.context();
  const Instance instance = make_instance(law.at.pair, law.at.gamma, law.at.drafts);
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
