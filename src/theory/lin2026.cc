#include "theory/lin2026.h"

#include "theory/inquiry.h"

namespace speclab {
namespace lin2026 {
namespace {

constexpr std::string_view kLossless = "lin2026.theorem4.2";
constexpr std::string_view kBound = "lin2026.theorem5.3";
constexpr std::string_view kCoupledLossless = "lin2026.coupled_lossless";
constexpr std::string_view kEquation5 = "lin2026.equation5";

std::vector<Prediction> lossless(const Setting& setting) {
  if (!speaks_of(setting, {"spectr-gbv"})) return {};
  return claims_lossless(setting, kLossless);
}

std::vector<Prediction> bound(const Setting& setting) {
  if (!speaks_of(setting, {"spectr-gbv"})) return {};
  return answer(setting, kBound, [](auto& inquiry) {
    inquiry.add(QuantityId::expected_accepted,
                expectation(spectr_gbv_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                            inquiry.drafts(), inquiry.budget)));
  });
}

std::vector<Prediction> coupled_lossless(const Setting& setting) {
  if (!speaks_of(setting, {"spectr-coupled"})) return {};
  return claims_lossless(setting, kCoupledLossless);
}

std::vector<Prediction> coupled(const Setting& setting) {
  if (!speaks_of(setting, {"spectr-coupled"})) return {};
  return answer(setting, kEquation5, [](auto& inquiry) {
    inquiry.add_accepted(spectr_gbv_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                         inquiry.drafts(), inquiry.budget));
  });
}

constexpr PredictionRow kRows[] = {
    {kLossless, "spectr-gbv(K): TV(output, target) = 0 (false for K >= 2)", "lin2026, Theorem 4.2",
     lossless},
    {kBound,
     "spectr-gbv(K): E[tau] = sum_i sum_{x^i} T [1 - (1 - min(D/T, 1))^K] (false for K >= 2)",
     "lin2026, Theorem 5.3, Equation (6)", bound},
    {kCoupledLossless, "spectr-coupled(K): TV(output, target) = 0",
     "this project, after lin2026, Theorem 4.2", coupled_lossless},
    {kEquation5, "spectr-coupled(K): P(tau >= i) = sum_{x^i} T [1 - (1 - min(D/T, 1))^K]",
     "this project, after lin2026, Equation (5)", coupled},
};

}  // namespace
}  // namespace lin2026

std::span<const PredictionRow> lin2026_rows() { return lin2026::kRows; }

}  // namespace speclab
