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
#include "theory/weng2025.h"

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

Number traversal(const Rows<Number>& rows, const Verifier& verifier, int gamma) {
  Budget budget;
  return expectation(traversal_tail(rows, from_root(rows), drafts_of(verifier), gamma, budget));
}

/// Of two drafts.
Number slot_block(const Rows<Number>& rows, const Verifier& verifier, int gamma) {
  if (drafts_of(verifier) != 2) {
    throw InputError("slot-block.tau is of two drafts; ask for slot-block(K=2)");
  }
  Budget budget;
  return expectation(slot_block_tail(rows, from_root(rows), gamma, budget));
}

/// P(tau >= i | O) along a text O.
struct TokenOverTexts {
  template <class Real>
  std::vector<Real> operator()(std::span<const Real> draft, std::span<const Real> target,
                               int) const {
    return token_along(draft, target);
  }
};
struct BlockText {
  template <class Real>
  std::vector<Real> operator()(std::span<const Real> draft, std::span<const Real> target,
                               int) const {
    return block_along(draft, target);
  }
};
struct MatchText {
  template <class Real>
  std::vector<Real> operator()(std::span<const Real> draft, std::span<const Real>,
                               int drafts) const {
    return match_along(draft, drafts);
  }
};

/// E[tau] as a mean over the target's texts O of gamma tokens: the sum of T(O) P(tau >= i | O).
template <class Real, class Tail>
Real mean_over_texts(const Rows<Real>& rows, const Verifier& verifier, int gamma) {
  Real sum(0);
  each_text(
      rows, State{0}, gamma,
      [&](const Real& probability, std::span<const Real> draft, std::span<const Real> target) {
        const std::vector<Real> tail = Tail()(draft, target, verifier.drafts);
        for (std::size_t i = 1; i < tail.size(); ++i) sum += probability * tail[i];
      });
  return sum;
}

template <class Tail>
constexpr ClosedForm over_texts(std::string_view claim, std::string_view verifier) {
  return {claim, verifier, mean_over_texts<Number, Tail>, mean_over_texts<Rational, Tail>};
}

constexpr std::array<ClosedForm, 13> kForms{
    {{"miao2023.sample_match", "sample-match", match},
     {"miao2023.target_only", "target-only", target_only},
     {"sun2024.theorem1", "greedy-block", greedy},
     {"sun2024.theorem2", "token", token},
     {"sun2025.lemma3", "block", block},
     {"lin2026.theorem5.3", "spectr-gbv", equation5},
     {"lin2026.equation5", "spectr-coupled", equation5},
     {"slot-block.tau", "slot-block", slot_block},
     {"speclab.traversal.tau", "traversal", traversal},
     over_texts<TokenOverTexts>("speclab.text-identity.token", "token"),
     over_texts<BlockText>("speclab.text-identity.block", "block"),
     over_texts<MatchText>("speclab.text-identity.match", "sample-match"),
     over_texts<MatchText>("speclab.text-identity.target-only", "target-only")}};

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
