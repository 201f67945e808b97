#include "answer/documents/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "answer/documents/answers.h"
#include "document/number.h"

namespace speclab {
namespace {

std::string_view split_name(BatchSplit split) {
  return kBatchSplits[static_cast<std::size_t>(split)].name;
}

/// The numbers of every batch, by their names.
constexpr std::pair<const char*, Value BatchNumbers::*> kBatchNumbers[] = {
    {"tokens_per_step", &BatchNumbers::tokens_per_step},
    {"tokens_per_request_step", &BatchNumbers::tokens_per_request_step},
    {"steps", &BatchNumbers::steps},
    {"mean_steps", &BatchNumbers::mean_steps},
    {"verified_per_step", &BatchNumbers::verified_per_step}};

bool of_one_table(const BatchResult& a, const BatchResult& b) {
  return a.pair == b.pair && a.verifier == b.verifier && a.setting.gamma == b.setting.gamma;
}

Json batch_json(const BatchResult& of) {
  const BatchNumbers& found = of.found;
  Json datum{{"pair", of.pair->name()},
             {"verifier", of.verifier},
             {"gamma", gamma_json(of.setting.gamma)},
             {"horizon", of.setting.horizon},
             {"requests", of.setting.requests},
             {"budget", of.setting.budget},
             {"split", split_name(of.setting.split)}};
  if (of.run) {
    datum["trials"] = of.run->trials;
    datum["seed"] = of.run->seed;
    datum["threads"] = of.run->threads;
    datum["seconds"] = of.run->seconds;
    datum["undefined_trials"] = of.run->undefined_trials;
  } else {
    datum["arithmetic"] = arithmetic_name(of.arithmetic);
    datum["undefined_mass"] = value_json(found.undefined_mass.value());
  }
  for (const auto& [name, value] : kBatchNumbers) datum[name] = value_json(found.*value);
  if (found.accepted_first) {
    datum["first_step"] = {{"accepted", value_json(*found.accepted_first)},
                           {"most", found.most_first ? value_json(*found.most_first) : Json()}};
  }
  const bool counted = !found.tv.empty();
  // What holds of fewer tokens than are asked is no verdict.
  const bool judged = counted && (of.run || of.biased() || of.compares_enough());
  datum["law"] = {{"tokens", found.law_tokens},
                  {"tv", counted ? json_of(found.tv, value_json) : Json()},
                  {"joint_tv", found.joint_tv ? value_json(*found.joint_tv) : Json()},
                  {"biased", judged ? Json(of.biased()) : Json()}};
  return datum;
}

void add_batch(const BatchResult& of, const AddRow& add) {
  const auto number = [&](const char* quantity, const Value& value, const Json& index = "") {
    Cells cells{of.pair->name(),
                of.verifier,
                gamma_json(of.setting.gamma),
                of.setting.horizon,
                of.setting.requests,
                of.setting.budget,
                split_name(of.setting.split),
                quantity,
                index,
                value.number,
                fraction_text(value.fraction)};
    Cells drawn(5);
    if (of.run && value.estimate) {
      const Estimate& estimate = *value.estimate;
      drawn = {estimate.standard_error, estimate.low, estimate.high, of.run->trials, of.run->seed};
    }
    cells.insert(cells.end(), drawn.begin(), drawn.end());
    add(cells);
  };
  for (const auto& [name, value] : kBatchNumbers) number(name, of.found.*value);
  if (of.found.accepted_first) number("first_step.accepted", *of.found.accepted_first);
  if (of.found.most_first) number("first_step.most", *of.found.most_first);
  int request = 0;
  for (const Value& tv : of.found.tv) number("law.tv", tv, ++request);
  if (of.found.joint_tv) number("law.joint_tv", *of.found.joint_tv);
}

/// The distance that is shown: of all requests jointly where it is known, else the largest.
const Value* shown_distance(const BatchNumbers& found) {
  if (found.joint_tv) return &*found.joint_tv;
  const auto largest =
      std::max_element(found.tv.begin(), found.tv.end(),
                       [](const Value& a, const Value& b) { return a.number < b.number; });
  return largest == found.tv.end() ? nullptr : &*largest;
}

/// "1.3333 = 4/3"; "1.3333" of what has no fraction, or a long one.
std::string exact_words(const Value& value) {
  const std::string fraction = value.fraction ? to_text(*value.fraction) : "";
  if (fraction.empty() || fraction.size() > kLongestInline)
    return fmt::format("{:.4f}", value.number);
  if (fraction.find('/') == std::string::npos) return fraction;
  return fmt::format("{:.4f} = {}", value.number, fraction);
}

/// The same, and of an estimate its half-width too: "1.3333 +-0.0021".
std::string mean_words(const Value& value) {
  if (!value.estimate) return exact_words(value);
  const Estimate& estimate = *value.estimate;
  const double half = std::max(estimate.mean - estimate.low, estimate.high - estimate.mean);
  return fmt::format("{:.4f} +-{:.4f}", estimate.mean, half);
}

/// The cells of a split about the law of the first tokens.
Cells law_cells(const BatchResult& of) {
  const Value* tv = shown_distance(of.found);
  if (tv == nullptr) return {};
  if (!tv->estimate) {
    const int tokens = of.found.law_tokens;
    return {exact_words(*tv), of.biased()            ? "biased"
                              : of.compares_enough() ? "lossless"
                              : tokens == 1          ? std::string("no bias in one token")
                                                     : fmt::format("no bias in {} tokens", tokens)};
  }
  const Estimate& estimate = *tv->estimate;
  return {fmt::format("{:.4f} [{:.4f}, {:.4f}]", estimate.mean, estimate.low, estimate.high),
          of.biased() ? "biased" : "no bias found"};
}

/// "20000 trials, seed 1", "exact, in fractions".
std::string how_found(const BatchResult& of) {
  if (of.run) return fmt::format("{} trials, seed {}", of.run->trials, of.run->seed);
  return of.arithmetic == Arithmetic::rational ? "exact, in fractions" : "exact, in doubles";
}

/// How many of a split's batches ended in an undefined draw; "" where none did.
std::string undefined_line(const BatchResult& of) {
  const std::string_view split = split_name(of.setting.split);
  if (of.run && of.run->undefined_trials > 0) {
    return fmt::format("  {}: undefined (0/0) in {} trials\n", split, of.run->undefined_trials);
  }
  if (!of.found.undefined_mass || !(of.found.undefined_mass->number > 0)) return "";
  return fmt::format("  {}: undefined (0/0) with probability {}\n", split,
                     exact_words(*of.found.undefined_mass));
}

/// The meaning of a table's columns.
std::string key_of(const BatchResult& head) {
  std::string key = head.run ? "  +- half-widths of 95% intervals\n" : "";
  if (head.found.most_first) {
    key +=
        fmt::format("  the best scheduler that does not look ahead accepts {} in the first step\n",
                    exact_words(*head.found.most_first));
  }
  const int tokens = head.found.law_tokens;
  if (tokens == 0) {
    return key + "  no law is compared: the first tokens of all requests have too many values\n";
  }
  return key + fmt::format("  TV of the {} of {}\n",
                           tokens == 1 ? "first token" : fmt::format("first {} tokens", tokens),
                           head.found.joint_tv ? "all requests jointly"
                                               : "the request where it is largest");
}

/// The table of the splits from `first` on. @returns the first result behind it
std::size_t add_splits(const std::vector<BatchResult>& all, std::size_t first, Page& page) {
  const BatchResult& head = all[first];
  const BatchSetting& setting = head.setting;
  page += fmt::format("{}\n{}, gamma {}, horizon {}, requests {}, budget {}: {}\n",
                      head.pair->name(), head.verifier, gamma_text(setting.gamma), setting.horizon,
                      setting.requests, setting.budget, how_found(head));
  TextTable table{"lrrrr",
                  {"split", "tokens a step and request", "steps of the last request",
                   "steps of a request", "verified a step"}};
  std::string undefined;
  if (head.found.accepted_first) {
    table.alignment += "r";
    table.head.emplace_back("accepted in the first step");
  }
  if (head.found.law_tokens > 0) {
    table.alignment += "|rl";
    table.head.insert(table.head.end(), {"TV to the target", ""});
  }
  std::size_t at = first;
  for (; at < all.size() && of_one_table(head, all[at]); ++at) {
    const BatchNumbers& found = all[at].found;
    Cells cells{split_name(all[at].setting.split), mean_words(found.tokens_per_request_step),
                mean_words(found.steps), mean_words(found.mean_steps),
                mean_words(found.verified_per_step)};
    if (found.accepted_first) cells.push_back(mean_words(*found.accepted_first));
    const Cells law = law_cells(all[at]);
    cells.insert(cells.end(), law.begin(), law.end());
    table.add(cells);
    undefined += undefined_line(all[at]);
  }
  page += std::move(table);
  page += key_of(head) + undefined;
  return at;
}

}  // namespace

Document batches_document(const std::vector<BatchResult>& all) {
  return {
      .columns = {"pair", "verifier", "gamma", "horizon", "requests", "budget", "split", "quantity",
                  "index", "value", "exact", "stderr", "ci95_low", "ci95_high", "trials", "seed"},
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
