#include "claims/rule/rule_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "answer/fault_rows.h"
#include "base/error.h"
#include "claims/battery/controls.h"
#include "claims/engine/compared.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Pairs that a search for a smaller counterexample looks at.
constexpr std::size_t kMostSmaller = 2000;
/// Tokens beyond the draft length: so many that a second iteration begins where the first may have
/// left a trace.
constexpr int kTokensBeyond = 2;

/// The user's pairs at the draft lengths asked for, or at the one that the rule fixes, as far as
/// their positions allow.
std::vector<Instance> own_instances(const RuleRequest& request, std::optional<int> fixed) {
  std::vector<Instance> instances;
  for (const PairPointer& pair : request.pairs) {
    const Instance made = make_instance(pair);
    for (const int gamma : fixed ? std::vector{*fixed} : request.gammas) {
      if (pair->length().value_or(gamma) < gamma) continue;
      instances.push_back(made);
      instances.back().gamma = gamma;
    }
  }
  return instances;
}

/// The controls' battery, and after it the places where single controls are rejected.
std::vector<Instance> whole_battery() {
  std::vector<Instance> all = control_battery(ClaimContext{});
  std::set<std::pair<std::string, int>> places;
  for (const Instance& each : all) places.emplace(each.name(), each.gamma);
  for (const ControlRow& row : control_rows()) {
    Instance instance = make_instance(row.at);
    if (places.emplace(instance.name(), instance.gamma).second) all.push_back(std::move(instance));
  }
  return all;
}

/// The battery at the draft length that a rule fixes: of each small pair one instance.
std::vector<Instance> at_gamma(std::vector<Instance> all, int gamma) {
  std::set<std::string> names;
  std::erase_if(all, [&](Instance& instance) {
    if (instance.pair().vocabulary() > 2 && gamma > 1) return true;
    instance.gamma = gamma;
    return !names.insert(instance.name()).second;
  });
  return all;
}

/// The tokens whose joint law is compared: fewer where that would have too many sequences.
int most_horizon(const Instance& instance) {
  constexpr double kMostSequences = 20'000;
  const int wanted = instance.gamma + kTokensBeyond;
  const int allowed = std::min(wanted, instance.pair().length().value_or(wanted));
  double sequences = 1;
  for (int tokens = 1; tokens <= allowed; ++tokens) {
    sequences *= static_cast<double>(instance.pair().vocabulary());
    if (sequences > kMostSequences) return std::max(1, tokens - 1);
  }
  return allowed;
}

/// What one rule does on instances, one after another.
class RuleWalk {
 public:
  RuleWalk(RuleReport& report, const RuleProgress& progress)
      : report_(report), progress_(progress) {}

  void visit(const Instance& instance) {
    check_interrupted();
    if (progress_) progress_(fmt::format("{}: pair {}", report_.verifier, report_.settings + 1));
    for (int horizon = most_horizon(instance); horizon >= 1; --horizon) {
      try {
        const Answer answer = rule_answer(report_.verifier, instance, horizon);
        const Value* tv = answer.find(QuantityId::tv_to_target);
        if (tv == nullptr) continue;  // the joint law of so many tokens is beyond a limit
        return record(instance, horizon, *tv->fraction,
                      answer.fraction(QuantityId::iteration_undefined));
      } catch (const Error& error) {
        if (error.code() == ExitCode::interrupted) throw;
        const bool large = error.code() == ExitCode::limit;
        if (large && horizon > 1) continue;
        report_.unchecked.push_back(fmt::format("{}, gamma {}: {}{}", instance.name(),
                                                instance.gamma, error.what(),
                                                large ? "; exact takes that option" : ""));
        return;
      }
    }
  }

  /// The first instance where the law is wrong, and the tokens at which it is.
  [[nodiscard]] const std::optional<std::pair<Instance, int>>& wrong() const { return wrong_; }

 private:
  void record(const Instance& instance, int horizon, const Rational& tv,
              const Rational& undefined) {
    ++report_.settings;
    if (names_.insert(instance.name()).second) ++report_.pairs;
    if (undefined > report_.undefined.mass) {
      report_.undefined = {undefined, instance.name(), instance.gamma};
    }
    if (tv != 0 && !wrong_) wrong_.emplace(instance, horizon);
  }

  RuleReport& report_;
  const RuleProgress& progress_;
  std::set<std::string> names_;
  std::optional<std::pair<Instance, int>> wrong_;
};

