#include "audit/protocol.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "audit/requests.h"
#include "catch.h"
#include "message_of.h"

namespace speclab::protocol_test {
namespace {

/// The message of an InputError, which is one short line of printable characters.
template <class F>
std::string refusal(const F& f) {
  const std::string text = message_of(f);
  CHECK(text.size() < 400);
  for (const char c : text) {
    const bool printable = c >= 0x20 && c < 0x7f;
    CHECK(printable);
  }
  return text;
}

std::string refusal_of(const std::string& line) {
  return refusal([&] { read_reply(line, small_request()); });
}

const std::string kRight =
    R"({"id": 1, "accepted": [2, 0, 1], "tokens": [[0, 2, 0], [1], [0, 1]]})";

TEST_CASE("protocol: a correct answer is read unchanged") {
  for (const std::string end : {"", "\r", "  "}) {
    const VerifyReply reply = read_reply(kRight + end, small_request());
    CHECK(reply.accepted == std::vector<int>{2, 0, 1});
    CHECK(reply.tokens == std::vector<std::vector<Token>>{{0, 2, 0}, {1}, {0, 1}});
  }
}

TEST_CASE("protocol: missing and surplus parts of an answer are named") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "not JSON at byte"},
      {"hello", "not JSON at byte"},
      {kRight + kRight, "not JSON at byte"},
      {kRight.substr(0, 30), "not JSON at byte"},
      {"[1]", "a list where an object belongs"},
      {"3", "a number where an object belongs"},
      {"null", "null where an object belongs"},
      {R"({"id": 1, "accepted": [2, 0, 1]})", "the key 'tokens' is missing"},
      {R"({"accepted": [2, 0, 1], "tokens": [[0, 2, 0], [1], [0, 1]]})", "the key 'id' is missing"},
      {R"({"id": 1, "id": 1})", "the key 'id' is given twice"},
      {R"({"id": 1, "seed": 1})", "the key 'seed' does not belong there"},
      {R"({"id": 2, "accepted": [2, 0, 1], "tokens": [[0, 2, 0], [1], [0, 1]]})", "has the id 2"},
      {R"({"id": -1})", "'id' has -1 where a whole number belongs"},
      {R"({"id": [1]})", "'id' has a list where a whole number belongs"},
      {R"({"id": 1, "accepted": 2})", "'accepted' has a number where a list of whole numbers"},
      {R"({"id": 1, "accepted": ["2", 0, 1]})", "'accepted' has the string '2'"},
      {R"({"id": 1, "accepted": [2.0, 0, 1]})", "'accepted' has '2.0' where a whole number"},
      {R"({"id": 1, "accepted": [2, null, 1]})", "'accepted' has null"},
      {R"({"id": 1, "accepted": [2, true, 1]})", "'accepted' has true"},
      {R"({"id": 1, "accepted": [NaN, 0, 1]})", "not JSON at byte"},
      {R"({"id": 1, "accepted": [1e999, 0, 1]})", "not JSON at byte"},
      {R"({"id": 1, "accepted": [{}, 0, 1]})", "'accepted' has an object"},
      {R"({"id": 1, "accepted": [[2], 0, 1]})", "'accepted' has a list where a whole number"},
      {R"({"id": 1, "accepted": [99999999999, 0, 1]})", "'accepted' has 99999999999"},
      {R"({"id": 1, "accepted": [-99999999999, 0, 1]})", "'accepted' has -99999999999"},
      {R"({"id": 1, "tokens": [0, [1]]})", "'tokens' has a number where a list of whole numbers"},
      {R"({"id": 1, "accepted": [2, 0, 1, 1]})", "a list of more than 3 entries"},
      {R"({"id": 1, "tokens": [[0, 2, 0, 0]]})", "a list of more than 3 entries"},
      {R"({"id": 1, "tokens": [[], [], [], []]})", "a list of more than 3 entries"}};
  for (const auto& [line, text] : wrong) {
    CAPTURE(line);
    CHECK_THAT(refusal_of(line), Containing(text));
    CHECK_THAT(refusal_of(line), Containing("the answer to request 1"));
  }
}

