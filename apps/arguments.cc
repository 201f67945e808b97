#include <algorithm>
#include <boost/program_options.hpp>

#include "base/text.h"
#include "command.h"

namespace speclab {
namespace {

namespace po = boost::program_options;

[[noreturn]] void unknown(const std::string& written, std::span<const Option> options,
                          std::string_view command) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + std::string(option.name));
  throw UsageError("unknown option '" + abbreviate(written) + "'" + suggestion(written, names) +
                   " (speclab " + std::string(command) + " --help)");
}

po::options_description description(std::span<const Option> options) {
  po::options_description result;
  for (const Option& option : options) {
    const std::string name(option.name);
    if (option.value.empty()) {
      result.add_options()(name.c_str(), "");
    } else {
      result.add_options()(name.c_str(), po::value<std::vector<std::string>>(), "");
    }
  }
  return result;
}

po::parsed_options parse(std::span<const Option> options, std::string_view command,
                         const std::vector<std::string>& words) {
  namespace style = po::command_line_style;
  const po::options_description known = description(options);
  try {
    return po::command_line_parser(words)
        .options(known)
        .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
        .run();
  } catch (const po::unknown_option& error) {
    unknown(error.get_option_name(), options, command);
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name =
        "--" + error.get_option_name().substr(error.get_option_name().find_first_not_of('-'));
    if (error.kind() == po::invalid_syntax::extra_parameter) {
      throw UsageError(name + " takes no value");
    }
    throw UsageError(name + " needs a value (speclab " + std::string(command) + " --help)");
  } catch (const po::error& error) {
    throw UsageError(abbreviate(error.what(), 200));
  }
}

}  // namespace

Arguments::Arguments(std::span<const Option> options, std::string_view command,
                     std::size_t most_words, const std::vector<std::string>& words,
                     std::vector<std::string> program)
    : program_(std::move(program)) {
  for (const Option& option : options) {
    values_.emplace_back(option.name, std::vector<std::string>{});
  }
  for (const auto& given : parse(options, command, words).options) {
    if (given.position_key >= 0) {
      const std::string& word = given.value.front();
      if (word.size() > 1 && word.front() == '-') unknown(word, options, command);
      if (words_.size() >= most_words) {
        throw UsageError("unexpected argument '" + abbreviate(word) +
                         "'; values follow their option (speclab " + std::string(command) +
                         " --help)");
      }
      words_.push_back(word);
      continue;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].first != given.string_key) continue;
      auto& values = values_[i].second;
      if (!values.empty() && !options[i].repeated) {
        throw UsageError("--" + given.string_key + " is given twice; give it once");
      }
      values.push_back(given.value.empty() ? "" : given.value.front());
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
