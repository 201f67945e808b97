// The line of a combination, from made-up answers.
#include "answer/documents/answers.h"
#include "catch.h"
#include "made_answer.h"
#include "report/report.h"

namespace speclab::overview_test {
namespace {

std::string line_of(const Value& value) {
  const Answer answers[] = {answer_with(value), answer_with(value)};
  const std::string text = render(answers_document(answers), Format::table);
  return text.substr(text.find("all combinations"));
}

TEST_CASE("an estimate in the middle of its interval has a half-width") {
  CHECK_THAT(line_of(estimated(1.25, 0.125)), Containing("1.250000 +-0.250000"));
}

TEST_CASE("an estimate beside the middle of its interval is shown with the interval") {
  // A distance of 0 that is estimated from few trials: half a width would leave 0 out.
  CHECK_THAT(line_of(value_of(Estimate{0.394, 0.1, 0, 0.4, 0, 0.4})),
             Containing("0.394000 [0.000000, 0.400000]") && !Containing("+-"));
}

}  // namespace
}  // namespace speclab::overview_test
