#include "report/advice.h"

#include <fmt/format.h>

#include "base/json.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/number.h"
#include "report/page.h"
#include "report/text_table.h"

namespace speclab {
namespace {

Json interval_json(const Estimate& interval) {
  return {{"mean", interval.mean},
          {"stderr", interval.standard_error},
          {"ci95", Json::array({interval.low, interval.high})}};
}

std::string interval_words(const Estimate& interval) {
  return fmt::format("[{}, {}]", readable(interval.low), readable(interval.high));
}

std::uint64_t trials_of(const Candidate& candidate) {
  double trials = 0;
  for (const Cluster& cluster : candidate.clusters) trials += cluster.trials;
  return static_cast<std::uint64_t>(trials);
}

constexpr const char* kNoDraft = "do not speculate";

/// The cells that name a candidate: verifier, gamma, drafts.
std::vector<std::string> place_of(const Candidate& candidate) {
  if (!candidate.question) return {kNoDraft, "", ""};
  const Question& question = *candidate.question;
  return {question.verifier.name, gamma_text(question.lengths.gamma),
          std::to_string(question.verifier.drafts)};
}

/// "block, gamma 4", "rrs(K=3), gamma 4", "do not speculate".
std::string name_of(const Candidate& candidate) {
  if (!candidate.question) return kNoDraft;
  return fmt::format("{}, gamma {}", candidate.question->verifier.name,
                     gamma_text(candidate.question->lengths.gamma));
}

Json name_json(const Candidate& candidate) {
  if (!candidate.question) return nullptr;
  const Question& question = *candidate.question;
  return {
      {"verifier", question.verifier.name},
      {"gamma", question.lengths.gamma == kUnbounded ? Json("inf") : Json(question.lengths.gamma)},
      {"drafts", question.verifier.drafts}};
}

Json choice_json(const Advice& advice, const Choice& choice) {
  Json best = name_json(advice.candidates[choice.best]);
  if (!best.is_null()) best["speedup"] = interval_json(choice.speedup);
  return best;
}

std::string state_of(const Advice& advice, std::size_t i) {
  if (i == advice.choice.best) return "best";
  return advice.candidates[i].dropped ? "" : "tie";
}

Json advice_json(const PairAdvice& of) {
  const Advice& advice = of.advice;
  Json table = Json::array(), loads = Json::array(), ties = Json::array();
  for (const std::size_t i : advice.ties) ties.push_back(name_json(advice.candidates[i]));
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    const Candidate& candidate = advice.candidates[i];
    Json row = name_json(candidate);
    if (row.is_null()) row = {{"verifier", nullptr}, {"gamma", 0}, {"drafts", 0}};
    row["speedup"] = interval_json(candidate.speedup);
    row["acceptance_length"] = candidate.length ? interval_json(*candidate.length) : Json(nullptr);
    row["trials"] = trials_of(candidate);
    row["choice"] = state_of(advice, i);
    table.push_back(std::move(row));
  }
  for (const LoadChoice& load : advice.loads) {
    Json row{{"batch", load.load.batch}, {"draft", load.load.draft}, {"growth", load.load.growth}};
    row["best"] = load.choice ? choice_json(advice, *load.choice) : Json(nullptr);
    row["lead"] = load.choice ? interval_json(load.choice->lead.difference) : Json(nullptr);
    row["missing"] = load.missing;
    loads.push_back(std::move(row));
  }
  return {{"pair", of.pair->name()},
          {"horizon", of.horizon ? Json(*of.horizon) : Json(nullptr)},
          {"seed", of.horizon ? Json(advice.seed) : Json(nullptr)},
          {"costs", of.costs},
          {"best", choice_json(advice, advice.choice)},
          {"runner_up", name_json(advice.candidates[advice.choice.runner_up])},
          {"lead", interval_json(advice.choice.lead.difference)},
          {"settled", advice.settled},
          {"ties", ties},
          {"trials", advice.trials},
          {"table", table},
          {"loads", loads},
          {"notes", advice.notes}};
}

std::string load_name(const Load& load) {
  std::vector<std::string> parts;
  if (load.batch != 1) parts.push_back(fmt::format("batch {}", load.batch));
  if (load.draft != 1) parts.push_back(fmt::format("draft's time x {}", load.draft));
  if (load.growth != 1) parts.push_back(fmt::format("target's growth x {}", load.growth));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string block_text(const PairAdvice& of) {
  const Advice& advice = of.advice;
  const Choice& choice = advice.choice;
  std::string text = of.pair->name() + "\n";
  text += of.horizon ? fmt::format("decodes of {} tokens, seed {}", *of.horizon, advice.seed)
                     : std::string("recorded iterations");
  text += fmt::format(", costs {}\n", of.costs);
  text += fmt::format("  best      {}: speedup {} {}\n", name_of(advice.candidates[choice.best]),
                      readable(choice.speedup.mean), interval_words(choice.speedup));
  text += fmt::format("  lead      {} {} over {}\n", readable(choice.lead.difference.mean),
                      interval_words(choice.lead.difference),
                      name_of(advice.candidates[choice.runner_up]));
  if (advice.settled) {
    text += "  settled   every other candidate is slower beyond doubt\n";
  } else {
    std::vector<std::string> names;
    for (const std::size_t i : advice.ties) names.push_back(name_of(advice.candidates[i]));
    text += fmt::format("  tie       not told apart from it: {}\n", fmt::join(names, "; "));
  }
  for (const std::string& note : advice.notes) text += "  note: " + note + "\n";
  TextTable table("lrrrrl|rr", 3);
  table.head(
      {"verifier", "gamma", "drafts", "speedup", "95% interval", "", "tokens a call", "trials"});
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    const Candidate& candidate = advice.candidates[i];
    std::vector<std::string> row = place_of(candidate);
    row.insert(row.end(),
               {readable(candidate.speedup.mean), interval_words(candidate.speedup),
                state_of(advice, i), candidate.length ? readable(candidate.length->mean) : "",
                candidate.question ? std::to_string(trials_of(candidate)) : ""});
    table.add(std::move(row));
  }
  text += table.text("  ");
  if (advice.loads.empty()) return text;
  TextTable loads("llrr");
  loads.head({"were it", "the best", "its speedup", "lead over the next"});
  for (const LoadChoice& load : advice.loads) {
    if (!load.choice) {
      loads.add({load_name(load.load), load.missing, "", ""});
      continue;
    }
    loads.add({load_name(load.load), name_of(advice.candidates[load.choice->best]),
               readable(load.choice->speedup.mean), interval_words(load.choice->lead.difference)});
  }
  return text + "  how the choice moves with the costs, and in a batch:\n" + loads.text("  ");
}

Listing advice_listing(const std::vector<PairAdvice>& all) {
  Listing listing{"advice",
                  {"pair", "verifier", "gamma", "drafts", "speedup", "low", "high",
                   "acceptance_length", "trials", "seed", "choice"},
                  {}};
  for (const PairAdvice& of : all) {
    for (std::size_t i = 0; i < of.advice.candidates.size(); ++i) {
      const Candidate& candidate = of.advice.candidates[i];
      std::vector<std::string> row{of.pair->name()};
      for (std::string& cell : place_of(candidate)) row.push_back(std::move(cell));
      row.insert(row.end(),
                 {shortest(candidate.speedup.mean), shortest(candidate.speedup.low),
                  shortest(candidate.speedup.high),
                  candidate.length ? shortest(candidate.length->mean) : "",
                  std::to_string(trials_of(candidate)),
                  of.horizon ? std::to_string(of.advice.seed) : "", state_of(of.advice, i)});
      listing.rows.push_back(std::move(row));
    }
  }
  return listing;
}

Json wrapped(Json results) { return {{"schema", kSchema}, {"results", std::move(results)}}; }

Json comparison_json(const PairComparison& of) {
  return {{"pair", of.pair->name()},
          {"first", of.first},
          {"second", of.second},
          {"gamma", of.gamma == "inf" ? Json(of.gamma) : Json(std::stoi(of.gamma))},
          {"quantity", of.quantity},
          {"first_value", interval_json(of.first_value)},
          {"second_value", interval_json(of.second_value)},
          {"difference", interval_json(of.paired.difference)},
          {"trials_saved_by_pairing", of.paired.saved ? Json(*of.paired.saved) : Json(nullptr)},
          {"trials", of.trials},
          {"seed", of.seed ? Json(*of.seed) : Json(nullptr)}};
}

std::string comparison_block(const PairComparison& of) {
  const auto line = [](const std::string& name, const Estimate& interval) {
    return fmt::format("  {:<24}  {:>12}  {}\n", name, readable(interval.mean),
                       interval_words(interval));
  };
  std::string text = fmt::format(
      "{}\n{}, gamma {}, {} {}\n", of.pair->name(), of.quantity, of.gamma, of.trials,
      of.seed ? fmt::format("trials, seed {}", *of.seed) : std::string("recorded iterations"));
  text += line(of.first, of.first_value) + line(of.second, of.second_value) +
          line("difference", of.paired.difference);
  if (of.paired.saved) {
    text += fmt::format("  unpaired, {:.3g} times as many trials would tell as much\n",
                        *of.paired.saved);
  }
  return text;
}

}  // namespace

