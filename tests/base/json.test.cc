#include "base/json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"

namespace speclab::json_test {
namespace {

const Json kDocument{{"whole", -3},
                     {"natural", std::numeric_limits<std::uint64_t>::max()},
                     {"real", 0.1},
                     {"list", {1, "two", nullptr, true, Json::array(), Json::object()}},
                     {"nothing", std::optional<int>()},
                     {"numbers", std::vector<double>{1, 2.5, -0.0, 1e300}},
                     {"object", {{"a", 1}, {"b", {2, 3}}}}};

TEST_CASE("a document is written as the library writes it, and reads back") {
  for (const int indent : {-1, 0, 1, 2}) {
    const std::string text = kDocument.dump(indent);
    CHECK(nlohmann::ordered_json::parse(text).dump(indent) == text);
    CHECK(read_json(text) == kDocument);
  }
  for (const double value :
       {1e-7, 5e-324, 1.7976931348623157e308, 123456789.0, 1e21, 0.3, HUGE_VAL}) {
    CHECK(Json(value).dump() == nlohmann::json(value).dump());
  }
}

TEST_CASE("braces make an object of pairs that begin with a string, else an array") {
  CHECK(Json{{"a", 1}}.is_object());
  CHECK(Json{{"a", 1}, {2, 3}}.dump() == R"([["a",1],[2,3]])");
  CHECK(Json{"a", "b"}.is_array());
  CHECK(Json::array({{"a", 1}}).dump() == R"([["a",1]])");
}

TEST_CASE("a text escapes characters that control a terminal") {
  const Json named{{"a\u009b", "\x1b[2J\x7f\u202e\u03b3\n"}};
  CHECK(json_text(named, -1) == R"({"a\u009b":"\u001b[2J\u007f\u202eγ\n"})"
                                "\n");
  CHECK(read_json(json_text(named)) == named);
  CHECK(json_text(named) == "{\n \"a\\u009b\": \"\\u001b[2J\\u007f\\u202e\u03b3\\n\"\n}\n");
  CHECK(json_text(Json("\x9b"), -1) == "\"\ufffd\"\n");
}

TEST_CASE("a value of another kind, or out of range, is refused") {
  CHECK(kDocument.at("whole").get<int>() == -3);
  CHECK(kDocument.at("natural").get<double>() == std::ldexp(1, 64));
  CHECK(kDocument.at("numbers").get<std::vector<double>>().size() == 4);
  CHECK_THROWS_WITH(kDocument.at("whole").get<unsigned>(), Containing("-3 is not a whole number"));
  CHECK_THROWS_WITH(kDocument.at("natural").get<std::int64_t>(), Containing("in range"));
  CHECK_THROWS_WITH(read_json("300").get<std::int8_t>(), Containing("in range"));
  CHECK_THROWS_WITH(kDocument.at("real").get<int>(), Containing("0.1 is not a whole number"));
  CHECK_THROWS_WITH(kDocument.at("list").string(), Containing("a list is not a string"));
  CHECK_THROWS_WITH(kDocument.at("list").at("a"), Containing("a list is not an object"));
  CHECK_THROWS_WITH(kDocument.at("list").at(6), Containing("too short"));
  CHECK_THROWS_WITH(kDocument.at("missing"), Containing("the key 'missing' is missing"));
  CHECK(kDocument.find("missing") == nullptr);
}

TEST_CASE("values are compared as numbers, and objects in any order") {
  CHECK(Json(2) == Json(2U));
  CHECK(Json(2) == Json(2.0));
  CHECK(Json(-1) != Json(std::numeric_limits<std::uint64_t>::max()));
  CHECK(Json(2) != Json("2"));
  CHECK(Json() == Json(nullptr));
  CHECK(Json{{"a", 1}, {"b", 2}} == Json{{"b", 2}, {"a", 1}});
  CHECK(Json{{"a", 1}, {"b", 2}} != Json{{"a", 1}, {"c", 2}});
}

TEST_CASE("what is no document is refused with its place") {
  CHECK_THROWS_WITH(read_json("{\"a\":\n"), Containing("line 2, column 1"));
  CHECK_THROWS_WITH(read_json("[1] 2"), Containing("line 1, column 5"));
  CHECK_THROWS_WITH(read_json("1e999"), Containing("number overflow"));
  CHECK_THROWS_WITH(read_json(""), Containing("line 1"));
  CHECK_THROWS_WITH(read_json(R"({"a": 1, "b": {"a": 2}, "a": 3})"),
                    Containing("the key 'a' is given twice"));
  CHECK_THROWS_WITH(read_json(std::string(100'000, '[')), Containing("deeper than 64 levels"));
  CHECK_THROWS_WITH(read_json("[[[]]]", {.nesting = 2}), Containing("deeper than 2 levels"));
  CHECK(read_json("[[]]", {.nesting = 2}).size() == 1);
}

TEST_CASE("a long document is polled while it is read") {
  int polls = 0;
  const std::string text = Json(std::vector<int>(10'000)).dump();
  CHECK(read_json(text, {.poll = [&] { ++polls; }}).size() == 10'000);
  CHECK(polls == 2);
}

}  // namespace
}  // namespace speclab::json_test
