#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "audit/parity/parity.h"
#include "base/text.h"

namespace speclab {
namespace {

/// Runs of a prompt's outputs that are compared with its others, where lines name no batches.
constexpr std::size_t kBatches = 4;
/// Most batches that are named by lines and tested.
constexpr std::size_t kMostBatches = 16;
constexpr double kBatchLevel = 0.01;
/// Tokens from which on a repeated output is remarkable.
constexpr std::size_t kLongOutput = 8;

using Side = std::vector<ServedOutput> ServedPrompt::*;

void check_prompts(const ServedSamples& samples, std::vector<ParityCheck>& checks) {
  if (auto lonely = lonely_prompts(samples)) checks.push_back(std::move(*lonely));
  const auto single = std::count_if(
      samples.prompts.begin(), samples.prompts.end(),
      [](const ServedPrompt& each) { return std::min(each.on.size(), each.off.size()) == 1; });
  if (single > 0) {
    checks.push_back(
        {"outputs", true,
         fmt::format("{} prompts have a single output on a side: their prefixes are not compared, "
                     "only tokens and lengths; sample more of each prompt",
                     single)});
  }
}

/// A seed twice for one prompt gives the same output twice.
void check_seeds(const ServedSamples& samples, Side side, const std::string& name,
                 std::vector<ParityCheck>& checks) {
  std::size_t reused = 0;
  std::string example;
  for (const ServedPrompt& prompt : samples.prompts) {
    std::map<std::string, std::int64_t> lines;
    for (const ServedOutput& output : prompt.*side) {
      if (!output.seed) continue;
      const auto [place, is_new] = lines.try_emplace(*output.seed, output.line);
      if (is_new || place->second == output.line) continue;
      if (reused++ == 0) {
        example = fmt::format("seed {} on lines {} and {}", abbreviate(*output.seed, 20),
                              place->second, output.line);
      }
    }
  }
  if (reused == 0) return;
  checks.push_back({"seeds of " + name, true,
                    fmt::format("{} outputs have the seed of an earlier one of their prompt ({}); "
                                "they are no samples of their own: draw them again",
                                reused, example)});
}

/// Pairs of equal long outputs, within a side and across.
void check_repeats(const ServedSamples& samples, std::vector<ParityCheck>& checks) {
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  double within[2] = {0, 0}, of[2] = {0, 0}, across = 0, of_both = 0, matched = 0, places = 0;
  for (const ServedPrompt& prompt : samples.prompts) {
    std::map<std::vector<int>, std::array<double, 2>> counts;
    for (const ServedOutput& output : prompt.on) counts[output.tokens][0] += 1;
    for (const ServedOutput& output : prompt.off) counts[output.tokens][1] += 1;
    const auto m = static_cast<double>(prompt.on.size()),
               n = static_cast<double>(prompt.off.size());
    of[0] += pairs(m);
    of[1] += pairs(n);
    of_both += m * n;
    for (const auto& [tokens, count] : counts) {
      if (tokens.size() < kLongOutput) continue;
      for (int s = 0; s < 2; ++s) within[s] += pairs(count[static_cast<std::size_t>(s)]);
      across += count[0] * count[1];
    }
    for (std::size_t i = 0; i < std::min(prompt.on.size(), prompt.off.size()); ++i) {
      places += 1;
      const auto& tokens = prompt.on[i].tokens;
      if (tokens.size() >= kLongOutput && tokens == prompt.off[i].tokens) matched += 1;
    }
  }
  const double shared = of_both > 0 ? across / of_both : 0;
  for (int s = 0; s < 2; ++s) {
    const double rate = of[s] > 0 ? within[s] / of[s] : 0;
    // The two sides share as many where both are samples of one law.
    if (within[s] < 3 || rate < 2 * shared + 3 / std::max(of[s], 1.0)) continue;
    checks.push_back(
        {fmt::format("repeats of {}", s == 0 ? "ON" : "OFF"), true,
         fmt::format("{:.0f} pairs of its outputs of {} tokens or more are equal, {:.2g} of all, "
                     "and {:.2g} of the pairs across the sides: a seed is used twice, or decoding "
                     "is greedy",
                     within[s], kLongOutput, rate, shared)});
  }
  if (matched >= 3 && matched / places > 2 * shared + 0.05) {
    checks.push_back(
        {"pairs", true,
         fmt::format("{:.0f} of {:.0f} outputs equal the other side's of the same place: both "
                     "sides share their random numbers, so that the test sees less; use other "
                     "seeds on one side",
                     matched, places)});
  }
}

/// One batch of a side against its other outputs.
struct BatchTest {
  std::string name;
  std::vector<TwoGroups> prompts;
};

std::vector<BatchTest> batches_of(const ServedSamples& samples, Side side) {
  std::set<std::string> named;
  for (const ServedPrompt& prompt : samples.prompts) {
    for (const ServedOutput& output : prompt.*side) {
      if (output.batch) named.insert(*output.batch);
    }
  }
  std::vector<BatchTest> tests;
  const bool by_name = named.size() > 1 && named.size() <= kMostBatches;
  if (by_name) {
    for (const std::string& name : named) tests.push_back({"batch " + abbreviate(name, 40), {}});
  } else {
    for (std::size_t b = 0; b < kBatches; ++b) {
      tests.push_back({fmt::format("part {} of {} of each prompt's outputs", b + 1, kBatches), {}});
    }
  }
  for (const ServedPrompt& prompt : samples.prompts) {
    const auto& outputs = prompt.*side;
    for (BatchTest& test : tests) test.prompts.emplace_back();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto& batch = outputs[i].batch;
      // An output without a name is of no batch, one of the others of each.
      const auto place = batch ? named.find(*batch) : named.end();
      const std::size_t of = by_name ? static_cast<std::size_t>(std::distance(named.begin(), place))
                                     : i * kBatches / outputs.size();
      for (std::size_t b = 0; b < tests.size(); ++b) {
        TwoGroups& groups = tests[b].prompts.back();
        (b == of ? groups.first : groups.second).push_back(&outputs[i]);
      }
    }
  }
  return tests;
}

/// Whether some part of a side's outputs is unlike its others: a bad batch, or a server that
/// changed while it was asked.
void check_batches(const ServedSamples& samples, Side side, const std::string& name,
                   const ParityOptions& options, std::vector<ParityCheck>& checks) {
  const std::vector<BatchTest> tests = batches_of(samples, side);
  const double level = kBatchLevel / static_cast<double>(tests.size());
  double least = 1;
  std::string worst;
  for (const BatchTest& test : tests) {
    const OutputStatistics statistics(test.prompts, options.prefix);
    if (statistics.items() == 0) continue;
    const PermutationTest found = test_outputs(statistics, level, options.seed, options.threads);
    if (found.adjusted >= least) continue;
    least = found.adjusted;
    worst = test.name;
  }
  if (worst.empty()) return;
  const double p = std::min(1.0, least * static_cast<double>(tests.size()));
  const bool suspect = least <= level;
  checks.push_back({"batches of " + name, suspect,
                    suspect ? fmt::format("{} differ from its others (p {:.2g}): look at that "
                                          "batch, or whether the server changed",
                                          worst, p)
                            : fmt::format("its parts are alike (least p {:.2g})", p)});
}

}  // namespace

std::optional<ParityCheck> lonely_prompts(const ServedSamples& samples) {
  const auto lonely =
      std::count_if(samples.prompts.begin(), samples.prompts.end(),
                    [](const ServedPrompt& each) { return each.on.empty() || each.off.empty(); });
  if (lonely == 0) return std::nullopt;
  return ParityCheck{"prompts", true,
                     fmt::format("{} prompts are in one file alone, and left out", lonely)};
}

std::vector<ParityCheck> check_served(const ServedSamples& samples, const ParityOptions& options) {
  std::vector<ParityCheck> checks;
  check_prompts(samples, checks);
  for (const auto& [side, name] :
       {std::pair(&ServedPrompt::on, std::string("ON")), {&ServedPrompt::off, "OFF"}}) {
    check_seeds(samples, side, name, checks);
    check_batches(samples, side, name, options, checks);
  }
  check_repeats(samples, checks);
  return checks;
}

}  // namespace speclab
