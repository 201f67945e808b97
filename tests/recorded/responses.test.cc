#include "catch.h"
#include "recorded/scored/observed.h"
#include "recorded/scored/source.h"
#include "scratch.h"

namespace speclab::responses_test {
namespace {

TEST_CASE("histograms of engines are read in both forms") {
  const Scratch scratch;
  const std::string path = scratch.write(
      "observed.jsonl",
      R"({"choices": [], "metrics": {"speculative_decoding": {"acceptance_histogram": [39, 1, 0, 3], "num_spec_tokens": 3}}})"
      "\n"
      R"({"acceptance_histogram": {"0": 2, "2": 4}})"
      "\n");
  const ObservedRequests observed = read_observed(path);
  CHECK(observed.gamma == 3);
  CHECK(observed.steps == std::vector<double>{43, 6});
  CHECK(observed.reached == std::vector<std::vector<double>>{{4, 4}, {3, 4}, {3, 0}});
  const std::string wrong = scratch.write("wrong.jsonl", "{\"choices\": []}\n");
  CHECK_THROWS_WITH(read_observed(wrong), Containing("line 1: it has no acceptance_histogram"));
}

TEST_CASE("histograms that answer nothing are refused") {
  const Scratch scratch;
  const auto refused = [&](const std::string& lines, const std::string& text) {
    const std::string path = scratch.write("observed.jsonl", lines);
    CHECK_THROWS_WITH(read_observed(path), Containing(text));
  };
  refused("{\"acceptance_histogram\": [0, 0, 0]}\n{\"acceptance_histogram\": {\"1\": 0}}\n",
          "observed.jsonl counts no step");
  // A list is as long as the draft, whatever its steps accepted.
  refused(R"({"acceptance_histogram": [5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]})",
          "line 1: acceptance_histogram is of drafts of 18 tokens; texts are scored for drafts of "
          "16 at most");
}

/// The forms in which servers answer, about one text of four tokens behind a prompt of two.
TEST_CASE("responses of servers are joined by their tokens") {
  const Scratch scratch;
  const std::string completion = scratch.write(
      "completion.jsonl",
      R"({"choices": [{"logprobs": {"tokens": [" a", " b", " a", " c"], "token_logprobs": [-1, -0.5, -1, -2]}}]})");
  const std::string prompt = scratch.write(
      "prompt.jsonl",
      R"({"choices": [{"logprobs": null, "prompt_token_ids": [9, 8, 1, 2, 1, 3], "prompt_logprobs": [null, {"8": {"logprob": -1, "decoded_token": "x"}}, )"
      R"({"1": {"logprob": -2, "decoded_token": " a"}}, {"7": {"logprob": -9, "decoded_token": " z"}, "2": {"logprob": -0.25, "decoded_token": " b"}}, )"
      R"({"1": {"logprob": -1, "decoded_token": " a"}}, {"3": {"logprob": -3, "decoded_token": " c"}}]}]})");
  const std::string sglang = scratch.write(
      "sglang.jsonl",
      R"({"meta_info": {"input_token_logprobs": [[null, 9, null], [-1, 8, "x"], [-2, 1, " a"], [-0.25, 2, " b"], [-1, 1, " a"], [-3, 3, " c"]]}})");
  const std::string llama = scratch.write(
      "llama.jsonl",
      R"({"completion_probabilities": [{"id": 1, "token": " a", "logprob": -2}, {"id": 2, "token": " b", "logprob": -0.25}, {"id": 1, "token": " a", "logprob": -1}, {"id": 3, "token": " c", "logprob": -3}]})");
  const std::string other = scratch.write(
      "other.jsonl",
      R"({"choices": [{"logprobs": {"content": [{"token": " a", "logprob": -2}, {"token": " b", "logprob": -2}, {"token": " b", "logprob": -2}, {"token": " c", "logprob": -2}]}}]})");
  for (const std::string& draft : {prompt, llama}) {
    const auto source = open_responses(completion, draft, {"", true});
    ScoredText text;
    REQUIRE(source->next(text));
    CHECK(text.target == std::vector<double>{-1, -0.5, -1, -2});
    CHECK(text.draft == std::vector<double>{-2, -0.25, -1, -3});
    CHECK(text.tokens == std::vector<std::string>{" a", " b", " a", " c"});
    CHECK_FALSE(source->next(text));
  }
  // vLLM with return_tokens_as_token_ids, and with return_token_ids.
  for (const char* tokens :
       {R"("tokens": ["token_id:1", "token_id:2", "token_id:1", "token_id:3"])",
        R"("tokens": [" a", " B", " a", " c"])"}) {
    const std::string ids = scratch.write(
        "ids.jsonl", std::string(R"({"choices": [{"token_ids": [1, 2, 1, 3], "logprobs": {)") +
                         tokens + R"(, "token_logprobs": [-1, -0.5, -1, -2]}}]})");
    ScoredText named;
    REQUIRE(open_responses(ids, prompt, {})->next(named));
    CHECK(named.draft == std::vector<double>{-2, -0.25, -1, -3});
  }
  const std::string marked = scratch.write(
      "marked.jsonl",
      R"({"choices": [{"logprobs": {"tokens": ["token_id:1", "token_id:4"], "token_logprobs": [-1, -2]}}]})");
  ScoredText text;
  CHECK_THROWS_WITH(open_responses(marked, prompt, {})->next(text), Containing("token 1 is '4'"));
  REQUIRE(open_responses(llama, sglang, {})->next(text));
  CHECK(text.draft == std::vector<double>{-2, -0.25, -1, -3});
  CHECK_THROWS_WITH(open_responses(completion, other, {})->next(text),
                    Containing("completion.jsonl: line 1: token 2 is ' a', and token 2 of") &&
                        Containing("other.jsonl: line 1 is ' b'"));
}

}  // namespace
}  // namespace speclab::responses_test
