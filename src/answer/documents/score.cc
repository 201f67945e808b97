#include "answer/documents/score.h"

#include <fmt/format.h>

#include "answer/documents/answers.h"
#include "document/number.h"

namespace speclab {
namespace {

/// An estimate of its expectation over texts, and the number that it is of these texts.
Json score_json(const Value& value) {
  Json datum{{"value", value.number}, {"mean", value.number}};
  const auto& estimate = value.estimate;
  datum["stderr"] = estimate ? Json(estimate->standard_error) : Json();
  datum["ci95"] = estimate ? Json::array({estimate->low, estimate->high}) : Json();
  return datum;
}

Json score_json(const std::optional<Value>& value) { return value ? score_json(*value) : Json(); }

Json score_row_json(const ScoreReport& report, const Score& score) {
  Json datum = Json::object();
  if (!report.by.empty()) datum["group"] = score.group;
  datum["verifier"] = score.verifier;
  datum["gamma"] = score.gamma;
  datum["acceptance_length"] = score_json(score.acceptance_length);
  datum["target_calls"] = score_json(score.target_calls);
  datum["position_rates"] =
      json_of(score.position_rates, [](const Value& rate) { return score_json(rate); });
  datum["long_run"] = score_json(score.long_run);
  datum["share_of_optimum"] = score_json(score.share_of_optimum);
  return datum;
}

Json gain_json(const ScoreReport& report, const ScoreGain& gain) {
  Json datum = Json::object();
  if (!report.by.empty()) datum["group"] = gain.group;
  datum["verifier"] = gain.verifier;
  datum["over"] = "token";
  datum["gamma"] = gain.gamma;
  datum["difference"] = score_json(gain.difference);
  datum["ratio"] = score_json(gain.ratio);
  return datum;
}

Json text_check_json(const TextCheck& check) {
  return {{"name", check.name},
          {"statistic", check.statistic},
          {"p_value", check.p_value},
          {"verdict", text_verdict_name(check.verdict)},
          {"detail", check.detail}};
}

Json text_group_json(const TextGroup& group) {
  return {{"group", group.name}, {"texts", group.texts}, {"tokens", group.tokens}};
}

Json observed_json(const ObservedComparison& of) {
  return {{"verifier", of.verifier},
          {"gamma", of.gamma},
          {"acceptance_length",
           {{"observed", score_json(of.observed_length)},
            {"predicted", score_json(of.predicted_length)}}},
          {"position_rates", json_of(of.rates,
                                     [](const ObservedRate& rate) -> Json {
                                       return {{"position", rate.position},
                                               {"observed", score_json(rate.observed)},
                                               {"predicted", score_json(rate.predicted)},
                                               {"p_value", rate.p_value},
                                               {"detected", rate.detected}};
                                     })},
          {"check", text_check_json(of.check)}};
}

Json score_report_json(const ScoreReport& report) {
  const ScoreResult& result = report.result;
  Json datum{{"schema", kSchema},
             {"texts", result.texts},
             {"tokens", result.tokens},
             {"text", report.drawn ? "target" : "human"}};
  if (!report.by.empty()) {
    datum["by"] = report.by;
    datum["groups"] = json_of(result.groups, text_group_json);
  }
  datum["results"] =
      json_of(report.scores, [&](const Score& score) { return score_row_json(report, score); });
  datum["gains"] =
      json_of(report.gains, [&](const ScoreGain& gain) { return gain_json(report, gain); });
  datum["checks"] = json_of(result.checks, text_check_json);
  datum["never_drafted"] = result.never_drafted;
  if (report.observed) datum["observed"] = observed_json(*report.observed);
  if (!report.advice.empty()) datum["advice"] = advice_document(report.advice).data()["results"];
  return datum;
}

std::string with_interval(const Value& value) {
  return readable(value.number) + (value.estimate ? " " + interval_text(*value.estimate) : "");
}

std::string rates_text(const std::vector<Value>& rates) {
  std::string text;
  for (const Value& rate : rates)
    text += fmt::format("{}{:.3f}", text.empty() ? "" : " ", rate.number);
  return text;
}

void add_score_group(Page& page, const ScoreReport& report, const TextGroup& group) {
  page += fmt::format("{}{} texts, {} tokens\n",
                      report.by.empty() ? "" : fmt::format("{} {}: ", report.by, group.name),
                      group.texts, group.tokens);
  TextTable table{
      "lrl|llr",
      {"verifier", "gamma", "tokens a call", "long run", "of the optimum", "target calls"},
      2};
  for (const Score& score : report.scores) {
    if (score.group != group.name) continue;
    table.add({score.verifier, score.gamma, with_interval(score.acceptance_length),
               score.long_run ? Json(score.long_run->number) : Json(),
               score.share_of_optimum ? Json(score.share_of_optimum->number) : Json(),
               score.target_calls.number});
  }
  page += std::move(table);
  TextTable rates{"lrl", {"verifier", "gamma", "rate of position 1, 2, .."}, 2};
  for (const Score& score : report.scores) {
    if (score.group != group.name) continue;
    rates.add({score.verifier, score.gamma, rates_text(score.position_rates)});
  }
  page += std::move(rates);
  TextTable gains{"lrll", {"over token", "gamma", "tokens a call more", "times"}, 2};
  for (const ScoreGain& gain : report.gains) {
    if (gain.group != group.name) continue;
    gains.add(
        {gain.verifier, gain.gamma, with_interval(gain.difference), with_interval(gain.ratio)});
  }
  if (!gains.rows.empty()) page += std::move(gains);
}

void add_text_check(Page& page, const TextCheck& check) {
  page +=
      fmt::format("check {}: {}{}; {}\n", check.name, text_verdict_name(check.verdict),
                  check.p_value ? fmt::format(" (p {:.2g})", *check.p_value) : "", check.detail);
}

void add_observed(Page& page, const ObservedComparison& of) {
  page += fmt::format("observed against predicted, {}, gamma {}\n", of.verifier, of.gamma);
  TextTable table{"lllrr", {"", "observed", "predicted", "p", "found from"}, 1};
  table.add({"tokens a call", with_interval(of.observed_length), with_interval(of.predicted_length),
             Json(), Json()});
  for (const ObservedRate& rate : of.rates) {
    table.add({fmt::format("rate of position {}", rate.position), with_interval(rate.observed),
               with_interval(rate.predicted), Json(rate.p_value), Json(rate.detected)});
  }
  page += std::move(table);
  add_text_check(page, of.check);
}

Page score_report_page(const ScoreReport& report) {
  Page page;
  for (const TextGroup& group : report.result.groups) {
    if (!page.empty()) page += "\n";
    add_score_group(page, report, group);
  }
  page += "\n";
  for (const TextCheck& check : report.result.checks) add_text_check(page, check);
  if (report.observed) add_observed(page, *report.observed);
  if (!report.drawn) {
    page +=
        "people wrote the texts: the numbers speak of these texts alone, and estimate nothing "
        "of texts that the target draws\n";
  }
  if (!report.advice.empty()) {
    page += "\n";
    page += advice_document(report.advice).text();
  }
  return page;
}

void add_score_rows(const ScoreReport& report, const Score& score, const AddRow& add) {
  const RowPlace place{.pair = report.pair->name(),
                       .verifier = score.verifier,
                       .gamma = gamma_text(score.gamma),
                       .horizon = {},
                       .iterations = {},
                       .arithmetic = {},
                       .trials = {},
                       .seed = {}};
  const auto put = [&](QuantityId id, const std::string& index, const Value& value) {
    add(result_cells(place, value_row("score", id, index, value),
                     report.by.empty() ? Cells{} : Cells{score.group}));
  };
  if (score.share_of_optimum) put(QuantityId::share_of_optimum, "", *score.share_of_optimum);
  put(QuantityId::target_calls, "", score.target_calls);
  put(QuantityId::acceptance_length, "", score.acceptance_length);
  for (std::size_t i = 0; i < score.position_rates.size(); ++i) {
    put(QuantityId::position_rates, std::to_string(i + 1), score.position_rates[i]);
  }
  if (score.long_run) put(QuantityId::long_run_length, "", *score.long_run);
}

}  // namespace

Document score_document(const ScoreReport& report) {
  return {.columns = result_column_names(report.by.empty() ? std::vector<std::string>{}
                                                           : std::vector<std::string>{"group"}),
          .rows =
              [&report](const AddRow& add) {
                for (const Score& score : report.scores) add_score_rows(report, score, add);
              },
          .data = [&report] { return score_report_json(report); },
          .text = [&report] { return score_report_page(report); }};
}

}  // namespace speclab
