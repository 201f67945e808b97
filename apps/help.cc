#include "help.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/listing.h"

namespace speclab {
namespace {

constexpr std::size_t kWidth = 100;

/// `text` in lines of at most kWidth, the ones after the first indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > indent && column + 1 + word.size() > kWidth) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += " ";
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string option_text(const Option& option) {
  return option.value.empty() ? fmt::format("--{}", option.name)
                              : fmt::format("--{} {}", option.name, option.value);
}

std::string option_prose(const Option& option) {
  return std::string(option.prose) + (option.repeated ? "; may be repeated" : "");
}

std::string usage_line(const Command& command) {
  return fmt::format("speclab {} {}", command.name, command.usage);
}

}  // namespace

std::string program_help() {
  std::string text =
      "speclab: a laboratory for the theory of speculative decoding\n\n"
      "usage: speclab COMMAND [options]\n\ncommands:\n";
  std::size_t width = 0;
  for (const Command& command : commands()) width = std::max(width, command.name.size());
  for (const Command& command : commands()) {
    text += fmt::format("  {:{}}  {}\n", command.name, width, wrapped(command.prose, width + 4));
  }
  text +=
      "\n  speclab COMMAND --help    its options, with examples\n"
      "  speclab --version         the version\n\nexamples:\n"
      "  speclab list pairs\n"
      "  speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --gamma 2\n\n"
      "exit codes: 0 done; 1 a verdict differs, or an audit fails; 2 the command line "
      "is\nwrong; 3 bad input, and the message says where; 4 a limit was hit, and the message "
      "names "
      "the\noption that raises it; 70 a fault of the program, or memory ran out; 130 interrupted, "
      "and what\nwas finished is printed.\n";
  return text;
}

std::string command_help(const Command& command) {
  std::string text =
      wrapped(command.prose, 0) + "\n\nusage: " + usage_line(command) + "\n\noptions:\n";
  std::size_t width = 0;
  for (const Option& option : command.options) width = std::max(width, option_text(option).size());
  for (const Option& option : command.options) {
    text += fmt::format("  {:{}}  {}\n", option_text(option), width,
                        wrapped(option_prose(option), width + 4));
  }
  text += "\nexamples:\n";
  for (const std::string_view example : command.examples) text += fmt::format("  {}\n", example);
  return text;
}

std::string commands_markdown() {
  std::string text = "| command | what it does |\n|---|---|\n";
  for (const Command& command : commands()) {
    text += fmt::format("| `speclab {}` | {} |\n", command.name, markdown_cell(command.prose));
  }
  return text;
}

std::string command_markdown(const Command& command) {
  std::string text = fmt::format("{}\n\n    {}\n\n| option | meaning |\n|---|---|\n", command.prose,
                                 usage_line(command));
  for (const Option& option : command.options) {
    text += fmt::format("| `{}` | {} |\n", markdown_cell(option_text(option)),
                        markdown_cell(option_prose(option)));
  }
  text += "\nExamples:\n\n";
  for (const std::string_view example : command.examples) text += fmt::format("    {}\n", example);
  return text;
}

}  // namespace speclab
