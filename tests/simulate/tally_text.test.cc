// Tallies as text.
#include "simulate/tally_text.h"

#include "catch.h"

namespace speclab::tally_text_test {
namespace {

TEST_CASE("every cell of a tally's outputs that occurs is in its text") {
  Tally tally;
  tally.trials = 21;
  tally.outputs = {0, 3, 0, 5, 7, 0, 6, 0};
  const std::string text = tally_text(tally);
  CHECK_THAT(text, Containing(R"("outputs":{"cells":8,"counts":[[1,3],[3,5],[4,7],[6,6]]})"));
  CHECK(read_tally(text) == tally);
}

}  // namespace
}  // namespace speclab::tally_text_test
