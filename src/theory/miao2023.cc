#include "theory/miao2023.h"

#include <string>

#include "theory/step_rows.h"

namespace speclab {
namespace miao2023 {
namespace {

constexpr std::string_view kLossless = "miao2023.naive_lossless";
constexpr std::string_view kMatch = "miao2023.sample_match";
constexpr std::string_view kTree = "miao2023.target_only";

std::vector<Prediction> lossless(const Setting& setting) {
  if (!speaks_of(setting, {"sample-match", "target-only", "one-hot"})) return {};
  return claims_lossless(setting, kLossless);
}

std::vector<Prediction> match(const Setting& setting) {
  if (!speaks_of(setting, {"sample-match"})) return {};
  return answer(setting, kMatch, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const bool argmax =
        inquiry.parameters().word("draft", {"sampled", "argmax"}, "sampled") == "argmax";
    add_stepwise(inquiry, argmax ? StepRule<Real>(argmax_match_step<Real>)
                                 : StepRule<Real>(sample_match_step<Real>));
  });
}

std::vector<Prediction> tree(const Setting& setting) {
  if (!speaks_of(setting, {"target-only", "one-hot"})) return {};
  return answer(setting, kTree, [](auto& inquiry) {
    inquiry.require(inquiry.parameters().has("K"));
    inquiry.add_accepted(target_only_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                          inquiry.drafts(), inquiry.budget));
  });
}

constexpr PredictionRow kRows[] = {
    {kLossless, "sample-match, target-only, one-hot: TV(output, target) = 0",
     "miao2023 (SpecInfer), naive sampling", lossless},
    {kMatch, "sample-match: a position is accepted with sum of t d, or with t(argmax d)",
     "miao2023 (SpecInfer), naive sampling", match},
    {kTree, "target-only(K), one-hot(K): E[tau] = sum_i sum_{x^i} T [1 - (1 - D)^K]",
     "miao2023 (SpecInfer), naive sampling", tree},
};

}  // namespace
}  // namespace miao2023

std::span<const PredictionRow> miao2023_rows() { return miao2023::kRows; }

}  // namespace speclab
