#include "audit/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "audit/binomial.h"
#include "audit/plan.h"
#include "audit/vector_laws.h"
#include "audit/verify_cases.h"
#include "base/error.h"
#include "base/json.h"
#include "base/split.h"
#include "document/document.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Counts are looked at after this part of a case's samples too, so that gross faults end early.
constexpr std::uint64_t kEarly = 8;
/// Of a case with a large vocabulary: a function that makes one iteration at a time looks at every
/// token in each.
constexpr std::uint64_t kPaddedSamples = 4'096;

/// Probabilities as decimals that read back to the same doubles: a list, or of a large vocabulary
/// an object by token.
Json row_object(const std::vector<double>& row, const std::vector<Token>& names) {
  const auto decimal = [](double probability) { return Json(fmt::format("{}", probability)); };
  if (names.empty()) return json_of(row, decimal);
  Json tokens = Json::object();
  for (std::size_t x = 0; x < row.size(); ++x) {
    if (row[x] > 0) tokens[std::to_string(names[x])] = decimal(row[x]);
  }
  return tokens;
}

/// Rows along each chain.
Json chains_of(const std::vector<std::vector<std::vector<double>>>& chains,
               const std::vector<Token>& names) {
  return json_of(chains, [&](const auto& rows) {
    return json_of(rows, [&](const auto& row) { return row_object(row, names); });
  });
}

void add_band(Json& into, std::uint64_t samples, double probability, double level) {
  const CountBand all = binomial_band(samples, probability, level / 2);
  const CountBand early = binomial_band(samples / kEarly, probability, level / 2);
  into["count"] = Json::array({all.least, all.most});
  into["early"] = Json::array({early.least, early.most});
}

Json uniforms_of(const NumberedCase& numbers, const VectorCase& made) {
  Json list = Json::array();
  for (std::size_t i = 0; i < numbers.grid.size(); ++i) {
    list.push_back(Json{{"coins", numbers.grid[i].coins},
                        {"draws", numbers.grid[i].draws},
                        {"tokens", made.named(numbers.tokens[i])}});
  }
  return list;
}

Json case_object(const JudgedCase& each, const NumberedCase& numbers, std::size_t id,
                 const BatterySize& size, double level) {
  Json object{{"id", id}, {"flag", each.made.flag}, {"vocabulary", each.made.vocabulary}};
  const VerifyRequest request = request_at(each.place);
  const auto named = [&](const std::vector<Token>& tokens) { return each.made.named(tokens); };
  const std::uint64_t samples = each.samples;
  if (samples != size.samples) {
    object["samples"] = samples;
    object["early"] = samples / kEarly;
  }
  object["drafts"] = json_of(request.drafts, named);
  object["draft_rows"] = chains_of(request.draft_rows, each.made.names);
  object["target_rows"] = chains_of(request.target_rows, each.made.names);
  for (const auto& [accepted, probability] : each.lengths) {
    Json length{{"accepted", accepted}};
    add_band(length, samples, std::min(1.0, probability), level);
    object["lengths"].push_back(std::move(length));
  }
  for (const auto& [outcome, weight] : each.law) {
    Json entry{{"accepted", outcome.accepted}, {"tokens", named(outcome.tokens)}};
    entry["probability"] = to_text(weight);
    add_band(entry, samples, to_double(weight), level);
    object["outcomes"].push_back(std::move(entry));
  }
  if (each.made.eos) object["eos"] = *each.made.eos;
  object["uniforms"] = uniforms_of(numbers, each.made);
  return object;
}

Json heading(const std::string& kind, const Verifier& rule, const BatterySize& size) {
  return Json{{"format", kind},
              {"version", kBatteryVersion},
              {"battery", size.name},
              {"licence", "Apache-2.0"},
              {"rule", rule.name},
              {"prose", rule.info->prose},
              {"lossless", rule.info->kind == VerifierKind::lossless},
              {"drafts", std::max(rule.drafts, 1)},
              {"samples", size.samples},
              {"early", size.samples / kEarly},
              {"false_alarm", kVectorFalseAlarm}};
}

