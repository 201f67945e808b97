#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace speclab {

/// A theorem of proofs/ that Coq checked: for every vocabulary, draft and target of any context,
/// and draft length. Method::proof is another thing: all pairs of one size, by speclab itself.
struct MachineChecked {
  std::string_view file;                 ///< "block", of proofs/block.v
  std::string_view theorem;              ///< "block_lossless"
  std::string_view says;                 ///< what is proved, in a line
  std::vector<std::string_view> claims;  ///< the claims whose statement it proves
  bool refutes = false;                  ///< it proves that their printed statement is false
};

/// All rows of src/claims/papers/theorems.txt, in its order.
std::span<const MachineChecked> machine_checked_theorems();

/// The theorems of a claim.
std::vector<const MachineChecked*> machine_checked(std::string_view claim);

/// "proved for all pairs: proofs/block.v block_lossless", or "printed statement refuted: ..", with
/// "; " between them; empty of a claim without a theorem.
std::string machine_checked_text(std::string_view claim);

/// The same for Markdown, each theorem with a link to its file; `root` is the way from the page to
/// the repository.
std::string machine_checked_links(std::string_view claim, std::string_view root);

}  // namespace speclab
