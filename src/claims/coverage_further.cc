// What is held of papers that are not covered whole, and of this project's own rules.
#include "claims/paper.h"

namespace speclab {
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

constexpr PaperItem kMiao[] = {
    {"Theorem 4.2", "recursive rejection of K drafts is lossless", {"miao2023.lossless", "rrs"}},
    {"Multi-step speculative sampling",
     "a position is accepted with 1 - r_1 ... r_K",
     {"miao2023.acceptance"}},
    {"Multi-step speculative sampling",
     "against block verification of one draft",
     {"miao2023.above-block"}},
    {"Naive sampling",
     "the target's own draw, accepted where it is drafted, is lossless",
     {"miao2023.naive_lossless", "sample-match", "target-only", "one-hot"}},
    {"Naive sampling",
     "one chain: a position is accepted with sum of t d",
     {"miao2023.sample_match"}},
    {"Naive sampling", "a tree: E[tau] = sum of T(v) over its nodes", {"miao2023.target_only"}},
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

constexpr PaperItem kKhisti[] = {
    {"Canonical decomposition",
     "an importance sampler and a token rule are lossless",
     {"khisti2025.lossless", "canonical"},
     "for K = 2"},
    {"Canonical decomposition", "and attain alpha*(2)", {"khisti2025.optimum"}},
};

constexpr PaperItem kJeon[] = {
    {"RSD",
     "recursive rejection of drafts without replacement is lossless",
     {"jeon2024.lossless", "rrs-without"}},
};

constexpr PaperItem kWeng[] = {
    {"Traversal Verification",
     "verification from the leaves up is lossless",
     {"weng2025.lossless", "traversal", "traversal-merged", "traversal-without"}},
};

constexpr PaperItem kPathBlock[] = {
    {"Path selection",
     "block verification of the selected path, against its law, is lossless",
     {"path-block.lossless", "path-block"}},
};

constexpr PaperItem kDaliri[] = {
    {"Gumbel sampling",
     "one set of clocks for draft and target is lossless",
     {"daliri2024.lossless", "gumbel"}},
    {"Gumbel sampling",
     "P(X = Y) = sum_i 1 / sum_v max(d(v)/d(i), t(v)/t(i))",
     {"daliri2024.gumbel"}},
};

constexpr PaperItem kNarasimhan[] = {
    {"Speculative cascades",
     "verification against a relaxed target pi accepts 1 - TV(d, pi)",
     {"narasimhan2025.relaxed", "relaxed"}},
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

PaperItems leviathan_items() { return kLeviathan; }
PaperItems miao2023_items() { return kMiao; }
PaperItems sun2023_items() { return kSun2023; }
PaperItems hu2025_items() { return kHu; }
PaperItems khisti2025_items() { return kKhisti; }
PaperItems jeon2024_items() { return kJeon; }
PaperItems weng2025_items() { return kWeng; }
PaperItems path_block_items() { return kPathBlock; }
PaperItems daliri2024_items() { return kDaliri; }
PaperItems narasimhan2025_items() { return kNarasimhan; }
PaperItems own_items() { return kOwn; }

}  // namespace speclab
