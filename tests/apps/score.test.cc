#include <fmt/format.h>
#include <sys/stat.h>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"
#include "scratch.h"

namespace speclab::score_test {
namespace {

using Json = nlohmann::json;

/// Two texts of the toy pair: ratios 2 and 1/2.
constexpr const char* kTexts =
    R"({"id": "a", "kind": "x", "target_logprobs": [-1.0986122886681098, -0.40546510810816444, -1.0986122886681098, -0.40546510810816444], "draft_logprobs": [-0.40546510810816444, -1.0986122886681098, -0.40546510810816444, -1.0986122886681098], "tokens": ["A", "<b>", "A", "\n"]})"
    "\n"
    R"({"id": "b", "kind": "y", "target_logprobs": [-0.40546510810816444, -0.40546510810816444], "draft_logprobs": [-1.0986122886681098, -1.0986122886681098], "tokens": ["B", "B"]})"
    "\n";

/// Makes the standard input of a process a pipe with this text.
auto fed(std::string_view text) {
  return [text] {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], text.data(), text.size()) < 0 || dup2(ends[0], 0) < 0) {
      _exit(126);
    }
    close(ends[0]);
    close(ends[1]);
  };
}

TEST_CASE("score writes what a drafter is worth") {
  const Scratch scratch;
  const std::string file = scratch.write("texts.jsonl", kTexts);
  const Json report = succeeds("score", file, "--gamma 1:2 --format json").json();
  CHECK(report["texts"] == 2);
  CHECK(report["tokens"] == 6);
  REQUIRE(report["results"].size() == 4);
  const Json& token = report["results"][0];
  CHECK(token["verifier"] == "token");
  CHECK(token["gamma"] == 1);
  // By hand, gamma 1: the texts take 2 and 2 - 1/2 calls.
  CHECK(token["target_calls"]["value"].get<double>() == Approx(3.5));
  CHECK(token["acceptance_length"]["value"].get<double>() == Approx(6 / 3.5));
  CHECK(token["position_rates"].size() == 1);
  // Block at gamma 2: of the first text three tokens at once, then the last alone; 2 calls.
  const Json& block = report["results"][3];
  CHECK(block["verifier"] == "block");
  CHECK(block["target_calls"]["value"].get<double>() == Approx(2 + 1.5));
  REQUIRE_FALSE(report["checks"].empty());
  for (const Json& check : report["checks"]) {
    CHECK(check.contains("statistic"));
    CHECK(check.contains("p_value"));
    CHECK(check["verdict"] != "fail");
  }
}

TEST_CASE("score parts texts, advises, shows and takes several files") {
  const Scratch scratch;
  const std::string file = scratch.write("texts.jsonl", kTexts);
  const Finished parted =
      succeeds("score", file, "--by kind --gamma 1 --format json --verifier token");
  CHECK(parted.json()["results"].size() == 2);
  CHECK(parted.json()["results"][1]["group"] == "y");
  const Finished both =
      succeeds("score", file, file, "--gamma 1 --format json --latency draft=0.1,target=1");
  CHECK(both.json()["tokens"] == 12);
  CHECK(both.json()["advice"][0]["table"].size() == 3);
  const std::string page = scratch.file("page.html");
  succeeds("score", file, "--gamma 2 --html", page);
  const std::string html = slurp(page);
  CHECK(html.find("&lt;b&gt;") != std::string::npos);
  CHECK(html.find("<b>") == std::string::npos);
  const Finished csv = speclab_run("score", file, "--gamma 1 --format csv");
  CHECK(csv.out.find("decode.acceptance_length") != std::string::npos);
}

TEST_CASE("a page shades for the longest draft that the texts have") {
  const Scratch scratch;
  const std::string file = scratch.write(
      "rows.jsonl",
      R"({"target_logprobs": [-1, -1, -1], "draft_logprobs": [[-1, -1], [-1, -1], [-1, -1]], )"
      R"("tokens": ["A", "B", "C"]})");
  const std::string page = scratch.file("page.html");
  succeeds("score", file, "--verifier token --html", page);
  const std::string html = slurp(page);
  CHECK_THAT(html, Containing("token, gamma 2, 1 texts"));
  // Two drafts that are accepted, and the bonus token behind them.
  CHECK_THAT(html, Containing("title=\"accepted 0.000, bonus 1.000, correction 0.000\">C<"));
}

TEST_CASE("measured costs may come through a pipe") {
  const Scratch scratch;
  const std::string file = scratch.write("texts.jsonl", kTexts);
  const auto piped = [](const Words& words) {
    return Process(argv(words, "--gamma 1 --latency draft=0.1,target=@/dev/stdin"),
                   fed("n,time\n1,1\n100,2\n"))
        .wait();
  };
  const Finished scored = piped({"score", file});
  INFO(scored.err);
  CHECK(scored.code == 0);
  const Finished advised = piped({"advise", "--pair", kToyPair, "--pair",
                                  "bernoulli(draft=1/3,target=1/3)", "--trials", "4000"});
  INFO(advised.err);
  CHECK(advised.code == 0);
}

