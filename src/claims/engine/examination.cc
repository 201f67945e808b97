#include "claims/engine/examination.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "claims/engine/simulated.h"

namespace speclab {
namespace {

std::string setting(const Instance& instance) {
  if (instance.name().empty()) return "as printed";
  std::string text = instance.gamma == kUnbounded ? std::string("gamma=inf")
                                                  : fmt::format("gamma={}", instance.gamma);
  if (instance.drafts > 1) text += fmt::format(", K={}", instance.drafts);
  return text;
}

/// Ends the evidence of a search that met instances on which there was nothing to compare.
std::string uncompared_text(std::uint64_t count) {
  return count == 0 ? "" : fmt::format("; there is nothing to compare on {} more", count);
}

}  // namespace

AmendsWords words(Amends amends) {
  switch (amends) {
    case Amends::by_correction:
      return {ClaimVerdict::holds_with_correction, "correction", "correction", "as corrected"};
    case Amends::by_replacement:
      return {ClaimVerdict::refuted, "repaired_by", "repaired by", "as repaired"};
    case Amends::by_reading:
      break;
  }
  return {ClaimVerdict::not_decidable, "readings", "readings", "of its readings"};
}

std::string amended_text(const Correction& correction) {
  return fmt::format("{}: {}", words(correction.amends).label, correction.statement);
}

std::string Examination::prefix(Reading reading) const {
  return reading == Reading::printed ? "" : fmt::format("{}: ", words(amends_).heading);
}

std::string_view claim_verdict_name(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::holds:
      return "holds";
    case ClaimVerdict::refuted:
      return "refuted";
    case ClaimVerdict::holds_with_correction:
      return "holds-with-correction";
    case ClaimVerdict::not_decidable:
      return "not-decidable";
  }
  return "";
}

std::string_view method_name(Method method) {
  switch (method) {
    case Method::exact:
      return "exact";
    case Method::simulation:
      return "simulation";
    case Method::closed_form:
      return "closed-form";
    case Method::proof:
      return "proof";
  }
  return "";
}

bool Examination::compare(const Instance& instance, const Comparisons& comparisons, Reading reading,
                          Method method, bool quietly) {
  if (comparisons.empty()) return false;
  ++result_.instances;
  for (const Compared& comparison : comparisons) {
    ++result_.comparisons;
    if (!comparison.holds()) {
      ++tally(reading).violated;
      const bool first = violated_.emplace(instance.name(), method, reading).second;
      if (quietly || first) {
        violations_.push_back(
            {instance.name(), method,
             fmt::format("{}violated, {}: {} ({})", prefix(reading), setting(instance),
                         comparison.text(), demand(comparison.order))});
      }
      return true;
    }
    ++tally(reading).passed;
  }
  if (quietly) return false;
  auto known = std::find_if(passed_.begin(), passed_.end(), [&](const Passed& passed) {
    return passed.pair == instance.name() && passed.method == method && passed.reading == reading;
  });
  if (known == passed_.end()) {
    known = passed_.insert(passed_.end(), {instance.name(), method, reading, 0, {}});
  }
  known->count += comparisons.size();
  known->example = fmt::format("{}, {}", setting(instance), comparisons.back().text());
  return false;
}

void Examination::check(const std::vector<Instance>& instances, const Statement& statement,
                        Reading reading, Method method) {
  for (const Instance& instance : instances) {
    compare(instance, statement(instance), reading, method, false);
  }
}

void Examination::rank_found() {
  violations_.back().detail += "; smallest counterexample";
  const auto smallest = static_cast<std::ptrdiff_t>(searched_++);
  std::rotate(violations_.begin() + smallest, violations_.end() - 1, violations_.end());
}

bool Examination::search(const SearchSpace& space, const Statement& statement, Reading reading,
                         std::string_view among) {
  bool found = false;
  const std::uint64_t before = result_.instances;
  const std::uint64_t tried =
      enumerate_pairs(space, context_.effort, [&](const Instance& instance) {
        found = compare(instance, statement(instance), reading, Method::exact, true);
        return found;
      });
  if (found) {
    rank_found();
  } else {
    const Effort effort = context_.effort;
    const int states = space.states.at(effort);
    const std::uint64_t compared = result_.instances - before;
    const std::string pairs =
        fmt::format("{} with at most {} tokens",
                    states == 1 ? std::string("memoryless pairs")
                                : fmt::format("pairs of at most {} contexts", states),
                    space.tokens.at(effort));
    findings_.push_back(
        {states == 1 ? "iid" : "automaton", Method::exact,
         fmt::format("{}holds on all {} {}, gamma {}..{}, K {}..{} and a common denominator of at "
                     "most {}{}{}",
                     prefix(reading), compared, pairs, space.least_gamma, space.gammas.at(effort),
                     space.least_drafts, space.drafts.at(effort), space.denominator.at(effort),
                     among, uncompared_text(tried - compared))});
  }
  return found;
}

