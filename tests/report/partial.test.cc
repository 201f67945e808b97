#include "report/partial.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "report/csv.h"
#include "report/listing.h"
#include "report/verdicts.h"

namespace speclab::partial_test {
namespace {

const std::string kWhy = "interrupted after 54 of 132 checks";

}  // namespace

TEST_CASE("a partial report says so in every format and a whole one does not") {
  const Listing listing{"things", {"a", "b", "c"}, {{"1", "0.1", "x,y"}}};
  for (const Format format : {Format::table, Format::json, Format::csv, Format::markdown}) {
    const std::string whole = render(listing, format);
    CHECK(mark_partial(whole, format, "") == whole);
    CHECK_THAT(mark_partial(whole, format, kWhy), Containing(kWhy));
  }
  const auto json =
      nlohmann::json::parse(mark_partial(render(listing, Format::json), Format::json, kWhy));
  CHECK(json.at("partial") == kWhy);
  CHECK(json.at("things").at(0).at("c") == "x,y");
  CHECK(mark_partial(render(listing, Format::csv), Format::csv, kWhy) ==
        "a,b,c\n1,0.1,\"x,y\"\npartial: interrupted after 54 of 132 checks,,\n");
}

TEST_CASE("an interrupted verify is no clean run in any format") {
  VerdictReport report;
  for (const VerdictFormat format : {VerdictFormat::table, VerdictFormat::json, VerdictFormat::csv,
                                     VerdictFormat::junit, VerdictFormat::markdown}) {
    report.partial = "";
    CHECK(render(report, format).find("artial") == std::string::npos);
    report.partial = kWhy;
    CHECK_THAT(render(report, format), Containing(kWhy));
  }
  const std::string junit = render(report, VerdictFormat::junit);
  CHECK_THAT(junit, Containing("tests=\"1\" failures=\"0\" errors=\"1\""));
  CHECK_THAT(junit, Containing("<error message=\"partial: interrupted after 54"));
}

TEST_CASE("a field that a spreadsheet would run is text and a number stays a number") {
  for (const std::string formula : {"=1+1", "@SUM(A1)", "+A1", "-A1", "-", "\t=1", "-1+cmd", "--A1",
                                    "--x=1", "--[", "--@", "--{", "--`"}) {
    INFO(formula);
    CHECK_THAT(csv_field(formula), Containing("'" + formula));
  }
  for (const std::string number : {"-1", "-0.41", "+3", "-1e-300", "-11/9", "-inf", "1", "a=b",
                                   "--draft-law", "--Zz", "", "-0"}) {
    CHECK(csv_field(number) == number);
  }
}

TEST_CASE("code in Markdown ends where it should") {
  CHECK(markdown_code("block") == "`block`");
  CHECK(markdown_code("a`b``c") == "``` a`b``c ```");
  CHECK(markdown_code("a|b\nc") == "`a\\|b c`");
  CHECK_THAT(render(Listing{"x", {"a"}, {{"p`<b>`"}}}, Format::markdown),
             Containing("| `` p`<b>` `` |"));
}

}  // namespace speclab::partial_test
