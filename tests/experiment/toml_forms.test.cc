// Experiment files as text: every form of TOML that may be written, and what is refused of it.
#include "experiment/small_file.h"

namespace speclab::toml_forms_test {
namespace {

using namespace small_file;

/// A task in five lines.
const std::string kTask =
    "[[task]]\nname = \"law\"\nkind = \"formula\"\nformula = \"tv\"\n"
    "pair = \"bernoulli(draft=1/3,target=2/3)\"\n";

std::string with_value(const std::string& before, const std::string& value) {
  return before + kTop + kTask +
         "[[expected]]\nsource = \"x\"\ntask = \"law\"\nquantity = \"tv\"\nvalue = " + value;
}

}  // namespace

TEST_CASE("a table's name may begin with any letter, digit, sign or quote that TOML knows") {
  const std::string head = kTop + kTask;
  for (const char* name : {"a", "z", "A", "Z", "0", "9", "_x", "-x", "\"a b\"", "'a.b'"}) {
    for (const std::string before : {"", " ", "\t", " \t "}) {
      const std::string header = "[" + before + name + before + "]\n";
      INFO(header);
      CHECK_THROWS_WITH(read(head + header), Containing("small.toml:8: unknown key '") &&
                                                 Containing("' in an experiment file; it takes"));
    }
  }
  for (const std::string wrong : {"[]", "[ ]", "[.a]", "[[]]", "[[\t]]", "[+a]", "[{", "[\r]"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(read(head + wrong + "\n"),
                      Containing("small.toml:8: '[' begins a table and its name is missing"));
  }
  for (const std::string end : {"[", "[[", "[ ", "[[ "}) {
    INFO(end);
    CHECK_THROWS_WITH(read(head + end), Containing("small.toml:8: "));
  }
}

TEST_CASE(
    "tasks are written as tables with spaces and quotes, inline, or with Windows' line ends") {
  const std::string body = kTask.substr(9);
  for (const char* header :
       {"[[task]]\n", "  [[ task ]]\n", "\t[[\t\"task\"\t]] # [=\n", "[['task']]\n"}) {
    INFO(header);
    CHECK(read(kTop + header + body).tasks.at(0).name == "law");
  }
  CHECK(read(kTop + "task = [{name = \"law\", kind = \"formula\", formula = \"tv\", pair = 'x'},]")
            .tasks.at(0)
            .pairs == std::vector<std::string>{"x"});
  std::string windows;
  for (const char c : kTop + "  \n" + kTask + "gamma = [\n  1,\n\n\t2 # [=\n]\n") {
    windows += c == '\n' ? "\r\n" : std::string(1, c);
  }
  CHECK(read(windows).tasks.at(0).gammas == std::vector<int>{1, 2});
  CHECK_THROWS_WITH(read(windows + "gama = 1"), Containing("small.toml:14: unknown key 'gama'"));
}

TEST_CASE("texts may hold quotes, backslashes and lines, and may not be left open") {
  const auto note = [](const std::string& text) {
    return read("note = " + text + "\n" + kTop + kTask).note;
  };
  CHECK(note(R"("a \" [= \\")") == "a \" [= \\");
  CHECK(note("'a \\'") == "a \\");
  CHECK(note("\"\"\"\n[= \\\"\"\" :\n\"\"\"") == "[= \"\"\" :\n");
  CHECK(note("'''it's \\'''") == "it's \\");
  CHECK(note("\"\" # ' \" [=").empty());
  for (const char* open :
       {"\"abc", "'abc", "\"abc\\", "\"\"\"abc", "'''abc\n", "\"a\\\"", "\"\"\"a\\"}) {
    INFO(open);
    CHECK_THROWS_WITH(note(open), Containing("small.toml:"));
    CHECK_THROWS_WITH(read("title = \"t\"\nnote = " + std::string(open)),
                      Containing("small.toml:"));
  }
}

TEST_CASE("a number keeps the digits it is written with, wherever it stands") {
  const auto value = [](const std::string& before, const std::string& text) {
    const Expected made = read(with_value(before, text)).expected.at(0);
    return std::pair{*made.value, made.printed};
  };
  using Read = std::pair<Rational, std::string>;
  CHECK(value("", "0.10") == Read{Rational(1, 10), "0.10"});  // the file ends with its digits
  CHECK(value("", "1_0.5\n") == Read{Rational(21, 2), "10.5"});
  CHECK(value("", "+1_000.5") == Read{Rational(2001, 2), "1000.5"});
  CHECK(value("", "16.404890") == Read{Rational(1640489, 100000), "16.404890"});
  CHECK(value("", "-1e-2 # one") == Read{Rational(-1, 100), "-1e-2"});
  CHECK(value("", "7") == Read{Rational(7), "7"});
  CHECK(value("", "\"-7/21\"") == Read{Rational(-1, 3), "-7/21"});
  CHECK(value("# \xc3\xa9\nnote = \"\xe2\x82\xac\"\n", "2.50") == Read{Rational(5, 2), "2.50"});
  // Before it on its line stand letters of two bytes, of three and of four.
  const std::string inline_entry =
      "expected = [{source = \"\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e\", task = \"law\", quantity = "
      "\"tv\", value = 3.140, tolerance = 0.5}]\n";
  const Expected made = read(inline_entry + kTop + kTask).expected.at(0);
  CHECK(made.printed == "3.140");
  CHECK(made.value == Rational(314, 100));
  CHECK(made.tolerance == Rational(1, 2));
  CHECK(made.tolerance_text == "0.5");
}

TEST_CASE("an unknown key is reported at its line, with the key that may be meant") {
  CHECK_THROWS_WITH(read("tilte = \"t\"\n" + kTop + kTask),
                    Containing("small.toml:1: unknown key 'tilte' in an experiment file; did you "
                               "mean 'title'?; it takes title, source, note"));
  CHECK_THROWS_WITH(
      read(kTop + kTask + "gama = 1\n"),
      Containing("small.toml:8: unknown key 'gama' in [[task]]; did you mean 'gamma'?"));
  CHECK_THROWS_WITH(read(kTop + kTask + "trials = 100\n"),
                    Containing("small.toml:8: unknown key 'trials' in [[task]]"));
  CHECK_THROWS_WITH(read(""),
                    Containing("small.toml:1: the file is empty; an experiment has title"));
  CHECK_THROWS_WITH(read("# nothing\n"), Containing(":1: the file is empty"));
}

}  // namespace speclab::toml_forms_test
