#include "answer/documents/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "answer/documents/answers.h"

namespace speclab {
namespace {

std::string_view split_name(BatchSplit split) {
  return batch_splits()[static_cast<std::size_t>(split)].name;
}

bool of_one_table(const BatchResult& a, const BatchResult& b) {
  return a.pair == b.pair && a.verifier == b.verifier && a.request.gamma == b.request.gamma;
}

Json batch_json(const BatchResult& of) {
  const BatchEstimates& found = of.found;
  Json datum{{"pair", of.pair->name()},
             {"verifier", of.verifier},
             {"gamma", gamma_json(of.request.gamma)},
             {"horizon", of.request.horizon},
             {"requests", of.request.requests},
             {"budget", of.request.budget},
             {"split", split_name(of.request.split)},
             {"trials", of.trials},
             {"seed", of.request.seed},
             {"threads", of.threads},
             {"seconds", of.seconds},
             {"undefined_trials", of.undefined_trials},
             {"tokens_per_step", estimate_json(found.tokens_per_step)},
             {"tokens_per_request_step", estimate_json(found.tokens_per_request_step)},
             {"steps", estimate_json(found.steps)},
             {"mean_steps", estimate_json(found.mean_steps)},
             {"verified_per_step", estimate_json(found.verified_per_step)}};
  const bool counted = !found.tv.empty();
  datum["law"] = {{"tokens", found.law_tokens},
                  {"tv", counted ? json_of(found.tv, estimate_json) : Json()},
                  {"joint_tv", found.joint_tv ? estimate_json(*found.joint_tv) : Json()},
                  {"biased", counted ? Json(of.biased()) : Json()}};
  return datum;
}

void add_batch(const BatchResult& of, const AddRow& add) {
  const auto number = [&](const char* quantity, const Estimate& value, const Json& index = "") {
    add({of.pair->name(), of.verifier, gamma_json(of.request.gamma), of.request.horizon,
         of.request.requests, of.request.budget, split_name(of.request.split), quantity, index,
         value.mean, value.standard_error, value.low, value.high, of.trials, of.request.seed});
  };
  number("tokens_per_step", of.found.tokens_per_step);
  number("tokens_per_request_step", of.found.tokens_per_request_step);
  number("steps", of.found.steps);
  number("mean_steps", of.found.mean_steps);
  number("verified_per_step", of.found.verified_per_step);
  int request = 0;
  for (const Estimate& tv : of.found.tv) number("law.tv", tv, ++request);
  if (of.found.joint_tv) number("law.joint_tv", *of.found.joint_tv);
}

/// The distance that is shown: of all requests jointly where it is known, else the largest.
const Estimate* shown_distance(const BatchEstimates& found) {
  if (found.joint_tv) return &*found.joint_tv;
  const auto largest =
      std::max_element(found.tv.begin(), found.tv.end(),
                       [](const Estimate& a, const Estimate& b) { return a.mean < b.mean; });
  return largest == found.tv.end() ? nullptr : &*largest;
}

std::string mean_words(const Estimate& estimate) {
  const double half = std::max(estimate.mean - estimate.low, estimate.high - estimate.mean);
  return fmt::format("{:.4f} +-{:.4f}", estimate.mean, half);
}

/// The cells of a split about the law of the first tokens.
Cells law_cells(const BatchResult& of) {
  const Estimate* tv = shown_distance(of.found);
  if (tv == nullptr) return {};
  return {fmt::format("{:.4f} [{:.4f}, {:.4f}]", tv->mean, tv->low, tv->high),
          of.biased() ? "biased" : "no bias found"};
}

/// The table of the splits from `first` on. @returns the first result behind it
std::size_t add_splits(const std::vector<BatchResult>& all, std::size_t first, Page& page) {
  const BatchResult& head = all[first];
  const BatchRequest& request = head.request;
  page += fmt::format("{}\n{}, gamma {}, horizon {}, requests {}, budget {}: {} trials, seed {}\n",
                      head.pair->name(), head.verifier, gamma_text(request.gamma), request.horizon,
                      request.requests, request.budget, head.trials, request.seed);
  TextTable table{"lrrrr",
                  {"split", "tokens a step and request", "steps of the last request",
                   "steps of a request", "verified a step"}};
  std::string undefined;
  const bool has_law = head.found.law_tokens > 0;
  if (has_law) {
    table.alignment += "|rl";
    table.head.insert(table.head.end(), {"TV to the target", ""});
  }
  std::size_t at = first;
  for (; at < all.size() && of_one_table(head, all[at]); ++at) {
    const BatchEstimates& found = all[at].found;
    Cells cells{split_name(all[at].request.split), mean_words(found.tokens_per_request_step),
                mean_words(found.steps), mean_words(found.mean_steps),
                mean_words(found.verified_per_step)};
    const Cells law = law_cells(all[at]);
    cells.insert(cells.end(), law.begin(), law.end());
    table.add(cells);
    if (all[at].undefined_trials > 0) {
      undefined += fmt::format("  {}: undefined (0/0) in {} trials\n",
                               split_name(all[at].request.split), all[at].undefined_trials);
    }
  }
  page += std::move(table);
  page += "  +- half-widths of 95% intervals";
  if (const int tokens = head.found.law_tokens; has_law) {
    page += fmt::format(
        "; TV of the {} of {}",
        tokens == 1 ? "first token" : fmt::format("first {} tokens", tokens),
        head.found.joint_tv ? "all requests jointly" : "the request where it is largest");
  }
  page += "\n" + undefined;
  return at;
}

}  // namespace

Document batches_document(const std::vector<BatchResult>& all) {
  return {
      .columns = {"pair", "verifier", "gamma", "horizon", "requests", "budget", "split", "quantity",
                  "index", "value", "stderr", "ci95_low", "ci95_high", "trials", "seed"},
      .rows =
          [&all](const AddRow& add) {
            for (const BatchResult& of : all) add_batch(of, add);
          },
      .data = [&all] { return results_json(all, batch_json); },
      .text =
          [&all] {
            Page page;
            for (std::size_t at = 0; at < all.size();) {
              if (at > 0) page += "\n";
              at = add_splits(all, at, page);
            }
            return page;
          }};
}

}  // namespace speclab
