// What of sun2024 the laboratory holds, in the order of its pages.
#include "claims/engine/paper.h"

namespace speclab {
namespace coverage_sun2024 {
namespace {

constexpr PaperItem kItems[] = {
    {"Table 1", "a list of related work", {}, "nothing is stated that could be held"},
    {"Figure 1", "one iteration of speculative decoding", {}, "a drawing; nothing is stated"},
    {"Algorithm 1", "the outer loop", {"token", "greedy-block", "sun2024.lemma2"}},
    {"Assumptions 1 and 2",
     "a call of the target costs the same for any draft, and drafting little",
     {},
     "assumptions about machines; modelled times take them as given"},
    {"Algorithm 2", "token verification", {"token", "sun2024.lemma4"}},
    {"Equation (1)", "its residual", {"token", "sun2024.section3.coupling"}},
    {"Equation (2)", "(X^tau, Z) ~ T^L", {"sun2024.section3.coupling", "sun2024.lemma2"}},
    {"Remark 1",
     "X^tau alone is no sample of the target; with the continuation it is",
     {"sun2024.remark1"}},
    {"Definition 1, equations (3) to (5)",
     "the coupling of the longest expected common prefix",
     {"sun2024.lemma1", "sun2024.theorem1"}},
    {"Section 3, from coupling to draft verification",
     "every coupling makes a verifier",
     {"sun2024.section3.verifier"}},
    {"Remark 2", "only prefixes of the draft are accepted", {}, "a choice, no statement"},
    {"Section 3, from draft verification to a coupling",
     "every verifier makes a coupling",
     {"sun2024.section3.coupling", "sun2025.theorem3.coupling"}},
    {"Theorem 1, equation (6)",
     "Algorithm 3 is optimal, E[tau] = sum min(D, T)",
     {"sun2024.theorem1"}},
    {"Lemma 1", "the optimum is at most sum min(D, T)", {"sun2024.lemma1", "sun2025.lemma10"}},
    {"Theorem 2, equation (7)",
     "E[tau] of token is the sum of products of min(d, t)",
     {"sun2024.theorem2"}},
    {"Section 3.1, after Theorem 2",
     "block is strictly better where a path tells the two apart",
     {"sun2024.section3.1.strictness.general"}},
    {"Section 3.1, two sums",
     "E[tau] of token and block for Bernoulli laws",
     {"sun2024.section3.1.token-sum", "sun2024.section3.1.block-sum", "sun2024.section3.1"}},
    {"Section 3.1, last paragraph",
     "strict improvement for p != q, and the gap increases with L",
     {"sun2024.section3.1.strictness", "sun2024.section3.1.gap"}},
    {"Figure 2", "both sums at q = 0.75", {"sun2024-fig2", "sun2024.section3.1.block-sum"}},
    {"Algorithm 3", "block-level verification", {"greedy-block", "sun2024.lemma5"}},
    {"Equations (8), (9)",
     "the masses that remain and that are rejected",
     {"greedy-block", "sun2024.lemma5"}},
    {"Equation (10)", "the residual that is carried on", {"greedy-block", "sun2024.lemma2"}},
    {"Lemma 2", "(X^tau, Z) ~ T^L for Algorithm 3", {"sun2024.lemma2", "sun2025.lemma8"}},
    {"Lemma 3", "E_{X ~ M_b}[tau] = sum min(D, T): the draft is meant", {"sun2024.lemma3"}},
    {"Table 2", "block efficiency and time, L = 8", {}, "the models are not public"},
    {"Appendix A, first paragraph", "beta(X, Y) = tau for token", {"sun2024.appendixA.beta"}},
    {"Lemma 4", "P(tau = l | X^L) of token", {"sun2024.lemma4"}},
    {"Lemma 5", "P(X^l = x, tau >= l) = min(D, T) for Algorithm 3", {"sun2024.lemma5"}},
    {"Equations (11) to (18)",
     "steps of the proofs",
     {"sun2024.theorem2", "sun2024.lemma5", "sun2024.lemma2"},
     "held by what they lead to, not one by one"},
    {"Tables 3 and 4", "block efficiency and time, L = 4 and 6", {}, "the models are not public"},
};

}  // namespace
}  // namespace coverage_sun2024

PaperItems sun2024_items() { return coverage_sun2024::kItems; }

}  // namespace speclab
