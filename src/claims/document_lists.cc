// What `list` shows of claims and of what is known about them.
#include <fmt/format.h>

#include "answer/question.h"
#include "base/split.h"
#include "claims/document.h"
#include "claims/engine/implications.h"
#include "claims/engine/machine_checked.h"
#include "claims/engine/measured.h"

namespace speclab {
namespace {

/// What the row says in the place of the printed statement, where it does so in this way.
std::string_view amended(const ClaimRow& row, Amends amends) {
  return row.correction.amends == amends ? row.correction.statement : "";
}

/// "proved for all pairs: proofs/block.v theorem1", a text a theorem.
Json machine_checked_list(std::string_view claim) {
  return json_of(machine_checked(claim), [](const MachineChecked* theorem) -> Json {
    return fmt::format("{}: proofs/{}.v {}",
                       theorem->refutes ? "printed statement refuted" : "proved for all pairs",
                       theorem->file, theorem->theorem);
  });
}

Json texts(const std::vector<std::string_view>& all) {
  return json_of(all, [](std::string_view text) -> Json { return text; });
}

/// The name of the verifier of a spec text; "" where the text is a closed form's.
std::string_view named(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  const VerifierRow* row = find_verifier(name);
  return row != nullptr ? row->name : "";
}

}  // namespace

Document claims_document() {
  return listing(
      "claims",
      {"claim", "statement", "hypotheses", "source", "verdict", "correction", "repaired by",
       "readings", "checked on", "instances", "comparisons", "least power", "planted faults",
       "machine-checked", "paper", "counterexample pair", "counterexample", "asked here"},
      claim_rows(), [](const ClaimRow& row) -> Cells {
        const Measured* found = measured(row.id);
        return {row.id,
                row.statement,
                row.hypotheses,
                row.source,
                claim_verdict_name(row.recorded),
                amended(row, Amends::by_correction),
                amended(row, Amends::by_replacement),
                amended(row, Amends::by_reading),
                row.checked_on(),
                found != nullptr ? Json(found->instances) : Json(),
                found != nullptr ? Json(found->comparisons) : Json(),
                found != nullptr && found->tests > 0 ? Json(found->least_power) : Json(),
                row.planted(),
                machine_checked_list(row.id),
                paper_of(row.id).key,
                found != nullptr ? found->pair : "",
                found != nullptr ? found->detail : "",
                !unprinted(row.id).empty()};
      });
}

Document implications_document() {
  return listing("implications", {"conclusion", "premises", "where", "the step fails"},
                 implications(), [](const Implication& step) -> Cells {
                   return {step.conclusion, texts(step.premises), step.where, fails(step)};
                 });
}

Document theorems_document() {
  return listing("theorems", {"theorem", "what is proved", "file", "claims", "refutes"},
                 machine_checked_theorems(), [](const MachineChecked& theorem) -> Cells {
                   return {theorem.theorem, theorem.says, fmt::format("proofs/{}.v", theorem.file),
                           texts(theorem.claims), theorem.refutes};
                 });
}

Document proofs_document() {
  return {
      .name = "proofs",
      .columns = {"proof of", "property", "pairs", "claim", "verifier", "other", "other verifier"},
      .rows = [](const AddRow& add) {
        for (const ClaimRow& row : claim_rows()) {
          for (const ForAllPairs& proof : row.proofs) {
            if (proof.verifier.empty()) continue;
            const auto parts = split(proof.property, ":");
            const std::string_view other = parts.size() > 1 ? parts[1] : "";
            add({proof.verifier, parts[0], proof.pairs(), row.id, named(proof.verifier), other,
                 named(other)});
          }
        }
      }};
}

}  // namespace speclab
