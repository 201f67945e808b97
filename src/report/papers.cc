#include "report/papers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/text.h"
#include "claims/engine/measured.h"
#include "claims/engine/registry.h"
#include "experiment/experiment.h"
#include "theory/formulas.h"
#include "theory/predictions.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

const ClaimRow* find_claim(std::string_view id) {
  const auto rows = claim_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [id](const ClaimRow& claim) { return claim.id == id; });
  return row == rows.end() ? nullptr : &*row;
}

bool is_closed_form(std::string_view id) {
  const auto rows = prediction_rows();
  return std::any_of(rows.begin(), rows.end(),
                     [id](const PredictionRow& row) { return row.claim == id; });
}

bool is_formula(std::string_view id) {
  const auto rows = formula_rows();
  return std::any_of(rows.begin(), rows.end(),
                     [id](const FormulaRow& row) { return row.name == id; });
}

bool is_verifier(std::string_view id) {
  const auto& rows = all_verifier_rows();
  return std::any_of(rows.begin(), rows.end(),
                     [id](const VerifierInfo& row) { return row.name == id; });
}

bool is_experiment(std::string_view id) {
  static const std::vector<std::string> files = experiment_files();
  return std::any_of(files.begin(), files.end(), [id](const std::string& file) {
    return std::filesystem::path(file).stem().string() == id;
  });
}

/// "claim a, b; closed form a; verifier c".
std::string covered_by(const PaperItem& item) {
  struct Kind {
    std::string_view name;
    bool (*has)(std::string_view id);
  };
  static constexpr Kind kKinds[] = {
      {"claim", [](std::string_view id) { return find_claim(id) != nullptr; }},
      {"closed form", is_closed_form},
      {"formula", is_formula},
      {"verifier", is_verifier},
      {"experiment", is_experiment}};
  std::string text;
  std::vector<std::string> unknown;
  for (const std::string_view id : item.by) {
    if (std::none_of(std::begin(kKinds), std::end(kKinds),
                     [id](const Kind& kind) { return kind.has(id); })) {
      unknown.emplace_back(id);
    }
  }
  const auto add = [&](std::string_view name, const std::vector<std::string>& ids) {
    if (ids.empty()) return;
    text += (text.empty() ? "" : "; ") + std::string(name) + " " + join(ids);
  };
  for (const Kind& kind : kKinds) {
    std::vector<std::string> ids;
    for (const std::string_view id : item.by) {
      if (kind.has(id)) ids.emplace_back(id);
    }
    add(kind.name, ids);
  }
  add("unknown", unknown);
  return text;
}

std::vector<const ClaimRow*> claims_of(const PaperItem& item) {
  std::vector<const ClaimRow*> claims;
  for (const std::string_view id : item.by) {
    if (const ClaimRow* row = find_claim(id)) claims.push_back(row);
  }
  return claims;
}

std::string verdicts_of(const std::vector<const ClaimRow*>& claims) {
  const bool alike = std::all_of(claims.begin(), claims.end(), [&](const ClaimRow* row) {
    return row->recorded == claims.front()->recorded;
  });
  if (claims.empty()) return "";
  if (alike) return std::string(claim_verdict_name(claims.front()->recorded));
  std::vector<std::string> words;
  for (const ClaimRow* row : claims) {
    words.push_back(std::string(row->id) + ": " + std::string(claim_verdict_name(row->recorded)));
  }
  return join(words, "; ");
}

/// "iid(..): violated, gamma=1: ..; true for gamma >= 2".
std::string counterexamples_of(const std::vector<const ClaimRow*>& claims) {
  std::vector<std::string> words;
  for (const ClaimRow* row : claims) {
    const Measured* found = measured(row->id);
    if (found == nullptr || found->detail.empty()) continue;
    std::string text = std::string(found->pair) + ": " + std::string(found->detail);
    if (!row->correction.statement.empty()) {
      text += "; true " + std::string(row->correction.statement);
    }
    if (std::find(words.begin(), words.end(), text) == words.end()) words.push_back(text);
  }
  return join(words, " // ");
}

}  // namespace

Listing paper_listing(const std::vector<const Paper*>& papers) {
  Listing listing{
      "papers",
      {"item", "paper", "what it says", "covered by", "verdict", "counterexample", "not covered"},
      {}};
  for (const Paper* paper : papers) {
    for (const PaperItem& item : paper->items) {
      const auto claims = claims_of(item);
      listing.rows.push_back({std::string(item.number), std::string(paper->key),
                              std::string(item.says), covered_by(item), verdicts_of(claims),
                              counterexamples_of(claims), std::string(item.lacking)});
    }
  }
  return listing;
}

std::string paper_markdown(const Paper& paper) {
  Listing items{"papers", {"item", "what it says", "where it is held", "verdict"}, {}};
  std::vector<const ClaimRow*> missed;
  for (const PaperItem& item : paper.items) {
    const auto claims = claims_of(item);
    std::string held = item.by.empty() ? "not covered" : covered_by(item);
    if (!item.lacking.empty())
      held += (item.by.empty() ? ": " : "; but: ") + std::string(item.lacking);
    items.rows.push_back(
        {std::string(item.number), std::string(item.says), held, verdicts_of(claims)});
    for (const ClaimRow* row : claims) {
      if (row->recorded == ClaimVerdict::holds || &paper_of(row->id) != &paper) continue;
      if (std::find(missed.begin(), missed.end(), row) == missed.end()) missed.push_back(row);
    }
  }
  std::string text = render(items, Format::markdown);
  if (!missed.empty()) text += "\nWhat does not hold as printed:\n";
  for (const ClaimRow* row : missed) {
    text += fmt::format("\n- `{}` ({}): *{}*: {}.", row->id, row->source, row->statement,
                        claim_verdict_name(row->recorded));
    if (const Measured* found = measured(row->id); found != nullptr && !found->detail.empty()) {
      text += fmt::format("\n  On `{}`: {}.", found->pair, found->detail);
    }
    if (!row->correction.statement.empty()) {
      text += fmt::format("\n  The correction: {}.", row->correction.statement);
    }
  }
  return missed.empty() ? text : text + "\n";
}

}  // namespace speclab
