#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verifiers/registry.h"

namespace speclab {

// Scored texts (docs/score.md): texts of a target with two numbers a token, its log-probability
// under the target and under the draft. They decide what a lossless verifier does along the text,
// in expectation: with r_j = d(O_j | O^{j-1}) / t(O_j | O^{j-1}), an iteration that begins after s
// tokens of a text O that the target drew has
//   token          P(tau >= i | O) = prod over j = 1..i of min(1, r_{s+j})
//   block          P(tau >= i | O) = min over j = 0..i of r_{s+1} ... r_{s+j}
//   sample-match   P(tau >= i | O) = prod over j = 1..i of d_{s+j}
//   target-only    P(tau >= i | O) = 1 - (1 - prod over j = 1..i of d_{s+j})^K
// and the next iteration begins after s + tau + 1 tokens (src/theory/text_identity.h has the
// proof).

/// The longest draft that texts are scored for.
inline constexpr int kMostScored = 16;

/// Logarithms are computed in single precision by engines: one that is above 0 by no more is 0.
inline constexpr double kRoundedLog = 1e-4;

/// One text; its tokens are numbered from 0, those of the prompt left out.
struct ScoredText {
  std::string id;
  std::string group;           ///< the value of the field that parts the texts, where one does
  std::vector<double> target;  ///< log-probabilities, [n]
  /// Log-probabilities, [n]; or [n][width]: entry j of row s is that of token s + j where the
  /// drafter starts before token s, any number where the text has no such token. -inf: never drawn.
  std::vector<double> draft;
  int width = 0;                    ///< 0: the draft's law depends on the prefix alone
  std::vector<std::string> tokens;  ///< as they are shown, where the file has them

  [[nodiscard]] std::size_t size() const { return target.size(); }
  /// Empty it, and keep its memory: of all, and of the tokens with their numbers.
  void clear();
  void clear_tokens();
};

/// Checks one text as read, prompt included, removes the first `start` tokens, and replaces numbers
/// that rounding put above 0.
/// @throws InputError "WHERE: ..." naming the token, counted from 0 with the prompt, and the fix
void settle_text(ScoredText& text, std::int64_t start, const std::string& where);

/// How a verifier accepts along a text.
enum class TextRule { token, block, sample_match, target_only };

struct TextVerifier {
  TextRule rule = TextRule::token;
  int drafts = 1;  ///< K of target-only
};

/// How this verifier accepts, or nothing where a text does not decide it.
std::optional<TextVerifier> text_verifier(const Verifier& verifier);

/// Why not: a sentence that names the verifiers that are scored.
std::string not_scored(const Verifier& verifier);

}  // namespace speclab
