#include <map>

#include "message_of.h"
#include "model/content.h"
#include "model/families/json_law.h"
#include "pairs.h"
#include "stops.h"
#include "system/interrupt_scope.h"

namespace speclab::file_test {
namespace {

PairPointer read(const std::string& json) {
  const TemporaryFile file(json);
  const PairPointer pair = make_pair("file(" + file.path() + ")");
  CHECK(pair->name() == "file(" + file.path() + ")");
  REQUIRE(pair->inputs().size() == 1);
  CHECK(pair->inputs()[0].path == file.path());
  check_pair(*pair);
  return pair;
}

TEST_CASE("file: iid laws as numbers, strings or both") {
  const auto laws = laws_at<Rational>(
      *read(
          R"({"vocabulary":3,"kind":"iid","draft":[0.25,0.5,0.25],"target":["1/3","1/3","1/3"]})"),
      0);
  CHECK(laws.draft == fractions({"1/4", "1/2", "1/4"}));
  CHECK(laws.target == fractions({"1/3", "1/3", "1/3"}));
  // 0.1 + 0.2 + 0.7 misses 1 in doubles; the exact values are divided by their exact sum.
  const auto near = laws_at<Rational>(*read(R"({"vocabulary":3,"kind":"iid","draft":[0.1,0.2,0.7],)"
                                            R"("target":[0.3333333333,"1/3",0.3333333333]})"),
                                      0);
  const Rational sum = exact(0.1) + exact(0.2) + exact(0.7);
  CHECK(sum != 1);
  CHECK(near.draft[0] == exact(0.1) / sum);
  CHECK(total(near.target) == 1);
}

TEST_CASE("file: a law by its tokens, all others 0") {
  const auto laws = laws_at<Rational>(
      *read(R"({"vocabulary":4,"kind":"iid","draft":{"3":"1/4","1":0.75},"target":{"0":1}})"), 0);
  CHECK(laws.draft == fractions({"0", "3/4", "0", "1/4"}));
  CHECK(laws.target == fractions({"1", "0", "0", "0"}));
  for (const char* key : {"4", "-1", "01", "", "1.0", "x"}) {
    const std::string text = R"({"vocabulary":4,"kind":"iid","draft":{")" + std::string(key) +
                             R"(":1},"target":{"0":1}})";
    CHECK_THROWS_WITH(read(text), Containing("a law by tokens has keys from 0 to 3"));
  }
  CHECK_THROWS_WITH(read(R"({"vocabulary":2,"kind":"iid","draft":{"0":"1/2"},"target":{"0":1}})"),
                    Containing("sums to"));
}

TEST_CASE("file: a chain, its prompt, and the uniform prompt") {
  const std::string rows = R"("draft":[[1,0],["1/2","1/2"]],"target":[[0,1],["1/4","3/4"]]})";
  const PairPointer pair = read(R"({"vocabulary":2,"kind":"chain","prompt":["0","1"],)" + rows);
  CHECK(pair->states() == 2);
  CHECK_FALSE(pair->length());
  REQUIRE(pair->start().size() == 1);
  CHECK(pair->start()[0].state == 1);
  CHECK(pair->next(1, 0) == 0);
  CHECK(laws_at<Rational>(*pair, 0).target == fractions({"0", "1"}));
  CHECK(laws_at<Rational>(*pair, 1).target == fractions({"1/4", "3/4"}));
  const PairPointer uniform = read(R"({"vocabulary":2,"kind":"chain",)" + rows);
  REQUIRE(uniform->start().size() == 2);
  CHECK(uniform->start()[0].probability == Rational(1, 2));
}

