#include "claims/battery/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "answer/registration.h"
#include "claims/battery/properties.h"
#include "claims/engine/simulated.h"
#include "system/interrupt.h"
#include "system/thread_pool.h"

namespace speclab {
namespace {

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
  const LawTest test =
      faulty
          ? test_output_law(outcome.verifier, instance, horizon, context.seed,
                            output_cells_of(outcome.verifier, instance, horizon), context.threads)
          : test_output_law(outcome.verifier, instance, horizon, context.seed, test_shift(context),
                            context.threads);
  const FitTest& fit = test.fit;
  if (fit.p_bound > kTestLevel) return;
  outcome.failures.push_back(
      {kSimulated, instance.name(), Method::simulation,
       fmt::format(
           "{}: G={:.6g} and {} impossible outcomes in {} trials, p <= {:.3g} at level {:.3g}",
           setting_text(instance, horizon), fit.statistic, fit.outside, fit.sample, fit.p_bound,
           kTestLevel),
       test.power});
}

/// A verifier under control with what the battery says of it.
/// @throws Error when interrupted
ControlOutcome examine(ControlOutcome outcome, const std::vector<Instance>& all,
                       const ClaimContext& context) {
  check_interrupted();
  std::vector<Instance> instances;
  if (outcome.row != nullptr) {
    instances.push_back(make_instance(outcome.row->at));
    outcome.tv = exact_tv(outcome.verifier, instances[0], instances[0].gamma + 2);
  }
  instances.insert(instances.end(), all.begin(), all.end());
  // Where the exact law finds the fault the simulation must find it too; elsewhere it is looked for
  // on the toy pair.
  Instance where = make_instance(kToy, 2);
  bool faulty = false;
  for (const Property& property : exact_properties()) {
    for (const Instance& instance : instances) {
      const Failure failure = property.fails(outcome.verifier, instance);
      if (!failure) continue;
      outcome.failures.push_back({property.name, instance.name(), Method::exact, *failure, 1});
      if (property.name == kJointLaw && instance.pair().start().size() == 1) {
        where = instance;
        faulty = true;
      }
      break;
    }
  }
  // A bias of the size of rounding is beyond any sample.
  if (faulty) faulty = to_double(exact_tv(outcome.verifier, where, where.gamma + 2)) > kRounding;
  simulate(outcome, where, faulty, context);
  check_interrupted();
  return outcome;
}

/// Faults in verifiers besides their first: enough that each kind of verifier has some.
const std::vector<std::pair<std::string, std::string_view>>& faults_elsewhere() {
  static const auto all = [] {
    std::vector<std::pair<std::string, std::string_view>> found;
    for (const char* rule : {"block", "greedy-block", "batch(M=2)", "rrs(K=2)"}) {
      for (const std::string& text : faults_in(make_verifier(rule))) {
        found.emplace_back(text, make_verifier(text).info->prose);
      }
    }
    return found;
  }();
  return all;
}

/// Those of plugins that declare themselves lossless, before anything is checked.
std::vector<ControlOutcome> plugin_controls() {
  std::vector<ControlOutcome> all;
  for (const VerifierInfo& info : verifier_rows()) {
    if (info.kind != VerifierKind::lossless || plugin_digest(info.name).empty()) continue;
    all.push_back({.verifier = std::string(info.example), .fault = info.prose, .own = true});
  }
  return all;
}

/// What is under control, before anything is checked.
std::vector<ControlOutcome> controls(Controls which) {
  if (which == Controls::plugins) return plugin_controls();
  std::vector<ControlOutcome> all;
  const auto add = [&all](const ControlRow& row) {
    const VerifierInfo& info = *make_verifier(row.verifier).info;
    all.push_back({.verifier = std::string(row.verifier),
                   .fault = row.fault.empty() ? info.prose : row.fault,
                   .wrong = true,
                   .row = &row});
  };
  for (const VerifierInfo& info : verifier_rows()) {
    if (info.kind == VerifierKind::lossless && plugin_digest(info.name).empty()) {
      all.push_back({.verifier = std::string(info.example), .fault = info.prose});
    }
    if (info.kind != VerifierKind::wrong) continue;
    const std::size_t before = all.size();
    for (const ControlRow& row : control_rows()) {
      if (parse_spec(row.verifier).name == info.name) add(row);
    }
    if (all.size() == before) {
      all.push_back({.verifier = std::string(info.example), .fault = info.prose, .wrong = true});
    }
  }
  for (const ControlRow& row : control_rows()) {
    if (make_verifier(row.verifier).info->kind != VerifierKind::wrong) add(row);
  }
  for (const auto& [text, prose] : faults_elsewhere()) {
    all.push_back({.verifier = text, .fault = prose, .wrong = true});
  }
  for (ControlOutcome& each : plugin_controls()) all.push_back(std::move(each));
  return all;
}

}  // namespace

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

std::size_t control_count(Controls which) { return controls(which).size(); }

std::vector<ControlOutcome> run_controls(const ClaimContext& context,
                                         const std::function<void(std::size_t done)>& progress,
                                         Controls which) {
  const auto rows = controls(which);
  const auto instances = control_battery(context);
  ClaimContext inner = context;
  inner.threads = 1;
  std::vector<ControlOutcome> outcomes(rows.size());
  std::size_t begun = 0, done = 0;
  run_tasks(context.threads, [&]() -> std::optional<PoolTask> {
    if (begun == rows.size()) return std::nullopt;
    const std::size_t i = begun++;
    return PoolTask{[&, i] { outcomes[i] = examine(rows[i], instances, inner); },
                    [&] {
                      ++done;
                      if (progress) progress(done);
                    }};
  });
  std::erase_if(outcomes, [](const ControlOutcome& outcome) { return outcome.verifier.empty(); });
  return outcomes;
}

std::string ControlOutcome::surprise() const {
  if (!wrong) {
    if (failures.empty()) return "";
    const PropertyFailure& failure = failures.front();
    return fmt::format("{} fails '{}' on {}, {}",
                       own ? "the plugin declares it lossless, and it" : "a right verifier",
                       failure.property, failure.pair, failure.detail);
  }
  if (failures.empty()) return "the control survives; no property rejects it";
  if (row == nullptr) return "";
  const auto fails = [this](std::string_view property, double power) {
    return std::any_of(failures.begin(), failures.end(), [&](const PropertyFailure& failure) {
      return failure.property == property && failure.pair == row->at.pair && failure.power >= power;
    });
  };
  if (!fails(row->property, 1)) {
    return fmt::format("the control is not rejected by '{}' on {}", row->property, row->at.pair);
  }
  if (!row->tv.empty() && tv != parse_rational(row->tv)) {
    return fmt::format("the control's TV on {} is {}, not {}", row->at.pair, number_text(*tv),
                       row->tv);
  }
  if (row->power > 0 && !fails(kSimulated, row->power)) {
    return fmt::format("the control is not rejected on {} by a simulation of power {}",
                       row->at.pair, row->power);
  }
  return "";
}

std::string surprise_text(const ControlOutcome& outcome) {
  return fmt::format("{}: {}", outcome.verifier, outcome.surprise());
}

}  // namespace speclab