/// Instances on which growth is looked at: small, memoryless pairs first.
std::vector<Instance> growing_instances(const std::vector<Instance>& all) {
  std::vector<Instance> some;
  std::set<std::string> names;
  for (const Instance& each : all) {
    if (each.pair().vocabulary() > 3 || each.pair().length()) continue;
    if (names.insert(each.name()).second) some.push_back(each);
  }
  return some;
}

std::optional<std::string> wrong_on_small_pairs(const std::string& verifier) {
  for (const char* pair :
       {"iid(draft=[1,0],target=[1/2,1/2])", "iid(draft=[2/3,1/3],target=[1/3,2/3])",
        "iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])"}) {
    for (const int gamma : {1, 2}) {
      if (fixed_gamma(make_verifier(verifier)).value_or(gamma) != gamma) continue;
      const Instance instance = make_instance(pair, gamma);
      if (gamma > 1 && instance.pair().vocabulary() > 2) continue;
      if (!known_wrong(verifier, instance, gamma + kTokensBeyond)) continue;
      const RuleCounterexample found =
          describe_counterexample(verifier, instance, gamma + kTokensBeyond);
      return fmt::format("TV {} of {} token{} on {}, gamma {}", number_text(found.tv),
                         found.horizon, found.horizon > 1 ? "s" : "", found.pair, found.gamma);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> fixed_gamma(const Verifier& verifier) {
  if (verifier.grown.depth > 0) return verifier.grown.depth;
  if (verifier.tree.empty()) return std::nullopt;
  return static_cast<int>(verifier.tree.size());
}

std::optional<Rational> RuleReport::share_of_optimum() const {
  if (!lossless() || rates.empty()) return std::nullopt;
  const RuleRate& first = rates.front();
  if (!first.optimum || *first.optimum == 0) return std::nullopt;
  return Rational(first.accepted / *first.optimum);
}

RuleReport check_rule(const RuleRequest& request, const RuleProgress& progress) {
  const Verifier verifier = make_verifier(request.verifier);
  const bool of_one_pair = !verifier.inputs.empty();
  if (of_one_pair && request.pairs.empty()) {
    throw InputError(verifier.name +
                     ": its file is made for one pair of models; name the pair as well");
  }
  RuleReport report;
  report.verifier = verifier.name;
  report.declared_lossless = verifier.info->kind == VerifierKind::lossless;
  std::vector<Instance> standard;
  if (!of_one_pair) standard = whole_battery();
  const auto fixed = fixed_gamma(verifier);
  if (fixed) standard = at_gamma(std::move(standard), *fixed);
  const std::vector<Instance> own = own_instances(request, fixed);
  const auto say = [&](const char* what) {
    check_interrupted();
    if (progress) progress(fmt::format("{}: {}", report.verifier, what));
  };

  RuleWalk walk(report, progress);
  for (const Instance& instance : standard) walk.visit(instance);
  for (const Instance& instance : own) walk.visit(instance);
  if (report.settings == 0) {
    throw InputError(
        fmt::format("{} is checked on no pair: {}", report.verifier,
                    report.unchecked.empty() ? "no draft length fits" : report.unchecked.front()));
  }
  if (const auto& wrong = walk.wrong()) {
    say("a smaller counterexample");
    if (!of_one_pair) {
      report.counterexample = smaller_counterexample(report.verifier, wrong->first, kMostSmaller);
    }
    if (!report.counterexample) {
      report.counterexample = describe_counterexample(report.verifier, wrong->first, wrong->second);
    }
  }
  say("what it accepts");
  report.rates = rule_rates(verifier, request);
  say("growth in gamma and in the number of drafts");
  const std::vector<Instance> growing = growing_instances(of_one_pair ? own : standard);
  report.in_gamma = growth_in_gamma(verifier, growing);
  report.in_drafts = growth_in_drafts(verifier, growing);
  say("a proof for all pairs of two tokens");
  report.proof = prove_rule(verifier, request.most_queries);
  if (!report.counterexample) report.counterexample = report.proof.counterexample;
  return report;
}

std::optional<std::string> broken_declaration(const Verifier& verifier) {
  const auto listed = listed_verifiers();
  const bool of_speclab = std::any_of(listed.begin(), listed.end(), [&](const VerifierRow* row) {
    return row->name == verifier.info->name;
  });
  if (of_speclab || verifier.info->kind != VerifierKind::lossless || !verifier.inputs.empty()) {
    return std::nullopt;
  }
  try {
    return wrong_on_small_pairs(verifier.name);
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted) throw;
  } catch (const std::exception&) {
    // What breaks its contract on these pairs has nothing to say of losslessness.
  }
  return std::nullopt;
}

}  // namespace speclab
