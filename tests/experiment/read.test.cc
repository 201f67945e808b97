#include "catch.h"
#include "experiment/small_file.h"

namespace speclab::read_test {
namespace {

using small_file::read_checked;

const std::string kHead = R"toml(
title = "t"
source = "s"
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:2"
)toml";

std::string expected(const std::string& lines) {
  return kHead + "[[expected]]\nsource = \"x\"\ntask = \"law\"\n" + lines;
}

/// Checks that it is refused with its place in the file and a message.
void refused(const std::string& text, const std::string& place, const std::string& message) {
  INFO(text);
  CHECK_THROWS_WITH(read_checked(text), Containing("small.toml" + place) && Containing(message));
}

}  // namespace

TEST_CASE("a quantity's older path is read as its path") {
  const std::string text = "quantity = \"block_efficiency\"\nvalue = 1\n";
  CHECK(small_file::read(expected(text)).expected.at(0).rows.get("quantity") ==
        "decode.acceptance_length");
}

TEST_CASE("what cannot be read is one line with its place and the fix") {
  const std::string accepted = "quantity = \"iteration.expected_accepted\"\n";
  refused(expected("quantity = \"rejection\"\nvalue = 1\n"),
          ":13: ", "there is no quantity 'rejection'");
  for (const char* value : {"\"10/\"", "true", "inf"}) {
    refused(expected(accepted + "value = " + value + "\n"),
            ":14: ", "value is a number such as 16.41, or");
  }
  refused(expected(accepted + "value = 1\ngama = 2\n"),
          ":15: ", "unknown key 'gama' in [[expected]]");
  refused(expected(accepted), ":10: ", "[[expected]] has neither value nor trend");
  refused(expected(accepted + "trials = 100\nvalue = 1\n"), ":14: ", "trials is \"all\"");
  refused(kHead + "[task.vary]\nclaim = [1]\n", ":10: ", "'claim' is taken and no variable's name");
  refused(kHead + "keep = \"tokens.expectd\"\n", ":10: ", "there is no quantity 'tokens.expectd'");
}

TEST_CASE("an entry that can choose no row is refused before anything is run") {
  const std::string accepted = "quantity = \"iteration.expected_accepted\"\nvalue = 1\n";
  const auto entry = [](const std::string& lines, const std::string& message) {
    refused(expected(lines), ":10: ", message);
  };
  entry("gamma = 3\n" + accepted, "without gamma it would choose some");
  entry("verifier = \"tokens\"\n" + accepted, "without verifier it would choose some");
  entry("pair = \"uniform\"\n" + accepted, "without pair it would choose some");
  entry("index = 1\n" + accepted, "without index it would choose some");
  entry("quantity = \"iteration.tail\"\nindex = 3\nvalue = 1\n", "without index");
  entry("quantity = \"decode.tokens\"\nvalue = 1\n", "[[expected]] chooses no row");
  for (const std::string quantity :
       {"iterations.expected_tokens", "modelled_time.first_iteration_per_token", "roc.area"}) {
    entry("quantity = \"" + quantity + "\"\nvalue = 1\n", "chooses no row");
  }
  entry("claim = \"sun2025.lemma33\"\n" + accepted, "there is no closed form 'sun2025.lemma33'");
  CHECK_NOTHROW(
      read_checked(expected("gamma = 2\nindex = 2\nquantity = \"iteration.tail\"\nvalue = 1\n")));
}

TEST_CASE("a derived quantity that can choose no row is refused before anything is run") {
  const std::string begin = kHead +
                            "[[derived]]\nname = \"gain\"\noperation = \"difference\"\n"
                            "quantity = \"iteration.expected_accepted\"\n";
  CHECK_NOTHROW(read_checked(begin + "of = {task = \"law\", verifier = \"block\"}\n"
                                     "over = {task = \"law\", verifier = \"token\"}\n"));
  CHECK_THROWS_WITH(read_checked(begin + "of = {task = \"law\", verifier = \"blok\"}\n"
                                         "over = {task = \"law\", verifier = \"token\"}\n"),
                    Containing("small.toml:10: `of` chooses no row"));
  CHECK_THROWS_WITH(read_checked(begin + "of = {task = \"law\", gamma = 1}\n"
                                         "over = {task = \"law\", iterations = 2}\n"),
                    Containing("small.toml:10: `over` chooses no row"));
}

TEST_CASE("what a quick run leaves out is no error") {
  const std::string text = kHead +
                           "full-only = true\n[[task]]\nname = \"b\"\nkind = \"exact\"\n"
                           "pair = \"uniform(draft=2,target=1)\"\nverifier = \"token\"\n"
                           "gamma = 1\n[[expected]]\nsource = \"x\"\ntask = \"law\"\n"
                           "quantity = \"iteration.expected_accepted\"\nvalue = 1\n";
  CHECK_NOTHROW(read_checked(text, true));
  CHECK_NOTHROW(read_checked(text, false));
}

