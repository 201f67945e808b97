#include "report/page.h"

#include <sstream>

#include "catch.h"
#include "report/report.h"
#include "report/text_table.h"

namespace speclab::page_test {
namespace {

/// A page of so many columns as long as this lives.
struct Page {
  explicit Page(std::size_t columns) : before(page_width()) { set_page_width(columns); }
  ~Page() { set_page_width(before); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  std::size_t before;
};

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
  return most;
}

/// Numbers under long names, with what they mean at the end.
TextTable numbers() {
  TextTable table{"lrrrll", {"", "estimate", "95% interval", "the closed form", "", ""}};
  table.add({"accepted", "1.399", "[1.343, 1.454]", "1.383", "agrees", "sun2024.theorem2"});
  table.add({"a name of many words", "0.872", "[0.838, 0.907]"});
  return table;
}

}  // namespace

TEST_CASE("lines wider than the page are broken at spaces and no others") {
  CHECK(page_width() == 80);
  const Page page(40);
  CHECK(folded("") == "");
  CHECK(folded("a  b\n\n  c") == "a  b\n\n  c");
  const std::string forty(40, 'x');
  CHECK(folded(forty + "\n") == forty + "\n");
  CHECK(folded("  " + forty + " y\n") == "  " + forty + "\n      y\n");
  CHECK(folded("  note: one two three four five six seven eight\n", 2) ==
        "  note: one two three four five six\n    seven eight\n");
  CHECK(folded("  12345678901234567890 12345678901234567\nnext") ==
        "  12345678901234567890 12345678901234567\nnext");
  CHECK(lines_of("one two  three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(lines_of("12345678 9", 3) == std::vector<std::string>{"12345678", "9"});
  // A page is never narrower than 40.
  const Page narrow(1);
  CHECK(page_width() == 40);
}

TEST_CASE("a table wider than the page is folded and says the same") {
  const std::string plain =
      "                        estimate    95% interval  the closed form\n"
      "  accepted                 1.399  [1.343, 1.454]            1.383  agrees  "
      "sun2024.theorem2\n"
      "  a name of many words     0.872  [0.838, 0.907]\n";
  {
    const Page page(91);
    CHECK(text_of(numbers(), "  ") == plain);
  }
  {
    // Names of columns first.
    const Page page(88);
    CHECK(text_of(numbers(), "  ") ==
          "                                                  the closed\n"
          "                        estimate    95% interval        form\n"
          "  accepted                 1.399  [1.343, 1.454]       1.383  agrees  "
          "sun2024.theorem2\n"
          "  a name of many words     0.872  [0.838, 0.907]\n");
  }
  {
    // Then the last columns of text, below the rows that have no room for them.
    const Page page(80);
    CHECK(text_of(numbers(), "  ") ==
          "                                                  the closed\n"
          "                        estimate    95% interval        form\n"
          "  accepted                 1.399  [1.343, 1.454]       1.383\n"
          "                                    agrees  sun2024.theorem2\n"
          "  a name of many words     0.872  [0.838, 0.907]\n");
  }
  {
    // Then blocks; a row that has nothing in a further one is left out of it.
    const Page page(50);
    CHECK(text_of(numbers(), "  ") ==
          "                        estimate    95% interval\n"
          "  accepted                 1.399  [1.343, 1.454]\n"
          "  a name of many words     0.872  [0.838, 0.907]\n"
          "                        the closed\n"
          "                              form\n"
          "  accepted                   1.383  agrees\n"
          "  accepted              sun2024.theorem2\n");
  }
  for (std::size_t columns = 40; columns < 120; ++columns) {
    const Page page(columns);
    const std::string text = text_of(numbers(), "  ");
    INFO(columns << "\n" << text);
    CHECK(widest(text) <= columns);
    for (const std::string word :
         {"1.399", "[0.838, 0.907]", "1.383", "agrees", "sun2024.theorem2"}) {
      CHECK_THAT(text, Containing(word));
    }
  }
}

TEST_CASE("a wide table with a bar becomes two, and keeps rows together") {
  TextTable table{"lrr|rll", {"", "estimate", "95% interval", "closed form", "", ""}, 2};
  table.add({"accepted", "1.399", "[1.343, 1.454]", "1.383", "agrees", "sun2024.theorem2"});
  table.add({"", "", "", "<= 1.400", "holds", "sun2024.theorem1"});
  table.add({"rejections", "0.872", "[0.838, 0.907]"});
  table.add({"missing", "", "", "2.000", "not found", "sun2025.lemma3"});
  {
    const Page page(80);
    CHECK(text_of(table, "") ==
          "            estimate    95% interval  closed form\n"
          "accepted       1.399  [1.343, 1.454]        1.383  agrees     sun2024.theorem2\n"
          "                                         <= 1.400  holds      sun2024.theorem1\n"
          "rejections     0.872  [0.838, 0.907]\n"
          "missing                                     2.000  not found  sun2025.lemma3\n");
  }
  {
    const Page page(70);
    CHECK(text_of(table, "") ==
          "            estimate    95% interval\n"
          "accepted       1.399  [1.343, 1.454]\n"
          "rejections     0.872  [0.838, 0.907]\n"
          "          estimate  closed form\n"
          "accepted     1.399        1.383  agrees     sun2024.theorem2\n"
          "                       <= 1.400  holds      sun2024.theorem1\n"
          "missing                   2.000  not found  sun2025.lemma3\n");
  }
  {
    // The second table is folded in its turn.
    const Page page(50);
    CHECK(text_of(table, "") ==
          "            estimate    95% interval\n"
          "accepted       1.399  [1.343, 1.454]\n"
          "rejections     0.872  [0.838, 0.907]\n"
          "          estimate  closed form\n"
          "accepted     1.399        1.383\n"
          "       agrees  sun2024.theorem2\n"
          "                       <= 1.400\n"
          "        holds  sun2024.theorem1\n"
          "missing                   2.000\n"
          "      not found  sun2025.lemma3\n");
  }
  {
    // One row of three alone has no room: it is folded, and the table stays one.
    const Page page(75);
    CHECK(text_of(table, "") ==
          "            estimate    95% interval  closed form\n"
          "accepted       1.399  [1.343, 1.454]        1.383  agrees  sun2024.theorem2\n"
          "                                         <= 1.400  holds  sun2024.theorem1\n"
          "rejections     0.872  [0.838, 0.907]\n"
          "missing                                     2.000\n"
          "                        not found  sun2025.lemma3\n");
  }
}

TEST_CASE("a column of one cell in every row leaves a table that is too wide") {
  TextTable table{"lrrrr", {"", "gamma", "accepted tokens", "rejections", "distance"}, 2};
  table.add({"token", "2", "1.111111", "0.851852", "0"});
  table.add({"block", "2", "1.222222", "0.851852", "0"});
  {
    const Page page(80);
    CHECK(text_of(table, "") ==
          "       gamma  accepted tokens  rejections  distance\n"
          "token      2         1.111111    0.851852         0\n"
          "block      2         1.222222    0.851852         0\n");
  }
  {
    // The last one is enough; names of rows stay, though gamma is the same in all.
    const Page page(40);
    CHECK(text_of(table, "  ") ==
          "  in every row: distance 0\n"
          "                accepted\n"
          "         gamma    tokens  rejections\n"
          "  token      2  1.111111    0.851852\n"
          "  block      2  1.222222    0.851852\n");
  }
  table.rows[1][4] = "1/9";
  {
    const Page page(40);
    CHECK(text_of(table, "  ") ==
          "  in every row: rejections 0.851852\n"
          "                accepted\n"
          "         gamma    tokens  distance\n"
          "  token      2  1.111111         0\n"
          "  block      2  1.222222       1/9\n");
  }
  // One row alone has no constant columns.
  table.rows.pop_back();
  const Page page(40);
  CHECK_THAT(text_of(table, "  "), !Containing("in every row"));
}

TEST_CASE("a column that is wider than the page alone stands beside the names of the rows") {
  const Page page(40);
  TextTable table{"lrr"};
  table.add({"accepted", std::string(40, '1'), "2"});
  CHECK(text_of(table, "") == "accepted  " + std::string(40, '1') + "\naccepted  2\n");
  // A bar behind the names makes no table of names alone.
  TextTable barred{"l|rr"};
  barred.add({"accepted", std::string(30, '1'), std::string(20, '2')});
  CHECK(text_of(barred, "") ==
        "accepted  " + std::string(30, '1') + "\naccepted  " + std::string(20, '2') + "\n");
}

TEST_CASE("listings are folded for people and stay whole for programs") {
  const Page page(40);
  const Document things =
      listing("things", {"thing", "meaning"},
              std::vector<Cells>{{"x", "one two three four five six seven"}}, std::identity());
  CHECK(render(things, Format::table) ==
        "x\n    meaning: one two three four five six\n      seven\n");
  for (const Format format : {Format::csv, Format::json, Format::markdown}) {
    CHECK_THAT(render(things, format), Containing("one two three four five six seven"));
  }
}

}  // namespace speclab::page_test
