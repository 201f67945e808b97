#include "theory/sun2025.h"

#include "theory/inquiry.h"

namespace speclab {
namespace {

constexpr std::string_view kLossless = "sun2025.theorem1";
constexpr std::string_view kTail = "sun2025.lemma3";
constexpr std::string_view kOptimal = "sun2025.theorem2";
constexpr std::string_view kListing = "sun2025.appendixA";

std::vector<Prediction> lossless(const Setting& setting) {
  if (!speaks_of(setting, {"block"})) return {};
  return claims_lossless(setting, kLossless);
}

std::vector<Prediction> tail(const Setting& setting) {
  if (!speaks_of(setting, {"block"})) return {};
  return answer(setting, kTail, [](auto& inquiry) {
    inquiry.add_accepted(block_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget));
  });
}

std::vector<Prediction> optimal(const Setting& setting) {
  if (!speaks_of(setting, {"block", "token"})) return {};
  return answer(setting, kOptimal, [&](auto& inquiry) {
    const Relation relation =
        setting.verifier.name == "block" ? Relation::equals : Relation::at_most;
    const auto tail = block_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget);
    inquiry.add(QuantityId::expected_accepted, expectation(tail), relation);
    inquiry.add_tokens(block_tokens(inquiry.rows, inquiry.start, setting.lengths.gamma,
                                    inquiry.iterations(), inquiry.budget),
                       relation);
  });
}

std::vector<Prediction> listing(const Setting& setting) {
  if (!speaks_of(setting, {"block-listing"})) return {};
  return claims_lossless(setting, kListing);
}

constexpr PredictionRow kRows[] = {
    {kLossless, "block: TV(output, target) = 0", "sun2025, Theorem 1", lossless},
    {kTail, "block: P(tau >= i) = E_d[w_i], w_i = min(1, w_{i-1} t/d)", "sun2025, Lemma 3", tail},
    {kOptimal, "E[tau] and E[N(i)] of block, the most of any plug-and-play verifier",
     "sun2025, Theorem 2", optimal},
    {kListing, "block-listing: TV(output, target) = 0", "sun2025, Appendix A", listing},
};

}  // namespace

std::span<const PredictionRow> sun2025_rows() { return kRows; }

}  // namespace speclab
