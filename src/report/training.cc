#include "report/training.h"

#include <cmath>

#include "base/json.h"
#include "report/csv.h"
#include "report/listing.h"
#include "report/number.h"
#include "report/page.h"
#include "report/text_table.h"

namespace speclab {
namespace {

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::string training_json(const PairPointer& pair, const Training& training,
                          const TrainingReport& report) {
  Json curve = Json::array();
  for (const auto& [index, point] : report.roc) {
    curve.push_back({{"index", index},
                     {"threshold", std::isfinite(point.threshold) ? Json(point.threshold) : Json()},
                     {"false_positive", point.false_positive},
                     {"true_positive", point.true_positive}});
  }
  const Json root{{"pair", pair->name()},
                  {"lambda", to_text(training.lambda)},
                  {"tau", to_text(training.tau)},
                  {"samples", training.samples},
                  {"length", training.length},
                  {"seed", training.seed},
                  {"prefixes", prefixes_names()[static_cast<std::size_t>(training.prefixes)]},
                  {"area", optional_json(report.area)},
                  {"rates",
                   {{"false_positive", optional_json(report.rates.false_positive)},
                    {"true_positive", optional_json(report.rates.true_positive)},
                    {"excess_weighted", optional_json(report.rates.excess_weighted)}}},
                  {"theorem3.1",
                   {{"tv", optional_json(report.tv_by_class)},
                    {"tv_by_token", optional_json(report.tv_by_token)}}},
                  {"roc", curve}};
  return json_text(root, 2);
}

std::string csv_text(const PairPointer& pair, const Training& training,
                     const TrainingReport& report) {
  std::string text = "pair,lambda,tau,samples,length,seed,quantity,index,value\n";
  for (const TrainingValue& value : training_values(report)) {
    const std::string fields[] = {pair->name(),
                                  to_text(training.lambda),
                                  to_text(training.tau),
                                  std::to_string(training.samples),
                                  std::to_string(training.length),
                                  std::to_string(training.seed),
                                  std::string(value.quantity),
                                  value.index ? std::to_string(*value.index) : "",
                                  shortest(value.value)};
    text += csv_line(fields);
  }
  return text;
}

/// Every number but the curve's, in words.
std::vector<std::vector<std::string>> lines(const TrainingReport& report) {
  const auto line = [](const char* what, const std::optional<double>& value) {
    return std::vector<std::string>{what, value ? readable(*value) : "none"};
  };
  return {line("area under the ROC curve", report.area),
          line("P(passes | d/t > lambda)", report.rates.false_positive),
          line("P(passes | d/t <= lambda)", report.rates.true_positive),
          line("rate weighted by [d - t]+", report.rates.excess_weighted),
          line("Theorem 3.1: TV of a token, one rate a class", report.tv_by_class),
          line("Theorem 3.1: TV of a token, a rate a token", report.tv_by_token)};
}

std::string table_text(const PairPointer& pair, const TrainingReport& report) {
  TextTable numbers("lr");
  for (auto& line : lines(report)) numbers.add(std::move(line));
  std::string text = pair->name() + "\n" + numbers.text("  ");
  if (report.roc.empty()) return text + "no ROC curve: one label only\n";
  constexpr std::size_t kMostSteps = 10;
  TextTable curve("rrr");
  curve.head({"threshold", "false positive", "true positive"});
  const std::size_t step = (report.roc.size() - 1 + kMostSteps - 1) / kMostSteps;
  for (std::size_t i = 0; i < report.roc.size(); ++i) {
    if (i % step != 0 && i + 1 != report.roc.size()) continue;
    const RocPoint& point = report.roc[i].point;
    curve.add({std::isfinite(point.threshold) ? readable(point.threshold) : "-",
               readable(point.false_positive), readable(point.true_positive)});
  }
  return folded(text) + "ROC curve\n" + curve.text("  ");
}

}  // namespace

std::string training_text(const PairPointer& pair, const Training& training,
                          const TrainingReport& report, Format format) {
  switch (format) {
    case Format::json:
      return training_json(pair, training, report);
    case Format::csv:
      return csv_text(pair, training, report);
    case Format::markdown:
      return render(Listing{"training", {"of held-out tokens", "value"}, lines(report)}, format);
    case Format::table:
      break;
  }
  return table_text(pair, report);
}

}  // namespace speclab
