// Printed tables and the entries that speak of them: the forms that are read, and what is refused.
#include <algorithm>

#include "experiment/small_file.h"

namespace speclab::table_forms_test {
namespace {

using namespace small_file;

/// A table that begins in line 3.
std::string table(const std::string& columns, const std::string& numbers,
                  const std::string& more = "") {
  return kTop + "[[table]]\nname = \"one\"\nsource = \"paper, Table 1\"\nof = \"models\"\n" +
         "columns = " + columns + "\nnumbers = \"\"\"\n" + numbers + "\n\"\"\"\n" + more;
}

const std::string kColumns = "[\"token.length\", \"block.length\"]";

/// A task whose variable is `draft`.
const std::string kTask = R"toml(
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft={draft},target=2/3)"
verifier = ["token", "block"]
gamma = 8
[task.vary]
draft = ["1/3", "1/2"]
)toml";

std::string entry(const std::string& kind, const std::string& lines,
                  const std::string& numbers = "A 3.21 3.49\nB 3.41 -") {
  return table(kColumns, numbers, kTask + "[[" + kind + "]]\n" + lines);
}

std::string printed(const std::string& lines) {
  return entry("printed", "task = \"law\"\nquantity = \"iteration.tail\"\n" + lines);
}

std::string calibrated_lines(const std::string& along, const std::string& predicted) {
  return "table = \"one\"\nmetric = \"length\"\ntask = \"law\"\nfitted = \"token\"\n"
         "quantity = \"iteration.tail\"\nalong = \"" +
         along + "\"\npredicted = " + predicted + "\n";
}

std::string calibrated(const std::string& along, const std::string& predicted,
                       const std::string& more = "") {
  return entry("calibrated", calibrated_lines(along, predicted) + more);
}

/// Entries are refused at the line that begins them.
void refuses_at(const std::string& header, const std::vector<Case>& cases) {
  for (const Case& bad : cases) {
    const auto at = static_cast<std::ptrdiff_t>(bad.text.find("[[" + header + "]]"));
    const auto line = 1 + std::count(bad.text.begin(), bad.text.begin() + at, '\n');
    refuses({{bad.text, ":" + std::to_string(line) + ": " + bad.message}});
  }
}

}  // namespace

TEST_CASE("a table that is not one is refused with its line") {
  const std::string form = "' is no METHOD.METRIC such as token.efficiency", one = "A 1";
  refuses(
      {{table("\"token\"", one), ":3: 'token" + form},
       {table("\".length\"", one), ":3: '.length" + form},
       {table("\"token.\"", one), ":3: 'token." + form},
       {table("[\"a.b\", \"a.b\"]", "A 1 2"), ":3: the column 'a.b' is there twice"},
       {table("\"a.b\"", ""), ":8: numbers has no row"},
       {table("\"a.b\"", " \n\t"), ":8: numbers has no row"},
       {table("\"a.b\"", "A 1.0000000000000000000"),
        ":8: A: '1.0000000000000000000' is no decimal"},
       {table("\"a.b\"", one, "rows = \"seed\"\n"), ":3: 'seed' is taken and no variable's name"},
       {table("\"a.b\"", one, "rows = \"x y\"\n"), ":3: name 'x y' is not of letters"},
       {table("\"a.b\"", one, "gamma = 1.5\n"), ":11: gamma chooses by a whole number or a text"},
       {table("\"a.b\"", one, table("\"a.b\"", one).substr(kTop.size())),
        ":11: the name 'one' is taken; give another"},
       {"tables = \"other.toml\"\n" + table("\"a.b\"", one),
        ":1: a file has [[table]]s of its own or names those of another"}});
}

TEST_CASE("a table's lines may be blank and its draft length stand in its rows or nowhere") {
  const Experiment blank = read(table("\"a.b\"", "\nA 1\n \t\n\nB -\n"));
  REQUIRE(blank.tables.at(0).lines.size() == 2);
  CHECK(blank.tables[0].gamma_at(blank.tables[0].lines[0]).empty());
  const std::vector<TaskRows> rows = table_rows(blank.tables[0]);
  REQUIRE(rows.size() == 1);  // B prints none
  CHECK(rows[0].place.vary == Variables{{"row", "A"}});
  const Experiment lengths = read(table("\"a.b\"", "4 1.5", "rows = \"gamma\"\n"));
  const std::vector<TaskRows> by_gamma = table_rows(lengths.tables.at(0));
  REQUIRE(by_gamma.size() == 1);
  CHECK(by_gamma[0].place.gamma == "4");
  CHECK(by_gamma[0].place.vary.empty());
  CHECK(by_gamma[0].rows.at(0).exact == Rational(3, 2));
}

TEST_CASE("numbers of other models stand where the table's rows say, percents as shares") {
  const auto shares = [&](const std::string& numbers, const std::string& more) {
    return read(table("[\"token.gain%\", \"block.gain%\"]", numbers,
                      more + kTask +
                          "[[printed]]\ntable = \"one\"\nmetric = \"gain%\"\ntask = \"law\"\n"
                          "quantity = \"iteration.tail\"\n"))
        .printed;
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"8", "0.08"},        {"-3", "-0.03"}, {"+12.5", "0.125"}, {"125.5", "1.255"},
      {"-0.52", "-0.0052"}, {"100", "1.00"}, {"0.5", "0.005"},   {"10.06", "0.1006"}};
  for (const auto& [percent, share] : cases) {
    INFO(percent);
    CHECK(shares("A " + percent + " -", "").at(0).printed == share);
  }
  const std::vector<Printed> at = shares("1/3 1 2", "rows = \"draft\"\n");
  REQUIRE(at.size() == 2);
  CHECK(at[1].rows.get("draft") == "1/3");
  CHECK(at[1].rows.get("verifier") == "block");
  CHECK(at[1].rows.find("gamma") == nullptr);
  CHECK(at[1].of == "models");
  const std::vector<Printed> lengths = shares("8 1 2", "rows = \"gamma\"\n");
  CHECK(lengths.at(0).rows.get("gamma") == "8");
  CHECK(lengths.at(0).rows.find("row") == nullptr);
}

