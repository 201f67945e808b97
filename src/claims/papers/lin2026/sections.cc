// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what sections 3.2 and 3.3 say of
// the older verifiers.
#include "answer/iteration_law.h"
#include "answer/own_verifier.h"
#include "claims/engine/examination.h"
#include "claims/papers/lin2026/drafts.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace lin2026_sections {
namespace {

// --- Section 3.2: K-SEQ.

/// One position of K-SEQ at `rho` with the residual that section 3.2 prints: (t
/// - rho min(d, t/rho)) / (1 - rho beta).
struct PrintedKseq {
  static constexpr bool kCarries = false;
  int drafts = 1;
  Rational rho;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    for (int k = 0; k < drafts; ++k) {
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(Rational(likelihood_ratio(laws, x) / rho))) continue;
      out.accept(x, view.next(root, x));
      return out.finish(view, choices, window);
    }
    std::vector<Rational> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      weights.push_back(positive_part<Rational>(laws.target(x) - rho * laws.draft(x)));
    }
    out.correct(view, choices, DenseLaw<Rational>(std::move(weights)));
  }
};

/// TV of its token to the target's; what is undefined is missing from its law.
Rational distance_at(const Instance& at, const Rational& rho) {
  const auto target = at.target();
  std::vector<Rational> left(target.begin(), target.end());
  IterationLaws<Rational> laws(own_verifier("K-SEQ, printed residual", PrintedKseq{at.drafts, rho}),
                               at.rows);
  for (const auto& out : laws.from(at.start(), {.drafts = 1, .bonus = false})) {
    if (!out.tokens.empty()) left[static_cast<std::size_t>(out.tokens.front())] -= out.weight;
  }
  Rational distance(0);
  for (const Rational& mass : left) distance += positive_part(mass);
  return distance;
}

/// 1 - (1 - beta)^K - rho beta, 0 at rho* and only there where beta > 0.
Rational excess(const Instance& at, const Rational& rho) {
  return kseq_excess(at.draft(), at.target(), rho, at.drafts);
}

/// The paper takes rho as the solution; any larger rho needs another residual.
void note_above_root(Examination& examination) {
  const Instance at = make_instance("iid(draft=[1/2,1/2],target=[1,0])", 1, 2);
  examination.note(at, Method::exact,
                   fmt::format("above rho* the residual would be another: K=2, rho=2: TV of one "
                               "token with the printed residual {}",
                               to_text(distance_at(at, Rational(2)))));
}

/// rho* where it is a fraction of a small denominator.
Comparisons residual_at_root(const Instance& at) {
  Comparisons says;
  for (int below = 1; below <= at.depth; ++below) {
    for (int above = below; above <= at.drafts * below; ++above) {
      const Rational rho(above, below);
      if (excess(at, rho) != 0) continue;
      says.equal(ingredient("lin2026.printed-residual.distance-at-root", distance_at(at, rho)), 0,
                 "TV of one token of K-SEQ with the printed residual at rho*={}", to_text(rho));
      return says;
    }
  }
  return says;
}

constexpr SearchSpace kPositions{.tokens = {2, 3, 3},
                                 .gammas = 1,
                                 .least_drafts = 2,
                                 .drafts = 3,
                                 .denominator = {4, 4, 6},
                                 .memoryless = true};

constexpr ClaimRow kResidual{
    .id = "lin2026.section3.2.residual",
    .source = "lin2026 section 3.2, K-SEQ",
    .statement =
        "K-SEQ with the residual (t - rho min(d, t/rho)) / (1 - rho beta) emits the target's law",
    .hypotheses =
        "one position, rho = rho*, the solution of 1 - (1 - beta)^K = rho beta, where it is "
        "rational",
    .check = residual_at_root,
    .places = {kPositions},
    .extra = note_above_root,
    .depth = {6, 8, 12},
    .bites = {{raised("lin2026.printed-residual.distance-at-root")}},
};

// --- Section 3.3: greedy block verification.

constexpr NamedForm kNu{"D nu", "lin2026.nu", [](const Instance&, State, const PathLaws& path) {
                          return Rational(path.draft * (path.target / path.draft));
                        }};
constexpr NamedForm kMinNu{
    "D min(1, nu)", "lin2026.nu", [](const Instance&, State, const PathLaws& path) {
      return Rational(path.draft * min_one<Rational>(path.target / path.draft));
    }};

constexpr ClaimRow kRetained{
    .id = "lin2026.section3.3.nu",
    .source = "lin2026 section 3.3, of nu_i = T/D",
    .statement = "nu_i is the probability that the sub-block x^i is retained in the final output",
    .hypotheses = "greedy-block, given that x^i is drafted",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = equal(reached("greedy-block"), kNu),
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}},
    .correction = {"it is min(1, nu_i); nu_i itself can exceed 1",
                   equal(reached("greedy-block"), kMinNu), kOneDraft},
    .bites = {{halved("lin2026.nu"), raised("lin2026.nu")}},
};

constexpr ClaimRow kClaims[] = {kResidual, kRetained};

}  // namespace
}  // namespace lin2026_sections

Claims lin2026_sections_claims() { return lin2026_sections::kClaims; }

}  // namespace speclab