/// An object on several lines, the elements of its last member a line each.
std::string lines_of(const Json& head, std::string_view key, const std::vector<Json>& elements) {
  std::string text = "{\n";
  for (const auto& [name, value] : head.items()) {
    text += fmt::format(" {}: {},\n", Json(name).dump(), value.dump());
  }
  text += fmt::format(" \"{}\": [", key);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    text += (i == 0 ? "\n  " : ",\n  ") + elements[i].dump();
  }
  return text + "\n ]\n}\n";
}

constexpr std::string_view kFirstVersion =
#include "audit/battery_1.txt"
    ;

/// What a version of the batteries is made of. A rule or a fault that the registry gains later is
/// in no older version.
struct BatteryNames {
  std::vector<std::string> rules;  ///< canonical, in the order of the files of controls
  std::set<std::string> faults;    ///< of the rules, planted
};

const BatteryNames& battery_names() {
  static const BatteryNames names = [] {
    BatteryNames read;
    bool faults = false;
    for (const std::string_view line : split(kFirstVersion, "\n")) {
      if (line.starts_with('#')) continue;
      faults = faults || line.empty();
      if (line.empty()) continue;
      if (faults) {
        read.faults.emplace(line);
      } else {
        read.rules.emplace_back(line);
      }
    }
    return read;
  }();
  return names;
}

/// The planted faults of a rule; of a rule of the battery, those of the battery.
std::vector<Verifier> planted_faults(const Verifier& rule) {
  std::vector<Verifier> faults = known_faults({.rule = rule.name});
  const BatteryNames& names = battery_names();
  if (std::ranges::count(names.rules, rule.name) > 0) {
    std::erase_if(faults,
                  [&](const Verifier& fault) { return !names.faults.contains(fault.name); });
  }
  return faults;
}

/// Whether two rules take drafts of one shape, as deep as both go.
bool like(const Verifier& a, const Verifier& b) {
  const GivenShape one = given_shape(a), other = given_shape(b);
  if (one.of != other.of || one.chains != other.chains) return false;
  const std::size_t depth = std::min(one.tree.size(), other.tree.size());
  for (std::size_t i = 0; i < std::max(one.tree.size(), other.tree.size()); ++i) {
    if (depth > 0 && i >= depth) break;
    if (branching(one, i) != branching(other, i)) return false;
  }
  return true;
}

/// Other rules for such drafts, which an implementation may run by mistake.
std::vector<Verifier> rules_beside(const Verifier& rule) {
  std::vector<Verifier> beside;
  for (const std::string& name : battery_names().rules) {
    Verifier other = make_verifier(name);
    if (name != rule.name && like(other, rule)) beside.push_back(std::move(other));
  }
  return beside;
}

/// A case whose fractions are longer than this in all is left out: a file has a size to keep.
constexpr std::size_t kMostDigits = 400'000;

std::size_t digits(const OutcomeLaw& law) {
  std::size_t sum = 0;
  for (const auto& [outcome, weight] : law) sum += to_text(weight).size();
  return sum;
}

std::vector<JudgedCase> judged_cases(const Verifier& rule, Battery battery) {
  std::vector<JudgedCase> cases;
  if (rule.info->small_pairs || rule.info->drafting != Drafting::window) return cases;
  for (VectorCase& made : vector_cases(battery, given_shape(rule))) {
    check_interrupted();
    auto each = judged(rule, std::move(made));
    if (!each || digits(each->law) > kMostDigits) continue;
    const std::uint64_t samples = battery_size(battery).samples;
    each->samples = each->made.names.empty() ? samples : std::min(samples, kPaddedSamples);
    cases.push_back(std::move(*each));
  }
  return cases;
}

/// Six digits: what is printed does not depend on the last bits.
double rounded(double power) { return std::floor(power * 1e6) / 1e6; }

Json control_heading(std::string_view fault, std::string_view prose, std::size_t at, double power) {
  return {{"fault", fault}, {"prose", prose}, {"case", at + 1}, {"power", power}};
}

/// Wrong rules, and which of them a file of vectors rejects.
class CoveredControls {
 public:
  CoveredControls(const std::vector<JudgedCase>& cases, const std::vector<NumberedCase>& numbers,
                  double level)
      : cases_(cases), numbers_(numbers), level_(level) {}

