#pragma once

#include <string_view>

#include "answer/question.h"

namespace speclab {

/// The verifier of a spec text: one of the registry, or one that the checks alone know, for exact
/// answers:
/// - token-listing, the listing of token verification in sun2025 appendix A with a last line that
///   draws the token, and token-listing-printed, the text as it stands,
/// - block-listing-whole, the listing of block verification there with its loop run once more, and
///   block-listing-skipping, the same without the steps that divide 0 by 0,
/// - hsd, hierarchical speculative decoding by the definitions of Zhou et al. 2026,
/// - kseq-at(K=,share=), the first position of k-sequential selection (SpecTr, Algorithm 2) at
///   rho = rho* + share (K - rho*),
/// - sprinter-kept(fp=,tp=), zhong2025 Algorithm 2 in the reading that keeps the rejected token.
Verifier verifier_of(std::string_view text);

}  // namespace speclab
