#include "theory/predictions.h"

#include <iterator>

#include "theory/inquiry.h"

namespace speclab {

std::span<const PredictionRow> prediction_rows() {
  static const std::vector<PredictionRow> table = [] {
    std::vector<PredictionRow> rows;
    for (const auto& paper : {sun2025_rows(), sun2024_rows(), yin2024_rows(), leviathan2023_rows(),
                              multi_draft_rows(), lin2026_rows(), zhong2025_rows(), miao2023_rows(),
                              daliri2024_rows(), narasimhan2025_rows()}) {
      rows.insert(rows.end(), paper.begin(), paper.end());
    }
    return rows;
  }();
  return table;
}

namespace {

void append(std::vector<Prediction>& all, std::vector<Prediction> made) {
  all.insert(all.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

}  // namespace

std::vector<Prediction> predict(const Setting& setting) {
  std::vector<Prediction> all;
  for (const PredictionRow& row : prediction_rows()) {
    if (row.compute != nullptr) append(all, row.compute(setting));
  }
  return all;
}

std::vector<Prediction> predict_costs(const Setting& setting, const Latency& latency) {
  std::vector<Prediction> all;
  for (const PredictionRow& row : prediction_rows()) {
    if (row.cost != nullptr) append(all, row.cost(setting, latency));
  }
  return all;
}

}  // namespace speclab
