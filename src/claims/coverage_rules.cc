// What is held of papers on rules for several drafts and for coupled draws.
#include "claims/paper.h"

namespace speclab {
namespace {

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

constexpr PaperItem kDaliri[] = {
    {"Gumbel sampling",
     "one set of clocks for draft and target is lossless",
     {"daliri2024.lossless", "gumbel"}},
    {"Gumbel sampling",
     "P(X = Y) = sum_i 1 / sum_v max(d(v)/d(i), t(v)/t(i))",
     {"daliri2024.gumbel"}},
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

constexpr PaperItem kKhisti[] = {
    {"Canonical decomposition",
     "an importance sampler and a token rule are lossless",
     {"khisti2025.lossless", "canonical"},
     "for K = 2"},
    {"Canonical decomposition", "and attain alpha*(2)", {"khisti2025.optimum"}},
};

}  // namespace

PaperItems miao2023_items() { return kMiao; }
PaperItems daliri2024_items() { return kDaliri; }
PaperItems jeon2024_items() { return kJeon; }
PaperItems weng2025_items() { return kWeng; }
PaperItems khisti2025_items() { return kKhisti; }

}  // namespace speclab
