// What is held of papers that are not covered whole, and of this project's own rules.
#include "claims/engine/paper.h"

namespace speclab {
namespace coverage_further {
namespace {

constexpr PaperItem kLeviathan[] = {
    {"Equation (1)",
     "tokens of an iteration: (1 - a^(gamma+1)) / (1 - a), a = 1 - TV",
     {"leviathan.expected_tokens"},
     "for memoryless pairs, as the paper has it"},
    {"Theorem 3.8",
     "improvement in walltime: (1 - a^(gamma+1)) / ((1 - a) (gamma c + 1))",
     {"leviathan.theorem3.8"},
     "for memoryless pairs, as the paper has it; time is modelled, not measured"},
    {"Appendix A.1", "speculative sampling is lossless", {"leviathan.lossless", "token"}},
    {"Appendix A.5",
     "lenience: a token is accepted with probability sum of min(d, t/l)",
     {"leviathan.lenience", "lenient"}},
};

constexpr PaperItem kSun2023[] = {
    {"Theorem 3", "k-sequential selection is lossless", {"sun2023.lossless", "kseq"}},
    {"Algorithm 2", "a position is accepted with 1 - (1 - beta(rho*))^K", {"sun2023.acceptance"}},
    {"Theorem 3", "acceptance >= (1 - (1 - 1/K)^K) alpha*(K)", {"sun2023.guarantee"}},
};

constexpr PaperItem kHu[] = {
    {"Optimal acceptance", "alpha*(K) = 1 + min over H of [t(H) - d(H)^K]", {"hu2025.optimum"}},
    {"Optimal acceptance", "no rule of K i.i.d. drafts accepts more", {"hu2025.bound"}},
};

constexpr PaperItem kOwn[] = {
    {"autoregressive",
     "a target call a token; lossless by definition",
     {"autoregressive.lossless", "autoregressive"}},
    {"slot-block",
     "K drafts as blocks over a law of trie slots are lossless",
     {"slot-block.lossless"}},
    {"slot-block", "never below block verification of one draft", {"slot-block.above-block"}},
    {"slot-block", "more drafts never accept less", {"slot-block.grows"}},
    {"slot-block", "one draft: block verification", {"slot-block.single-draft"}},
    {"naive-tree",
     "the token rule walked on through a tree is lossless",
     {"naive-tree.lossless", "naive-tree"}},
    {"naive-tree", "acceptance at the root", {"naive-tree.acceptance"}},
    {"recursive-block, recursive-greedy",
     "block rules under recursive rejection are lossless",
     {"recursive-block.lossless", "recursive-block", "recursive-greedy"}},
};

}  // namespace
}  // namespace coverage_further

PaperItems leviathan_items() { return coverage_further::kLeviathan; }
PaperItems sun2023_items() { return coverage_further::kSun2023; }
PaperItems hu2025_items() { return coverage_further::kHu; }
PaperItems own_items() { return coverage_further::kOwn; }

}  // namespace speclab
