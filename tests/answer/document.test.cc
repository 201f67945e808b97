// Answers in every format, from made-up answers.
#include <limits>

#include "answer/documents/answers.h"
#include "catch.h"
#include "made_answer.h"
#include "report/report.h"

namespace speclab::answers_document_test {

TEST_CASE("a number that is not finite never leaves") {
  const Answer answer = answer_with(value_of(std::numeric_limits<double>::quiet_NaN()));
  REQUIRE(answer.notes.size() == 1);
  CHECK_THAT(answer.notes[0], Containing("expected_accepted: it is not a finite number"));
  for (const Format format : {Format::table, Format::json, Format::csv}) {
    const std::string text = render(answers_document({&answer, 1}), format);
    CHECK_THAT(text, !Containing("nan") && !Containing("NaN"));
  }
  CHECK_THAT(render(answers_document({&answer, 1}), Format::json),
             Containing("\"expected_accepted\": null"));
}

}  // namespace speclab::answers_document_test
