// What `train` prints, from made-up reports.
#include <cmath>
#include <nlohmann/json.hpp>

#include "answer/documents/training.h"
#include "catch.h"
#include "model/registry.h"
#include "report/report.h"

namespace speclab::training_test {
namespace {

using Json = nlohmann::ordered_json;

/// A curve of three points and every rate but one.
TrainingReport curved() {
  TrainingReport made;
  made.roc = {{0, {HUGE_VAL, 0, 0}}, {1, {0.5, 0.25, 0.75}}, {2, {0.125, 1, 1}}};
  made.area = 0.75;
  made.rates = {0.25, 0.75, std::nullopt};
  made.tv_by_class = 0.125;
  return made;
}

std::string text_of(const TrainingReport& report, Format format) {
  const Training training;
  return render(training_document(make_pair("bernoulli(draft=2/3,target=1/3)"), training, report),
                format);
}

}  // namespace

TEST_CASE("training: a number that there is none of is none, null or left out") {
  const TrainingReport report = curved();
  CHECK_THAT(text_of(report, Format::table), Containing("[d - t]+") && Containing("none\n"));
  CHECK_THAT(text_of(report, Format::markdown),
             Containing("| `rate weighted by [d - t]+` | none |\n") &&
                 Containing("| `area under the ROC curve` | 0.750000 |\n"));
  const Json json = Json::parse(text_of(report, Format::json));
  CHECK(json.at("area") == 0.75);
  CHECK(json.at("rates").at("excess_weighted").is_null());
  CHECK(json.at("theorem3.1").at("tv") == 0.125);
  CHECK(json.at("theorem3.1").at("tv_by_token").is_null());
  CHECK_THAT(text_of(report, Format::csv),
             Containing(",rates.true_positive,,0.75\n") && !Containing("excess_weighted"));
}

TEST_CASE("training: a curve begins at no finite threshold") {
  const TrainingReport report = curved();
  CHECK_THAT(text_of(report, Format::table),
             Containing("ROC curve\n"
                        "  threshold  false positive  true positive\n"
                        "          -               0              0\n"
                        "   0.500000        0.250000       0.750000\n"
                        "   0.125000        1.000000       1.000000\n"));
  const Json roc = Json::parse(text_of(report, Format::json)).at("roc");
  CHECK(roc.at(0).at("threshold").is_null());
  CHECK(roc.at(1).at("threshold") == 0.5);
}

TEST_CASE("training: of a long curve a tenth of the points and both ends are shown") {
  TrainingReport report;
  for (int i = 0; i <= 104; ++i) {
    const double share = i / 104.0;
    report.roc.push_back({static_cast<std::size_t>(i), {1 - share, share, share}});
  }
  const std::string text = text_of(report, Format::table);
  const std::string rows = text.substr(text.find("true positive\n") + 14);
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 11);
  CHECK_THAT(rows, Containing("  1.000000               0              0\n"));
  CHECK_THAT(rows, Containing("         0        1.000000       1.000000\n"));
}

TEST_CASE("training: where one label alone occurs there is no curve") {
  TrainingReport report = curved();
  report.roc.clear();
  report.area.reset();
  CHECK_THAT(text_of(report, Format::table),
             Containing("\nno ROC curve: one label only\n") && !Containing("threshold"));
  const Json json = Json::parse(text_of(report, Format::json));
  CHECK(json.at("area").is_null());
  CHECK(json.at("roc").empty());
}

}  // namespace speclab::training_test