TEST_CASE("file: a draft that begins anew, as blocks and as an automaton with roots") {
  const PairPointer blocks = read(
      R"({"vocabulary":2,"kind":"blocks","draft":[[["1/2","1/2"],[1,0]],[["1/4","3/4"],[0,1]]],)"
      R"("target":[["1/3","2/3"],["3/4","1/4"]],"next":[[0,1],[0,1]],"start":1})");
  const PairPointer spelt = make_pair(
      "blocks(draft=[[1/2,1/2],[1,0],[1/4,3/4],[0,1]],target=[[1/3,2/3],[3/4,1/4]],start=1)");
  CHECK(content_digest(*blocks) == content_digest(*spelt));
  CHECK(blocks->longest_draft() == 2);
  const PairPointer rooted =
      read(R"({"vocabulary":2,"kind":"automaton","draft":[[1,0],[0,1]],"target":[["1/2","1/2"],)"
           R"(["1/2","1/2"]],"next":[[1,1],[1,1]],"root":[0,0]})");
  CHECK(rooted->roots(1)[0].state == 0);
  const auto refused = [](const std::string& json, const char* message) {
    const TemporaryFile file(json);
    CHECK_THROWS_WITH(make_pair("file(" + file.path() + ")"), Containing(message));
  };
  for (const char* kind : {"iid", "blocks"}) {
    refused(R"({"vocabulary":2,"kind":")" + std::string(kind) +
                R"(","draft":[1,0],"target":[1,0],"root":[0]})",
            "which only the kind automaton takes");
  }
  refused(R"({"vocabulary":2,"kind":"blocks","draft":[1,0],"target":[[1,0]],"next":[[0,0]]})",
          "that is not a list of blocks");
  refused(R"({"vocabulary":2,"kind":"blocks","draft":[[[1,0]],[]],"target":[[1,0],[1,0]],)"
          R"("next":[[0,0],[0,0]]})",
          "state 1 is not a list of 1 laws");
}

TEST_CASE("file: a draft over a vocabulary of its own") {
  const auto laws = laws_at<Rational>(
      *read(R"({"vocabulary":4,"kind":"iid","d2t":[1,2,0],"draft":["1/2","1/3","1/6"],)"
            R"("target":["1/4","1/4","1/4","1/4"]})"),
      0);
  CHECK(laws.draft == fractions({"0", "1/2", "1/6", "1/3"}));
  CHECK(laws.target == fractions({"1/4", "1/4", "1/4", "1/4"}));
  for (const char* map : {"[1,0]", "[4,0]", "[-1,0]", "[]", "0", "[\"1\",0]"}) {
    const TemporaryFile file(std::string(R"({"vocabulary":4,"kind":"iid","d2t":)") + map +
                             R"(,"draft":[1,0],"target":[1,0,0,0]})");
    CAPTURE(map);
    CHECK_THROWS_WITH(make_pair("file(" + file.path() + ")"), Containing("\"d2t\""));
  }
}

TEST_CASE("file: a nonstationary chain has a length") {
  const PairPointer pair = read(
      R"({"vocabulary":2,"kind":"nonstationary",
          "draft":[[[1,0],[0,1]],[["1/2","1/2"],["1/3","2/3"]]],
          "target":[[[0,1],[0,1]],[["1/5","4/5"],[1,0]]]})");
  CHECK(pair->length() == 2);
  CHECK(pair->states() == 6);
  CHECK(laws_at<Rational>(*pair, 1).draft == fractions({"0", "1"}));
  const State second = pair->next(0, 1);  // position 2 after token 1
  CHECK(laws_at<Rational>(*pair, second).draft == fractions({"1/3", "2/3"}));
  CHECK(laws_at<Rational>(*pair, second).target == fractions({"1", "0"}));
}

