#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace speclab {

/// One output of a served model.
struct ServedOutput {
  std::vector<int> tokens;      ///< numbers of the words, the same on both sides
  std::vector<double> margins;  ///< the largest logit less the second, by token; or empty
  std::optional<std::string> seed;
  std::optional<std::string> batch;
  std::int64_t line = 0;  ///< from 1
};

/// A prompt with its outputs, in the order of their lines.
struct ServedPrompt {
  std::string name;
  std::vector<ServedOutput> on;   ///< with speculation
  std::vector<ServedOutput> off;  ///< without
};

struct ServedSamples {
  std::vector<ServedPrompt> prompts;  ///< in the order in which the files have them
  std::vector<std::string> words;     ///< the tokens, or characters of text, by number
};

/// Reads outputs with and without speculation (docs/formats.md), JSON lines each.
/// @throws InputError naming file, line, key and fix
ServedSamples read_served(const std::string& on, const std::string& off);

}  // namespace speclab
