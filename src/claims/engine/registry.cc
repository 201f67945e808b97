#include "claims/engine/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/text.h"
#include "claims/engine/examination.h"
#include "system/interrupt.h"
#include "system/thread_pool.h"

// The tables, one a file, in the order in which claims are listed: the one place that names them.
#define SPECLAB_CLAIM_TABLES(each)                                                                 \
  each(sun2025) each(sun2025_special) each(sun2025_lemmas) each(sun2025_proof) each(sun2025_tau)   \
      each(sun2025_laws) each(sun2025_optimum) each(sun2025_prose) each(sun2025_tables) each(      \
          sun2024) each(sun2024_coupling) each(sun2024_strictness) each(sun2024_tables)            \
          each(yin2024) each(yin2024_class) each(yin2024_bound) each(yin2024_figures) each(        \
              yin2024_rejections) each(yin2024_batches) each(yin2024_limits) each(yin2024_bias)    \
              each(yin2024_pareto) each(yin2024_executed) each(yin2024_front) each(yin2024_prose)  \
                  each(yin2024_given) each(lin2026) each(lin2026_bound) each(lin2026_equation1)    \
                      each(lin2026_lemma51) each(lin2026_sections) each(lin2026_tables)            \
                          each(lin2026_table5) each(lin2026_agreement) each(slot_block)            \
                              each(zhong2025) each(zhong2025_runs) each(zhong2025_costs)           \
                                  each(zhong2025_prose) each(zhong2025_appendix) each(multi_draft) \
                                      each(rules_match) each(rules_tree) each(rules_stop)          \
                                          each(rules_relaxed) each(rules_engines)                  \
                                              each(rules_ascend) each(text_identity)               \
                                                  each(resetting) each(trees) each(spechub)        \
                                                      each(recycling) each(batch)                  \
                                                          each(batch_optimum) each(gumbel_list)    \
                                                              each(poisson_list) each(retokenised) \
                                                                  each(argmax_drafts) each(spine)  \
                                                                      each(best_and_tail)

namespace speclab {

#define SPECLAB_DECLARE(table) Claims table##_claims();
SPECLAB_CLAIM_TABLES(SPECLAB_DECLARE)
#undef SPECLAB_DECLARE

namespace {

#define SPECLAB_LIST(table) &table##_claims,
constexpr Claims (*kTables[])() = {SPECLAB_CLAIM_TABLES(SPECLAB_LIST)};
#undef SPECLAB_LIST

std::vector<ClaimRow> gather() {
  std::vector<ClaimRow> rows;
  for (const auto table : kTables) {
    const auto claims = table();
    rows.insert(rows.end(), claims.begin(), claims.end());
  }
  return rows;
}

/// "lin2026.theorem5.3" is named by itself, by "lin2026" and by "lin2026.theorem5".
bool named_by(std::string_view id, std::string_view name) {
  if (!id.starts_with(name)) return false;
  return id.size() == name.size() || id[name.size()] == '.';
}

/// The rows that are named by an id, or where none is those that begin with it.
std::vector<const ClaimRow*> rows_named(std::string_view id) {
  std::vector<const ClaimRow*> named, begun;
  for (const ClaimRow& row : claim_rows()) {
    if (named_by(row.id, id)) named.push_back(&row);
    if (!id.empty() && row.id.starts_with(id)) begun.push_back(&row);
  }
  return named.empty() ? begun : named;
}

/// @throws Error when interrupted
ClaimOutcome outcome_of(const ClaimRow* row, const ClaimContext& context) {
  check_interrupted();
  ClaimOutcome outcome{row, run_claim(*row, context)};
  check_interrupted();
  return outcome;
}

}  // namespace

std::span<const ClaimRow> claim_rows() {
  static const std::vector<ClaimRow> rows = gather();
  return rows;
}

const ClaimRow* find_claim(std::string_view id) {
  const auto rows = claim_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [id](const ClaimRow& claim) { return claim.id == id; });
  return row == rows.end() ? nullptr : &*row;
}

std::vector<const ClaimRow*> select_claims(const std::vector<std::string>& ids) {
  const auto rows = claim_rows();
  std::vector<std::string> known;
  for (const ClaimRow& row : rows) known.emplace_back(row.id);
  std::set<const ClaimRow*> wanted;
  for (const std::string& id : ids) {
    const auto named = rows_named(id);
    if (named.empty()) {
      throw UsageError("unknown claim '" + abbreviate(id) + "'; `speclab list claims` names them" +
                       suggestion(id, known));
    }
    wanted.insert(named.begin(), named.end());
  }
  std::vector<const ClaimRow*> selected;
  for (const ClaimRow& row : rows) {
    if (ids.empty() || wanted.contains(&row)) selected.push_back(&row);
  }
  return selected;
}

std::vector<ClaimOutcome> run_claims(const std::vector<const ClaimRow*>& rows,
                                     const ClaimContext& context, const ClaimProgress& progress) {
  std::vector<ClaimOutcome> outcomes(rows.size());
  ClaimContext inner = context;
  inner.threads = 1;
  std::size_t begun = 0, done = 0;
  run_tasks(context.threads, [&]() -> std::optional<PoolTask> {
    if (begun == rows.size()) return std::nullopt;
    const std::size_t i = begun++;
    return PoolTask{[&, i] { outcomes[i] = outcome_of(rows[i], inner); },
                    [&, i] {
                      ++done;
                      if (progress) progress(outcomes[i], done);
                    }};
  });
  std::erase_if(outcomes, [](const ClaimOutcome& outcome) { return outcome.row == nullptr; });
  int tests = 0;
  for (const ClaimOutcome& outcome : outcomes) tests += outcome.result.tests;
  if (tests > kMostTests) {
    throw std::logic_error(fmt::format("{} simulated tests are over {}", tests, kMostTests));
  }
  return outcomes;
}

std::string difference_text(const ClaimOutcome& outcome) {
  const ClaimResult& result = outcome.result;
  const bool amended = result.verdict == outcome.row->recorded;
  const AmendsWords amends = words(outcome.row->correction.amends);
  const auto why =
      std::find_if(result.evidence.begin(), result.evidence.end(), [&](const Evidence& found) {
        return !amended || found.detail.starts_with(fmt::format("{}: violated", amends.heading));
      });
  const std::string shown =
      why == result.evidence.end() ? "no evidence" : why->pair + ": " + why->detail;
  if (amended) {
    return fmt::format("{}: an instance violates what the record states as {}: {}", outcome.row->id,
                       amends.label, shown);
  }
  return fmt::format("{}: the evidence says {}, the record {}: {}", outcome.row->id,
                     claim_verdict_name(result.verdict), claim_verdict_name(outcome.row->recorded),
                     shown);
}

}  // namespace speclab
