#include "claims/controls.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "base/interrupt.h"
#include "base/parallel.h"
#include "claims/properties.h"
#include "claims/simulated.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

constexpr std::string_view kSimulated = "simulated law of the output";

/// Small enough for every verifier's exact law, two drafts included; smallest first. Three drafts
/// are the fewest that show a carry on top of a carry, D/T of a path where its ratio is not 1, and
/// a weight above 1 inside a block.
std::vector<Instance> control_battery(const ClaimContext& context) {
  auto instances = battery(context, {.tokens = 3, .gammas = 2, .random = {2, 4, 12}});
  std::erase_if(instances, [](const Instance& instance) {
    return instance.pair().vocabulary() > 2 && instance.gamma > 1;
  });
  const auto larger = std::find_if(instances.begin(), instances.end(), [](const Instance& each) {
    return each.pair().vocabulary() > 2;
  });
  instances.insert(larger, {make_instance("iid(draft=[2/3,1/3],target=[1/3,2/3])", 3),
                            make_instance("iid(draft=[1/2,1/2],target=[3/4,1/4])", 3)});
  return instances;
}

/// The decode's exact law in the cells of a tally of outputs; what is undefined goes last.
std::vector<double> output_cells_of(std::string_view verifier, const Instance& instance,
                                    int horizon) {
  const auto decode = exact_answer(verifier, instance, horizon, 0, true);
  std::size_t cells = 1;
  const auto vocabulary = static_cast<std::size_t>(instance.pair().vocabulary());
  for (int i = 0; i < horizon; ++i) cells *= vocabulary;
  std::vector<double> law(cells + 1);
  if (const auto* found = decode.found.find(QuantityId::output_law)) {
    for (const auto& [tokens, probability] : found->values) {
      std::size_t cell = 0;
      for (const Token x : tokens) cell = cell * vocabulary + static_cast<std::size_t>(x);
      law[cell] += probability.number;
    }
  }
  law.back() = to_double(decode.fraction(QuantityId::output_undefined));
  return law;
}

/// The simulated test of the output's law on one instance. The sample is chosen for the law that
/// the verifier really has there, where it is not the target's.
void simulate(ControlOutcome& outcome, const Instance& instance, bool faulty,
              const ClaimContext& context) {
  const int horizon = instance.gamma + 2;
  const SimulatedTest test =
      faulty
          ? test_output_law(outcome.verifier, instance, horizon, context.seed,
                            output_cells_of(outcome.verifier, instance, horizon), context.threads)
          : test_output_law(outcome.verifier, instance, horizon, context.seed, test_shift(context),
                            context.threads);
  ++outcome.tests;
  if (test.p_bound > kTestLevel) return;
  outcome.failures.push_back(
      {kSimulated, instance.name(), Method::simulation,
       fmt::format(
           "{}: G={:.6g} and {} impossible outcomes in {} trials, p <= {:.3g} at level {:.3g}",
           setting_text(instance, horizon), test.statistic, test.outside, test.trials, test.p_bound,
           kTestLevel),
       test.power});
}

ControlOutcome examine(const VerifierInfo& row, const std::vector<Instance>& instances,
                       const ClaimContext& context) {
  ControlOutcome outcome;
  outcome.verifier = row.example;
  outcome.fault = row.prose;
  outcome.wrong = row.kind == VerifierKind::wrong;
  for (const Property& property : exact_properties()) {
    for (const Instance& instance : instances) {
      ++outcome.instances;
      const Failure failure = property.fails(outcome.verifier, instance);
      if (!failure) continue;
      outcome.failures.push_back({property.name, instance.name(), Method::exact, *failure, 1});
      break;
    }
  }
  // Where the exact law finds the fault the simulation must find it too: on the instance where it
  // is largest; elsewhere on the toy pair. A bias of the size of rounding is beyond any sample.
  Instance where = make_instance("iid(draft=[2/3,1/3],target=[1/3,2/3])", 2);
  Rational largest(0);
  for (const Instance& instance : instances) {
    if (instance.pair().start().size() > 1) continue;
    const Rational tv = exact_answer(outcome.verifier, instance, instance.gamma + 2)
                            .fraction(QuantityId::tv_to_target);
    if (tv > largest) {
      largest = tv;
      where = instance;
    }
  }
  ++outcome.instances;
  simulate(outcome, where, to_double(largest) > kRounding, context);
  return outcome;
}

std::vector<const VerifierInfo*> controlled_rows() {
  std::vector<const VerifierInfo*> rows;
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind == VerifierKind::lossless || row.kind == VerifierKind::wrong) rows.push_back(&row);
  }
  return rows;
}

}  // namespace

std::vector<std::string_view> property_names() {
  std::vector<std::string_view> names;
  for (const Property& property : exact_properties()) names.push_back(property.name);
  names.push_back(kSimulated);
  return names;
}

std::size_t control_count() { return controlled_rows().size(); }

std::vector<ControlOutcome> run_controls(const ClaimContext& context,
                                         const std::function<void(std::size_t done)>& progress) {
  const auto rows = controlled_rows();
  const auto instances = control_battery(context);
  ClaimContext inner = context;
  inner.threads = 1;
  std::vector<ControlOutcome> outcomes(rows.size());
  std::size_t done = 0;
  const int threads = context.threads > 0 ? context.threads : omp_get_max_threads();
  parallel_for(static_cast<std::int64_t>(rows.size()), threads, [&](std::int64_t at) {
    const auto i = static_cast<std::size_t>(at);
    ControlOutcome outcome;
    if (!finished([&] { outcome = examine(*rows[i], instances, inner); })) return;
#pragma omp critical(speclab_controls)
    {
      outcomes[i] = std::move(outcome);
      ++done;
      if (progress) progress(done);
    }
  });
  std::erase_if(outcomes, [](const ControlOutcome& outcome) { return outcome.verifier.empty(); });
  return outcomes;
}

std::string surprise_text(const ControlOutcome& outcome) {
  if (outcome.wrong) {
    return fmt::format("{}: the control survives; no property rejects it", outcome.verifier);
  }
  const PropertyFailure& failure = outcome.failures.front();
  return fmt::format("{}: a right verifier fails '{}' on {}, {}", outcome.verifier,
                     failure.property, failure.pair, failure.detail);
}

}  // namespace speclab
