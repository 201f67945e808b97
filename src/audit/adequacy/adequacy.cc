#include "audit/adequacy/adequacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "audit/plan.h"
#include "audit/verify_cases.h"
#include "base/error.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Laws that differ by less differ by rounding.
constexpr double kSameCells = 1e-12;
/// Sets of drafts over which it is checked that a fault's drafts follow the draft's law.
constexpr double kMostSetsVerified = 5'000;

bool differ(const CellLaw& a, const CellLaw& b) {
  const auto misses = [](const CellLaw& from, const CellLaw& other) {
    return std::any_of(from.begin(), from.end(), [&](const auto& cell) {
      const auto found = other.find(cell.first);
      return std::abs(cell.second - (found == other.end() ? 0 : found->second)) > kSameCells;
    });
  };
  return misses(a, b) || misses(b, a);
}

/// The laws of one iteration of verifiers at the places of cases, each made once.
class PlaceLaws {
 public:
  /// Empty where the verifier does not take the drafts that the case gives.
  const std::optional<AuditLaw>& law(const Verifier& verifier, const AdequacyCase& at) {
    const auto key = std::pair(at.place.rows.get(), verifier.name);
    const auto [place, added] = laws_.try_emplace(key);
    if (added) place->second = make(verifier, at);
    return place->second;
  }

 private:
  static std::optional<AuditLaw> make(const Verifier& verifier, const AdequacyCase& at) {
    check_interrupted();
    const AuditPlace& place = at.place;
    if (place.chains.empty()) return law_at(verifier, place);
    const auto chains = static_cast<int>(place.chains.size());
    const bool few = set_count(place, chains) <= kMostSetsVerified;
    const auto made = [&]() -> std::optional<AuditLaw> {
      if (few && !why_unseen(verifier, place, chains).empty()) return std::nullopt;
      return law_at(verifier, place);
    };
    return if_drafted(made).value_or(std::nullopt);
  }

  std::map<std::pair<const Rows<double>*, std::string>, std::optional<AuditLaw>> laws_;
};

/// Cases of equal rows share them, so that their laws are made once.
void share_rows(std::vector<AdequacyCase>& cases) {
  std::map<std::string, std::shared_ptr<const Rows<double>>> known;
  for (AdequacyCase& each : cases) {
    const AuditPlace& place = each.place;
    std::string key =
        fmt::format("{} {} {}", place.gamma, place.rows->vocabulary(), chains_text(place.chains));
    for (State s = 0; s < place.rows->pair().states(); ++s) {
      for (const double p : place.rows->draft(s)) key += fmt::format(" {}", p);
      for (const double p : place.rows->target(s)) key += fmt::format(" {}", p);
    }
    each.place.rows = known.try_emplace(std::move(key), each.place.rows).first->second;
  }
}

class Adequacy {
 public:
  Adequacy(const AdequacyOptions& options, AdequacyReport& report)
      : options_(options), report_(report) {}

  void test(AdequacySuite& suite, std::size_t at) {
    const AdequacyCase& each = report_.cases[at];
    const Verifier rule = make_verifier(each.rule);
    const auto& law = laws_.law(rule, each);
    if (!law) {
      throw InputError(fmt::format("{}, {}: {} does not take given drafts; leave out draft_tokens",
                                   each.suite, each.name, each.rule));
    }
    const CellLaw right = counted_law(*law, each.counted);
    if (right.empty()) {
      throw InputError(fmt::format("{}, {}: {} never emits what it counts on these rows",
                                   each.suite, each.name, each.rule));
    }
    const CellTest cells(right, each.test, each.samples);
    const TestPower alarm = cells.power(right, options_.seed);
    if (suite.cases.empty() || alarm.value > suite.false_alarm.value) suite.false_alarm = alarm;
    suite.cases.push_back(at);
    for (const Verifier& fault : faults_of(each.rule)) {
      SuiteFault& found = entry(suite, each.rule, fault.name);
      const auto& wrong = laws_.law(fault, each);
      std::string reason;
      TestPower power = alarm;
      if (!wrong) {
        reason = "its fault is in the drafting, and the drafts are given";
      } else if (const CellLaw other = counted_law(*wrong, each.counted); !differ(right, other)) {
        reason = "what is counted has the rule's law on these rows";
      } else {
        power = cells.power(other, options_.seed + 1);
      }
      const bool better =
          reason.empty() == found.reason.empty() ? power.low > found.power.low : reason.empty();
      if (found.by.empty() || better) {
        found.power = power;
        found.by = each.name;
        found.reason = reason;
      }
      found.seen = found.reason.empty() && found.power.low >= options_.power;
    }
  }

  /// Cases with given drafts that show what the suite does not see, with the fewest samples: the
  /// fault that takes most first, then those that its case leaves.
  void add_cases(AdequacySuite& suite) {
    std::set<std::string> rules;
    for (const SuiteFault& fault : suite.faults) {
      if (!fault.seen) rules.insert(fault.rule);
    }
    for (const std::string& rule : rules) add_cases(suite, rule);
    std::stable_sort(suite.added.begin(), suite.added.end(),
                     [](const AddedCase& a, const AddedCase& b) { return a.samples < b.samples; });
  }

