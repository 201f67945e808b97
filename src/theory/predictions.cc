#include "theory/predictions.h"

#include <algorithm>
#include <iterator>

#include "model/memory.h"
#include "theory/inquiry.h"

namespace speclab {

std::span<const PredictionRow> prediction_rows() {
  static const std::vector<PredictionRow> table = [] {
    std::vector<PredictionRow> rows;
    for (const auto& paper :
         {sun2025_rows(), sun2024_rows(), yin2024_rows(), leviathan2023_rows(), multi_draft_rows(),
          decodes_rows(), lin2026_rows(), zhong2025_rows(), miao2023_rows(), daliri2024_rows(),
          narasimhan2025_rows(), weng2025_rows()}) {
      rows.insert(rows.end(), paper.begin(), paper.end());
    }
    return rows;
  }();
  return table;
}

namespace {

/// Adds what a closed form finds in one arithmetic, also where a limit or a hypothesis stops it.
template <class Real>
void add(void (*compute)(Inquiry<Real>&), const PredictionRow& row, const Setting& setting,
         const Latency& latency, std::vector<Prediction>& all) {
  Inquiry<Real> inquiry(setting, latency, row.claim);
  if (row.decode) inquiry.budget = Budget(setting.max_decode_work);
  try {
    compute(inquiry);
  } catch (const OutsideHypotheses&) {
  } catch (const LimitError&) {
  }
  std::move(inquiry.made.begin(), inquiry.made.end(), std::back_inserter(all));
}

std::vector<Prediction> add_all(RowFunction PredictionRow::*form, const Setting& setting,
                                const Latency& latency) {
  std::vector<Prediction> all;
  for (const PredictionRow& row : prediction_rows()) {
    const auto& names = row.verifiers;
    if (std::find(names.begin(), names.end(), setting.verifier.name) == names.end()) continue;
    const RowFunction& compute = row.*form;
    if (compute.exact == nullptr) continue;
    if (setting.arithmetic == Arithmetic::rational && !row.in_doubles) {
      add(compute.exact, row, setting, latency, all);
    } else {
      add(compute.floating, row, setting, latency, all);
    }
  }
  return all;
}

}  // namespace

bool few_denominators(const Pair& pair, int tokens) {
  constexpr double kMost = 4096;
  return most_contexts(pair, tokens - 1.0) * pair.vocabulary() <= kMost;
}

std::vector<Prediction> predict(const Setting& setting) {
  return add_all(&PredictionRow::compute, setting, {});
}

std::vector<Prediction> predict_costs(const Setting& setting, const Latency& latency) {
  return add_all(&PredictionRow::cost, setting, latency);
}

}  // namespace speclab
