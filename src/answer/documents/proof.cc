#include "answer/documents/proof.h"

#include <fmt/format.h>

#include <array>

namespace speclab {
namespace {

Json theorem_json(const Theorem& theorem) {
  const AllPairs& family = theorem.family;
  return {{"verifier", theorem.verifier.name},
          {"vocabulary", family.vocabulary()},
          {"gamma", family.every_gamma() ? Json("all") : Json(family.gamma())},
          {"models", contexts_name(family.contexts())},
          {"property", theorem.property_text()}};
}

std::string confirmation_text(const Counterexample& counterexample, const Confirmation& found) {
  std::string text =
      found.quantity == QuantityId::tv_to_target
          ? fmt::format("TV of {} tokens to the target {}", counterexample.failure.run.gamma + 1,
                        to_text(found.value))
          : fmt::format("E[accepted] {} against {}", to_text(found.value), to_text(*found.other));
  return text + (found.fails ? "" : "; a decode does not show the fault");
}

Page proof_page(const ProofReport& report) {
  const Prover& prover = *report.prover;
  const ProofState& state = prover.state();
  Page page;
  page += verdict_text(prover) + "\n  " + prover.theorem().text() + "\n";
  TextTable table{"lr"};
  const auto count = [&](const char* what, std::uint64_t number) {
    if (number > 0) table.add({what, number});
  };
  const auto cells = [&](Basis basis) { return state.by_basis[static_cast<std::size_t>(basis)]; };
  count("identities, at random points of a field", cells(Basis::field));
  count("identities, at points on the cell's equalities", cells(Basis::variety));
  count("by the signs of their factors", cells(Basis::signs));
  count("by the solver", cells(Basis::solver));
  count("questions to the solver", state.queries);
  page += std::move(table);
  if (prover.error_bound() > 0) {
    page += fmt::format("  an identity holds by chance with probability below {:.1e}\n",
                        prover.error_bound());
  }
  if (prover.ordered()) {
    page += "  names of tokens are exchanged freely: t(x) - d(x) falls with x in every context\n";
  }
  if (const auto& found = state.counterexample) {
    const AllPairs& family = prover.theorem().family;
    const TheoremFailure& failure = found->failure;
    page += fmt::format("  {}\n  pair: {}\n", failure.detail,
                        family.pair_text(found->point, failure.run.start));
    if (family.every_gamma()) {
      page += fmt::format("  draft length {}\n", failure.run.gamma);
    }
    if (report.confirmation) {
      page += "  exact: " + confirmation_text(*found, *report.confirmation) + "\n";
    }
  }
  return page;
}

Json counterexample_json(const ProofReport& report) {
  const auto& found = report.prover->state().counterexample;
  if (!found) return nullptr;
  Json confirmation;
  if (const auto& seen = report.confirmation) {
    confirmation = {{"quantity", quantity(seen->quantity).path()},
                    {"value", to_text(seen->value)},
                    {"other", seen->other ? Json(to_text(*seen->other)) : Json()},
                    {"fails", seen->fails}};
  }
  const AllPairs& family = report.prover->theorem().family;
  const TheoremFailure& failure = found->failure;
  return {{"pair", read_json(family.pair_object(found->point, failure.run.start))},
          {"gamma", failure.run.gamma},
          {"detail", failure.detail},
          {"confirmation", std::move(confirmation)}};
}

Json proof_json(const ProofReport& report) {
  const Prover& prover = *report.prover;
  const ProofState& state = prover.state();
  Json datum = theorem_json(prover.theorem());
  datum["verdict"] = verdict_name(prover.verdict());
  datum["cells"] = state.cells.size();
  datum["undecided"] = state.undecided.size();
  datum["pending"] = state.pending.size();
  datum["counterexample"] = counterexample_json(report);
  datum["ordered"] = prover.ordered();
  datum["queries"] = state.queries;
  datum["error_bound"] = prover.error_bound();
  return datum;
}

std::string certificate_words(const ProofCertificate& certificate, const CertificateCheck& check) {
  std::string text = certificate.theorem.text() + "\n";
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
    text += fmt::format("  on {} of them an answer of the solver stands for the property\n",
                        check.by_solver);
  }
  const ProofState& state = certificate.state;
  if (!state.pending.empty() || !state.undecided.empty()) {
    text += fmt::format("  {} branches are not looked into and {} cells undecided\n",
                        state.pending.size(), state.undecided.size());
  }
  if (check.covers) {
    text += fmt::format(
        "  the cells cover all pairs, if the solver's {} answers of \"no pair\" are right\n",
        check.queries);
  }
  return text;
}

Json check_json(const ProofCertificate& certificate, const CertificateCheck& check) {
  Json datum = theorem_json(certificate.theorem);
  datum["right"] = check.fault.empty();
  datum["fault"] = check.fault.empty() ? Json() : Json(check.fault);
  datum["cells"] = check.cells;
  datum["by_solver"] = check.by_solver;
  datum["without_sample"] = check.without_sample;
  datum["pending"] = certificate.state.pending.size();
  datum["undecided"] = certificate.state.undecided.size();
  datum["queries"] = check.queries;
  datum["cover_checked"] = check.covers;
  return datum;
}

/// A document of one result.
Document of_one(std::function<Json()> result, std::function<Page()> text) {
  return {.data =
              [result = std::move(result)] {
                return Json{{"schema", kSchema}, {"results", Json::array({result()})}};
              },
          .text = std::move(text),
          .indent = 2};
}

}  // namespace

ProofReport report_on(const Prover& prover) {
  ProofReport report{&prover, std::nullopt};
  if (const auto& found = prover.state().counterexample) {
    Bench bench;
    report.confirmation = confirm(bench, prover.theorem(), *found);
  }
  return report;
}

std::string_view verdict_name(TheoremVerdict verdict) {
  constexpr std::array<std::string_view, 3> names{"proved", "false", "undecided"};
  return names[static_cast<std::size_t>(verdict)];
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

Document proof_document(const ProofReport& report) {
  return of_one([report] { return proof_json(report); }, [report] { return proof_page(report); });
}

Document check_document(const ProofCertificate& certificate, const CertificateCheck& check) {
  return of_one([&] { return check_json(certificate, check); },
                [&] { return Page() += certificate_words(certificate, check); });
}

}  // namespace speclab
