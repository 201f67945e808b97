#include <algorithm>

#include "base/text.h"
#include "command.h"

namespace speclab {
namespace {

/// A word of a command line: an option with its value, or a word that is none.
struct GivenWord {
  const Option* option;  ///< null of a word that is no option
  std::string value;     ///< "" of a switch
};

/// Names the option as it was written, and the likeliest one.
[[noreturn]] void refuse_unknown(const std::string& written, std::span<const Option> options,
                                 std::string_view command) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + std::string(option.name));
  throw UsageError("unknown option '" + abbreviate(written) + "'" + suggestion(written, names) +
                   " (speclab " + std::string(command) + " --help)");
}

/// Takes a command line apart: `--name`, `--name value`, `--name=value` and other words, in order.
std::vector<GivenWord> parse_words(std::span<const Option> options, std::string_view command,
                                   const std::vector<std::string>& words) {
  std::vector<GivenWord> given;
  bool ended = false;  // by "--": what follows are no options
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (ended || word.size() < 3 || !word.starts_with("--")) {
      if (!ended && word == "--") {
        ended = true;
      } else {
        given.push_back({nullptr, word});
      }
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == word.npos ? equals : equals - 2);
    const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
    const auto option = std::find_if(options.begin(), options.end(),
                                     [&](const Option& each) { return each.name == name; });
    if (option == options.end()) refuse_unknown("--" + name, options, command);
    if (option->value.empty()) {
      if (equals != word.npos) throw UsageError("--" + name + " takes no value");
      given.push_back({&*option, ""});
    } else if (!value.empty()) {
      given.push_back({&*option, value});
    } else if (equals == word.npos && i + 1 < words.size()) {
      given.push_back({&*option, words[++i]});
    } else {
      throw UsageError("--" + name + " needs a value (speclab " + std::string(command) +
                       " --help)");
    }
  }
  return given;
}

}  // namespace

Arguments::Arguments(std::span<const Option> options, std::string_view command,
                     std::size_t most_words, const std::vector<std::string>& words,
                     std::vector<std::string> program)
    : program_(std::move(program)) {
  for (const Option& option : options) {
    values_.emplace_back(option.name, std::vector<std::string>{});
  }
  for (const auto& [option, value] : parse_words(options, command, words)) {
    if (option == nullptr) {
      if (value.size() > 1 && value.front() == '-') refuse_unknown(value, options, command);
      if (words_.size() >= most_words) {
        throw UsageError("unexpected argument '" + abbreviate(value) +
                         "'; values follow their option (speclab " + std::string(command) +
                         " --help)");
      }
      words_.push_back(value);
      continue;
    }
    auto& values = values_[static_cast<std::size_t>(option - options.data())].second;
    if (!values.empty() && !option->repeated) {
      throw UsageError("--" + std::string(option->name) + " is given twice; give it once");
    }
    values.push_back(value);
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
