#include "help.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats.h"
#include "report/page.h"

namespace speclab {
namespace {

/// `text` in lines that fit the page, the ones after the first indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  const std::size_t room = page_width() - std::min(indent, page_width() / 2);
  return fmt::format("{}", fmt::join(lines_of(text, room), "\n" + std::string(indent, ' ')));
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
      "  speclab --version         the version and the commit that it was built from\n\nexamples:\n"
      "  speclab list pairs\n"
      "  speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --gamma 2\n\n";
  text += wrapped(
              "exit codes: 0 done; 1 a verdict differs, or an audit fails; 2 the command line is "
              "wrong; 3 bad input, and the message says where; 4 a limit was hit, and the message "
              "names the option that raises it; 70 a fault of the program, or memory ran out; 130 "
              "interrupted, and what was finished is printed.",
              0) +
          "\n";
  return text;
}

std::string command_help(const Command& command) {
  std::string text = wrapped(command.prose, 0) + "\n\n" + folded("usage: " + usage_line(command)) +
                     "\n\noptions:\n";
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