TEST_CASE("protocol: an impossible answer is named with its decision") {
  const auto answer = [](const std::string& accepted, const std::string& tokens) {
    return refusal_of(R"({"id": 1, "accepted": [)" + accepted + R"(], "tokens": [)" + tokens +
                      "]}");
  };
  CHECK_THAT(answer("2, 0", "[0, 2, 0], [1], [0, 1]"), Containing("2 entries of accepted"));
  CHECK_THAT(answer("2, 0, 1", "[0, 2, 0], [1]"), Containing("2 lists of tokens"));
  CHECK_THAT(answer("2, 3, 1", "[0, 2, 0], [1], [0, 1]"),
             Containing("decision 1: accepted 3 received; it is 0 to 2"));
  CHECK_THAT(answer("2, -1, 1", "[0, 2, 0], [1], [0, 1]"), Containing("accepted -1 received"));
  CHECK_THAT(answer("2, 0, 1", "[0, 2, 0], [1], [0]"),
             Containing("decision 2: 1 tokens received with accepted 1"));
  CHECK_THAT(answer("2, 0, 1", "[0, 2, 0], [3], [0, 1]"),
             Containing("decision 1: token 3 received; tokens are 0 to 2"));
  CHECK_THAT(answer("2, 0, 1", "[0, 2, 0], [-1], [0, 1]"), Containing("token -1 received"));
  CHECK_THAT(answer("2, 0, 1", "[0, 1, 0], [1], [0, 1]"),
             Containing("decision 0: tokens [0, 1, 0] received with accepted 2"));
}

TEST_CASE("protocol: accepted tokens are those of one of the drafts") {
  const VerifyRequest request = two_drafts();
  CHECK_NOTHROW(
      read_reply(R"({"id": 2, "accepted": [1, 1], "tokens": [[0, 1], [1, 1]]})", request));
  CHECK_THAT(refusal([&] {
               VerifyRequest three = request;
               three.vocabulary = 3;
               read_reply(R"({"id": 2, "accepted": [1, 0], "tokens": [[2, 1], [1]]})", three);
             }),
             Containing("those of no draft"));
}

TEST_CASE("protocol: decodes have their tokens and the iterations that made them") {
  const GenerateRequest request = small_decodes();
  const auto read = [&](const std::string& tokens, const std::string& accepted) {
    return read_reply(R"({"id": 4, "tokens": [)" + tokens + R"(], "accepted": [)" + accepted + "]}",
                      request);
  };
  const GenerateReply reply = read("[0, 1, 1, 0], [1, 1, 1, 1]", "[2, 0], [0, 0, 1]");
  CHECK(reply.tokens == std::vector<std::vector<Token>>{{0, 1, 1, 0}, {1, 1, 1, 1}});
  CHECK(reply.accepted == std::vector<std::vector<int>>{{2, 0}, {0, 0, 1}});
  const auto refused = [&](const std::string& tokens, const std::string& accepted) {
    return refusal([&] { read(tokens, accepted); });
  };
  const std::string right = "[0, 1, 1, 0], [1, 1, 1, 1]";
  CHECK_THAT(refused("[0, 1, 1], [1, 1, 1, 1]", "[2, 0], [2, 0]"),
             Containing("decision 0: 3 tokens received; a decode has 4"));
  CHECK_THAT(refused("[0, 1, 1, 2], [1, 1, 1, 1]", "[2, 0], [2, 0]"),
             Containing("token 2 received"));
  CHECK_THAT(refused(right, "[2, 0], [2]"), Containing("1 iterations received, which emit 3"));
  CHECK_THAT(refused(right, "[2, 0], [2, 0, 0]"), Containing("3 iterations received, but"));
  CHECK_THAT(refused(right, "[2, 0], [3]"), Containing("accepted 3 received"));
  CHECK_THAT(refused(right, "[2, 0]"), Containing("1 entries of accepted"));
}

TEST_CASE("protocol: reading of hostile answers stops at the first error") {
  std::string many = R"({"id": 1, "accepted": [0)";
  for (int i = 0; i < 10'000'000; ++i) many += ",0";
  CHECK_THAT(refusal_of(many + "]}"), Containing("more than 3 entries"));
  CHECK_THAT(refusal_of(std::string(10'000'000, '[')), Containing("a list where an object"));
  CHECK_THAT(refusal_of(R"({"id": 1, "tokens": )" + std::string(10'000'000, '[')),
             Containing("'tokens' has a list where a whole number"));
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += R"({"id":)";
  CHECK_THAT(refusal_of(objects), Containing("'id' has an object"));
  CHECK_THAT(refusal_of("{\"" + std::string(10'000'000, 'k') + "\": 1}"),
             Containing("does not belong"));
  CHECK_THAT(refusal_of("{\"id\": 1" + std::string(10'000'000, '0') + "}"), Containing("byte"));
  CHECK_THAT(refusal_of("\xff\xfe\x80 \x1b[31m red"), Containing("'??? ?[31m red' received"));
  CHECK_THAT(refusal_of("{\"\xc2\x9b\x1b\": 1}"), Containing("received"));
  CHECK_THAT(refusal_of(std::string("{\0}", 3)), Containing("'{?}' received"));
}

