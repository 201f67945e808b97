// The lines of an experiment's CSV of what is expected, from made-up results.
#include "experiment/document.h"

#include "catch.h"
#include "report/report.h"

namespace speclab::results_test {
namespace {

/// A prediction beside a table of a paper, whose rows are draft lengths or names.
struct Calibration {
  explicit Calibration(const char* rows) {
    table.source = "paper, Table 1";
    table.of = "SMALL";
    table.rows = rows;
    row.label = "4";
    place.task = "t";
    place.pair = "iid";
    place.gamma = "4";
    place.verifier = "token";
    place.vary = {{"seed", "1"}};
    entry.line = 7;
    entry.rows = {7, {{"task", "t"}, {"quantity", "iteration.expected_accepted"}}};
    entry.along = "x";
    entry.verifier = "block";
    result.entry = &entry;
    result.table = &table;
    result.row = &row;
    result.chosen = {{&place, {}}};
    result.printed_low = Rational(1, 4);
    result.printed_high = Rational(3, 4);
    result.mean = 0.5;
    result.deviation = 0.125;
    result.verdict = CalibratedVerdict::within;
    result.detail = "3 members";
  }

  [[nodiscard]] std::string csv() const {
    Experiment experiment;
    experiment.id = "made-up";
    const Checked checked{{}, {}, {}, {result}};
    const std::string text = render(expected_document(experiment, checked), Format::csv);
    return text.substr(text.find('\n') + 1);
  }

  Calibrated entry;
  PrintedTable table;
  TableRow row;
  TaskPlace place;
  CalibratedResult result;
};

}  // namespace

TEST_CASE("a calibrated line names the row of its table unless it is a draft length") {
  CHECK(Calibration("row").csv() ==
        "made-up,7,\"paper, Table 1, 4: SMALL\",t,iid,block,row=4,4,,,"
        "iteration.expected_accepted,,,calibrated,x,0.5,0.25,0.5,,0.125,within the spread,"
        "3 members,,calibrated\n");
  CHECK_THAT(Calibration("gamma").csv(), Containing(",t,iid,block,,4,,,iteration."));
}

TEST_CASE("a calibrated line of several pairs names none, and one that is open has no number") {
  Calibration several("row");
  const TaskPlace other = several.place;
  several.result.chosen.push_back({&other, {}});
  several.result.verdict = CalibratedVerdict::open;
  CHECK_THAT(several.csv(), Containing(",t,,block,row=4,4,") &&
                                Containing(",x,0.5,0.25,,,,not predicted,3 members"));
}

}  // namespace speclab::results_test
