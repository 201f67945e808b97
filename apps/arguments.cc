#include <algorithm>

#include "base/text.h"
#include "command.h"
#include "parse_words.h"

namespace speclab {

void refuse_unknown(const std::string& written, std::span<const Option> options,
                    std::string_view command) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + std::string(option.name));
  throw UsageError("unknown option '" + abbreviate(written) + "'" + suggestion(written, names) +
                   " (speclab " + std::string(command) + " --help)");
}

void refuse_value(const std::string& name) { throw UsageError(name + " takes no value"); }

void refuse_missing(const std::string& name, std::string_view command) {
  throw UsageError(name + " needs a value (speclab " + std::string(command) + " --help)");
}

Arguments::Arguments(std::span<const Option> options, std::string_view command,
                     std::size_t most_words, const std::vector<std::string>& words,
                     std::vector<std::string> program)
    : program_(std::move(program)) {
  for (const Option& option : options) {
    values_.emplace_back(option.name, std::vector<std::string>{});
  }
  for (const GivenWord& given : parse_words(options, command, words)) {
    if (given.option.empty()) {
      const std::string& word = given.value;
      if (word.size() > 1 && word.front() == '-') refuse_unknown(word, options, command);
      if (words_.size() >= most_words) {
        throw UsageError("unexpected argument '" + abbreviate(word) +
                         "'; values follow their option (speclab " + std::string(command) +
                         " --help)");
      }
      words_.push_back(word);
      continue;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].first != given.option) continue;
      auto& values = values_[i].second;
      if (!values.empty() && !options[i].repeated) {
        throw UsageError("--" + given.option + " is given twice; give it once");
      }
      values.push_back(given.value);
    }
  }
}

std::optional<std::string> Arguments::text(std::string_view name) const {
  const auto& values = all(name);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

const std::vector<std::string>& Arguments::all(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  static const std::vector<std::string> none;
  return found == values_.end() ? none : found->second;
}

}  // namespace speclab
