#include "answer/documents/advice.h"

#include <fmt/format.h>

#include "answer/documents/answers.h"
#include "document/number.h"

namespace speclab {
namespace {

double half_width(const Estimate& interval) { return (interval.high - interval.low) / 2; }

std::uint64_t trials_of(const Candidate& candidate) {
  double trials = 0;
  for (const Cluster& cluster : candidate.clusters) trials += cluster.trials;
  return static_cast<std::uint64_t>(trials);
}

Json mean_json(const std::optional<Estimate>& estimate) {
  return estimate ? Json(estimate->mean) : Json();
}

constexpr const char* kNoDraft = "do not speculate";

/// "block, gamma 4", "rrs(K=3), gamma 4", "do not speculate".
std::string name_of(const Candidate& candidate) {
  if (!candidate.question) return kNoDraft;
  return fmt::format("{}, gamma {}", candidate.question->verifier.name,
                     gamma_text(candidate.question->lengths.gamma));
}

/// Null of the baseline.
Json name_json(const Candidate& candidate) {
  if (!candidate.question) return nullptr;
  const Question& question = *candidate.question;
  return {{"verifier", question.verifier.name},
          {"gamma", gamma_json(question.lengths.gamma)},
          {"drafts", question.verifier.drafts}};
}

Json choice_json(const Advice& advice, const Choice& choice) {
  Json best = name_json(advice.candidates[choice.best]);
  if (!best.is_null()) best["speedup"] = estimate_json(choice.speedup);
  return best;
}

std::string state_of(const Advice& advice, std::size_t i) {
  if (i == advice.choice.best) return "best";
  return advice.candidates[i].dropped ? "" : "tie";
}

Json candidate_json(const Advice& advice, std::size_t i) {
  const Candidate& candidate = advice.candidates[i];
  Json datum = name_json(candidate);
  if (datum.is_null()) datum = {{"verifier", nullptr}, {"gamma", 0}, {"drafts", 0}};
  datum["speedup"] = estimate_json(candidate.speedup);
  datum["acceptance_length"] = candidate.length ? estimate_json(*candidate.length) : Json();
  datum["trials"] = trials_of(candidate);
  datum["choice"] = state_of(advice, i);
  return datum;
}

Json load_json(const Advice& advice, const LoadChoice& load) {
  const auto& choice = load.choice;
  return {{"batch", load.load.batch},
          {"draft", load.load.draft},
          {"growth", load.load.growth},
          {"waits", load.load.waits},
          {"best", choice ? choice_json(advice, *choice) : Json()},
          {"lead", choice ? estimate_json(choice->lead.difference) : Json()},
          {"missing", load.missing}};
}

Json advice_json(const PairAdvice& of) {
  const Advice& advice = of.advice;
  Json table = Json::array();
  for (std::size_t i = 0; i < advice.candidates.size(); ++i)
    table.push_back(candidate_json(advice, i));
  const auto name = [&](std::size_t i) { return name_json(advice.candidates[i]); };
  const auto load = [&](const LoadChoice& each) { return load_json(advice, each); };
  return {{"pair", of.pair->name()},
          {"horizon", of.horizon},
          {"seed", of.horizon ? Json(advice.seed) : Json()},
          {"costs", of.costs},
          {"best", choice_json(advice, advice.choice)},
          {"runner_up", name(advice.choice.runner_up)},
          {"lead", estimate_json(advice.choice.lead.difference)},
          {"settled", advice.settled},
          {"ties", json_of(advice.ties, name)},
          {"trials", advice.trials},
          {"table", std::move(table)},
          {"loads", json_of(advice.loads, load)},
          {"notes", advice.notes}};
}

std::string load_name(const Load& load) {
  std::vector<std::string> parts;
  if (load.batch != 1) {
    parts.push_back(fmt::format("batch {}{}", load.batch, load.waits ? " that waits" : ""));
  }
  if (load.draft != 1) parts.push_back(fmt::format("draft's time x {}", load.draft));
  if (load.growth != 1) parts.push_back(fmt::format("target's growth x {}", load.growth));
  return parts.empty() ? "batch 1" : fmt::format("{}", fmt::join(parts, ", "));
}

/// The choice, its lead, and what is not distinguished from it.
std::string choice_text(const PairAdvice& of) {
  const Advice& advice = of.advice;
  const Choice& choice = advice.choice;
  std::string text = of.pair->name() + "\n";
  text += of.horizon ? fmt::format("decodes of {} tokens, seed {}", *of.horizon, advice.seed)
                     : std::string("recorded iterations");
  text += fmt::format(", costs {}\n", of.costs);
  text += fmt::format("  best      {}: speedup {} {}\n", name_of(advice.candidates[choice.best]),
                      readable(choice.speedup.mean), interval_text(choice.speedup));
  text += fmt::format("  lead      {} {} over {}\n", readable(choice.lead.difference.mean),
                      interval_text(choice.lead.difference),
                      name_of(advice.candidates[choice.runner_up]));
  if (advice.settled) {
    text += "  settled   every other candidate is slower beyond doubt\n";
  } else {
    std::vector<std::string> names;
    for (const std::size_t i : advice.ties) names.push_back(name_of(advice.candidates[i]));
    text += fmt::format("  tie       not distinguished from it: {}\n", fmt::join(names, "; "));
  }
  for (const std::string& note : advice.notes) text += "  note: " + note + "\n";
  return text;
}

/// Verifier, gamma, drafts.
Cells name_cells(const Candidate& candidate) {
  const Json name = name_json(candidate);
  if (name.is_null()) return {kNoDraft, "", ""};
  Cells cells;
  for (const auto& [key, value] : name.items()) cells.push_back(value);
  return cells;
}

void add_advice(Page& page, const PairAdvice& of) {
  const Advice& advice = of.advice;
  page += choice_text(of);
  TextTable table{
      "lrrrl|rr", {"verifier", "gamma", "speedup", "+- (95%)", "", "tokens a call", "trials"}, 2};
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    const Candidate& candidate = advice.candidates[i];
    Cells row = name_cells(candidate);
    row.pop_back();  // the verifier's name has its drafts
    row.insert(row.end(), {candidate.speedup.mean, half_width(candidate.speedup),
                           state_of(advice, i), mean_json(candidate.length),
                           candidate.question ? Json(trials_of(candidate)) : Json()});
    table.add(row);
  }
  page += std::move(table);
  if (advice.loads.empty()) return;
  TextTable loads{"llrr", {"were it", "the best", "its speedup", "lead over the next"}};
  for (const LoadChoice& load : advice.loads) {
    const auto& choice = load.choice;
    loads.add({load_name(load.load),
               choice ? name_of(advice.candidates[choice->best]) : load.missing,
               choice ? Json(choice->speedup.mean) : Json(),
               choice ? Json(interval_text(choice->lead.difference)) : Json()});
  }
  page += "  how the choice moves with the costs, and in a batch:\n";
  page += std::move(loads);
}

void add_candidates(const PairAdvice& of, const AddRow& add) {
  for (std::size_t i = 0; i < of.advice.candidates.size(); ++i) {
    const Candidate& candidate = of.advice.candidates[i];
    const Estimate& speedup = candidate.speedup;
    Cells row = name_cells(candidate);
    row.insert(row.begin(), of.pair->name());
    row.insert(row.end(), {speedup.mean, speedup.low, speedup.high, mean_json(candidate.length),
                           trials_of(candidate), of.horizon ? Json(of.advice.seed) : Json(),
                           state_of(of.advice, i)});
    add(row);
  }
}

Json paired_json(const PairComparison& of) {
  return {{"pair", of.pair->name()},
          {"first", of.first},
          {"second", of.second},
          {"gamma", gamma_json(of.gamma)},
          {"quantity", of.quantity},
          {"first_value", estimate_json(of.first_value)},
          {"second_value", estimate_json(of.second_value)},
          {"difference", estimate_json(of.paired.difference)},
          {"trials_saved_by_pairing", of.paired.saved},
          {"trials", of.trials},
          {"seed", of.seed}};
}

void add_comparison_row(const PairComparison& of, const AddRow& add) {
  const Estimate& difference = of.paired.difference;
  add({of.pair->name(), of.first, of.second, gamma_text(of.gamma), of.quantity, difference.mean,
       difference.low, difference.high, of.paired.saved, of.trials, of.seed});
}

void add_comparison(Page& page, const PairComparison& of) {
  const auto line = [](const std::string& name, const Estimate& interval) {
    return fmt::format("  {:<24}  {:>12}  {}\n", name, readable(interval.mean),
                       interval_text(interval));
  };
  std::string text = fmt::format(
      "{}\n{}, gamma {}, {} {}\n", of.pair->name(), of.quantity, gamma_text(of.gamma), of.trials,
      of.seed ? fmt::format("trials, seed {}", *of.seed) : std::string("recorded iterations"));
  text += line(of.first, of.first_value) + line(of.second, of.second_value) +
          line("difference", of.paired.difference);
  if (of.paired.saved) {
    text += fmt::format(
        "  unpaired and without controls, {:.3g} times as many trials would be as precise\n",
        *of.paired.saved);
  }
  page += text;
}

}  // namespace

Document advice_document(const std::vector<PairAdvice>& all) {
  return document_of({"pair", "verifier", "gamma", "drafts", "speedup", "low", "high",
                      "acceptance_length", "trials", "seed", "choice"},
                     all, add_candidates, advice_json, add_advice);
}

Document comparisons_document(const std::vector<PairComparison>& all) {
  return document_of({"pair", "first", "second", "gamma", "quantity", "difference", "low", "high",
                      "trials_saved_by_pairing", "trials", "seed"},
                     all, add_comparison_row, paired_json, add_comparison);
}

}  // namespace speclab
