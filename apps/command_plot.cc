#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "command.h"
#include "option_values.h"
#include "python_program.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

/// What draws: beside the installed program, or in its build folder.
std::string find_drawer() {
  std::error_code failed;
  const fs::path program = program_folder();
  const fs::path drawer = fs::path("python") / "speclab" / "plot";
  for (const fs::path& place : {program / ".." / "share" / "speclab" / drawer, program / drawer}) {
    if (fs::exists(place / "__main__.py", failed)) return place.string();
  }
  throw InputError("what draws is not installed beside the program, in " +
                   quoted_path((program / ".." / "share" / "speclab" / drawer).string()) +
                   "; install speclab whole (cmake --install)");
}

/// What can be refused without Python, whose libraries take a second to load.
void check_options(const Arguments& arguments) {
  for (const std::string& path : arguments.all("output")) {
    std::string ending = fs::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == ".svg" || ending == ".pdf" || ending == ".png") continue;
    throw UsageError("--output " + quoted_path(path) +
                     ": a picture's name ends in .svg, .pdf or .png");
  }
  read_choice(arguments, "log", {"x", "y", "xy"}, 0);
  read_choice(arguments, "errors", {"bars", "band", "none"}, 0);
  for (const std::string& word : arguments.all("where")) {
    if (word.find('=') != std::string::npos) continue;
    throw UsageError("--where takes NAME=VALUE, such as --where verifier=block, not '" +
                     abbreviate(word) + "'");
  }
  const std::string table = *arguments.word();
  if (table != "-" && ::access(table.c_str(), R_OK) != 0) {
    throw InputError("cannot read " + quoted_path(table) + ": " + std::strerror(errno));
  }
}

ExitCode run_plot(const Arguments& arguments) {
  if (!arguments.word()) {
    throw UsageError("name the file to draw, such as results.csv, or - for standard input");
  }
  const std::string table = *arguments.word();
  check_options(arguments);
  if (!arguments.has("output")) {
    set_output_files({{"the drawing", fs::path(table).stem().string() + ".svg"}});
  }
  check_no_output(table);
  const std::string python =
      find_python({{"matplotlib"}, "", "plot needs", "apt-get install python3-matplotlib"});
  std::vector<std::string> words{"-B", find_drawer()};
  for (const char* name : {"x", "y", "by", "facet", "where", "log", "errors", "output"}) {
    for (const std::string& value : arguments.all(name)) {
      words.push_back("--" + std::string(name) + "=" + value);
    }
  }
  if (arguments.has("paper-style")) words.emplace_back("--paper-style");
  words.insert(words.end(), {"--", *arguments.word()});
  return run_python(python, std::move(words));
}

}  // namespace

Command plot_command() {
  return {
      "plot",
      "a picture of the results in a file, or in standard input (-): of a CSV y over x; of an "
      "audit, an advice or a proof's certificate its own",
      "FILE [options]",
      "FILE",
      {{"x", "NAME",
        "the x axis: a column, such as gamma, or a variable of an experiment (default: "
        "the index of a law, or what alone varies)"},
       {"y", "NAME",
        "the y axis: a quantity (its last part where only one ends so), or a column of numbers"},
       {"by", "NAME", "a line for each value (default: of whatever separates lines at one place)",
        true},
       {"facet", "NAME", "a panel for each value"},
       {"where", "NAME=VALUE", "draw these rows alone, such as verifier=block", true},
       {"log", "x|y|xy", "these axes are logarithmic"},
       {"errors", "bars|band|none", "how 95% intervals are drawn (default bars)"},
       {"paper-style", "", "as wide as a column of a paper, serif letters, no title"},
       {"output", "FILE",
        "ends in .svg, .pdf or .png (300 dots an inch); default: FILE's name with .svg, in "
        "this folder",
        /*repeated=*/true, /*written=*/true}},
      {"speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
       "block --gamma 4 --format csv | speclab plot - --y tail --output /tmp/speclab-tail.svg",
       "speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
       "block --gamma 1:6 --horizon 64 --trials 2000 --format csv | speclab plot - --x gamma "
       "--y acceptance_length --by verifier --output /tmp/speclab-lengths.svg"},
      &run_plot};
}

}  // namespace speclab
