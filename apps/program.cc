#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "answer/registration.h"
#include "base/split.h"
#include "base/text.h"
#include "command.h"
#include "experiment/shard.h"
#include "guards.h"
#include "help.h"
#include "option_values.h"
#include "overwriting.h"
#include "print_note.h"
#include "report/output.h"
#include "report/page.h"
#include "system/interrupt.h"
#include "system/processor.h"
#include "terminal.h"
#include "version.h"

namespace speclab {
namespace {

int complain(int code, const char* message) {
  print_note(message);
  return code;
}

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

/// Those that the environment names, then those of the command line.
void load_plugins(const Arguments& arguments) {
  const auto load = [](const std::string& file) {
    suspect_plugin(file);
    register_plugin(file);
  };
  const char* named = std::getenv("SPECLAB_PLUGINS");
  for (const std::string_view file : split(named != nullptr ? named : "", ":")) {
    if (!file.empty()) load(std::string(file));
  }
  for (const std::string& file : arguments.all("plugin")) load(file);
}

Arguments read_arguments(const Command& command, const std::vector<std::string>& words) {
  const auto dashes =
      command.starts_program ? std::find(words.begin() + 1, words.end(), "--") : words.end();
  std::vector<std::string> program(dashes == words.end() ? dashes : dashes + 1, words.end());
  const std::vector<std::string> rest(words.begin() + 1, dashes);
  // A command that starts a program reports words before the dashes itself.
  const bool any = command.many_words || command.starts_program;
  const std::size_t most = any ? rest.size() : command.word.empty() ? 0 : 1;
  return {command.options, command.name, most, rest, std::move(program)};
}

ExitCode run(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw UsageError("give a command, such as exact, simulate or list (speclab --help)");
  }
  const std::string& name = words.front();
  const Output output(std::nullopt);
  const std::size_t page = page_width();
  if (const auto columns = terminal_columns(STDOUT_FILENO)) set_page_width(*columns);
  if (name == "help" && words.size() == 2) return run({words.back(), "--help"});
  if (asks_for_help(name) || name == "help") {
    output.write(program_help());
    return ExitCode::done;
  }
  if (name == "--version") {
    output.write(version_text() + "\n");
    return ExitCode::done;
  }
  std::vector<std::string> names{"--help", "--version"};
  for (const Command& command : commands()) {
    names.emplace_back(command.name);
    if (command.name != name) continue;
    const auto dashes =
        command.starts_program ? std::find(words.begin(), words.end(), "--") : words.end();
    if (std::any_of(words.begin() + 1, dashes, asks_for_help)) {
      output.write(command_help(command));
      return ExitCode::done;
    }
    const Arguments arguments = read_arguments(command, words);
    const auto takes_threads = [](const Option& option) { return option.name == "threads"; };
    if (std::any_of(command.options.begin(), command.options.end(), takes_threads)) {
      check_threads(read_threads(arguments));
    }
    allowed_instructions();  // what the environment says of them is right, or refused here
    check_overwriting(command, arguments);
    load_plugins(arguments);
    // A file gets the same bytes wherever it is made.
    if (arguments.has("output")) set_page_width(page);
    return command.run(arguments);
  }
  throw UsageError("unknown command '" + abbreviate(name) + "'" + suggestion(name, names) +
                   " (speclab --help)");
}

/// Runs f and turns what it throws into a line and an exit code.
template <class F>
int guarded(const F& f) {
  try {
    return f();
  } catch (const Error& error) {
    return complain(static_cast<int>(error.code()), error.what());
  } catch (const ContractError& error) {
    return complain(kSoftware, error.what());
  } catch (const std::bad_alloc&) {
    return complain(kSoftware, "out of memory; ask for less, or for fewer threads");
  } catch (const std::exception& error) {
    return complain(kSoftware, (std::string("a fault of the program: ") + error.what()).c_str());
  } catch (...) {
    return complain(kSoftware, ("a fault of the program or of a plugin: what was thrown is no "
                                "exception" +
                                suspected_plugins())
                                   .c_str());
  }
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  const Guards guards;
  install_interrupt_handler();
  set_build(version_text());
  return guarded([&] { return static_cast<int>(run(words)); });
}

}  // namespace speclab
