#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.h"
#include "claims/document.h"
#include "claims/engine/machine_checked.h"
#include "claims/engine/measured.h"
#include "claims/engine/papers.h"
#include "claims/engine/registry.h"
#include "theory/formulas.h"
#include "theory/predictions.h"

namespace speclab {
namespace {

template <class Rows>
std::vector<std::string> ids_of(const Rows& rows, std::string_view Rows::value_type::*field) {
  std::vector<std::string> ids;
  for (const auto& row : rows) ids.emplace_back(row.*field);
  return ids;
}

/// All ids, by what they name.
KnownIds all_ids(const KnownIds& others) {
  KnownIds known{{"claim", ids_of(claim_rows(), &ClaimRow::id)},
                 {"closed form", ids_of(prediction_rows(), &PredictionRow::claim)},
                 {"formula", ids_of(formula_rows(), &FormulaRow::name)}};
  known.insert(known.end(), others.begin(), others.end());
  return known;
}

/// The ids of an item that are of one kind.
Json ids_of_kind(const PaperItem& item, const KnownIds& kinds, std::string_view kind) {
  Json ids = Json::array();
  for (const auto& [name, all] : kinds) {
    if (name != kind) continue;
    for (const std::string_view id : item.by) {
      if (std::find(all.begin(), all.end(), id) != all.end()) ids.push_back(id);
    }
  }
  return ids;
}

/// "claim a, b; closed form a; verifier c".
std::string covered_by(const PaperItem& item, const KnownIds& kinds) {
  std::vector<std::string> parts, unknown;
  std::set<std::string_view> known;
  for (const auto& [name, all] : kinds) {
    std::vector<std::string> ids;
    for (const std::string_view id : item.by) {
      if (std::find(all.begin(), all.end(), id) == all.end()) continue;
      ids.emplace_back(id);
      known.insert(id);
    }
    if (!ids.empty()) parts.push_back(name + " " + join(ids));
  }
  for (const std::string_view id : item.by) {
    if (!known.contains(id)) unknown.emplace_back(id);
  }
  if (!unknown.empty()) parts.push_back("unknown " + join(unknown));
  return join(parts, "; ");
}

std::vector<const ClaimRow*> claims_of(const PaperItem& item) {
  std::vector<const ClaimRow*> claims;
  for (const std::string_view id : item.by) {
    if (const ClaimRow* row = find_claim(id)) claims.push_back(row);
  }
  return claims;
}

/// "iid(..): violated, gamma=1: ..; true for gamma >= 2".
std::string counterexamples_of(const std::vector<const ClaimRow*>& claims) {
  std::vector<std::string> words;
  for (const ClaimRow* row : claims) {
    const Measured* found = measured(row->id);
    if (found == nullptr || found->detail.empty()) continue;
    std::string text = std::string(found->pair) + ": " + std::string(found->detail);
    if (!row->correction.statement.empty()) text += "; " + amended_text(row->correction);
    if (std::find(words.begin(), words.end(), text) == words.end()) words.push_back(text);
  }
  return join(words, " // ");
}

Page paper_page(const Paper& paper, const KnownIds& known) {
  TextTable items{"clll", {"item", "what it says", "checked by", "verdict"}};
  std::vector<const ClaimRow*> missed;
  for (const PaperItem& item : paper.items) {
    const auto claims = claims_of(item);
    const bool covered = !item.by.empty();
    std::string checked = covered ? covered_by(item, known) : "not covered";
    for (const ClaimRow* row : claims) {
      const std::string links = machine_checked_links(row->id, "../..");
      if (!links.empty()) checked += "; machine-checked: " + links;
    }
    if (!item.lacking.empty()) checked += (covered ? "; but: " : ": ") + std::string(item.lacking);
    items.add({item.number, item.says, checked, item.verdict});
    for (const ClaimRow* row : claims) {
      if (row->recorded == ClaimVerdict::holds || &paper_of(row->id) != &paper) continue;
      if (std::find(missed.begin(), missed.end(), row) == missed.end()) missed.push_back(row);
    }
  }
  Page page;
  page += std::move(items);
  if (!missed.empty()) page += "\nWhat does not hold:\n";
  for (const ClaimRow* row : missed) {
    page += fmt::format("\n- `{}` ({}): {}*{}* ({}): {}.", row->id, row->source, unprinted(row->id),
                        row->statement, row->hypotheses, claim_verdict_name(row->recorded));
    if (const Measured* found = measured(row->id); found != nullptr && !found->detail.empty()) {
      const std::string on = found->pair.empty() ? "" : fmt::format("On `{}`: ", found->pair);
      page += fmt::format("\n  {}{}.", on, found->detail);
    }
    if (!row->correction.statement.empty()) {
      page += fmt::format("\n  {}.", amended_text(row->correction));
    }
  }
  return missed.empty() ? page : page += "\n";
}

}  // namespace

Document papers_document(const std::vector<const Paper*>& papers, const KnownIds& others) {
  return {
      .name = "papers",
      .columns = {"item", "paper", "what it says", "covered by", "verdict", "counterexample",
                  "not covered", "title", "authors", "year", "claims", "verifiers", "closed forms",
                  "experiments"},
      .rows = [papers, known = all_ids(others)](const AddRow& add) {
        for (const Paper* paper : papers) {
          for (const PaperItem& item : paper->items) {
            const auto claims = claims_of(item);
            add({item.number, paper->key, item.says, covered_by(item, known), item.verdict,
                 counterexamples_of(claims), item.lacking, paper->name, paper->authors, paper->year,
                 ids_of_kind(item, known, "claim"), ids_of_kind(item, known, "verifier"),
                 ids_of_kind(item, known, "closed form"), ids_of_kind(item, known, "experiment")});
          }
        }
      }};
}

Document paper_document(const Paper& paper, const KnownIds& others) {
  return {.page = [&paper, known = all_ids(others)] { return paper_page(paper, known); }};
}

}  // namespace speclab
