#include "prove/closed_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "theory/lin2026.h"
#include "theory/miao2023.h"
#include "theory/predictions.h"
#include "theory/sun2024.h"
#include "theory/sun2025.h"
#include "theory/text_identity.h"

namespace speclab {
namespace {

Measure<Number> from_root(const Rows<Number>& rows) { return point_law(rows, State{0}); }

int drafts_of(const Verifier& verifier) {
  return static_cast<int>(SpecReader(verifier.spec).integer("K", 1, 64));
}

Number token(const Rows<Number>& rows, const Verifier&, int gamma) {
  Budget budget;
  return expectation(token_tail(rows, from_root(rows), gamma, budget));
}

Number greedy(const Rows<Number>& rows, const Verifier&, int gamma) {
  Budget budget;
  return expectation(greedy_tail(rows, from_root(rows), gamma, budget));
}

Number block(const Rows<Number>& rows, const Verifier&, int gamma) {
  return expectation(block_tail_by_paths(rows, State{0}, gamma));
}

Number match(const Rows<Number>& rows, const Verifier& verifier, int gamma) {
  Budget budget;
  const bool argmax =
      SpecReader(verifier.spec).word("draft", {"sampled", "argmax"}, "sampled") == "argmax";
  const StepRule<Number> rule = argmax ? StepRule<Number>(argmax_match_step<Number>)
                                       : StepRule<Number>(sample_match_step<Number>);
  return expectation(stepwise_tail(rows, from_root(rows), rule, gamma, budget));
}

Number target_only(const Rows<Number>& rows, const Verifier& verifier, int gamma) {
  Budget budget;
  return expectation(target_only_tail(rows, from_root(rows), drafts_of(verifier), gamma, budget));
}

Number equation5(const Rows<Number>& rows, const Verifier& verifier, int gamma) {
  Budget budget;
  return expectation(spectr_gbv_tail(rows, from_root(rows), drafts_of(verifier), gamma, budget));
}

using TextTail = std::vector<Number> (*)(std::span<const Number> draft,
                                         std::span<const Number> target, int drafts);

/// E[tau] as a mean over the target's texts O of gamma tokens: the sum of T(O) P(tau >= i | O).
template <TextTail kTail>
Number over_texts(const Rows<Number>& rows, const Verifier& verifier, int gamma) {
  const int drafts = verifier.drafts;
  Number sum(0);
  each_text(rows, State{0}, gamma, [&](Number probability, auto draft, auto target) {
    const std::vector<Number> tail = kTail(draft, target, drafts);
    for (std::size_t i = 1; i < tail.size(); ++i) sum += probability * tail[i];
  });
  return sum;
}

std::vector<Number> token_text(std::span<const Number> draft, std::span<const Number> target, int) {
  return token_along(draft, target);
}

std::vector<Number> block_text(std::span<const Number> draft, std::span<const Number> target, int) {
  return block_along(draft, target);
}

std::vector<Number> match_text(std::span<const Number> draft, std::span<const Number>, int drafts) {
  return match_along(draft, drafts);
}

constexpr std::array<ClosedForm, 11> kForms{
    {{"miao2023.sample_match", "sample-match", match},
     {"miao2023.target_only", "target-only", target_only},
     {"sun2024.theorem1", "greedy-block", greedy},
     {"sun2024.theorem2", "token", token},
     {"sun2025.lemma3", "block", block},
     {"lin2026.theorem5.3", "spectr-gbv", equation5},
     {"lin2026.equation5", "spectr-coupled", equation5},
     {"speclab.text-identity.token", "token", over_texts<token_text>},
     {"speclab.text-identity.block", "block", over_texts<block_text>},
     {"speclab.text-identity.match", "sample-match", over_texts<match_text>},
     {"speclab.text-identity.target-only", "target-only", over_texts<match_text>}}};

}  // namespace

std::span<const ClosedForm> closed_forms() { return kForms; }

const ClosedForm& closed_form_of(const std::string& claim, const Verifier& verifier) {
  std::string all;
  for (const ClosedForm& form : kForms) {
    if (form.claim == claim && form.verifier == verifier.info->name) return form;
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", form.claim, form.verifier);
  }
  const auto rows = prediction_rows();
  const bool known = std::any_of(rows.begin(), rows.end(),
                                 [&](const PredictionRow& row) { return row.claim == claim; });
  throw InputError(fmt::format(
      "{}; those that can be proved for all pairs are {}",
      known ? fmt::format("'{}' gives no E[tau] of {} that can be evaluated for all pairs at once",
                          claim, verifier.name)
            : fmt::format("'{}' is not a closed form", abbreviate(claim)),
      all));
}

}  // namespace speclab
