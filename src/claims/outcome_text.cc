#include "claims/outcome_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace speclab {
namespace {

using nlohmann::json;

json evidence_json(const Evidence& evidence) {
  json node{{"pair", evidence.pair},
            {"method", static_cast<int>(evidence.method)},
            {"detail", evidence.detail}};
  if (evidence.cells) node["cells"] = *evidence.cells;
  return node;
}

Evidence read_evidence(const json& node) {
  Evidence evidence{node.at("pair").get<std::string>(),
                    static_cast<Method>(node.at("method").get<int>()),
                    node.at("detail").get<std::string>(), std::nullopt};
  if (node.contains("cells")) evidence.cells = node.at("cells").get<std::uint64_t>();
  return evidence;
}

/// The name as it stands in the program: failures point at it.
std::string_view property_name(const std::string& text) {
  for (const std::string_view name : property_names()) {
    if (name == text) return name;
  }
  throw std::logic_error("no property is called '" + text + "'");
}

}  // namespace

std::string outcome_text(const ClaimOutcome& outcome) {
  const ClaimResult& result = outcome.result;
  json evidence = json::array();
  for (const Evidence& each : result.evidence) evidence.push_back(evidence_json(each));
  return json{{"verdict", static_cast<int>(result.verdict)},
              {"evidence", std::move(evidence)},
              {"instances", result.instances},
              {"comparisons", result.comparisons},
              {"tests", result.tests},
              {"least_power", result.least_power},
              {"seconds", outcome.seconds}}
      .dump();
}

ClaimOutcome read_claim_outcome(const ClaimRow* row, const std::string& text) {
  const json node = json::parse(text);
  ClaimOutcome outcome{row, {}, node.at("seconds").get<double>()};
  ClaimResult& result = outcome.result;
  result.verdict = static_cast<ClaimVerdict>(node.at("verdict").get<int>());
  for (const json& each : node.at("evidence")) result.evidence.push_back(read_evidence(each));
  result.instances = node.at("instances").get<std::uint64_t>();
  result.comparisons = node.at("comparisons").get<std::uint64_t>();
  result.tests = node.at("tests").get<int>();
  result.least_power = node.at("least_power").get<double>();
  return outcome;
}

std::string outcome_text(const ControlOutcome& outcome) {
  json failures = json::array();
  for (const PropertyFailure& each : outcome.failures) {
    failures.push_back({{"property", each.property},
                        {"pair", each.pair},
                        {"method", static_cast<int>(each.method)},
                        {"detail", each.detail},
                        {"power", each.power}});
  }
  json node{{"failures", std::move(failures)},
            {"instances", outcome.instances},
            {"tests", outcome.tests}};
  if (outcome.tv) node["tv"] = to_text(*outcome.tv);
  return node.dump();
}

ControlOutcome read_control_outcome(ControlOutcome known, const std::string& text) {
  const json node = json::parse(text);
  for (const json& each : node.at("failures")) {
    known.failures.push_back(
        {property_name(each.at("property").get<std::string>()), each.at("pair").get<std::string>(),
         static_cast<Method>(each.at("method").get<int>()), each.at("detail").get<std::string>(),
         each.at("power").get<double>()});
  }
  known.instances = node.at("instances").get<std::uint64_t>();
  known.tests = node.at("tests").get<int>();
  if (node.contains("tv")) known.tv = parse_rational(node.at("tv").get<std::string>());
  return known;
}

std::string context_text(const ClaimContext& context) {
  return json{{"seed", context.seed}, {"effort", static_cast<int>(context.effort)}}.dump();
}

ClaimContext read_context(const std::string& text) {
  const json node = json::parse(text);
  ClaimContext context;
  context.seed = node.at("seed").get<std::uint64_t>();
  context.effort = static_cast<Effort>(node.at("effort").get<int>());
  return context;
}

}  // namespace speclab
