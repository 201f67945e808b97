// latent(target=[[..],..], next=[[..],..], start=0, prior=[..], draft=[[..],..], reading=..): a
// draft that draws a latent variable z for each block and then its tokens independently given z.
//
// `draft` has the laws of the offsets given z = 0, then those given z = 1, and so on. The verifier
// reads
//   reading=conditioned  the laws given z, which it is shown
//   reading=marginal     the laws with z summed out: those given the tokens before
// The tokens drafted are the same. To sum z out may lose accepted tokens of token verification, and
// loses none of block verification.
#include "model/families/families.h"
#include "model/families/resetting.h"
#include "model/normalise.h"

namespace speclab {
namespace {

/// A key is z and the offset.
ResettingDraft conditioned(const std::vector<Rational>& prior,
                           const std::vector<std::vector<Rational>>& rows, int longest) {
  ResettingDraft draft = block_draft(rows, prior.size());
  draft.begin = [prior, longest](State) {
    std::vector<std::pair<DraftKey, Rational>> all;
    for (std::size_t z = 0; z < prior.size(); ++z) {
      all.push_back({{static_cast<int>(z) * longest}, prior[z]});
    }
    return all;
  };
  return draft;
}

/// A key is the tokens of the block so far.
ResettingDraft marginal(const std::vector<Rational>& prior,
                        const std::vector<std::vector<Rational>>& rows, int longest) {
  const auto law = [prior, rows, longest](const DraftKey& tokens) {
    const auto row = [&](std::size_t z, std::size_t offset) -> const std::vector<Rational>& {
      return rows[z * static_cast<std::size_t>(longest) + offset];
    };
    std::vector<Rational> result(rows.front().size(), Rational(0));
    for (std::size_t z = 0; z < prior.size(); ++z) {
      Rational weight = prior[z];
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        weight *= row(z, i)[static_cast<std::size_t>(tokens[i])];
      }
      for (std::size_t x = 0; x < result.size(); ++x) {
        result[x] += weight * row(z, tokens.size())[x];
      }
    }
    // Tokens that the target alone draws are never drafted; what would follow them is uniform.
    if (total(result) == 0) result.assign(result.size(), Rational(1));
    normalise(result);
    return result;
  };
  return {.longest = longest,
          .begin = [](State) -> std::vector<std::pair<DraftKey, Rational>> {
            return {{{}, Rational(1)}};
          },
          .law = law,
          .next =
              [](DraftKey tokens, Token x, State) {
                tokens.push_back(x);
                return tokens;
              }};
}

}  // namespace

PairPointer make_latent(SpecReader& spec) {
  const TargetAutomaton target = read_target(spec);
  const std::vector<Rational> prior = read_law(spec, "prior");
  const auto rows = read_draft_rows(spec, prior.size(), "values of z", target.vocabulary());
  const bool sums_out = spec.word("reading", {"conditioned", "marginal"}) == "marginal";
  const int longest = static_cast<int>(rows.size() / prior.size());
  return make_resetting(
      spec, target, sums_out ? marginal(prior, rows, longest) : conditioned(prior, rows, longest));
}

}  // namespace speclab
