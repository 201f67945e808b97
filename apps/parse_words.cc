#include "parse_words.h"

#include <algorithm>

namespace speclab {

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
        given.push_back({"", word});
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
      if (equals != word.npos) refuse_value("--" + name);
      given.push_back({name, ""});
    } else if (!value.empty()) {
      given.push_back({name, value});
    } else if (equals == word.npos && i + 1 < words.size()) {
      given.push_back({name, words[++i]});
    } else {
      refuse_missing("--" + name, command);
    }
  }
  return given;
}

}  // namespace speclab