TEST_CASE("text on which the parser would end the process is refused with its line") {
  const auto refuses = [](const std::string& text, const std::string& message) {
    CHECK_THROWS_WITH(small_file::read(text), Containing(message));
  };
  std::string parts = "a";
  for (int i = 0; i < 300'000; ++i) parts += ".a";
  refuses("\n" + parts + " = 1", ":2: a key has more than 16 parts");
  refuses("[" + parts + "]", ":1: a key has more than 16 parts");
  refuses("# a\n[=", ":2: '[' begins a table and its name is missing");
  refuses("title = \"t\"\n [[ =]]", ":2: '[' begins a table and its name is missing");
  refuses("\xef\xbb\xbftitle = \"t\"", ":1: the file begins with a byte order mark; save it");
  refuses(
      "title = \"t\"\nsource = \"s\"\n[[task]]\nname = \"a\"\nkind = \"exact\"\npair = "
      "\"p\"\nverifier = \"token\"\n"
      "gamma = \"1:1000000\"",
      "'1:1000000' is more than 100000 numbers; shorten the range");
  refuses("\u014c.", ":1: a character outside ASCII stands outside of quotes");
  refuses("title = \"t\"\na.\u014c = 1", ":2: a character outside ASCII");
  refuses("title = \"t\"\nnote = 1979-05-27T/7:32", ":2: a ':' stands outside of quotes");
  refuses("title = \"t\"\ncolumns = [\n})", ":3: a '}' stands where no '{' is open");
  refuses("a = [{]", ":1: a ']' stands where no '[' is open");
  refuses("title = \"\"\"\n[=\n\"\"\"\n[=", ":4: '['");
  refuses("title = 1'7\"\u0116", ":1: a ' stands within a word; put the whole text in quotes");
  refuses("title = \"a\"\"b\"", ":1: a \" stands within a word");
  // The parser takes 0[['5 for a word, and the rest of it for a string that nobody began.
  refuses("title = 0[['''5\ufeff]\n'''", ":1: a [ stands within a word");
  refuses("title = 0{'\u0116'}", ":1: a { stands within a word");
  refuses("title = 0='\u0116'", ":1: a = stands within a word");
  refuses("title = {a = 0='\u0116'}", ":1: a = stands within a word");
  refuses("title = [0='\u0116']", ":1: a = stands within a word");
  refuses("title = 0.'\u0116'", ":1: a ' stands within a word");
  refuses("title = 0979-05-27 '\u0116'", ":1: a ' stands within a word");
  refuses("title = 0979-05-27 ['\u0116']", ":1: a [ stands within a word");
  // Within quotes, comments and values all of it is fine.
  const std::string head = kHead.substr(kHead.find("source"));
  const std::string title = "title = \"\u014c. [= 7:32 \\\" ' \" # \u014c [= 7:32\n";
  CHECK(read_checked(title + head).title == "\u014c. [= 7:32 \" ' ");
  CHECK(read_checked("title = \"\"\"[=\"\"\"\"\"\n" + head).title == "[=\"\"");
  CHECK(read_checked("title = '''\n[=\n'''\nnote = 'a\"[= \u014c'\n" + head).title == "[=\n");
  CHECK(read_checked("'title' = \"t\" # '\n\"note\" = 'x'\r\n" + head).title == "t");
  CHECK(read_checked(kHead + "[task.vary]\nx = [\n  1, # one\n  2\n]\n").tasks.at(0).vary.size() ==
        1);
}

TEST_CASE("combinations are counted before they are made and refused beyond a million") {
  const std::string head = kHead.substr(0, kHead.find("gamma"));
  std::string named = head;  // each variable makes a combination where the pair names it
  named.replace(named.find("draft=1/3,target=2/3"), 20, "draft=1/1{a},target=1/1{b}");
  const auto count = [&](const std::string& gammas, const std::string& values) {
    const std::string range = "\"1:" + values + "\"\n";
    const Experiment made = small_file::read(named + "gamma = \"1:" + gammas +
                                             "\"\n[task.vary]\na = " + range + "b = " + range);
    Bench bench;
    return expand(made, {}, bench).size();
  };
  CHECK(count("3", "4") == 2 * 3 * 4 * 4);
  CHECK_THROWS_WITH(count("1", "708"),
                    Containing("small.toml:4: ") && Containing("there are 1002528 combinations") &&
                        Containing("over the limit of 1000000; shorten its lists"));
  CHECK_THROWS_WITH(count("100000", "100000"), Containing("there are 2000000000000000 comb"));
  CHECK_THROWS_WITH(
      read_checked(head.substr(0, head.find("kind")) +
                   "kind = \"train\"\npair = \"x\"\nlambda = \"1:200\"\ntau = \"1:200\"\n"),
      Containing(" combinations of trainings or more, over the limit of 10000; shorten the lists"));
  std::string variables;
  for (int i = 0; i <= 1000; ++i) variables += "v" + std::to_string(i) + " = 1\n";
  CHECK_THROWS_WITH(
      read_checked(kHead + "[task.vary]\n" + variables),
      Containing("[task.vary] has 1001 variables, over the limit of 1000; divide the task"));
}

}  // namespace speclab::read_test
