#include "base/spec.h"

#include <string>

#include "base/error.h"
#include "catch.h"
#include "message_of.h"

namespace speclab::spec_test {
namespace {

TEST_CASE("parse_spec takes a text apart") {
  const Spec spec = parse_spec(" f( a = 1/2 , b=[1, 2,3], \"p,q\", c=\"x \\\"y\\\\\" ) ");
  CHECK(spec.name == "f");
  REQUIRE(spec.arguments.size() == 4);
  CHECK(spec.arguments[0].key == "a");
  CHECK(spec.arguments[0].values == std::vector<std::string>{"1/2"});
  CHECK(spec.arguments[1].is_list);
  CHECK(spec.arguments[1].values == std::vector<std::string>{"1", "2", "3"});
  CHECK(spec.arguments[2].key.empty());
  CHECK(spec.arguments[2].values.front() == "p,q");
  CHECK(spec.arguments[3].values.front() == "x \"y\\");
  const SpecArgument rows = parse_spec("f(a=[[1/2, 1] , [x],[]])").arguments.front();
  CHECK(rows.is_list);
  CHECK(rows.values.empty());
  CHECK(rows.rows == std::vector<std::vector<std::string>>{{"1/2", "1"}, {"x"}, {}});
  CHECK(parse_spec("token").arguments.empty());
  CHECK(parse_spec("token()").arguments.empty());
  CHECK(parse_spec("f(a=[])").arguments.front().values.empty());
}

TEST_CASE("parse_spec names the column of the first fault") {
  CHECK_THROWS_WITH(parse_spec(""), Containing("column 1: a name is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=1"), Containing("column 6: ')' is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=1) x"), Containing("column 8: nothing may follow"));
  CHECK_THROWS_WITH(parse_spec("f(a=)"), Containing("column 5: a value is expected"));
  CHECK_THROWS_WITH(parse_spec("f(=1)"), Containing("a parameter's name is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=[1,2)"), Containing("']' is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=[[[1]]])"), Containing("column 7: a value is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=[[1],2])"), Containing("column 10: '[' is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=[1,[2]])"), Containing("column 8: a value is expected"));
  CHECK_THROWS_WITH(parse_spec("f(a=\"x)"), Containing("the closing '\"' is missing"));
}

TEST_CASE("a text of a million characters is refused in one short line") {
  const std::string text = "f(a=" + std::string(1'000'000, '1') + ")";
  const std::string message = message_of([&] { parse_spec(text); });
  CHECK(message.size() < 300);
  CHECK(message.find('\n') == std::string::npos);
  CHECK_THAT(message, Containing("1000005 bytes long") && Containing("file(PATH)"));
}

TEST_CASE("a spec reader writes the canonical form in its own order") {
  SpecReader reader(parse_spec("f(c=deep, b=[0.5,2/4], a=0.1, \"x, y\")"));
  CHECK(reader.number("a") == Rational(1, 10));
  CHECK(reader.numbers("b") == std::vector<Rational>{Rational(1, 2), Rational(1, 2)});
  CHECK(reader.word("c", {"deep", "shallow"}) == "deep");
  CHECK(reader.integer("d", 0, 9, 7) == 7);
  CHECK(reader.path("path", true) == "x, y");
  CHECK_FALSE(reader.optional_integer("e", 0, 9));
  CHECK_NOTHROW(reader.finish());
  CHECK(reader.canonical() == "f(a=1/10,b=[1/2,1/2],c=deep,d=7,\"x, y\")");
}

TEST_CASE("rows of numbers are read and written") {
  SpecReader reader(parse_spec("f(a=[[2/4, 0.5],[1]],b=[1],c=[[1]],d=[[1],[]])"));
  CHECK(reader.number_rows("a") ==
        std::vector<std::vector<Rational>>{{Rational(1, 2), Rational(1, 2)}, {Rational(1)}});
  CHECK_THROWS_WITH(reader.number_rows("b"), Containing("takes a list of rows such as [["));
  CHECK_THROWS_WITH(reader.numbers("c"), Containing("c takes a list such as ["));
  CHECK_THROWS_WITH(reader.number_rows("d"), Containing("d has the row []; give at least one"));
  CHECK_THROWS_WITH(reader.number_rows("e"), Containing("the parameter e is missing"));
  CHECK(reader.canonical() == "f(a=[[1/2,1/2],[1]])");
}

TEST_CASE("whole numbers keep every digit") {
  SpecReader reader(parse_spec("f(a=9007199254740993,e=3)"));
  CHECK(reader.integer("a", 0, 9223372036854775807LL) == 9007199254740993LL);
  CHECK(reader.optional_integer("e", 0, 3) == 3);
  CHECK(reader.canonical() == "f(a=9007199254740993,e=3)");
}

TEST_CASE("odd paths survive the canonical form") {
  for (const std::string path :
       {"a b.txt", "a,b", "x=(1)", "quote\"d", "back\\slash", " edge", "edge\t", "[list]"}) {
    std::string quoted;
    for (const char c : path)
      quoted += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
    SpecReader first(parse_spec("f(\"" + quoted + "\")"));
    REQUIRE(first.path("path", true) == path);
    SpecReader second(parse_spec(first.canonical()));
    CHECK(second.path("path", true) == path);
    CHECK(second.canonical() == first.canonical());
  }
}

TEST_CASE("a spec is written so that it reads back to the same arguments") {
  for (const std::string text :
       {"f", "f(a=1/2,word)", "f(rates=\"a,b.json\",K=2)", "f(rule=\"g(K=2)\",\"a b,\\\"c\\\\\")",
        "f(a=[],b=[1,\"x,y\",2])", "f(ranks=[[0,1],[],[2]],K=3)"}) {
    CHECK(spec_text(parse_spec(text)) == text);
  }
  Spec spec = parse_spec("f( K = 2, rates = \"a,b.json\" )");
  spec.arguments.front().values = {"3"};
  CHECK(spec_text(spec) == "f(K=3,rates=\"a,b.json\")");
}

TEST_CASE("a spec reader names the parameter and what to write") {
  SpecReader reader(parse_spec("f(a=3/2,b=1,c=deeep,d=[1],g=x,n=1,n=2)"));
  CHECK_THROWS_WITH(reader.number_between("a", 0, 1),
                    Containing("a=3/2 is out of range; give a number from 0 to 1"));
  CHECK_THROWS_WITH(reader.integer("a", 0, 9), Containing("whole number from 0 to 9"));
  CHECK_THROWS_WITH(reader.numbers("b"), Containing("b takes a list"));
  CHECK_THROWS_WITH(reader.word("c", {"deep"}), Containing("did you mean 'deep'?"));
  CHECK_THROWS_WITH(reader.number("d"), Containing("d takes one value, not a list"));
  CHECK_THROWS_WITH(reader.number("g"), Containing("g: 'x' is not a number"));
  CHECK_THROWS_WITH(reader.number("missing"), Containing("missing is missing; add missing="));
  const Spec misspelt = parse_spec("zipf(traget=2)");
  CHECK_THROWS_WITH(SpecReader(misspelt).number("target"),
                    Containing("unknown parameter 'traget'; did you mean 'target'?"));
  CHECK_THROWS_WITH(reader.number("n"), Containing("n is given twice"));
  CHECK_THROWS_AS(reader.refuse("no"), InputError);
}

TEST_CASE("arguments that nobody read are an error with a suggestion") {
  SpecReader unknown(parse_spec("f(draft=1,tagret=2)"));
  unknown.number("draft");
  unknown.number("target", Rational(0));
  CHECK_THROWS_WITH(unknown.finish(), Containing("unknown parameter 'tagret'") &&
                                          Containing("did you mean 'target'?"));
  SpecReader nameless(parse_spec("f(7)"));
  CHECK_THROWS_WITH(nameless.finish(), Containing("the value '7' has no name"));
  // Where a parameter is missing, a value without a name is taken as its value.
  for (const char* text : {"f(7)", "f([1,2])"}) {
    SpecReader unnamed(parse_spec(text));
    CHECK_THROWS_WITH(unnamed.number("draft"), Containing(" has no name; write draft="));
  }
  SpecReader named(parse_spec("f(target=2)"));
  CHECK_THROWS_WITH(named.number("draft"), Containing("the parameter draft is missing"));
}

TEST_CASE("number_or_list takes either") {
  SpecReader reader(parse_spec("f(a=1/2,b=[1,2])"));
  CHECK(reader.number_or_list("a") == std::vector<Rational>{Rational(1, 2)});
  CHECK(reader.number_or_list("b") == std::vector<Rational>{Rational(1), Rational(2)});
  CHECK_THROWS_WITH(reader.number_or_list("c"), Containing("the parameter c is missing"));
  SpecReader empty(parse_spec("f(a=[])"));
  CHECK_THROWS_WITH(empty.number_or_list("a"), Containing("a=[] is empty; give at least one"));
}

}  // namespace
}  // namespace speclab::spec_test
