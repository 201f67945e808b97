#include <fmt/format.h>

#include "answer/documents/score.h"
#include "answer/documents/score_page.h"
#include "command.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "report/output.h"

namespace speclab {
namespace {

std::vector<Verifier> asked_verifiers(const Arguments& arguments) {
  std::vector<std::string> texts = read_each(arguments, "verifier");
  if (texts.empty()) texts = {"token", "block"};
  return scored_verifiers(texts);
}

/// The draft lengths that the texts answer for.
void cut_gammas(const Arguments& arguments, int longest, std::vector<int>& gammas) {
  if (gammas.back() <= longest) return;
  if (arguments.has("gamma")) {
    throw InputError(fmt::format("draft_logprobs are of {} tokens a start; ask for --gamma 1:{}",
                                 longest, longest));
  }
  gammas.resize(static_cast<std::size_t>(longest));
}

std::vector<PairAdvice> advice_of(const Arguments& arguments, const ScoreReport& report,
                                  const ScoredQuestion& asked,
                                  const std::optional<CostModel>& costs) {
  std::vector<PairAdvice> all;
  if (!costs) return all;
  for (const TextGroup& group : report.result.groups) {
    if (group.clusters.size() < kLeastClusters) {
      throw InputError(fmt::format("--latency advises from two texts or more{}; score more",
                                   report.by.empty() ? "" : ", and " + group.name + " has one"));
    }
    AdviceRequest request;
    request.costs = *costs;
    std::vector<std::vector<Cluster>> clusters;
    for (std::size_t v = 0; v < asked.verifiers.size(); ++v) {
      for (const int gamma : asked.gammas) {
        request.questions.push_back({.pair = report.pair,
                                     .verifier = asked.verifiers[v],
                                     .lengths = {.gamma = gamma},
                                     .arithmetic = Arithmetic::floating});
        clusters.push_back(clusters_of(group, v, gamma));
      }
    }
    PairPointer pair = report.pair;
    if (!report.by.empty()) pair = scored_pair(report.by + "=" + group.name);
    all.push_back({pair, std::nullopt, *arguments.text("latency"),
                   advise_counted(request, std::move(clusters))});
  }
  return all;
}

/// The texts: files of their own, or the two models' responses.
NextSource sources_of(const Arguments& arguments, const TextFields& fields) {
  const auto target = arguments.text("target");
  const auto draft = arguments.text("draft");
  const std::vector<std::string>& files = arguments.words();
  if (target.has_value() != draft.has_value()) {
    throw UsageError("--target and --draft go together: a file of responses of each model");
  }
  if (target && !files.empty()) {
    throw UsageError("score takes files of texts, or --target and --draft; leave out one of them");
  }
  if (!target && files.empty()) {
    throw UsageError("score takes a file of texts, such as texts.jsonl, or --target and --draft");
  }
  auto at = std::make_shared<std::size_t>(0);
  return [=]() -> std::unique_ptr<TextSource> {
    const std::size_t number = (*at)++;
    if (target) return number == 0 ? open_responses(*target, *draft, fields) : nullptr;
    return number < files.size() ? open_texts(files[number], fields) : nullptr;
  };
}

PairPointer sources_pair(const Arguments& arguments) {
  if (!arguments.has("target")) return scored_pair(arguments.words());
  return scored_pair(
      fmt::format("target={},draft={}", *arguments.text("target"), *arguments.text("draft")));
}

/// The verifier and the draft length that --html shows: block where it is scored, and the longest.
Shading shading_of(const ScoredQuestion& asked, std::size_t& number) {
  number = 0;
  for (std::size_t v = 0; v < asked.verifiers.size(); ++v) {
    if (asked.verifiers[v].info->name == "block") number = v;
  }
  return {*text_verifier(asked.verifiers[number]), asked.gammas.back()};
}

/// The exit code, and a line for each check that fails.
ExitCode print_checks(const ScoreReport& report) {
  std::vector<TextCheck> checks = report.result.checks;
  if (report.observed) checks.push_back(report.observed->check);
  ExitCode code = ExitCode::done;
  for (const TextCheck& check : checks) {
    if (check.verdict == TextVerdict::fail) code = ExitCode::verdict_differs;
    if (check.verdict == TextVerdict::fail || check.verdict == TextVerdict::suspect) {
      print_note(fmt::format("check {}: {}", check.name, check.detail));
    }
  }
  return code;
}

ExitCode run_score(const Arguments& arguments) {
  ScoredQuestion asked{asked_verifiers(arguments),
                       read_ascending_gammas(arguments, kMostScored, {kMostScored, false})};
  const auto costs = read_latency(arguments);
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  const auto page_file = arguments.text("html");
  const Output page(page_file ? page_file : std::string("/dev/null"));
  ScoreReport report;
  report.by = arguments.text("by").value_or("");
  report.drawn = read_choice(arguments, "text", {"target", "human"}, 0) == 0;
  ScoreRequest request;
  for (const Verifier& verifier : asked.verifiers) {
    request.verifiers.push_back(*text_verifier(verifier));
  }
  request.fields = {report.by, page_file.has_value()};
  const NextSource sources = sources_of(arguments, request.fields);
  report.pair = sources_pair(arguments);
  request.drawn = report.drawn;
  request.threads = read_threads(arguments);
  std::size_t shown = 0;
  if (page_file) request.shading = shading_of(asked, shown);
  std::optional<ObservedRequests> observed;
  if (const auto file = arguments.text("observed")) observed = read_observed(*file);
  {
    ProgressBar bar(0, "tokens");
    report.result = score_texts(sources, request, [&](std::int64_t tokens) {
      bar.show(0, fmt::format("{} tokens", tokens));
    });
  }
  cut_gammas(arguments, report.result.longest, asked.gammas);
  report.scores = scores_of(report.result, asked);
  report.gains = gains_of(report.result, asked);
  report.advice = advice_of(arguments, report, asked, costs);
  if (observed) {
    if (observed->gamma > report.result.longest) {
      throw InputError(
          fmt::format("the engine drafted {} tokens a step, and draft_logprobs are of "
                      "{} a start",
                      observed->gamma, report.result.longest));
    }
    report.observed = compare_observed(report.result, *observed, asked.verifiers.front(), 0);
  }
  output.write(render(score_document(report), format));
  if (page_file) {
    page.write(shaded_page(report, asked.verifiers[shown].name, asked.gammas.back()));
  }
  return print_checks(report);
}

}  // namespace

Command score_command() {
  return {
      "score",
      "what a drafter is worth: tokens a target call, from the log-probabilities of a target's "
      "texts under both models",
      "FILE... | --target FILE --draft FILE [--verifier SPEC] [--gamma G] [options]",
      "FILE",
      {{"target", "FILE",
        "in place of texts: responses of a server of the target, a line each, as vLLM, SGLang "
        "and llama.cpp write them"},
       {"draft", "FILE", "those of a server of the draft about the same texts"},
       {"verifier", "SPEC",
        "token, block, sample-match or target-only(K=2) (default token and block)", true},
       {"gamma", "G", "draft lengths from 1 to 16 (default 1:16)", true},
       {"by", "FIELD", "a row for each value of this member of the lines"},
       {"text", "target|human",
        "who wrote the texts (default target); of human texts the numbers speak of them alone"},
       {"latency", "TIMES",
        "also the advice at these costs: draft=A,target=B and more, as advise takes them"},
       {"observed", "FILE",
        "per-request acceptance histograms of vLLM or AIPerf: measured against predicted for the "
        "first verifier, by position"},
       {"html", "FILE",
        "also the texts as a page, each token shaded by the chance that it was accepted, and the "
        "tokens that cost most calls",
        /*repeated=*/false, /*written=*/true},
       kThreadsOption,
       kFormatOption,
       output_option()},
      {"printf '{\"target_logprobs\": [-1, -0.5, -2], \"draft_logprobs\": [-2, -0.25, -2]}\\n' "
       "| speclab score /dev/stdin --gamma 1:4",
       "printf '{\"target_logprobs\": [-1, -0.5, -2], \"draft_logprobs\": [-2, -0.25, -2]}\\n' "
       "| speclab score /dev/stdin --verifier 'target-only(K=2)' --format json"},
      &run_score,
      /*many_words=*/true};
}

}  // namespace speclab
