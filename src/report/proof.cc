#include "report/proof.h"

#include <fmt/format.h>

#include "base/json.h"
#include "report/page.h"
#include "report/text_table.h"

namespace speclab {
namespace {

Json theorem_json(const Theorem& theorem) {
  return {{"verifier", theorem.verifier.name},
          {"vocabulary", theorem.family.vocabulary()},
          {"gamma", theorem.family.gamma()},
          {"models", contexts_name(theorem.family.contexts())},
          {"property", theorem.property_text()}};
}

std::string theorem_text(const Theorem& theorem) {
  const AllPairs& family = theorem.family;
  return fmt::format("{}: {}, for all {} pairs of {} tokens, draft length {}",
                     theorem.verifier.name, theorem.property_text(),
                     contexts_name(family.contexts()), family.vocabulary(), family.gamma());
}

std::string confirmation_text(const Theorem& theorem, const Confirmation& found) {
  std::string text =
      found.quantity == QuantityId::tv_to_target
          ? fmt::format("TV of {} tokens to the target {}", theorem.family.gamma() + 1,
                        to_text(found.value))
          : fmt::format("E[accepted] {} against {}", to_text(found.value), to_text(*found.other));
  return text + (found.fails ? "" : "; a decode does not show the fault");
}

}  // namespace

std::string_view verdict_name(TheoremVerdict verdict) {
  switch (verdict) {
    case TheoremVerdict::proved:
      return "proved";
    case TheoremVerdict::refuted:
      return "false";
    case TheoremVerdict::undecided:
      break;
  }
  return "undecided";
}

std::string verdict_text(const Prover& prover) {
  const ProofState& state = prover.state();
  switch (prover.verdict()) {
    case TheoremVerdict::proved:
      return fmt::format("proved for all pairs: {} cells", state.cells.size());
    case TheoremVerdict::refuted:
      return "false: smallest counterexample below";
    case TheoremVerdict::undecided:
      break;
  }
  if (state.pending.empty()) {
    return fmt::format("proved but for {} cells undecided: {} cells hold", state.undecided.size(),
                       state.cells.size());
  }
  return fmt::format("not finished: {} cells hold, {} undecided, {} branches still to be taken",
                     state.cells.size(), state.undecided.size(), state.pending.size());
}

std::string proof_text(const ProofReport& report) {
  const Prover& prover = *report.prover;
  const ProofState& state = prover.state();
  std::string text = theorem_text(prover.theorem()) + "\n  " + verdict_text(prover) + "\n";
  TextTable table("lr");
  const auto count = [&](const char* what, std::uint64_t number) {
    if (number > 0) table.add({what, std::to_string(number)});
  };
  const auto cells = [&](Basis basis) { return state.by_basis[static_cast<std::size_t>(basis)]; };
  count("identities, at random points of a field", cells(Basis::field));
  count("identities, at points on the cell's equalities", cells(Basis::variety));
  count("by the signs of their factors", cells(Basis::signs));
  count("by the solver", cells(Basis::solver));
  count("questions to the solver", state.queries);
  text += table.text("  ");
  text += fmt::format("  an identity holds by chance with probability below {:.1e}\n",
                      prover.error_bound());
  if (prover.ordered()) {
    text += "  names of tokens are exchanged freely: t(x) - d(x) falls with x in every context\n";
  }
  if (state.counterexample) {
    const auto& point = state.counterexample->point;
    text += fmt::format("  {}\n  pair: {}\n", state.counterexample->detail,
                        prover.theorem().family.pair_object(point));
    if (report.confirmation) {
      text += "  exact: " + confirmation_text(prover.theorem(), *report.confirmation) + "\n";
    }
  }
  return folded(text);
}

std::string proof_json(const ProofReport& report) {
  const Prover& prover = *report.prover;
  const ProofState& state = prover.state();
  Json object = theorem_json(prover.theorem());
  object["verdict"] = verdict_name(prover.verdict());
  object["cells"] = state.cells.size();
  object["undecided"] = state.undecided.size();
  object["pending"] = state.pending.size();
  object["counterexample"] = nullptr;
  object["ordered"] = prover.ordered();
  object["queries"] = state.queries;
  object["error_bound"] = prover.error_bound();
  if (state.counterexample) {
    Json found{
        {"pair", read_json(prover.theorem().family.pair_object(state.counterexample->point))},
        {"detail", state.counterexample->detail},
        {"confirmation", nullptr}};
    if (const auto& confirmation = report.confirmation) {
      found["confirmation"] = {
          {"quantity", confirmation->quantity == QuantityId::tv_to_target
                           ? "output.tv_to_target"
                           : "iteration.expected_accepted"},
          {"value", to_text(confirmation->value)},
          {"other", confirmation->other ? Json(to_text(*confirmation->other)) : Json(nullptr)},
          {"fails", confirmation->fails}};
    }
    object["counterexample"] = std::move(found);
  }
  return json_text(Json{{"schema", 2}, {"results", {std::move(object)}}}, 2);
}

std::string check_text(const ProofCertificate& certificate, const CertificateCheck& check) {
  std::string text = theorem_text(certificate.theorem) + "\n";
  if (!check.fault.empty()) return text + "  the certificate is wrong: " + check.fault + "\n";
  text += fmt::format(
      "  {} cells are right: their samples meet their conditions, which decide every comparison\n",
      check.cells);
  if (check.without_sample > 0) {
    text +=
        fmt::format("  of {} of them only irrational pairs are known, which are not in the file\n",
                    check.without_sample);
  }
  if (check.by_solver > 0) {
    text +=
        fmt::format("  on {} of them the solver's word stands for the property\n", check.by_solver);
  }
  const ProofState& state = certificate.state;
  if (!state.pending.empty() || !state.undecided.empty()) {
    text += fmt::format("  {} branches are not looked into and {} cells undecided\n",
                        state.pending.size(), state.undecided.size());
  }
  return folded(text + "  that the cells cover all pairs is not checked: it takes the solver\n");
}

std::string check_json(const ProofCertificate& certificate, const CertificateCheck& check) {
  Json object = theorem_json(certificate.theorem);
  object["right"] = check.fault.empty();
  object["fault"] = check.fault.empty() ? Json(nullptr) : Json(check.fault);
  object["cells"] = check.cells;
  object["by_solver"] = check.by_solver;
  object["without_sample"] = check.without_sample;
  object["pending"] = certificate.state.pending.size();
  object["undecided"] = certificate.state.undecided.size();
  object["cover_checked"] = false;
  return json_text(Json{{"schema", 2}, {"results", {std::move(object)}}}, 2);
}

}  // namespace speclab
