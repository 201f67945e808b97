#include "audit/vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "audit/binomial.h"
#include "audit/law.h"
#include "audit/plan.h"
#include "audit/uniform_numbers.h"
#include "audit/verify_cases.h"
#include "base/error.h"
#include "base/json.h"
#include "document/document.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Counts are looked at after this part of a case's samples too, so that gross faults end early.
constexpr std::uint64_t kEarly = 8;
/// A rule's decisions on given uniform numbers are listed where there are at most so many.
constexpr std::size_t kMostUniforms = 48;

using OutcomeLaw = std::map<AuditOutcome, Rational>;

OutcomeLaw exact_law(const Verifier& rule, const VectorCase& made) {
  const Rows<Rational> rows(made.pair);
  GivenDrafts given(made.chains);
  OutcomeLaw law;
  each_drafted<Rational>(
      rule, rows, made.pair->start().front().state,
      {.window = {.drafts = made.gamma, .bonus = true}, .given = &given},
      [&law](const DraftedIteration<Rational>& out) {
        law[{out.accepted, {out.tokens.begin(), out.tokens.end()}}] += out.weight;
      });
  std::erase_if(law, [](const auto& entry) { return entry.second == 0; });
  return law;
}

/// A case with its law and, by test, the probability of what is counted: first of each accepted
/// length, then of each outcome.
struct JudgedCase {
  VectorCase made;
  AuditPlace place;
  OutcomeLaw law;
  std::map<int, double> lengths;

  [[nodiscard]] std::size_t tests() const { return law.size() + lengths.size(); }
};

std::optional<JudgedCase> judged(const Verifier& rule, VectorCase made) {
  JudgedCase each{std::move(made), {}, {}, {}};
  each.place = {std::make_shared<const Rows<double>>(each.made.pair),
                each.made.pair->start().front().state, each.made.gamma, each.made.chains};
  try {
    each.law = exact_law(rule, each.made);
  } catch (const ProbabilityError&) {
    throw;
  } catch (const ContractError&) {  // it does not draft such sets
    return std::nullopt;
  }
  for (const auto& [outcome, weight] : each.law)
    each.lengths[outcome.accepted] += to_double(weight);
  return each;
}

/// Rows along each chain, their probabilities as decimals that read back to the same doubles.
Json chains_of(const std::vector<std::vector<std::vector<double>>>& chains) {
  return json_of(chains, [](const auto& rows) {
    return json_of(rows, [](const auto& row) {
      return json_of(row, [](double probability) { return Json(fmt::format("{}", probability)); });
    });
  });
}

void add_band(Json& into, std::uint64_t samples, double probability, double level) {
  const CountBand all = binomial_band(samples, probability, level / 2);
  const CountBand early = binomial_band(samples / kEarly, probability, level / 2);
  into["count"] = Json::array({all.least, all.most});
  into["early"] = Json::array({early.least, early.most});
}

/// Decisions on numbers at both ends of every range that leads to an outcome.
Json uniforms_of(const Verifier& rule, const AuditPlace& place) {
  const std::vector<DecisionPath> paths = decisions_given(rule, place);
  const std::vector<Numbers> grid = bracket_all(paths, place);
  Json list = Json::array();
  if (grid.size() > kMostUniforms) return list;
  for (const Numbers& numbers : grid) {
    list.push_back(Json{{"coins", numbers.coins},
                        {"draws", numbers.draws},
                        {"tokens", decided(paths, numbers).value().tokens}});
  }
  return list;
}

Json case_object(const Verifier& rule, const JudgedCase& each, int id, std::uint64_t samples,
                 double level) {
  Json object{{"id", id}, {"flag", each.made.flag}, {"vocabulary", each.made.pair->vocabulary()}};
  const VerifyRequest request = request_at(each.place);
  object["drafts"] = request.drafts;
  object["draft_rows"] = chains_of(request.draft_rows);
  object["target_rows"] = chains_of(request.target_rows);
  for (const auto& [accepted, probability] : each.lengths) {
    Json length{{"accepted", accepted}};
    add_band(length, samples, std::min(1.0, probability), level);
    object["lengths"].push_back(std::move(length));
  }
  for (const auto& [outcome, weight] : each.law) {
    Json entry{{"accepted", outcome.accepted}, {"tokens", outcome.tokens}};
    entry["probability"] = to_text(weight);
    add_band(entry, samples, to_double(weight), level);
    object["outcomes"].push_back(std::move(entry));
  }
  object["uniforms"] = uniforms_of(rule, each.place);
  return object;
}

/// What shows a fault best.
struct Shown {
  double power = 0;
  std::size_t at = 0;  ///< the case
  AuditLaw law;        ///< the fault's there
};

