#include "theory/lin2026.h"

#include "theory/inquiry.h"

namespace speclab {
namespace lin2026 {
namespace {

constexpr auto bound = [](auto& inquiry) {
  inquiry.add(QuantityId::expected_accepted,
              expectation(spectr_gbv_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                          inquiry.drafts(), inquiry.budget)));
};

constexpr auto coupled = [](auto& inquiry) {
  inquiry.add_accepted(spectr_gbv_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                       inquiry.drafts(), inquiry.budget));
};

constexpr PredictionRow kRows[] = {
    {"lin2026.theorem4.2", about("spectr-gbv"),
     "spectr-gbv(K): TV(output, target) = 0 (false for K >= 2)", "lin2026, Theorem 4.2", lossless},
    {"lin2026.theorem5.3", about("spectr-gbv"),
     "spectr-gbv(K): E[tau] = sum_i sum_{x^i} T [1 - (1 - min(D/T, 1))^K] (false for K >= 2)",
     "lin2026, Theorem 5.3, Equation (6)", bound},
    {"lin2026.coupled_lossless", about("spectr-coupled"),
     "spectr-coupled(K): TV(output, target) = 0", "this project, after lin2026, Theorem 4.2",
     lossless},
    {"lin2026.equation5", about("spectr-coupled"),
     "spectr-coupled(K): P(tau >= i) = sum_{x^i} T [1 - (1 - min(D/T, 1))^K]",
     "this project, after lin2026, Equation (5)", coupled},
};

}  // namespace
}  // namespace lin2026

std::span<const PredictionRow> lin2026_rows() { return lin2026::kRows; }

}  // namespace speclab
