#include "answer/documents/training.h"

#include <cmath>

namespace speclab {
namespace {

Json training_json(const PairPointer& pair, const Training& training,
                   const TrainingReport& report) {
  const auto point_json = [](const auto& place) -> Json {
    const auto& [index, point] = place;
    return {{"index", index},
            {"threshold", std::isfinite(point.threshold) ? Json(point.threshold) : Json()},
            {"false_positive", point.false_positive},
            {"true_positive", point.true_positive}};
  };
  return {{"pair", pair->name()},
          {"lambda", to_text(training.lambda)},
          {"tau", to_text(training.tau)},
          {"samples", training.samples},
          {"length", training.length},
          {"seed", training.seed},
          {"prefixes", prefixes_names()[static_cast<std::size_t>(training.prefixes)]},
          {"area", report.area},
          {"rates",
           {{"false_positive", report.rates.false_positive},
            {"true_positive", report.rates.true_positive},
            {"excess_weighted", report.rates.excess_weighted}}},
          {"theorem3.1",
           {{"fp", report.rates.unacceptable},
            {"tv", report.tv_by_class},
            {"tv_by_token", report.tv_by_token}}},
          {"roc", json_of(report.roc, point_json)}};
}

/// Every number but the curve's, in words.
TextTable numbers_table(const TrainingReport& report, std::string alignment) {
  TextTable table{std::move(alignment)};
  const auto add = [&table](const char* what, const std::optional<double>& value) {
    table.add({what, value ? Json(*value) : Json("none")});
  };
  add("area under the ROC curve", report.area);
  add("P(passes | d/t > lambda)", report.rates.false_positive);
  add("P(passes | d/t <= lambda)", report.rates.true_positive);
  add("P(passes | d > t), Theorem 3.1's fp", report.rates.unacceptable);
  add("rate weighted by [d - t]+", report.rates.excess_weighted);
  add("Theorem 3.1: TV of a token, one rate a class", report.tv_by_class);
  add("Theorem 3.1: TV of a token, a rate a token", report.tv_by_token);
  return table;
}

Page training_page(const PairPointer& pair, const TrainingReport& report) {
  Page page;
  page += pair->name() + "\n";
  page += numbers_table(report, "lr");
  if (report.roc.empty()) return page += "no ROC curve: one label only\n";
  constexpr std::size_t kMostSteps = 10;
  TextTable curve{"rrr", {"threshold", "false positive", "true positive"}, 1, "ROC curve"};
  const std::size_t step = (report.roc.size() - 1 + kMostSteps - 1) / kMostSteps;
  for (std::size_t i = 0; i < report.roc.size(); ++i) {
    if (i % step != 0 && i + 1 != report.roc.size()) continue;
    const RocPoint& point = report.roc[i].point;
    curve.add({std::isfinite(point.threshold) ? Json(point.threshold) : Json("-"),
               point.false_positive, point.true_positive});
  }
  return page += std::move(curve);
}

Page training_markdown(const TrainingReport& report) {
  TextTable table = numbers_table(report, "cl");
  table.head = {"of held-out tokens", "value"};
  return Page() += std::move(table);
}

}  // namespace

Document training_document(const PairPointer& pair, const Training& training,
                           const TrainingReport& report) {
  return {.columns = {"pair", "lambda", "tau", "samples", "length", "seed", "quantity", "index",
                      "value"},
          .rows =
              [pair, &training, &report](const AddRow& add) {
                for (const TrainingValue& value : training_values(report)) {
                  add({pair->name(), to_text(training.lambda), to_text(training.tau),
                       training.samples, training.length, training.seed,
                       quantity(value.quantity).path(), value.index, value.value});
                }
              },
          .data = [pair, &training, &report] { return training_json(pair, training, report); },
          .text = [pair, &report] { return training_page(pair, report); },
          .page = [&report] { return training_markdown(report); },
          .indent = 2};
}

}  // namespace speclab