void Examination::search(const std::vector<Instance>& instances, const Statement& statement,
                         Reading reading, std::string_view space) {
  const std::uint64_t before = result_.instances;
  const auto violates = [&](const Instance& instance) {
    return compare(instance, statement(instance), reading, Method::exact, true);
  };
  if (std::any_of(instances.begin(), instances.end(), violates)) return rank_found();
  const std::uint64_t compared = result_.instances - before;
  findings_.push_back({"search", Method::exact,
                       fmt::format("{}holds on all {}: {}{}", prefix(reading), compared, space,
                                   uncompared_text(instances.size() - compared))});
}

void Examination::check_at(const Place& place, const Check& check, int depth, Reading reading) {
  const Filter& filter = place.filter();
  const Check made = place.made(check);
  const Statement statement = [&](const Instance& instance) {
    if (filter.keeps != nullptr && !filter.keeps(instance)) return Comparisons{};
    Instance sized = instance;
    sized.depth = depth;
    return made(sized);
  };
  if (const auto* space = std::get_if<SearchSpace>(&place.where())) {
    search(*space, statement, reading,
           filter.keeps != nullptr ? ", where " + std::string(filter.text) : "");
    return;
  }
  if (const auto* family = std::get_if<Family>(&place.where()); family && family->searched) {
    return search(family->make(context_.effort), statement, reading, family->text);
  }
  std::vector<Instance> instances;
  if (const auto* shape = std::get_if<BatteryShape>(&place.where())) {
    instances = battery(context_, *shape);
  } else if (const auto* named = std::get_if<NamedPair>(&place.where())) {
    instances = {make_instance(*named)};
  } else {
    instances = std::get<Family>(place.where()).make(context_.effort);
  }
  this->check(instances, statement, reading, place.method());
}

void Examination::test(const Instance& instance, std::string_view what, double p_bound,
                       double power, Reading reading) {
  ++result_.instances;
  ++result_.comparisons;
  ++result_.tests;
  result_.least_power = std::min(result_.least_power, power);
  const bool rejected = p_bound <= kTestLevel;
  ++(rejected ? tally(reading).violated : tally(reading).passed);
  (rejected ? violations_ : findings_)
      .push_back({instance.name(), Method::simulation,
                  fmt::format("{}{}, {}: {}; p <= {:.3g} at level {:.3g}, power {:.6g}",
                              prefix(reading), rejected ? "violated" : "holds", setting(instance),
                              what, p_bound, kTestLevel, power)});
}

void Examination::note(const Instance& instance, Method method, std::string detail) {
  findings_.push_back({instance.name(), method, std::move(detail)});
}

ClaimResult Examination::finish() {
  if (printed_.passed + printed_.violated == 0) {
    throw std::logic_error("a claim's check compared nothing");
  }
  result_.amended_violated = corrected_.violated > 0;
  result_.verdict = printed_.violated == 0                              ? ClaimVerdict::holds
                    : corrected_.passed > 0 && corrected_.violated == 0 ? words(amends_).verdict
                                                                        : ClaimVerdict::refuted;
  result_.evidence = std::move(violations_);
  for (Evidence& finding : findings_) result_.evidence.push_back(std::move(finding));
  for (const Passed& passed : passed_) {
    result_.evidence.push_back(
        {passed.pair, passed.method,
         fmt::format("{}holds in {} comparison{}; {}", prefix(passed.reading), passed.count,
                     passed.count == 1 ? "" : "s", passed.example)});
  }
  return std::move(result_);
}

ClaimResult run_claim(const ClaimRow& row, const ClaimContext& context) {
  Examination examination(context, row.correction.amends);
  const int depth = row.depth.at(context.effort);
  for (const Place& place : row.places) {
    examination.check_at(place, row.check, depth, Reading::printed);
  }
  if (row.correction.check) {
    const Places& places = row.correction.places.empty() ? row.places : row.correction.places;
    for (const Place& place : places) {
      examination.check_at(place, row.correction.check, depth, Reading::corrected);
    }
  }
  for (const SimulatedLaw& law : row.simulated) {
    if (!law.verifier.empty()) simulate_law(examination, law);
  }
  if (context.effort == Effort::thorough) {
    for (const ForAllPairs& proof : row.proofs) {
      if (!proof.verifier.empty()) examination.prove(proof);
    }
  }
  if (row.extra != nullptr) row.extra(examination);
  return examination.finish();
}

std::vector<std::string> ClaimRow::checked_on() const {
  std::vector<std::string> where;
  for (const Place& place : places) where.push_back(place.text());
  for (const Place& place : correction.places) {
    where.push_back(fmt::format("{}: {}", words(correction.amends).heading, place.text()));
  }
  for (const ForAllPairs& proof : proofs) {
    if (!proof.verifier.empty()) where.push_back("proved: " + proof.text());
  }
  return where;
}

std::vector<std::string> ClaimRow::planted() const {
  std::vector<std::string> faults;
  for (const Bite& bite : bites) {
    if (!bite.ingredient.empty()) faults.push_back(bite.text());
  }
  return faults;
}

}  // namespace speclab