  /// @param planted  whether it is a fault of the rule: one that is not rejected is listed
  void add(const Verifier& fault, bool planted) {
    std::string reason;
    const Shown shown = shown_best(fault, cases_, level_, reason);
    if (shown.power >= kVectorPower) {
      add_law(fault.name, fault.info->prose, shown);
    } else if (planted && !add_decisions(fault)) {
      unseen.push_back(
          Json{{"fault", fault.name}, {"power", rounded(shown.power)}, {"reason", reason}});
    }
  }

  /// Faults of kernels, where a case shows them.
  void add_kernels(const Verifier& rule) {
    for (const KernelFault& fault : kernel_faults()) {
      const Shown shown = shown_best(fault, rule, cases_, level_);
      if (shown.power >= kVectorPower) add_law(fault.name, fault.prose, shown);
    }
  }

  std::vector<Json> controls;
  Json unseen = Json::array();

 private:
  void add_law(std::string_view fault, std::string_view prose, const Shown& shown) {
    Json control = control_heading(fault, prose, shown.at, rounded(shown.power));
    for (const auto& [outcome, weight] : shown.law) {
      control["law"].push_back(Json{{"tokens", cases_[shown.at].made.named(outcome.tokens)},
                                    {"accepted", outcome.accepted},
                                    {"probability", weight}});
    }
    controls.push_back(std::move(control));
  }

  /// A fault that no sample shows may show where the numbers are given: a coin of 0, for example.
  bool add_decisions(const Verifier& fault) {
    for (std::size_t at = 0; at < cases_.size(); ++at) {
      if (!cases_[at].made.names.empty()) continue;
      const auto tokens = decisions_on(numbers_[at].grid, fault, cases_[at]);
      if (tokens.empty() || tokens == numbers_[at].tokens) continue;
      Json control = control_heading(fault.name, fault.info->prose, at, 1);
      control["decisions"] = tokens;
      controls.push_back(std::move(control));
      return true;
    }
    return false;
  }

  const std::vector<JudgedCase>& cases_;
  const std::vector<NumberedCase>& numbers_;
  double level_;
};

}  // namespace

RuleVectors rule_vectors(const std::string& text, Battery battery) {
  const Verifier rule = make_verifier(text);
  const BatterySize& size = battery_size(battery);
  const std::vector<JudgedCase> cases =
      rule.grown.nodes > 0 ? std::vector<JudgedCase>{} : judged_cases(rule, battery);
  if (cases.empty()) {
    throw InputError(
        fmt::format("rule '{}' has no law given its drafts, and so no vectors; audit "
                    "whole decodes instead, with the mode generate",
                    rule.name));
  }
  std::size_t tests = 0;
  bool exact = rule.info->exact;
  std::vector<NumberedCase> numbers;
  for (const JudgedCase& each : cases) {
    tests += each.tests();
    exact = exact && each.exact;
    numbers.push_back(numbered(rule, each));
  }
  const double level = kVectorFalseAlarm / static_cast<double>(tests);
  CoveredControls wrong(cases, numbers, level);
  for (const Verifier& fault : planted_faults(rule)) wrong.add(fault, true);
  for (const Verifier& other : rules_beside(rule)) wrong.add(other, false);
  wrong.add_kernels(rule);

  RuleVectors made{.rule = rule.name, .vectors = {}, .controls = {}, .cases = cases.size()};
  made.rejected = wrong.controls.size();
  for (const Json& fault : wrong.unseen) made.missed.push_back(fault["fault"].string());
  Json head = heading("speclab conformance vectors", rule, size);
  head["schema"] = "urn:speclab:conformance-vectors:1";  // conformance/vectors.schema.json
  head["exact"] = exact;
  head["power"] = Json::object();
  for (const Json& control : wrong.controls) {
    const auto power = control["power"].get<double>();
    head["power"][control["fault"].string()] = power;
    made.least_power = std::min(made.least_power, power);
  }
  for (const VectorFlag& flag : vector_flags()) {
    head["flags"][flag.name] = Json{{"prose", flag.prose}, {"reference", flag.reference}};
  }
  std::vector<Json> objects;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    objects.push_back(case_object(cases[at], numbers[at], at + 1, size, level));
  }
  made.vectors = lines_of(head, "cases", objects);
  Json beside = heading("speclab conformance controls", rule, size);
  beside["unseen"] = wrong.unseen;
  made.controls = lines_of(beside, "controls", wrong.controls);
  return made;
}

std::vector<std::string> battery_rules() { return battery_names().rules; }

}  // namespace speclab