TEST_CASE("file: an automaton has a row a state, as the family has") {
  const PairPointer pair =
      read(R"({"vocabulary":2,"kind":"automaton","draft":[[1,0],["1/2","1/2"],[0,1]],)"
           R"("target":[["1/2","1/2"],[0,1],["1/3","2/3"]],"next":[[1,2],[1,0],[2,2]],"start":1})");
  CHECK(pair->states() == 3);
  REQUIRE(pair->start().size() == 1);
  CHECK(pair->start()[0].state == 1);
  CHECK(pair->next(1, 1) == 0);
  CHECK(pair->next(0, 1) == 2);
  CHECK(laws_at<Rational>(*pair, 2).target == fractions({"1/3", "2/3"}));
  const PairPointer typed = make_pair(
      "automaton(draft=[[1,0],[1/2,1/2],[0,1]],target=[[1/2,1/2],[0,1],[1/3,2/3]],"
      "next=[[1,2],[1,0],[2,2]],start=1)");
  CHECK(content_digest(*typed) == content_digest(*pair));
  const std::string two = R"({"vocabulary":2,"kind":"automaton","draft":[[1,0],[0,1]],)";
  const std::string laws = two + R"("target":[[1,0],[0,1]],)";
  const auto refused = [](const std::string& json, const char* message) {
    const TemporaryFile file(json);
    CHECK_THROWS_WITH(make_pair("file(" + file.path() + ")"), Containing(message));
  };
  refused(two + R"("target":[[1,0]],"next":[[0,0],[0,1]]})",
          "\"target\" of 1 rows; give it one row a state, as \"draft\" has 2");
  refused(laws + R"("next":[[0,0],[0,2]]})", "next, state 1: 2 is not a state; give a whole");
  refused(laws + R"("next":[[0,0],[0,0.5]]})", "next, state 1: 0.5 is not a state");
  refused(laws + R"("next":[[0,0],[0]]})", "next, state 1 is not a list of 2 states");
  refused(laws + R"("next":[[0,0],[0,1]],"start":-1})", "start: -1 is not a state");
  refused(laws + R"("next":[[0,0],[0,1]],"prompt":[1,0]})", "only the kinds chain");
  refused(laws + R"("next":7})", "\"next\" of no rows");
  refused(laws.substr(0, laws.size() - 1) + "}", "lacks the key \"next\"; add it");
  for (const char* key : {"next", "start"}) {
    refused(
        R"({"vocabulary":1,"kind":"iid","draft":[1],"target":[1],")" + std::string(key) + R"(":0})",
        "\", which only the kinds automaton and blocks take; remove it");
  }
}

TEST_CASE("file: a tree uses the row of the longest listed prefix") {
  const PairPointer pair = read(
      R"({"vocabulary":2,"kind":"tree",
          "draft":{"":["1/2","1/2"],"0,1":["1/3","2/3"],"1":["1/7","6/7"]},
          "target":{"":["1/5","4/5"],"0,1,1":["1","0"]}})");
  const auto draft = [&](const std::vector<Token>& prefix) {
    return laws_at<Rational>(*pair, walk(*pair, prefix)).draft[0];
  };
  const auto target = [&](const std::vector<Token>& prefix) {
    return laws_at<Rational>(*pair, walk(*pair, prefix)).target[0];
  };
  CHECK(draft({}) == Rational(1, 2));
  CHECK(draft({0}) == Rational(1, 2));  // not listed: the row of ""
  CHECK(draft({0, 0}) == Rational(1, 2));
  CHECK(draft({0, 0, 1}) == Rational(1, 2));  // left the tree: 0,1 is no prefix of it
  CHECK(draft({0, 1}) == Rational(1, 3));
  CHECK(draft({0, 1, 0, 0}) == Rational(1, 3));
  CHECK(draft({1}) == Rational(1, 7));
  CHECK(draft({1, 0, 1}) == Rational(1, 7));
  CHECK(target({0, 1}) == Rational(1, 5));
  CHECK(target({0, 1, 1}) == 1);
  CHECK(target({0, 1, 1, 0}) == 1);
  CHECK(target({0, 1, 0, 1, 1}) == Rational(1, 5));
  CHECK(read(R"({"vocabulary":2,"kind":"tree","draft":{"":[1,0]},"target":{"":[0,1]}})")
            ->memoryless());
}

TEST_CASE("file: a prompt's weights are those of the start, in a chain of either kind") {
  const std::string row = R"(["1/2","1/4","1/4"])";
  const std::string rows = "[" + row + "," + row + "," + row + "]";
  const auto with = [&](const std::string& kind, const std::string& tables) {
    return read(R"({"vocabulary":3,"kind":")" + kind +
                R"(","prompt":["1/7","2/7","4/7"],"draft":)" + tables + R"(,"target":)" + tables +
                "}");
  };
  for (const PairPointer& pair :
       {with("chain", rows), with("nonstationary", "[" + rows + "," + rows + "]")}) {
    const auto start = pair->start();
    REQUIRE(start.size() == 3);
    for (State x = 0; x < 3; ++x) {
      CHECK(start[x].state == x);
      CHECK(start[x].probability == Rational(1 << x, 7));
    }
  }
}

