#include "theory/multi_draft.h"

#include "theory/inquiry.h"
#include "theory/sun2025.h"

namespace speclab {
namespace multi_draft {
namespace {

constexpr std::string_view kRrsLossless = "miao2023.lossless";
constexpr std::string_view kKseqLossless = "sun2023.lossless";
constexpr std::string_view kSlotLossless = "slot-block.lossless";
constexpr std::string_view kAboveBlock = "slot-block.above-block";
constexpr std::string_view kRrs = "miao2023.acceptance";
constexpr std::string_view kKseq = "sun2023.acceptance";
constexpr std::string_view kGuarantee = "sun2023.guarantee";
constexpr std::string_view kBest = "hu2025.optimum";
constexpr std::string_view kNaiveLossless = "naive-tree.lossless";
constexpr std::string_view kNaive = "naive-tree.acceptance";
constexpr std::string_view kCanonicalLossless = "khisti2025.lossless";
constexpr std::string_view kCanonical = "khisti2025.optimum";
constexpr std::string_view kTraversal = "weng2025.lossless";
constexpr std::string_view kWithout = "jeon2024.lossless";
constexpr std::string_view kPathBlock = "thomas2026.lossless";
constexpr std::string_view kRecursive = "recursive-block.lossless";

std::vector<Prediction> rrs_lossless(const Setting& setting) {
  if (!speaks_of(setting, {"rrs"})) return {};
  return claims_lossless(setting, kRrsLossless);
}

std::vector<Prediction> kseq_lossless(const Setting& setting) {
  if (!speaks_of(setting, {"kseq"})) return {};
  return claims_lossless(setting, kKseqLossless);
}

std::vector<Prediction> slot_lossless(const Setting& setting) {
  if (!speaks_of(setting, {"slot-block"})) return {};
  return claims_lossless(setting, kSlotLossless);
}

/// The prediction of slot-block, which is block verification at K = 1.
std::vector<Prediction> above_block(const Setting& setting) {
  if (!speaks_of(setting, {"slot-block"})) return {};
  return answer(setting, kAboveBlock, [](auto& inquiry) {
    const auto tail = block_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget);
    inquiry.add(QuantityId::expected_accepted, expectation(tail),
                inquiry.count("K") == 1 ? Relation::equals : Relation::at_least);
  });
}

/// The consequences of a rule for K drafts of one position: P(tau = 0) at any draft length, and
/// everything about a run at gamma = 1, where every position has all K drafts.
template <class Inquiry, class Rule>
void one_position(Inquiry& inquiry, const Rule& rule) {
  using Real = typename Inquiry::Real;
  const Setting& setting = inquiry.setting();
  const auto tail = stepwise_tail<Real>(inquiry.rows, inquiry.start, rule, 1, inquiry.budget);
  if (inquiry.drafts() > 1) {
    inquiry.add(QuantityId::accepted_law, positive_part<Real>(1 - tail[1]), Relation::equals, 0);
    inquiry.add(QuantityId::accepted_tail, tail[1], Relation::equals, 1);
    return;
  }
  inquiry.add_accepted(tail);
  if (setting.lengths.gamma != 1) return;
  inquiry.add_tokens(stepwise_tokens<Real>(inquiry.rows, inquiry.start, rule, 1,
                                           inquiry.iterations(), inquiry.budget));
  const auto counts = stepwise_counts<Real>(inquiry.rows, inquiry.start, rule, 1,
                                            inquiry.any_horizon(), inquiry.budget);
  inquiry.add(QuantityId::rejections, counts.rejections);
  inquiry.add_calls(counts.calls);
}

std::vector<Prediction> rrs(const Setting& setting) {
  if (!speaks_of(setting, {"rrs"})) return {};
  return answer(setting, kRrs, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const int k = inquiry.count("K");
    inquiry.budget.template spend<Real>(static_cast<double>(k) * inquiry.rows.vocabulary());
    one_position(inquiry,
                 [k](auto draft, auto target) { return rrs_step<Real>(draft, target, k); });
  });
}

/// rho* is irrational: the values are doubles in either arithmetic, and so not exact.
std::vector<Prediction> kseq(const Setting& setting) {
  if (!speaks_of(setting, {"kseq"})) return {};
  Setting in_doubles = setting;
  in_doubles.arithmetic = Arithmetic::floating;
  return answer(in_doubles, kKseq, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const int k = inquiry.count("K");
    inquiry.budget.template spend<Real>(100.0 * inquiry.rows.vocabulary());
    one_position(inquiry,
                 [k](auto draft, auto target) { return kseq_step<Real>(draft, target, k); });
  });
}

std::vector<Prediction> guarantee(const Setting& setting) {
  if (!speaks_of(setting, {"kseq"})) return {};
  return answer(setting, kGuarantee, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const int k = inquiry.count("K");
    inquiry.require(inquiry.drafts() == 1);
    const Real factor = accepted_once<Real>(Real(1) / k, k);
    const auto value = [&](State state) {
      inquiry.budget.template spend<Real>(4.0 * inquiry.rows.vocabulary());
      return factor * best_acceptance(inquiry.rows.draft(state), inquiry.rows.target(state), k);
    };
    inquiry.add(QuantityId::expected_accepted, average(inquiry.start, value), Relation::at_least);
  });
}