std::string advice_text(const std::vector<PairAdvice>& all, Format format) {
  if (format == Format::json) {
    Json results = Json::array();
    for (const PairAdvice& of : all) results.push_back(advice_json(of));
    return json_text(wrapped(std::move(results)));
  }
  if (format != Format::table) return render(advice_listing(all), format);
  std::string text;
  for (const PairAdvice& of : all) text += (text.empty() ? "" : "\n") + block_text(of);
  return folded(text);
}

std::string comparisons_text(const std::vector<PairComparison>& all, Format format) {
  if (format == Format::json) {
    Json results = Json::array();
    for (const PairComparison& of : all) results.push_back(comparison_json(of));
    return json_text(wrapped(std::move(results)));
  }
  if (format == Format::table) {
    std::string text;
    for (const PairComparison& of : all) text += (text.empty() ? "" : "\n") + comparison_block(of);
    return folded(text);
  }
  Listing listing{"comparisons",
                  {"pair", "first", "second", "gamma", "quantity", "difference", "low", "high",
                   "trials_saved_by_pairing", "trials", "seed"},
                  {}};
  for (const PairComparison& of : all) {
    const Estimate& difference = of.paired.difference;
    listing.rows.push_back({of.pair->name(), of.first, of.second, of.gamma, of.quantity,
                            shortest(difference.mean), shortest(difference.low),
                            shortest(difference.high),
                            of.paired.saved ? shortest(*of.paired.saved) : "",
                            std::to_string(of.trials), of.seed ? std::to_string(*of.seed) : ""});
  }
  return render(listing, format);
}

}  // namespace speclab