 private:
  const std::vector<Verifier>& faults_of(const std::string& rule) {
    const auto [place, added] = faults_.try_emplace(rule);
    if (added) place->second = known_faults({.rule = rule});
    return place->second;
  }

  static SuiteFault& entry(AdequacySuite& suite, const std::string& rule,
                           const std::string& fault) {
    for (SuiteFault& each : suite.faults) {
      if (each.rule == rule && each.fault == fault) return each;
    }
    return suite.faults.emplace_back(SuiteFault{rule, fault, {}, "", "", false});
  }

  /// A case's level of one test, of its false-alarm probability.
  double level_of(const CasePlan& plan) const {
    return options_.false_alarm / static_cast<double>(test_count(plan));
  }

  void add_cases(AdequacySuite& suite, const std::string& rule) {
    const std::vector<Verifier>& faults = faults_of(rule);
    const std::vector<PlacedCase>& candidates = candidates_of(rule);
    const auto need = [&](std::size_t at, std::size_t fault) {
      const CasePlan& plan = candidates[at].plan;
      return trials_to_show(plan, fault, level_of(plan), options_.power, options_.most_samples);
    };
    struct Need {
      std::uint64_t samples;
      std::size_t fault, at;
    };
    std::vector<Need> needs;
    for (std::size_t f = 0; f < faults.size(); ++f) {
      if (entry(suite, rule, faults[f].name).seen) continue;
      check_interrupted();
      Need best{0, f, 0};
      for (std::size_t at = 0; at < candidates.size(); ++at) {
        const std::uint64_t samples = need(at, f);
        if (samples > 0 && (best.samples == 0 || samples < best.samples)) {
          best = {samples, f, at};
        }
      }
      if (best.samples > 0) {
        needs.push_back(best);
      } else {
        suite.nowhere.push_back(faults[f].name);
      }
    }
    std::stable_sort(needs.begin(), needs.end(),
                     [](const Need& a, const Need& b) { return a.samples > b.samples; });
    std::set<std::size_t> shown;
    for (const Need& hardest : needs) {
      if (shown.contains(hardest.fault)) continue;
      const PlacedCase& made = candidates[hardest.at];
      AddedCase& added = suite.added.emplace_back();
      added.line =
          adequacy_line(suite.name, rule, made.place, hardest.samples, options_.false_alarm);
      added.vocabulary = made.place.rows->vocabulary();
      added.gamma = made.place.gamma;
      added.samples = hardest.samples;
      for (const Need& other : needs) {
        const std::uint64_t samples = need(hardest.at, other.fault);
        if (samples == 0 || samples > hardest.samples) continue;
        if (shown.insert(other.fault).second) added.shows.push_back(faults[other.fault].name);
      }
    }
  }

  const std::vector<PlacedCase>& candidates_of(const std::string& rule) {
    const auto [place, added] = candidates_.try_emplace(rule);
    if (added) {
      try {
        place->second = placed_candidates({.rule = rule}, faults_of(rule));
      } catch (const InputError&) {  // the rule has no law given its drafts: nothing is added
      }
    }
    return place->second;
  }

  const AdequacyOptions& options_;
  AdequacyReport& report_;
  PlaceLaws laws_;
  std::map<std::string, std::vector<Verifier>> faults_;
  std::map<std::string, std::vector<PlacedCase>> candidates_;
};

}  // namespace

std::size_t AdequacySuite::seen() const {
  return static_cast<std::size_t>(
      std::count_if(faults.begin(), faults.end(), [](const SuiteFault& f) { return f.seen; }));
}

bool AdequacyReport::adequate() const {
  return std::all_of(suites.begin(), suites.end(), [](const AdequacySuite& suite) {
    return suite.seen() == suite.faults.size();
  });
}

AdequacyReport adequacy(std::vector<AdequacyCase> cases, const AdequacyOptions& options,
                        const std::function<void(std::size_t, std::size_t)>& progress) {
  AdequacyReport report{options.power, std::move(cases), {}};
  share_rows(report.cases);
  Adequacy made(options, report);
  for (std::size_t at = 0; at < report.cases.size(); ++at) {
    const std::string& name = report.cases[at].suite;
    auto suite = std::find_if(report.suites.begin(), report.suites.end(),
                              [&name](const AdequacySuite& each) { return each.name == name; });
    if (suite == report.suites.end()) {
      suite = report.suites.insert(report.suites.end(), AdequacySuite{.name = name});
    }
    made.test(*suite, at);
    if (progress) progress(at + 1, report.cases.size());
  }
  for (AdequacySuite& suite : report.suites) made.add_cases(suite);
  return report;
}

}  // namespace speclab
