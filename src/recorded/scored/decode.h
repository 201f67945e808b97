#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "recorded/scored/text.h"

namespace speclab {

/// A number for each draft length: [gamma - 1].
using ByGamma = std::array<double, kMostScored>;

/// The counts of whole decodes of texts, in expectation given the texts, for gamma = 1 ..
/// kMostScored at once; of several texts the sums. A decode ends with its text: the last iteration
/// is cut there, and no bonus token follows.
struct TextDecode {
  ByGamma calls{};  ///< iterations, each of which calls the target once
  ByGamma steps{};  ///< draft steps: of each iteration gamma, or the tokens that are left
  /// [i - 1][gamma - 1]: iterations that accept i tokens or more
  std::array<ByGamma, kMostScored> reached{};
  /// Of iterations that the end cannot cut, those with more than gamma tokens to go: how many, and
  /// the tokens that they emit.
  ByGamma whole_calls{}, whole_tokens{};
  /// [i - 1]: sum of P(tau >= i) over all positions of the text with i tokens or more to go.
  ByGamma tails{};

  TextDecode& operator+=(const TextDecode& other);
  [[nodiscard]] double accepted(int gamma) const;
};

/// The chances that a token of a text is an accepted draft, and that it is a bonus token.
struct TokenFate {
  double accepted = 0;
  double bonus = 0;
};

/// Decodes texts one after another; about 100 KB.
///
/// Let S_i(s) = P(tau >= i | O) of an iteration that begins before token s (from 0), and u(s) the
/// probability that one does. Token s - 1 either ends an iteration, or is accepted as the i-th of
/// the one that began before token s - i:
///   u(0) = 1,   u(s) = 1 - sum over i = 1..gamma of u(s - i) S_i(s - i),
///   E[target calls | O] = u(0) + ... + u(n - 1).
/// S_i does not depend on gamma. Worked example: token verification, gamma 2, ratios 1/2, 1/2, 1: u
/// is 1, 1/2 and 1 - 1/4 - 1/4 = 1/2, 2 calls.
class TextDecoder {
 public:
  TextDecoder();
  ~TextDecoder();
  TextDecoder(const TextDecoder&) = delete;
  TextDecoder& operator=(const TextDecoder&) = delete;

  /// The text must outlive what follows.
  void load(const ScoredText& text);

  /// Of draft lengths beyond the width of the text's drafts the numbers mean nothing.
  [[nodiscard]] TextDecode decode(const TextVerifier& verifier);
  /// The expected target calls alone.
  [[nodiscard]] ByGamma calls(const TextVerifier& verifier);

  /// [i - 1]: sum over all positions of the most that P(tau >= i | O) is for a lossless verifier's
  /// first iteration there, min(1, r_{s+1} ... r_{s+i}) (sun2024 Theorem 1).
  [[nodiscard]] ByGamma optimum();

  /// What becomes of each token at one draft length; the rest of the chance is that of a
  /// correction.
  [[nodiscard]] std::vector<TokenFate> fates(const TextVerifier& verifier, int gamma);

 private:
  struct Buffer;

  template <class Each>
  void each_chunk(const TextVerifier& verifier, const Each& each);
  void fill(const TextVerifier& verifier, std::size_t first, std::size_t count);
  void fill_by_logs(const TextVerifier& verifier, std::size_t first, std::size_t count);
  void add_end(TextDecode& decode, std::size_t first) const;

  const ScoredText* text_ = nullptr;
  std::vector<double> ratios_;   ///< r, then zeros
  std::vector<double> drafted_;  ///< d, then zeros; made where it is asked for
  bool by_logs_ = false;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace speclab