TEST_CASE("file: a tree's unlisted prefix has the row of the longest listed one, however deep") {
  using Listed = std::map<std::vector<Token>, std::string>;
  const std::map<std::string, Listed> models{
      {"draft",
       {{{}, "1/2"}, {{1}, "1/7"}, {{1, 0, 1}, "1/11"}, {{0, 0}, "1/3"}, {{0, 0, 0, 1}, "1/13"}}},
      {"target", {{{}, "1/5"}, {{1, 0}, "1/17"}, {{1, 1, 1, 1}, "1/19"}, {{0}, "1/23"}}}};
  std::string json = R"({"vocabulary":2,"kind":"tree")";
  for (const auto& [model, listed] : models) {
    json += ",\"" + model + "\":{";
    for (const auto& [prefix, first] : listed) {
      std::string text;
      for (const Token x : prefix) text += (text.empty() ? "" : ",") + std::to_string(x);
      json += (prefix.empty() ? "\"" : ",\"") + text + "\":[\"" + first + "\",\"" +
              to_text(1 - parse_rational(first)) + "\"]";
    }
    json += "}";
  }
  const PairPointer pair = read(json + "}");
  for (int length = 0; length <= 6; ++length) {
    for (int code = 0; code < 1 << length; ++code) {
      std::vector<Token> prefix;
      for (int i = 0; i < length; ++i) prefix.push_back((code >> i) & 1);
      CAPTURE(prefix);
      const auto laws = laws_at<Rational>(*pair, walk(*pair, prefix));
      const auto longest = [&](const std::string& model) {
        std::vector<Token> known = prefix;
        while (!models.at(model).contains(known)) known.pop_back();
        return parse_rational(models.at(model).at(known));
      };
      CHECK(laws.draft[0] == longest("draft"));
      CHECK(laws.target[0] == longest("target"));
    }
  }
}

TEST_CASE("file: what is wrong is named") {
  const auto refused = [](const std::string& json, const std::string& message) {
    INFO(json.substr(0, 200));
    const TemporaryFile file(json);
    const std::string said = message_of([&] { make_pair("file(" + file.path() + ")"); });
    CHECK_THAT(said, Containing(message) && Containing(file.path()));
    CHECK(said.find('\n') == std::string::npos);
  };
  const auto iid = [](const std::string& draft) {
    return R"({"vocabulary":2,"kind":"iid","target":[0,1],"draft":)" + draft + "}";
  };
  refused(" \n", "is empty; write a pair there, such as {\"vocabulary\": 2, ");
  refused("{", "is not valid JSON: parse error at line 1, column 2");
  refused("{\"vocabulary\":2,\n\"kind\":", "parse error at line 2, column 8");
  refused("[1]", "is not a JSON object");
  refused(iid("[1e999,0]"), "is not valid JSON");
  refused(iid("[1,0],\"draft\":[0,1]"), "the key 'draft' is given twice");
  refused(iid("[1,0],\"promt\":[0,1]"), "did you mean 'prompt'?");
  refused(iid("[1,0],\"prompt\":[0,1]"), "which only the kinds chain and nonstationary take");
  refused(iid(std::string(1'000'000, '[')), "nests deeper than 16 levels");
  refused(iid("[1]"), "draft has 1 entries; the vocabulary is 2");
  refused(iid("3"), "draft is not a list");
  refused(iid("[0.5,0.499]"), "draft sums to 0.999, not to 1");
  refused(iid("[0.5,0.50000001]"), "draft sums to 1.00000001, not to 1");
  refused(iid(R"(["1/2","499999999999/1000000000000"])"), "draft sums to");
  refused(iid(R"(["-1/2","3/2"])"), "draft, token 0: -1/2 is not a probability");
  refused(iid("[-1,2]"), "draft, token 0: -1 is not a probability");
  refused(iid(R"(["1/0","1"])"), "draft, token 0: '1/0' divides by zero");
  refused(iid("[true,0]"), "draft, token 0: true is not a number");
  refused(R"({"vocabulary":0,"kind":"iid"})", "\"vocabulary\": 0; give a whole number from 1");
  refused(R"({"vocabulary":2.5,"kind":"iid"})", "\"vocabulary\": 2.5");
  refused(R"({"kind":"iid"})", "lacks the key \"vocabulary\"");
  refused(R"({"vocabulary":2})", "lacks the key \"kind\"");
  refused(R"({"vocabulary":2,"kind":"chian"})", "did you mean 'chain'?");
  refused(R"({"vocabulary":2,"kind":"iid","target":[0,1]})", "lacks the key \"draft\"");
  refused(R"({"vocabulary":2,"kind":"chain","draft":[[1,0],[1]],"target":[[1,0],[1,0]]})",
          "draft, row 1 has 1 entries");
  refused(R"({"vocabulary":2,"kind":"chain","draft":[[1,0]],"target":[[1,0],[1,0]]})",
          "draft has 1 rows; give a list of 2");
  refused(R"({"vocabulary":1,"kind":"nonstationary","draft":[[[1]],[[1,0]]],"target":[[[1]]]})",
          "draft, position 2, row 0 has 2 entries");
  refused(R"({"vocabulary":1,"kind":"nonstationary","draft":[[[1]],[[1]]],"target":[[[1]]]})",
          "has 2 positions in \"draft\" and 1 in \"target\"");
  const auto tree = [](const std::string& draft) {
    return R"({"vocabulary":2,"kind":"tree","target":{"":[0,1]},"draft":)" + draft + "}";
  };
  refused(tree(R"({"0":[1,0]})"), "no row for the empty prefix in \"draft\"");
  refused(tree(R"({"":[1,0],"0,2":[1,0]})"), "prefix '0,2': write tokens from 0 to 1");
  refused(tree(R"({"":[1,0],"0,":[1,0]})"), "prefix '0,': write tokens");
  refused(tree(R"({"":[1,0],"01":[1,0]})"), "prefix '01': write tokens");
  refused(tree(R"({"":[1,0],"1":[1,0,0]})"), "prefix '1' has 3 entries");
  refused(tree("[1,0]"), "is not an object from prefixes");
  CHECK_THROWS_WITH(make_pair("file(/no/such.json)"), Containing("No such file or directory"));
  CHECK_THROWS_WITH(make_pair("file(/)"), Containing("is a directory"));
}

