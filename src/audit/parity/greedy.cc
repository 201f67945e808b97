#include <fmt/format.h>

#include <algorithm>

#include "audit/parity/parity.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

std::optional<double> margin_at(const ServedOutput& output, std::size_t position) {
  if (position >= output.margins.size()) return std::nullopt;
  return output.margins[position];
}

/// The position of the first token that differs. @pre one does, or one output is longer
std::size_t first_difference(const ServedOutput& a, const ServedOutput& b) {
  const auto found =
      std::mismatch(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end());
  return static_cast<std::size_t>(found.first - a.tokens.begin());
}

GreedyDifference difference_of(const ServedSamples& samples, const ServedPrompt& prompt,
                               const ServedOutput& on, const ServedOutput& off,
                               std::size_t position, double tie) {
  const auto word = [&](const ServedOutput& output) -> std::optional<std::string> {
    if (position >= output.tokens.size()) return std::nullopt;
    return samples.words[static_cast<std::size_t>(output.tokens[position])];
  };
  GreedyDifference made{prompt.name, on.line, off.line, position, word(on), word(off), {}, false};
  const auto one = margin_at(on, position), other = margin_at(off, position);
  if (one && other) {
    made.margin = std::min(*one, *other);
  } else {
    made.margin = one ? one : other;
  }
  made.tie = made.margin && tie > 0 && *made.margin <= tie;
  return made;
}

/// Outputs of one side for one prompt that differ: that server does not decode greedily, or rounds
/// in another way from run to run.
std::size_t unlike(const std::vector<ServedOutput>& outputs) {
  return static_cast<std::size_t>(std::count_if(
      outputs.begin(), outputs.end(),
      [&outputs](const ServedOutput& each) { return each.tokens != outputs.front().tokens; }));
}

void add_repeats(const ServedSamples& samples, ParityReport& report) {
  for (const auto& [side, name] :
       {std::pair(&ServedPrompt::on, "ON"), {&ServedPrompt::off, "OFF"}}) {
    std::size_t repeated = 0, differing = 0;
    std::string example;
    for (const ServedPrompt& prompt : samples.prompts) {
      const auto& outputs = prompt.*side;
      if (outputs.size() < 2) continue;
      ++repeated;
      if (unlike(outputs) == 0) continue;
      ++differing;
      if (example.empty()) {
        example = fmt::format(", first on line {} and on another one", outputs.front().line);
      }
    }
    if (repeated == 0) continue;
    report.checks.push_back(
        {fmt::format("repeated prompts of {}", name), differing > 0,
         differing > 0
             ? fmt::format("{} of {} prompts that it has more than once have different outputs{}: "
                           "this side differs from itself",
                           differing, repeated, example)
             : fmt::format("{} prompts have several outputs, which are equal", repeated)});
  }
}

}  // namespace

void compare_greedy(const ServedSamples& samples, const ParityOptions& options,
                    ParityReport& report) {
  for (const ServedPrompt& prompt : samples.prompts) {
    check_interrupted();
    if (prompt.on.empty() || prompt.off.empty()) continue;
    const ServedOutput& off = prompt.off.front();
    for (const ServedOutput& on : prompt.on) {
      // What the server without speculation puts out too is no fault of speculation.
      if (std::any_of(prompt.off.begin(), prompt.off.end(),
                      [&](const ServedOutput& each) { return each.tokens == on.tokens; })) {
        ++report.equal;
        continue;
      }
      const auto position = first_difference(on, off);
      report.differences.push_back(
          difference_of(samples, prompt, on, off, position, options.margin));
    }
  }
  report.passed = std::all_of(report.differences.begin(), report.differences.end(),
                              [](const GreedyDifference& each) { return each.tie; });
  if (auto lonely = lonely_prompts(samples)) report.checks.push_back(std::move(*lonely));
  add_repeats(samples, report);
}

}  // namespace speclab