TEST_CASE("of a table's numbers some methods or a row are taken, and none is refused") {
  const std::string length = "table = \"one\"\nmetric = \"length\"\n";
  CHECK(read(printed(length)).printed.size() == 3);
  const std::vector<Printed> some = read(printed(length + "methods = \"block\"\n")).printed;
  REQUIRE(some.size() == 1);
  CHECK(some[0].printed == "3.49");
  CHECK(some[0].of == "models, A");
  CHECK(read(printed(length + "row = \"B\"\n")).printed.at(0).printed == "3.41");
  refuses_at(
      "printed",
      {{printed("table = \"one\"\nmetric = \"speed\"\n"), "one has no number of speed there"},
       {printed(length + "methods = [\"greedy\"]\n"), "one has no number of length there"},
       {printed(length + "row = \"C\"\n"), "one has no number of length there"},
       {printed("table = \"on\"\nmetric = \"length\"\n"),
        "there is no [[table]] 'on'; did you mean 'one'?"},
       {printed("table = \"one\"\n"), "[[printed]] has no metric; for example metric"}});
}

TEST_CASE("numbers of the file's own stand beside a column or a variable") {
  const std::string own = "source = \"paper\"\nof = \"models\"\n";
  const std::vector<Printed> one = read(printed(own + "value = 3.210\n")).printed;
  REQUIRE(one.size() == 1);
  CHECK(one[0].printed == "3.210");
  CHECK(one[0].of == "models");
  CHECK(one[0].source == "paper");
  const std::vector<Printed> methods =
      read(printed(own + "by = \"verifier\"\nvalues = {token = 3.21, block = \"7/2\"}\n")).printed;
  REQUIRE(methods.size() == 2);
  CHECK(methods[0].rows.get("verifier") == "block");
  CHECK(methods[0].printed == "7/2");
  CHECK(methods[1].rows.get("verifier") == "token");
  CHECK(methods[1].printed == "3.21");
  const std::vector<Printed> drafts =
      read(printed(own + "by = \"draft\"\nvalues = {\"1/3\" = 4}\n")).printed;
  REQUIRE(drafts.size() == 1);
  CHECK(drafts[0].rows.get("draft") == "1/3");
  const std::string by = own + "by = \"draft\"\nvalues = ";
  refuses_at("printed",
             {{printed(own + "by = \"drat\"\nvalues = {a = 1}\n"),
               "by names a column or a variable, not 'drat'; did you mean 'draft'?"},
              {printed(by + "{}\n"), "values has no number"},
              {printed(own + "by = \"draft\"\n"), "[[printed]] has no values; for example values"},
              {printed(own), "[[printed]] has no by; for example by = \"verifier\""},
              {printed("value = 1\n"), "[[printed]] has no source; for example source"}});
  refuses({{printed(by + "3\n"), ":27: values is a table"},
           {printed(by + "{a = true}\n"), ":27: a is a number such as 16.41, or a fraction"},
           {printed(own + "value = \"x\"\n"), ":26: value is a number such as 16.41"}});
}

TEST_CASE("a prediction names a variable and columns of its table, and no column of the results") {
  const std::string block = "{block = \"block\"}";
  CHECK(read(calibrated("draft", block)).calibrated.at(0).method == "block");
  const auto of_numbers = [&](const std::string& numbers) {
    return entry("calibrated", calibrated_lines("draft", block), numbers);
  };
  CHECK(read(of_numbers("A 0.01 3.49\nB 0.00 -")).calibrated.size() == 1);  // B predicts nothing
  refuses_at(
      "calibrated",
      {{calibrated("drat", block), "along names a variable, not 'drat'; did you mean 'draft'?"},
       {calibrated("draft", block, "gamma = 8\n"), "[[calibrated]] takes its gamma from the table"},
       {calibrated("draft", block, "claim = \"x\"\n"), "[[calibrated]] takes its claim from the"},
       {calibrated("draft", "{}"), "predicted names no method"},
       {of_numbers("A 0.01 3.49\nB 0.00 3.5"),
        "one, row B: token.length is 0.00, and there is no improvement over what may be 0 or "},
       {calibrated("draft", "{blok = \"block\"}"),
        "'blok.length' is no column of one; did you mean 'block.length'?; it has token.length, "
        "block.length"}});
}

TEST_CASE("an audit names its table, and an equation or a distance of a constant that can be") {
  const auto audit = [](const std::string& name, const std::string& lines) {
    return entry("audit", "source = \"x\"\ntable = \"" + name + "\"\n" + lines);
  };
  const std::string constant = "constant = \"block.length / token.length\"\n";
  CHECK(read(audit("one", constant + "within = 0\n")).audits.at(0).within == 0);
  refuses_at(
      "audit",
      {{audit("on", constant), "there is no [[table]] 'on'; did you mean 'one'?"},
       {audit("one", constant + "within = -1\n"), "within is of a constant, and 0 or more"},
       {audit("one", constant + "equation = \"1 = 1\"\n"),
        "[[audit]] has an equation or a constant"},
       {audit("one", "equation = \"1 < 2\"\n"), "'1 < 2' has one of =, <= and >=, and one alone"},
       {audit("one", "equation = \"1 == 2\"\n"), "'1 == 2' has one of =, <= and >="},
       {audit("one", "equation = \"= 1\"\n"),
        "'': there should be a number, a name or '(' at character 1"}});
}

}  // namespace speclab::table_forms_test