/// A checker sees tokens, and takes the accepted length from them.
double power_on(const JudgedCase& each, const AuditLaw& wrong, std::uint64_t samples,
                double level) {
  std::map<std::vector<Token>, std::pair<int, double>> right;
  for (const auto& [outcome, weight] : each.law) {
    right[outcome.tokens] = {outcome.accepted, to_double(weight)};
  }
  std::map<std::vector<Token>, double> outcomes;
  for (const auto& [outcome, weight] : wrong) outcomes[outcome.tokens] += weight;
  std::map<int, double> lengths;
  double best = 0;
  const auto look = [&](double law, double other) {
    best = std::max(best, binomial_power(samples, std::min(1.0, law), std::min(1.0, other), level));
  };
  for (const auto& [tokens, weight] : outcomes) {
    const auto found = right.find(tokens);
    look(found == right.end() ? 0 : found->second.second, weight);
    if (found != right.end()) lengths[found->second.first] += weight;
  }
  for (const auto& [accepted, weight] : lengths) look(each.lengths.at(accepted), weight);
  return best;
}

/// @param reason  receives why no case shows it
Shown shown_best(const Verifier& fault, const std::vector<JudgedCase>& cases, std::uint64_t samples,
                 double level, std::string& reason) {
  Shown best;
  reason = "on every case its law is the rule's, or nearly";
  for (std::size_t at = 0; at < cases.size(); ++at) {
    check_interrupted();
    AuditLaw law;
    try {
      law = law_given(fault, cases[at].place);
    } catch (const ProbabilityError&) {
      throw;
    } catch (const ContractError&) {
      reason = "it does not take the given drafts: its fault is in the drafting";
      continue;
    }
    const double power = power_on(cases[at], law, samples, level / 2);
    if (power > best.power) best = {power, at, std::move(law)};
  }
  return best;
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

}  // namespace

RuleVectors rule_vectors(const std::string& text, Battery battery) {
  const Verifier rule = make_verifier(text);
  const BatterySize& size = battery_size(battery);
  std::vector<JudgedCase> cases;
  std::size_t tests = 0;
  if (!rule.info->small_pairs && rule.info->drafting == Drafting::window) {
    for (VectorCase& made : vector_cases(battery, std::max(rule.drafts, 1))) {
      check_interrupted();
      if (auto each = judged(rule, std::move(made))) {
        tests += each->tests();
        cases.push_back(std::move(*each));
      }
    }
  }
  if (cases.empty()) {
    throw InputError(
        fmt::format("rule '{}' has no law given its drafts, and so no vectors; audit "
                    "whole decodes instead, with the mode generate",
                    rule.name));
  }
  const double level = kVectorFalseAlarm / static_cast<double>(tests);
  RuleVectors made{.rule = rule.name, .vectors = {}, .controls = {}, .cases = cases.size()};
  std::vector<Json> objects, controls;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    objects.push_back(case_object(rule, cases[at], static_cast<int>(at) + 1, size.samples, level));
  }
  for (const Verifier& fault : known_faults({.rule = rule.name})) {
    std::string reason;
    const Shown shown = shown_best(fault, cases, size.samples, level, reason);
    Json control{{"fault", fault.name}, {"prose", fault.info->prose}, {"power", shown.power}};
    if (shown.power > 0) {
      control["case"] = shown.at + 1;
      for (const auto& [outcome, weight] : shown.law) {
        control["law"].push_back(Json{
            {"tokens", outcome.tokens}, {"accepted", outcome.accepted}, {"probability", weight}});
      }
    } else {
      control["reason"] = reason;
    }
    controls.push_back(std::move(control));
    if (shown.power >= kVectorPower) {
      ++made.rejected;
    } else {
      made.missed.push_back(fault.name);
    }
  }
  Json head = heading("speclab conformance vectors", rule, size);
  head["schema"] = "urn:speclab:conformance-vectors:1";  // conformance/vectors.schema.json
  for (const VectorFlag& flag : vector_flags()) head["flags"][flag.name] = flag.prose;
  made.vectors = lines_of(head, "cases", objects);
  made.controls =
      lines_of(heading("speclab conformance controls", rule, size), "controls", controls);
  return made;
}

std::vector<std::string> rules_with_vectors() {
  std::vector<std::string> rules;
  for (const VerifierInfo& row : all_verifier_rows()) {
    if (!row.fault_of.empty() || row.small_pairs || row.drafting != Drafting::window) continue;
    const Verifier rule = make_verifier(std::string(row.example));
    auto cases = vector_cases(Battery::small, std::max(rule.drafts, 1));
    try {
      if (judged(rule, std::move(cases.front()))) rules.push_back(rule.name);
    } catch (const Error&) {
    }
  }
  return rules;
}

}  // namespace speclab
