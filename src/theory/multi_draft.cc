#include "theory/multi_draft.h"

#include "theory/best_and_tail.h"
#include "theory/position_masses.h"
#include "theory/recycle.h"
#include "theory/rowan2025.h"
#include "theory/step_rows.h"
#include "theory/weight_rows.h"

namespace speclab {
namespace multi_draft {
namespace {

/// P(tau = 0) of a rule for K drafts of one position.
template <class Real, class Rule>
void first_position(Inquiry<Real>& inquiry, const Rule& rule) {
  const auto tail = stepwise_tail<Real>(inquiry.rows, inquiry.start, rule, 1, inquiry.budget);
  inquiry.add(QuantityId::accepted_law, positive_part<Real>(1 - tail[1]), Relation::equals, 0);
  inquiry.add(QuantityId::accepted_tail, tail[1], Relation::equals, 1);
}

/// Everything about a run at gamma = 1, where every position has all K drafts.
template <class Real, class Rule>
void one_position(Inquiry<Real>& inquiry, const Rule& rule) {
  inquiry.add_accepted(stepwise_tail<Real>(inquiry.rows, inquiry.start, rule, 1, inquiry.budget));
  if (inquiry.setting().lengths.gamma != 1) return;
  inquiry.add_tokens(stepwise_tokens<Real>(inquiry.rows, inquiry.start, rule, 1,
                                           inquiry.iterations(), inquiry.budget));
  add_step_counts<Real>(inquiry, rule, inquiry.any_horizon());
}

/// And the law of tau at any draft length, where the rule says which drafts go on.
template <class Real, class Rule, class Going>
void every_position(Inquiry<Real>& inquiry, const Rule& rule, const Going& going) {
  if (inquiry.drafts() == 1) return one_position(inquiry, rule);
  PositionMasses positions(inquiry.rows, inquiry.count("K"), going, inquiry.budget);
  inquiry.add_accepted(positions.tail(inquiry.start, inquiry.drafts()));
}

constexpr auto rrs = []<class Real>(Inquiry<Real>& inquiry) {
  const int k = inquiry.count("K");
  inquiry.spend(static_cast<double>(k) * inquiry.rows.vocabulary());
  every_position(
      inquiry, [k](auto draft, auto target) { return rrs_step<Real>(draft, target, k); },
      rrs_survivors<Real>);
};

constexpr auto kseq = []<class Real>(Inquiry<Real>& inquiry) {
  const int k = inquiry.count("K");
  inquiry.spend(100.0 * inquiry.rows.vocabulary());
  every_position(
      inquiry, [k](auto draft, auto target) { return kseq_step<Real>(draft, target, k); },
      kseq_survivors<Real>);
};

constexpr auto list_sampling = []<class Real>(Inquiry<Real>& inquiry) {
  const int drafts = inquiry.count("K");
  const auto going = list_survivors<Real>(inquiry);
  const auto rule = [&](auto draft, auto target) {
    StepLaw<Real> law{std::vector<Real>(draft.size(), Real(0)), {}};
    for (const auto& tokens : going(draft, target, drafts)) {
      for (std::size_t x = 0; x < tokens.size(); ++x) law.accepted[x] += tokens[x];
    }
    for (std::size_t x = 0; x < draft.size(); ++x) {
      law.corrected.push_back(positive_part<Real>(target[x] - law.accepted[x]));
    }
    return law;
  };
  every_position(inquiry, rule, going);
};

/// A value of the root's laws and K that P(tau >= 1) has this relation to.
/// @param work  its elementary steps
template <class Value>
void add_at_root(auto& inquiry, Relation relation, double work, const Value& value) {
  const int k = inquiry.count("K");
  const int gamma = inquiry.drafts();
  const auto at_root = average(inquiry.start, [&](State state) {
    inquiry.spend(work);
    return value(inquiry.rows.draft(state), inquiry.rows.target(state), k);
  });
  inquiry.add(QuantityId::accepted_tail, at_root, relation, 1);
  if (gamma == 1) inquiry.add(QuantityId::expected_accepted, at_root, relation);
}

double squared_width(const auto& inquiry) {
  const double width = inquiry.rows.vocabulary();
  return width * width;
}

constexpr auto list_matching = [](auto& inquiry) {
  add_at_root(inquiry, Relation::at_least, squared_width(inquiry),
              [](auto draft, auto target, int k) { return list_matching_bound(draft, target, k); });
};

constexpr auto poisson = [](auto& inquiry) {
  add_at_root(inquiry, Relation::equals, squared_width(inquiry),
              [](auto draft, auto target, int k) { return poisson_acceptance(draft, target, k); });
};

constexpr auto poisson_matching = [](auto& inquiry) {
  add_at_root(
      inquiry, Relation::at_least, squared_width(inquiry),
      [](auto draft, auto target, int k) { return poisson_matching_bound(draft, target, k); });
};

constexpr auto guarantee = []<class Real>(Inquiry<Real>& inquiry) {
  const int k = inquiry.count("K");
  inquiry.require(inquiry.drafts() == 1);
  const Real factor = accepted_once<Real>(Real(1) / k, k);
  const auto value = [&](State state) {
    inquiry.spend(4.0 * inquiry.rows.vocabulary());
    return factor * best_acceptance(inquiry.rows.draft(state), inquiry.rows.target(state), k);
  };
  inquiry.add(QuantityId::expected_accepted, average(inquiry.start, value), Relation::at_least);
};

constexpr auto naive = []<class Real>(Inquiry<Real>& inquiry) {
  const int k = inquiry.count("K");
  const auto rule = [k](auto draft, auto target) {
    return naive_tree_step<Real>(draft, target, k);
  };
  return inquiry.drafts() > 1 ? first_position(inquiry, rule) : one_position(inquiry, rule);
};

/// At the first position of a rule that decides token by token; of one of blocks at the only one.
constexpr auto recycled = []<class Real>(Inquiry<Real>& inquiry) {
  const int k = inquiry.count("K");
  const std::string name = inquiry.parameters().path("rule");
  const bool levels = name == "token" || name == "rrs" || name == "wrong-largest-rho";
  inquiry.require(name != "slot-block" && (levels || inquiry.drafts() == 1));
  const auto rule = [k, name](auto draft, auto target) {
    if (name == "token" || name == "block") return naive_tree_step<Real>(draft, target, k);
    if (name == "wrong-largest-rho") return recycled_kseq_step<Real>(draft, target, Real(k), k);
    if (name == "path-block") return recycled_path_step<Real>(draft, target, k);
    return rrs_step<Real>(draft, target, k);
  };
  return inquiry.drafts() > 1 ? first_position(inquiry, rule) : one_position(inquiry, rule);
};

constexpr auto canonical = [](auto& inquiry) {
  add_at_root(inquiry, Relation::equals, 4.0 * inquiry.rows.vocabulary(),
              [](auto draft, auto target, int k) { return best_acceptance(draft, target, k); });
};

constexpr auto spechub = [](auto& inquiry) {
  inquiry.require(inquiry.parameters().has("K") && inquiry.count("K") == 2);
  add_at_root(inquiry, Relation::equals, 2.0 * inquiry.rows.vocabulary(),
              [](auto draft, auto target, int) { return spechub_acceptance(draft, target); });
};

constexpr auto best_and_tail = []<class Real>(Inquiry<Real>& inquiry) {
  inquiry.require(inquiry.setting().pair->memoryless());
  BestAndTailLength<Real> length(inquiry.rows.draft(0), inquiry.rows.target(0),
                                 inquiry.count("nodes"), inquiry.drafts());
  inquiry.spend(length.work() + 2.0 * inquiry.rows.vocabulary());
  inquiry.add_accepted(length.tail());
};

constexpr auto best = [](auto& inquiry) {
  inquiry.require(inquiry.parameters().has("K"));  // the drafts of a tree are not i.i.d.
  const int k = inquiry.count("K");
  const int gamma = inquiry.drafts();
  Budget walked = walk_budget(inquiry);
  const auto value = [&](State state) {
    return expectation(best_tail(inquiry.rows, state, k, gamma, walked));
  };
  inquiry.add(QuantityId::expected_accepted, average(inquiry.start, value), Relation::at_most);
};

/// rho* is irrational: its values are doubles in either arithmetic, and so not exact.
constexpr bool kInDoubles = true;

constexpr PredictionRow kRows[] = {
    {"miao2023.lossless", about("rrs"), "rrs(K): TV(output, target) = 0", "miao2023 (SpecInfer)",
     lossless},
    {"miao2023.acceptance", about("rrs"),
     "rrs(K): acceptance of a position = 1 - r_1 ... r_K; the drafts with its token go on",
     "miao2023 (SpecInfer)", rrs},
    {"sun2023.lossless", about("kseq"), "kseq(K): TV(output, target) = 0", "sun2023 (SpecTr)",
     lossless},
    {"sun2023.acceptance", about("kseq"),
     "kseq(K): acceptance of a position = 1 - (1 - beta(rho*))^K; the drafts with its token go on",
     "sun2023 (SpecTr)", kseq, nullptr, kInDoubles},
    {"sun2023.guarantee", about("kseq"), "kseq(K): acceptance >= (1 - (1 - 1/K)^K) alpha*(K)",
     "sun2023 (SpecTr)", guarantee},
    {"naive-tree.lossless", about("naive-tree"), "naive-tree(K): TV(output, target) = 0",
     "this project, after sun2025", lossless},
    {"naive-tree.acceptance", about("naive-tree"),
     "naive-tree(K): acceptance at the root = sum of min(d, t) + [t - d]+ (1 - (1 - d)^(K-1))",
     "this project, after sun2025", naive},
    {"speclab.recycle.lossless", about("recycle"), "recycle(rule, K): TV(output, target) = 0",
     "this project, after naive-tree", lossless},
    {"speclab.recycle.acceptance", about("recycle"),
     "recycle(rule, K): acceptance at one position = the rule's + sum over y of P(correction y) "
     "P(y is among the drafts of a refused set)",
     "this project, after naive-tree", recycled},
    {"khisti2025.lossless", about("canonical"), "canonical(K): TV(output, target) = 0",
     "khisti2025", lossless},
    {"khisti2025.optimum", about("canonical"), "canonical(K): acceptance at the root = alpha*(K)",
     "khisti2025, hu2025", canonical},
    {"speclab.spechub.lossless", about("spechub"), "spechub: TV(output, target) = 0",
     "Sun et al. 2024 (SpecHub)", lossless},
    {"speclab.spechub.acceptance", about("spechub"),
     "spechub(K=2): acceptance at the root = t(a) + sum over i != a of min(t(i), d(i) / (1 - "
     "d(a)))",
     "this project, of SpecHub", spechub},
    {"rowan2025.lossless", about("gumbel-list"), "gumbel-list(K): TV(output, target) = 0",
     "rowan2025", lossless},
    {"rowan2025.acceptance", about("gumbel-list"),
     "gumbel-list(K): the law of tau, from P(Y = x, and s of the drafts in play propose x)",
     "this project, of rowan2025", list_sampling},
    {"rowan2025.list-matching", about("gumbel-list"),
     "gumbel-list(K): acceptance at the root >= sum_y K / sum_v max(K t(v)/t(y), d(v)/d(y) + (K - "
     "1) t(v)/t(y))",
     "rowan2025, in the form derived here", list_matching},
    {"rowan2025.optimum", about("gumbel-list"),
     "gumbel-list(K): E[tau] <= sum_i (1 + min_H [T_i(H) - D_i(H)^K])", "hu2025", best},
    {"speclab.poisson-list.lossless", about("poisson-list"),
     "poisson-list(K): TV(output, target) = 0", "Li and El Gamal 2018, for K drafts", lossless},
    {"speclab.poisson-list.acceptance", about("poisson-list"),
     "poisson-list(K): acceptance at the root = sum_y t(y) (1 - (1 - 1/g_y)^K), g_y = sum_v "
     "max(d(v) t(y)/d(y), t(v))",
     "this project", poisson},
    {"speclab.poisson-list.matching", about("poisson-list"),
     "poisson-list(K): acceptance at the root >= sum_y t(y) (1 - (1 + d(y)/t(y))^-K)",
     "this project, after the Poisson matching lemma (Li and Anantharam 2021)", poisson_matching},
    {"jeon2024.lossless", about("rrs-without"), "rrs-without: TV(output, target) = 0",
     "jeon2024 (RSD)", lossless},
    {"speclab.best-and-tail.lossless", about("best-and-tail"),
     "best-and-tail: TV(output, target) = 0", "arXiv 2609.21827 (RheoSampling), by its abstract",
     lossless},
    {"speclab.best-and-tail.acceptance", about("best-and-tail"),
     "best-and-tail(nodes=N), memoryless: P(tau >= i) = sum of A^k t(b)^(i-k) over its nodes of "
     "depth i, k of them sampled, A = sum over x != b of min(t(x), d(x) / (1 - d(b)))",
     "this project", best_and_tail},
    {"thomas2026.lossless", about("path-block"), "path-block(K): TV(output, target) = 0",
     "Thomas and Pal (path selection)", lossless},
    {"recursive-block.lossless", about("recursive-block", "recursive-greedy"),
     "recursive-block(K), recursive-greedy(K): TV(output, target) = 0",
     "this project, after sun2024, sun2025", lossless},
    {"hu2025.optimum",
     about("rrs", "kseq", "slot-block", "spectr-coupled", "canonical", "target-only", "one-hot",
           "naive-tree", "traversal", "traversal-merged", "path-block", "recursive-block",
           "recursive-greedy", "poisson-list"),
     "K i.i.d. drafts: E[tau] <= sum_i (1 + min_H [T_i(H) - D_i(H)^K])", "hu2025", best},
};

}  // namespace
}  // namespace multi_draft

std::span<const PredictionRow> multi_draft_rows() { return multi_draft::kRows; }

}  // namespace speclab