TEST_CASE("file: an object in memory makes the pair that a file of it makes") {
  const std::string text =
      R"({"vocabulary":2,"kind":"chain","prompt":["1","0"],)"
      R"("draft":[["3/4","1/4"],["1/3","2/3"]],"target":[["1/2","1/2"],["1","0"]]})";
  const PairPointer from_file = read(text);
  const PairPointer pair = read_json_pair(parse_json(text, "here"), "here");
  REQUIRE(pair->states() == from_file->states());
  for (State state = 0; state < pair->states(); ++state) {
    CHECK(laws_at<Rational>(*pair, state) == laws_at<Rational>(*from_file, state));
  }
  REQUIRE(pair->start().size() == 1);
  CHECK(pair->start()[0].state == from_file->start()[0].state);
  CHECK_THROWS_WITH(read_json_pair(parse_json("[1]", "here"), "here"),
                    Containing("here is not a JSON object"));
}

TEST_CASE("file: a signal ends the reading of a law") {
  std::string text = "[0.0078125";
  for (int i = 1; i < 128; ++i) text += ",0.0078125";
  text += "]";
  std::string long_text = "[1";
  for (int i = 1; i < 5000; ++i) long_text += ",1";
  long_text += "]";
  const auto law = parse_json(text, "law");
  const std::vector<Rational> long_law(128, Rational(1, 128)), halves(2, Rational(1, 2));
  const InterruptScope scope;  // clears the flag at its end
  raise_interrupt();
  CHECK(stops([&] { parse_json(long_text, "law"); }));
  CHECK(stops([&] { read_json_law(law, 128, "law"); }));
  CHECK(stops([&] { check_law(long_law, "law"); }));
  // Results are reported after the signal, with the pairs they belong to.
  CHECK_FALSE(stops([&] { check_law(halves, "law"); }));
  CHECK_FALSE(stops([&] { read_json_law(parse_json("[0.5, 0.5]", "law"), 2, "law"); }));
}

}  // namespace
}  // namespace speclab::file_test
