// What the laboratory holds of the papers on draft trees and paths. Their text is not at hand: the
// rows are the statements that their rules stand for, not their numbered ones.
#include "claims/engine/paper.h"
#include "claims/papers/rules/rules.h"

namespace speclab {

PaperItems miao2023_items();
PaperItems daliri2024_items();
PaperItems li2024_items();
PaperItems jeon2024_items();
PaperItems weng2025_items();
PaperItems khisti2025_items();
PaperItems thomas2026_items();
PaperItems zhou2026_items();

namespace coverage_rules {
namespace {

constexpr PaperItem kMiao[] = {
    {"Theorem 4.2",
     "multi-step speculative sampling keeps the target's law",
     {"miao2023.lossless", "miao2023.acceptance", "miao2023.above-block", "rrs"}},
    {"Naive sampling",
     "the target's own draw, walked on through the tree while it is in it",
     {"miao2023.target-only.lossless", "miao2023.target-only.value", "miao2023.target-only.optimal",
      "miao2023.target_only", "miao2023.naive_lossless", "target-only"}},
    {"Naive sampling, one chain",
     "the same on one sampled draft, or on the likeliest token",
     {"miao2023.sample-match.lossless", "miao2023.sample-match.acceptance", "miao2023.sample_match",
      "engines.argmax-draft.line", "sample-match"}},
    {"Between the two",
     "token verification of the first child, walked on where its correction is a child",
     {"miao2023.naive-tree", "miao2023.naive-tree.lossless", "naive-tree"}},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kDaliri[] = {
    {"Gumbel sampling",
     "draft and target take their argmins over one set of clocks",
     {"daliri2024.lossless", "daliri2024.gumbel", "gumbel"}},
    {"Matching probability", "P(X = Y) >= (1 - TV) / (1 + TV)", {"daliri2024.matching"}},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kLi[] = {
    {"evaluate_posterior",
     "children tried against t, the refused struck out",
     {"li2024.one-hot.lossless", "li2024.one-hot.law", "one-hot"},
     "the paper's confidence-grown trees, which depend on the draft's probabilities"},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kJeon[] = {
    {"Recursive rejection without replacement",
     "children drawn without replacement, tested in turn",
     {"jeon2024.lossless", "jeon2024.covering", "weng2025.above-rrs", "rrs-without"}},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kWeng[] = {
    {"Traversal Verification",
     "leaf to root over a tree drawn without replacement; lossless",
     {"weng2025.lossless", "traversal-without"}},
    {"One chain", "is block verification", {"weng2025.chain", "block"}},
    {"Against token-level tree verification",
     "accepts at least as many tokens on the same tree",
     {"weng2025.above-rrs", "rrs-without"}},
    {"Against block verification",
     "accepts at least as many tokens as one of its chains",
     {"weng2025.above-block"}},
    {"I.i.d. paths",
     "duplicates merged, or each counted",
     {"weng2025.merged", "traversal-merged", "traversal"}},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kKhisti[] = {
    {"Canonical decomposition",
     "one of two drafts is chosen, then tested alone; alpha*(2) is attained",
     {"khisti2025.optimal", "khisti2025.optimum", "khisti2025.lossless", "canonical"},
     "more than two drafts, whose linear program has no closed solution here"},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kThomas[] = {
    {"Path selection",
     "the most preferred of K paths, verified as a block; lossless",
     {"thomas2026.lossless", "thomas2026.selection", "path-block"}},
    {"More paths", "E[tau] grows with K", {"thomas2026.growth"}},
    {"Against block verification", "E[tau] is at least block's", {"thomas2026.above-block"}},
    {"Information-agnostic linear program",
     "block verification is optimal over all rules of one path",
     {"sun2025.theorem2"},
     kNoText},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kZhou[] = {
    {"Capped prefix ratios and branch divergences",
     "the terms of hierarchical speculative decoding",
     {"zhou2026.block", "block"}},
    {"Against block verification", "accepts more tokens", {"zhou2026.above-block"}},
    {"Released code", "the last coin is min(1, T/D)", {"zhou2026.released", "hsd-released"}},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

}  // namespace
}  // namespace coverage_rules

PaperItems miao2023_items() { return coverage_rules::kMiao; }
PaperItems daliri2024_items() { return coverage_rules::kDaliri; }
PaperItems li2024_items() { return coverage_rules::kLi; }
PaperItems jeon2024_items() { return coverage_rules::kJeon; }
PaperItems weng2025_items() { return coverage_rules::kWeng; }
PaperItems khisti2025_items() { return coverage_rules::kKhisti; }
PaperItems thomas2026_items() { return coverage_rules::kThomas; }
PaperItems zhou2026_items() { return coverage_rules::kZhou; }

}  // namespace speclab