TEST_CASE("CSV may come through a pipe, blank lines first") {
  const auto piped = [](std::string_view csv) {
    return Process({"score", "/dev/stdin", "--gamma", "1", "--format", "json"}, fed(csv)).wait();
  };
  const Finished scored = piped("\n \nid,target_logprobs,draft_logprobs\na,-1,-2\na,-0.5,-0.25\n");
  INFO(scored.err);
  REQUIRE(scored.code == 0);
  CHECK(scored.json()["tokens"] == 2);
  const Finished wrong = piped("\n \nid,target_logprobs,draft_logprobs\na,-1,x\n");
  CHECK(wrong.code == 3);
  CHECK_THAT(wrong.err, Containing("/dev/stdin: line 4: draft_logprobs is 'x'"));
}

TEST_CASE("scored texts stand where a recording does") {
  const Scratch scratch;
  const std::string pair = "scored(" + scratch.write("texts.jsonl", kTexts) + ")";
  const Finished rates =
      succeeds("simulate --pair", pair, "--verifier token --gamma 1 --format rates");
  CHECK(rates.json()["results"][0]["acceptance_length"].get<double>() == Approx(6 / 3.5));
  succeeds("simulate --pair", pair, "--compare token,block --gamma 2");
  succeeds("advise --pair", pair, "--gamma 1:2 --latency draft=0.1");
  refuses(argv("simulate --pair", pair, "--verifier rrs(K=2) --gamma 1"), 3,
          "two numbers a token do not decide");
}

TEST_CASE("an experiment takes scored texts as a pair, without trials") {
  const Scratch scratch;
  const std::string texts = scratch.write("texts.jsonl", kTexts);
  const std::string head =
      "title = \"texts\"\n[[task]]\nname = \"score\"\nkind = \"simulate\"\n"
      "pair = \"scored({here}/texts.jsonl)\"\nverifier = [\"token\", \"block\"]\n"
      "gamma = \"1:2\"\n";
  const std::string file = scratch.write("texts.toml", head);
  succeeds("run", file, "--results", scratch.file("results"));
  const std::string rows = slurp(scratch.file("results/texts.csv"));
  const Finished asked = speclab_run("simulate --pair", "scored(" + texts + ")",
                                     "--verifier block --gamma 2 --format json");
  const double tokens =
      asked.json()["results"][0]["iterations"]["expected_tokens"][0]["mean"].get<double>();
  CHECK(rows.find(fmt::format("iterations.expected_tokens,1,{}", tokens)) != std::string::npos);
  const std::string drawn = scratch.write("drawn.toml", head + "trials = 100\n");
  refuses(argv("run", drawn, "--results", scratch.file("other")), 3,
          "drawn.toml:8: trials says how much to draw");
}

TEST_CASE("a pipe is scored once, and refused where texts are read again") {
  const Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  refuses(argv("simulate --pair", "scored(" + pipe + ")", "--verifier token --gamma 1"), 3,
          "is a pipe or a device, which can be read once");
  const std::string marked = scratch.write("mark.jsonl", std::string("\xef\xbb\xbf") + kTexts);
  succeeds("score", marked, "--gamma 1");
  refuses({"score", scratch.write("row.jsonl",
                                  R"({"target_logprobs": [-1, -1], "draft_logprobs": [[], []]})")},
          3, "draft_logprobs[0] is empty");
  refuses(
      {"score", scratch.write("list.jsonl",
                              R"({"target_logprobs": [[-1], -1], "draft_logprobs": [-1, -1]})")},
      3, "target_logprobs[0] is a list or an object");
}

TEST_CASE("texts that are not the target's give 1, bad ones 3, and nothing is written") {
  const Scratch scratch;
  std::string many;
  for (int k = 0; k < 200; ++k) {
    many += R"({"target_logprobs": [-2, -2, -2, -2], "draft_logprobs": [-1, -1, -1, -1]})"
            "\n";
  }
  const std::string shifted = scratch.write("many.jsonl", many);
  const Finished fails = speclab_run("score", shifted, "--gamma 1 --format json");
  CHECK(fails.code == 1);
  CHECK(fails.json()["checks"][0]["verdict"] == "fail");
  CHECK(fails.err.find("check mean-ratio") != std::string::npos);
  succeeds("score", shifted, "--gamma 1 --text human");
  const std::string output = scratch.file("out.json");
  const std::string bad = scratch.write("bad.jsonl", std::string(kTexts) + "{}\n");
  refuses(argv("score", bad, "--output", output), 3, "bad.jsonl: line 3: it lacks the key");
  CHECK_FALSE(std::filesystem::exists(output));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"score"},
                                                {"score", bad, "--gamma", "17"},
                                                {"score", "--target", bad},
                                                {"score", bad, "--text", "x"}}) {
    CHECK(speclab_run(wrong).code == 2);
  }
  CHECK(speclab_run("score", bad, "--verifier rrs(K=2)").code == 3);
}

}  // namespace
}  // namespace speclab::score_test
