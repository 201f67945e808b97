// Answers to the requests of an audit. Input: a line with the number of a request, then the line
// that is received:
//   1
//   {"id": 7, "accepted": [2, 0], "tokens": [[0, 2, 1], [1]]}
#include <nlohmann/json.hpp>

#include "audit/protocol.h"
#include "fuzz.h"

namespace speclab::fuzz {
namespace {

VerifyRequest verify_request(std::vector<std::vector<Token>> drafts, std::size_t count) {
  VerifyRequest request;
  request.id = 7;
  request.count = count;
  request.vocabulary = 3;
  const std::size_t length = drafts.front().size();
  const std::vector<double> row{0.5, 0.25, 0.25};
  request.draft_rows.assign(drafts.size(), VerifyRequest::Rows(length, row));
  request.target_rows.assign(drafts.size(), VerifyRequest::Rows(length + 1, row));
  request.drafts = std::move(drafts);
  return request;
}

GenerateRequest generate_request() {
  GenerateRequest request;
  request.id = 7;
  request.count = 2;
  request.vocabulary = 2;
  request.gamma = 2;
  request.horizon = 4;
  return request;
}

/// One correction or bonus after the accepted tokens, of which a draft has as many.
void check_decision(const VerifyRequest& request, int accepted, const std::vector<Token>& tokens) {
  demand(accepted >= 0 && tokens.size() == static_cast<std::size_t>(accepted) + 1 &&
             tokens.size() <= request.drafts.front().size() + 1,
         "one token comes after the accepted ones");
}

/// As many tokens as the horizon.
void check_decision(const GenerateRequest& request, const std::vector<int>& accepted,
                    const std::vector<Token>& tokens) {
  demand(static_cast<int>(tokens.size()) == request.horizon, "a decode is as long as the horizon");
  demand(!accepted.empty() && *std::max_element(accepted.begin(), accepted.end()) <= request.gamma,
         "no more is accepted than is drafted");
}

/// A reply that is taken has the request's shape, and reads back to itself.
template <class Request>
void read_answer(std::string_view line, const Request& request) {
  const auto reply = accepted([&] { return read_reply(line, request); });
  if (!reply) return;
  demand(reply->accepted.size() == request.count && reply->tokens.size() == request.count,
         "there are as many decisions as were asked for");
  for (std::size_t b = 0; b < request.count; ++b) {
    check_decision(request, reply->accepted[b], reply->tokens[b]);
    for (const Token token : reply->tokens[b]) {
      demand(token >= 0 && token < request.vocabulary, "a token is of the vocabulary");
    }
  }
  const std::string written = nlohmann::json{
      {"id", request.id},
      {"accepted", reply->accepted},
      {"tokens", reply->tokens}}.dump();
  demand(written.size() <= longest_reply(request), "a right answer is not too long");
  const auto again = read_reply(written, request);
  demand(again.accepted == reply->accepted && again.tokens == reply->tokens,
         "an answer reads back to itself");
}

void check_excerpt(std::string_view line) {
  for (const std::size_t around : {std::size_t{0}, std::size_t{41}, line.size()}) {
    const std::string shown = excerpt(line, around);
    demand(shown.size() <= 88, "an excerpt is short");
    demand(std::all_of(shown.begin(), shown.end(), [](char c) { return c >= 0x20 && c < 0x7f; }),
           "an excerpt is printable");
  }
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const std::string_view input = text_of(data, size);
  if (input.size() < 2 || input[1] != '\n') return 0;
  const std::string_view line = input.substr(2);
  switch (input[0]) {
    case '0':
      accepted([&] { return speclab::read_opening(line), true; });
      break;
    case '1':
      read_answer(line, verify_request({{0, 2}}, 2));
      break;
    case '2':
      read_answer(line, verify_request({{0, 1}, {0, 2}, {1, 1}}, 3));
      break;
    case '3':
      read_answer(line, generate_request());
      break;
    default:
      return 0;
  }
  check_excerpt(line);
  return 0;
}
