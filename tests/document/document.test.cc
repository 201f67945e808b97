// Values of documents, and how numbers are written.
#include "document/document.h"

#include <cstdlib>

#include "catch.h"
#include "document/number.h"

namespace speclab::document_test {

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

TEST_CASE("a cell is the text of its value") {
  CHECK(cell_text(Json()).empty());
  CHECK(cell_text(true) == "true");
  CHECK(cell_text(-3) == "-3");
  CHECK(cell_text(std::uint64_t{1} << 63) == "9223372036854775808");
  CHECK(cell_text(2.0) == "2.0");
  CHECK(cell_text("x") == "x");
  CHECK(cell_text(std::optional<double>()).empty());
}

TEST_CASE("rows of a table for reading have decimals for reading") {
  TextTable table{"lrr"};
  table.add({"x", 0.25, 3});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"x", "0.250000", "3"}});
}

TEST_CASE("blocks of a page have an empty line between them") {
  const std::vector<std::string> texts{"a\n", "b\n"};
  const Document document = document_of(
      {"text"}, texts, [](const std::string& text, const AddRow& add) { add(Cells{text}); },
      [](const std::string& text) -> Json { return text; },
      [](Page& to, const std::string& text) { to += text; });
  const Page page = document.text();
  REQUIRE(page.blocks.size() == 3);
  CHECK(std::get<Page::Prose>(page.blocks[1]).text == "\n");
}

}  // namespace speclab::document_test