TEST_CASE("protocol: a long line is quoted where it is wrong") {
  const std::string line = R"({"id": 1, "accepted": [)" + std::string(500, ' ') + "oops]}";
  CHECK_THAT(refusal_of(line), Containing("oops]}' received"));
  CHECK(excerpt(std::string(81, 'a')) == "'" + std::string(80, 'a') + "...'");
  CHECK(excerpt("a\tb\x7f") == "'a?b?'");
}

TEST_CASE("protocol: the opening is answered with the version alone") {
  CHECK_NOTHROW(read_opening(R"({"protocol": 1})"));
  const auto refused = [](const std::string& line) { return refusal([&] { read_opening(line); }); };
  CHECK_THAT(refused(R"({"protocol": 2})"), Containing("has protocol 2; this is protocol 1"));
  CHECK_THAT(refused(R"({"protocol": "1"})"), Containing("the string '1'"));
  CHECK_THAT(refused(R"({"protocol": 1, "name": "x"})"), Containing("'name' does not belong"));
  CHECK_THAT(refused("{}"), Containing("'protocol' is missing"));
  CHECK_THAT(refused("Loading model..."), Containing("'Loading model...' received"));
}

TEST_CASE("protocol: logits are the logarithms of the rows") {
  const auto line = nlohmann::json::parse(request_line(small_request(), RowScale::logits));
  CHECK_FALSE(line.contains("draft_probs"));
  CHECK_FALSE(line.contains("target_probs"));
  CHECK(line["draft_logits"][1][2].get<double>() == std::log(0.75));
  CHECK(line["draft_logits"][1][1].get<double>() == kLogitOfZero);
  CHECK(std::exp(kLogitOfZero) == 0);
  CHECK(line["target_logits"][2][0].get<double>() == 0);
}

TEST_CASE("protocol: numbers read back to the same doubles") {
  VerifyRequest request = small_request();
  const double third = 1.0 / 3, tiny = 4.9e-324;
  request.draft_rows[0][0] = {third, tiny, 1 - third};
  request.seed = 18446744073709551615U;
  const auto line = nlohmann::json::parse(request_line(request));
  CHECK(line["draft_probs"][0][0].get<double>() == third);
  CHECK(line["draft_probs"][0][1].get<double>() == tiny);
  CHECK(line["draft_probs"][0][2].get<double>() == 1 - third);
  CHECK(line["seed"].get<std::uint64_t>() == request.seed);
}

TEST_CASE("protocol: the longest answer is longer than any correct one") {
  VerifyRequest request = small_request(18446744073709551615U, 1000);
  nlohmann::json answer{{"id", request.id}};
  for (int b = 0; b < 1000; ++b) {
    answer["accepted"].push_back(2);
    answer["tokens"].push_back({0, 2, 2147483647});
  }
  CHECK(answer.dump(2).size() < longest_reply(request));
}

/// The lines of docs/audit.md that begin with `mark` in a block of code.
std::vector<std::string> documented(const std::string& mark) {
  std::ifstream page(SPECLAB_SOURCE_DIR "/docs/audit.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("    " + mark)) lines.push_back(line.substr(4 + mark.size()));
  }
  return lines;
}

TEST_CASE("protocol: the lines shown in the manual are those that are sent and read") {
  CHECK(documented("-> ") ==
        std::vector<std::string>{
            opening_line("token", AuditMode::verify), request_line(small_request()),
            request_line(two_drafts()), request_line(small_request(), RowScale::logits),
            request_line(forced_request()), request_line(small_decodes()), end_line()});
  const auto answers = documented("<- ");
  REQUIRE(answers.size() == 6);
  CHECK_NOTHROW(read_opening(answers[0]));
  CHECK_NOTHROW(read_reply(answers[1], small_request()));
  CHECK_NOTHROW(read_reply(answers[2], two_drafts()));
  CHECK_NOTHROW(read_reply(answers[3], small_request()));
  CHECK_NOTHROW(read_reply(answers[4], forced_request()));
  CHECK_NOTHROW(read_reply(answers[5], small_decodes()));
}

}  // namespace
}  // namespace speclab::protocol_test
