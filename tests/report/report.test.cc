#include "report/report.h"

#include <cstdlib>
#include <limits>

#include "catch.h"
#include "made_answer.h"
#include "report/csv.h"
#include "report/listing.h"
#include "document/number.h"
#include "report/text_table.h"

namespace speclab::report_test {
namespace {

TEST_CASE("a number that is not finite never leaves") {
  Answer answer = answer_with(value_of(std::numeric_limits<double>::quiet_NaN()));
  REQUIRE(answer.notes.size() == 1);
  CHECK_THAT(answer.notes[0], Containing("expected_accepted: it is not a finite number"));
  for (const Format format : {Format::table, Format::json, Format::csv}) {
    const std::string text = render(std::vector<Answer>{answer}, format);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("NaN") == std::string::npos);
  }
  CHECK_THAT(render(std::vector<Answer>{answer}, Format::json),
             Containing("\"expected_accepted\": null"));
}

TEST_CASE("shortest decimals read back, and long fractions are left out") {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 4.0, 5e-324, 1.7976931348623157e308, 0.0}) {
    CHECK(std::strtod(shortest(value).c_str(), nullptr) == value);
  }
  CHECK(shortest(0.1) == "0.1");
  CHECK(readable(16.40489012) == "16.404890");
  CHECK(readable(1.25e-7) == "1.250e-07");
  CHECK(readable(0) == "0");
  CHECK(readable(-2.5) == "-2.500000");
  CHECK(readable(999'999'999) == "999999999.000000");
  CHECK(readable(1e9) == "1.000000e+09");
  CHECK(fraction_text(Rational(11, 9)) == "11/9");
  CHECK(!fraction_text(parse_rational("1e1500")));
  CHECK(!fraction_text(std::nullopt));
}

TEST_CASE("CSV fields are quoted where they must be") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_line(std::vector<std::string>{"a", "", "b,c"}) == "a,,\"b,c\"\n");
}

TEST_CASE("tables align their columns and listings escape bars") {
  TextTable table("lr");
  table.add({"name", "7"});
  table.add({"n", "12.5"});
  CHECK(table.text("  ") == "  name     7\n  n     12.5\n");
  const Listing listing{"things", {"thing", "meaning"}, {{"a|b", "x"}}};
  CHECK(render(listing, Format::markdown) == "| thing | meaning |\n|---|---|\n| `a\\|b` | x |\n");
  CHECK(render(listing, Format::table) == "a|b\n    meaning: x\n");
  CHECK(render(Listing{"things", {"thing"}, {}}, Format::table) == "no things yet\n");
}

}  // namespace
}  // namespace speclab::report_test
