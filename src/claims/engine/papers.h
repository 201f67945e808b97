#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace speclab {

/// What a row of a paper's table says of its item, given for that row alone;
/// docs/papers/README.md has the meaning of each word.
struct ItemVerdict {
  std::string_view word;  ///< "holds", "defines"
  bool of_claim;          ///< a ClaimVerdict: a claim of the row has it, where the row has claims
};

/// Every verdict that a row may state.
std::span<const ItemVerdict> item_verdicts();

/// One numbered thing of a paper, and the claims, closed forms and verifiers for it. Each has a
/// row: what is not covered has a reason.
struct PaperItem {
  std::string_view number;   ///< "Theorem 2", "Algorithm 1", "Equation (7)", "Figure 3", "Remark 2"
  std::string_view verdict;  ///< a word of item_verdicts()
  std::string_view says;     ///< one line of plain ASCII
  std::vector<std::string_view> by{};  ///< claims, predictions, verifiers and experiments
  std::string_view lacking{};          ///< why nothing covers it, or which part is not covered
};

/// A paper, its items in the order of its pages.
struct Paper {
  std::string_view key;    ///< "sun2025": the first part of its claims' ids
  std::string_view title;  ///< authors, title, year
  std::vector<PaperItem> items{};
  std::string_view authors{};  ///< "Sun, Ro, Beirami, Suresh"; "" of what is no paper
  std::string_view name{};     ///< the title without authors and year
  std::string_view year{};     ///< "" of what is no paper
  bool whole = false;  ///< each numbered thing of it has a row; else those alone that are checked
};

/// Every paper of src/claims/papers/coverage.txt: first those that are covered whole, then those of
/// which only what is checked has a row, last ("speclab") this project's own rules.
std::span<const Paper> papers();

/// The paper of that key, or null.
const Paper* find_paper(std::string_view key);

/// What stands before the statement of a claim that answers a row "settled here": "not printed: ",
/// or of a paper that is not covered whole "asked here: "; "" of all other claims.
std::string_view unprinted(std::string_view claim_id);

/// The paper of a claim or closed form: the one whose key stands before the dot of its id; this
/// project where there is none, as for "slot-block.lossless".
const Paper& paper_of(std::string_view id);

}  // namespace speclab
