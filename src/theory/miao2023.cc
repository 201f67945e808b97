#include "theory/miao2023.h"

#include <string>

#include "theory/step_rows.h"

namespace speclab {
namespace miao2023 {
namespace {

constexpr auto match = []<class Real>(Inquiry<Real>& inquiry) {
  const bool argmax =
      inquiry.parameters().word("draft", {"sampled", "argmax"}, "sampled") == "argmax";
  add_stepwise(inquiry, argmax ? StepRule<Real>(argmax_match_step<Real>)
                               : StepRule<Real>(sample_match_step<Real>));
};

constexpr auto tree = [](auto& inquiry) {
  inquiry.require(inquiry.parameters().has("K"));
  inquiry.add_accepted(target_only_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                        inquiry.drafts(), inquiry.budget));
};

constexpr PredictionRow kRows[] = {
    {"miao2023.naive_lossless", about("sample-match", "target-only", "one-hot"),
     "sample-match, target-only, one-hot: TV(output, target) = 0",
     "miao2023 (SpecInfer), naive sampling", lossless},
    {"miao2023.sample_match", about("sample-match"),
     "sample-match: a position is accepted with sum of t d, or with t(argmax d)",
     "miao2023 (SpecInfer), naive sampling", match},
    {"miao2023.target_only", about("target-only", "one-hot"),
     "target-only(K), one-hot(K): E[tau] = sum_i sum_{x^i} T [1 - (1 - D)^K]",
     "miao2023 (SpecInfer), naive sampling", tree},
};

}  // namespace
}  // namespace miao2023

std::span<const PredictionRow> miao2023_rows() { return miao2023::kRows; }

}  // namespace speclab
