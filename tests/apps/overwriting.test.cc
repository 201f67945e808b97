// Files that a command writes without an option that names them: they are not read before either.
#include <unistd.h>

#include <filesystem>

#include "apps/process.h"
#include "catch.h"

namespace speclab::overwriting_test {
namespace {

/// Runs in a folder, refused with the exit code as `file` would be written over, which stays as it
/// is.
void keeps(const Scratch& scratch, const std::string& file, const std::vector<std::string>& words,
           const std::string& written_by, int code = 2) {
  const std::string before = slurp(scratch.file(file));
  const Finished done = Process(words, [&] { enter(scratch); }).wait();
  CAPTURE(file, done.err);
  CHECK(done.code == code);
  CHECK_THAT(done.err, Containing(written_by + " would write over ") &&
                           Containing("which the command reads; write to another place"));
  CHECK(slurp(scratch.file(file)) == before);
}

std::string experiment(const std::string& pair, const std::string& more = "") {
  return "title = \"x\"\nsource = \"none\"\n[[task]]\nname = \"u\"\nkind = \"exact\"\npair = \"" +
         pair + "\"\nverifier = \"token\"\ngamma = 1\nhorizon = 2\n" + more;
}

TEST_CASE("an experiment's results are written over nothing that the experiment reads") {
  const Scratch scratch;
  const std::string pair = kToyPair;
  static_cast<void>(scratch.write("costs.csv", "n,time\n1,1\n2,1.5\n"));
  static_cast<void>(
      scratch.write("costs.toml", experiment(pair, "latency = \"draft=0.1,target=@costs.csv\"\n")));
  keeps(scratch, "costs.csv", argv("run costs.toml --results ."), "--results", 3);

  static_cast<void>(scratch.write("words.toml", experiment("ngram(text={text},draft=1,target=2)")));
  for (const std::string text : {"words.csv", "words.expected.csv", "manifest.json"}) {
    static_cast<void>(scratch.write(text, "one two one two two\n"));
    keeps(scratch, text, argv("run words.toml --results . --text", text), "--results");
  }

  static_cast<void>(scratch.write("linked.toml", experiment(pair)));
  std::filesystem::create_directory(scratch.file("r"));
  std::filesystem::create_symlink("../linked.toml", scratch.file("r/linked.csv"));
  keeps(scratch, "linked.toml", argv("run linked.toml --results r"), "--results");

  // Two experiments, of which one reads what the other writes.
  keeps(scratch, "costs.csv", argv("run linked.toml costs.toml --results ."), "--results", 3);
  // What an earlier run wrote is no obstacle.
  static_cast<void>(scratch.write("again.toml", experiment(pair)));
  for (int i = 0; i < 2; ++i) {
    succeeds("run", scratch.file("again.toml"), "--results", scratch.file("r2"));
  }
}

TEST_CASE("a drawing without a name of its own is not written over the table that it shows") {
  const Scratch scratch;
  static_cast<void>(scratch.write("table.svg", "pair,verifier\n"));
  keeps(scratch, "table.svg", argv("plot table.svg"), "the drawing");
}

}  // namespace
}  // namespace speclab::overwriting_test