std::vector<Prediction> naive_lossless(const Setting& setting) {
  if (!speaks_of(setting, {"naive-tree"})) return {};
  return claims_lossless(setting, kNaiveLossless);
}

std::vector<Prediction> naive(const Setting& setting) {
  if (!speaks_of(setting, {"naive-tree"})) return {};
  return answer(setting, kNaive, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const int k = inquiry.count("K");
    one_position(inquiry,
                 [k](auto draft, auto target) { return naive_tree_step<Real>(draft, target, k); });
  });
}

std::vector<Prediction> canonical_lossless(const Setting& setting) {
  if (!speaks_of(setting, {"canonical"})) return {};
  return claims_lossless(setting, kCanonicalLossless);
}

std::vector<Prediction> canonical(const Setting& setting) {
  if (!speaks_of(setting, {"canonical"})) return {};
  return answer(setting, kCanonical, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const int gamma = inquiry.drafts();
    const auto at_root = average(inquiry.start, [&](State state) {
      inquiry.budget.template spend<Real>(4.0 * inquiry.rows.vocabulary());
      return best_acceptance(inquiry.rows.draft(state), inquiry.rows.target(state), 2);
    });
    inquiry.add(QuantityId::accepted_tail, at_root, Relation::equals, 1);
    if (gamma == 1) inquiry.add(QuantityId::expected_accepted, at_root);
  });
}

std::vector<Prediction> traversal(const Setting& setting) {
  if (!speaks_of(setting, {"traversal", "traversal-merged", "traversal-without"})) return {};
  return claims_lossless(setting, kTraversal);
}

std::vector<Prediction> without(const Setting& setting) {
  if (!speaks_of(setting, {"rrs-without"})) return {};
  return claims_lossless(setting, kWithout);
}

std::vector<Prediction> path_block(const Setting& setting) {
  if (!speaks_of(setting, {"path-block"})) return {};
  return claims_lossless(setting, kPathBlock);
}

std::vector<Prediction> recursive(const Setting& setting) {
  if (!speaks_of(setting, {"recursive-block", "recursive-greedy"})) return {};
  return claims_lossless(setting, kRecursive);
}

std::vector<Prediction> best(const Setting& setting) {
  if (!speaks_of(setting, {"rrs", "kseq", "slot-block", "spectr-coupled", "canonical",
                           "target-only", "one-hot", "naive-tree", "traversal", "traversal-merged",
                           "path-block", "recursive-block", "recursive-greedy"})) {
    return {};
  }
  return answer(setting, kBest, [](auto& inquiry) {
    inquiry.require(inquiry.parameters().has("K"));  // the drafts of a tree are not i.i.d.
    const int k = inquiry.count("K");
    const int gamma = inquiry.drafts();
    const auto value = [&](State state) {
      return expectation(best_tail(inquiry.rows, state, k, gamma, inquiry.budget));
    };
    inquiry.add(QuantityId::expected_accepted, average(inquiry.start, value), Relation::at_most);
  });
}

constexpr PredictionRow kRows[] = {
    {kRrsLossless, "rrs(K): TV(output, target) = 0", "miao2023 (SpecInfer)", rrs_lossless},
    {kRrs, "rrs(K): acceptance of a position = 1 - r_1 ... r_K", "miao2023 (SpecInfer)", rrs},
    {kKseqLossless, "kseq(K): TV(output, target) = 0", "sun2023 (SpecTr)", kseq_lossless},
    {kKseq, "kseq(K): acceptance of a position = 1 - (1 - beta(rho*))^K", "sun2023 (SpecTr)", kseq},
    {kGuarantee, "kseq(K): acceptance >= (1 - (1 - 1/K)^K) alpha*(K)", "sun2023 (SpecTr)",
     guarantee},
    {kSlotLossless, "slot-block(K): TV(output, target) = 0", "this project, after lin2026",
     slot_lossless},
    {kAboveBlock, "slot-block(K): E[tau] >= block's, equal at K = 1", "this project, after lin2026",
     above_block},
    {kNaiveLossless, "naive-tree(K): TV(output, target) = 0", "this project, after sun2025",
     naive_lossless},
    {kNaive,
     "naive-tree(K): acceptance at the root = sum of min(d, t) + [t - d]+ (1 - (1 - d)^(K-1))",
     "this project, after sun2025", naive},
    {kCanonicalLossless, "canonical(K=2): TV(output, target) = 0", "khisti2025",
     canonical_lossless},
    {kCanonical, "canonical(K=2): acceptance at the root = alpha*(2)", "khisti2025, hu2025",
     canonical},
    {kTraversal, "traversal, traversal-merged, traversal-without: TV(output, target) = 0",
     "weng2025 (Traversal Verification)", traversal},
    {kWithout, "rrs-without: TV(output, target) = 0", "jeon2024 (RSD)", without},
    {kPathBlock, "path-block(K): TV(output, target) = 0", "Thomas and Pal (path selection)",
     path_block},
    {kRecursive, "recursive-block(K), recursive-greedy(K): TV(output, target) = 0",
     "this project, after sun2024, sun2025", recursive},
    {kBest, "K i.i.d. drafts: E[tau] <= sum_i (1 + min_H [T_i(H) - D_i(H)^K])", "hu2025", best},
};

}  // namespace
}  // namespace multi_draft

std::span<const PredictionRow> multi_draft_rows() { return multi_draft::kRows; }

}  // namespace speclab
