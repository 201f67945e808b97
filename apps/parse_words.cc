#include "parse_words.h"

#include <boost/program_options.hpp>

#include "base/text.h"

namespace speclab {
namespace {

namespace po = boost::program_options;

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

}  // namespace

std::vector<GivenWord> parse_words(std::span<const Option> options, std::string_view command,
                                   const std::vector<std::string>& words) {
  namespace style = po::command_line_style;
  const po::options_description known = description(options);
  try {
    const po::parsed_options parsed =
        po::command_line_parser(words)
            .options(known)
            .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
            .run();
    std::vector<GivenWord> given;
    for (const auto& word : parsed.options) {
      given.push_back({word.position_key >= 0 ? "" : word.string_key,
                       word.value.empty() ? "" : word.value.front()});
    }
    return given;
  } catch (const po::unknown_option& error) {
    refuse_unknown(error.get_option_name(), options, command);
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name =
        "--" + error.get_option_name().substr(error.get_option_name().find_first_not_of('-'));
    if (error.kind() == po::invalid_syntax::extra_parameter) {
      refuse_value(name);
    }
    refuse_missing(name, command);
  } catch (const po::error& error) {
    throw UsageError(abbreviate(error.what(), 200));
  }
}

}  // namespace speclab
