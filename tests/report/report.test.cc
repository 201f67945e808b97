// A document in every format, and the marks of a partial one.
#include "report/report.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "report/formats.h"

namespace speclab::report_test {
namespace {

const std::string kWhy = "interrupted after 54 of 132 checks";

Document things(std::vector<Cells> rows) {
  return listing("things", {"thing", "meaning", "size"}, std::move(rows), std::identity());
}

/// With a part for each format.
Document whole() {
  Document document = things({{"a|b", 0.1, "x,y"}});
  document.name = "check";
  document.data = [] {
    Json datum{{"none", nullptr}, {"list", Json::array()}, {"object", Json::object()}};
    datum["pair"] = read_json(R"({"b":[1,"2"],"a":{}})");
    datum["numbers"] = Json::array({-1, std::uint64_t{1} << 63, 2.0, 1e-300, true});
    datum["text"] = "\x1b[31m \"\xff\"";
    datum["none"] = std::optional<int>();
    return datum;
  };
  document.text = [] {
    TextTable table{.alignment = "lr", .title = "sizes"};
    table.add({"name", 7});
    table.add({"n", 12.5});
    return (Page() += "prose\n") += std::move(table);
  };
  document.page = [] {
    TextTable table{"clr", {"Name", "What | is", "Size"}, 1, "a`b"};
    table.add({"x`y", "p|q", "1"});
    return (Page() += "# Title\n\n") += std::move(table);
  };
  document.suite = [] {
    return SuiteResult{"speclab <check>",
                       {{"group", "good", {}, "", "out & about\n", {}},
                        {"group", "bad", "a 'b' \"c\"", "all\nof it\n", "\x1b", 0.5}},
                       2.0};
  };
  return document;
}

TEST_CASE("rows alone are a list, objects, lines of CSV and a table in Markdown") {
  const Document document = things({{"a|b", 0.1, "x,y"}, {"c", nullptr, 12}});
  CHECK(render(document, Format::table) ==
        "a|b\n    meaning: 0.1\n    size: x,y\nc\n    size: 12\n");
  CHECK(nlohmann::json::parse(render(document, Format::json)) ==
        nlohmann::json::parse(R"({"things": [{"thing": "a|b", "meaning": 0.1, "size": "x,y"},
                                             {"thing": "c", "meaning": null, "size": 12}]})"));
  // The keys are identifiers.
  Document worded = document;
  worded.columns = {"Thing", "what it is", "size at T > 0"};
  const auto row = nlohmann::ordered_json::parse(render(worded, Format::json))["things"][0];
  CHECK(row.begin().key() == "thing");
  CHECK(row.contains("what_it_is"));
  CHECK(row.contains("size_at_t_0"));
  CHECK(render(document, Format::csv) == "thing,meaning,size\na|b,0.1,\"x,y\"\nc,,12\n");
  CHECK(render(document, Format::markdown) ==
        "| thing | meaning | size |\n|---|---|---|\n| `a\\|b` | 0.1 | x,y |\n| `c` |  | 12 |\n");
  CHECK(render(things({}), Format::table) == "no things yet\n");
  CHECK(render(Document(), Format::json).empty());
}

TEST_CASE("JSON keeps the order of members, replaces bad bytes and escapes control characters") {
  CHECK(render(whole(), Format::json) ==
        "{\n \"none\": null,\n \"list\": [],\n \"object\": {},\n \"pair\": {\n  \"b\": [\n   1,\n"
        "   \"2\"\n  ],\n  \"a\": {}\n },\n \"numbers\": [\n  -1,\n  9223372036854775808,\n  2.0,\n"
        "  1e-300,\n  true\n ],\n \"text\": \"\\u001b[31m \\\"\xef\xbf\xbd\\\"\"\n}\n");
  Document two = whole();
  two.data = [] { return Json{{"a", {{"b", std::numeric_limits<double>::infinity()}}}}; };
  two.indent = 2;
  CHECK(render(two, Format::json) == "{\n  \"a\": {\n    \"b\": null\n  }\n}\n");
}

TEST_CASE("pages show tables under their titles") {
  CHECK(render(whole(), Format::table) == "prose\nsizes\n  name          7\n  n     12.500000\n");
  CHECK(render(whole(), Format::markdown) ==
        "# Title\n\n`` a`b ``\n\n| Name | What \\| is | Size |\n|---|---|--:|\n"
        "| `` x`y `` | p\\|q | 1 |\n");
}

TEST_CASE("junit has a case each with its time and its failure") {
  CHECK(render(whole(), Format::junit) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        " <testsuite name=\"speclab &lt;check&gt;\" tests=\"2\" failures=\"1\" time=\"2.000\">\n"
        "  <testcase classname=\"group\" name=\"good\">\n"
        "   <system-out>out &amp; about\n</system-out>\n  </testcase>\n"
        "  <testcase classname=\"group\" name=\"bad\" time=\"0.500\">\n"
        "   <failure message=\"a 'b' &quot;c&quot;\">all\nof it\n</failure>\n"
        "   <system-out>?</system-out>\n  </testcase>\n </testsuite>\n</testsuites>\n");
}

TEST_CASE("a partial report is marked in every format and a whole one is not") {
  Document part = whole();
  part.partial = kWhy;
  for (const Format format :
       {Format::table, Format::json, Format::csv, Format::junit, Format::markdown}) {
    CHECK_THAT(render(whole(), format), !Containing("artial"));
    CHECK_THAT(render(part, format), Containing(kWhy));
  }
  CHECK(nlohmann::json::parse(render(part, Format::json)).at("partial") == kWhy);
  CHECK_THAT(render(part, Format::csv), Containing("\npartial: " + kWhy + ",,\n"));
  CHECK_THAT(render(part, Format::table), Containing("\n\npartial: " + kWhy + "\n"));
  CHECK_THAT(render(part, Format::markdown), Containing("\n\n**Partial: " + kWhy + ".**\n"));
  CHECK_THAT(render(part, Format::junit),
             Containing("tests=\"3\" failures=\"1\" errors=\"1\"") &&
                 Containing("<testcase classname=\"check\" name=\"all checks\">\n"
                            "   <error message=\"partial: interrupted after 54"));
}

TEST_CASE("a field of CSV is quoted where it must be") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
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
}

TEST_CASE("a text of very many rows is whole") {
  std::vector<Cells> rows(3000, Cells{"a", 1, 2.5});
  Document many = things(std::move(rows));
  many.expected_rows = 3000;
  CHECK(render(many, Format::csv).size() == std::string("thing,meaning,size\n").size() + 3000 * 8);
}

}  // namespace
}  // namespace speclab::report_test
