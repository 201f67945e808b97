// apps/parse_words.cc where there is no Boost.Program_options.
#include "parse_words.h"

#include <algorithm>

namespace speclab {

std::vector<GivenWord> parse_words(std::span<const Option> options, std::string_view command,
                                   const std::vector<std::string>& words) {
  std::vector<GivenWord> given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() < 3 || !word.starts_with("--")) {
      given.push_back({"", word});
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == word.npos ? equals : equals - 2);
    const auto option = std::find_if(options.begin(), options.end(),
                                     [&](const Option& each) { return each.name == name; });
    if (option == options.end()) refuse_unknown("--" + name, options, command);
    if (option->value.empty()) {
      if (equals != word.npos) refuse_value("--" + name);
      given.push_back({name, ""});
    } else if (equals != word.npos) {
      given.push_back({name, word.substr(equals + 1)});
    } else if (++i < words.size()) {
      given.push_back({name, words[i]});
    } else {
      refuse_missing("--" + name, command);
    }
  }
  return given;
}

}  // namespace speclab
