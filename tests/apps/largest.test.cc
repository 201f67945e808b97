// Every verifier and every family of pairs at its largest parameters: a limit is reported with exit
// code 4, whatever goes on ends soon after a signal, and neither takes more memory than is allowed.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "apps/process.h"
#include "base/spec.h"
#include "catch.h"
#include "draft/source.h"
#include "model/lengths.h"
#include "model/registry.h"
#include "verifiers/registry.h"

namespace speclab::largest_test {
namespace {

/// Address space of a run; the programs that tests use are linked to some 300 MB of it.
constexpr rlim_t kMostMemory = rlim_t{4} << 30;
/// Processor seconds of a run, of which a signal comes after less than one.
constexpr rlim_t kMostSeconds = 20;

/// Runs it, with a signal after a while: what it does by then is done, refused by a limit, or
/// ended.
/// @param refusal  what bad input may be refused for; empty: nothing
void check_ends(const std::vector<std::string>& arguments, std::string_view refusal = "") {
  Process process(arguments, [] {
    limit(RLIMIT_AS, kMostMemory);
    limit(RLIMIT_CPU, kMostSeconds);
  });
  process.let_begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  process.send(SIGINT);
  const Finished done = process.wait();
  std::string line;
  for (const std::string& word : arguments) line += word + " ";
  INFO(line << "\n" << done.err);
  if (done.code == 3 && !refusal.empty()) {
    CHECK_THAT(done.err, Containing(std::string(refusal)));
  } else {
    const std::vector<int> ends{0, 4, 130};
    CHECK(std::count(ends.begin(), ends.end(), done.code) == 1);
  }
}

/// Its example with the most drafts that the option takes.
std::string with_most_drafts(const VerifierInfo& row) {
  const Spec spec = parse_spec(row.example);
  std::string arguments;
  for (const SpecArgument& argument : spec.arguments) {
    if (argument.is_list) return std::string(row.example);
    const bool counts = argument.key == row.drafts;
    arguments += (arguments.empty() ? "" : ",") + argument.key + "=" +
                 (counts ? std::to_string(kMostDrafts) : argument.values.front());
  }
  return spec.name + (arguments.empty() ? "" : "(" + arguments + ")");
}

void check_every_verifier(const std::string& command, const std::string& horizon) {
  for (const VerifierInfo& row : all_verifier_rows()) {
    if (row.name == "rule") continue;  // its example is a file
    const std::string gamma = row.drafts.empty() ? std::to_string(kLargestLength) : "2";
    Words words =
        argv(command, "--pair", kToyPair, "--verifier", with_most_drafts(row), "--gamma", gamma);
    if (!horizon.empty()) words = argv(words, "--horizon", horizon);
    // Some take fewer drafts, and a tree is of one length.
    check_ends(words, row.name);
  }
}

TEST_CASE("every verifier at its largest is enumerated or ends (long)") {
  check_every_verifier("exact", "");
}

TEST_CASE("every verifier at its largest is simulated or ends (long)") {
  check_every_verifier("simulate", std::to_string(kLargestLength));
}

TEST_CASE("every family of pairs at its largest is made or ends (long)") {
  const Scratch scratch;
  std::string words;
  for (int i = 0; i < 400'000; ++i) words += "w" + std::to_string(i % 70'001) + " ";
  const std::string text = scratch.write("text", words);
  struct Largest {
    std::string pair, horizon = "26";
  };
  const std::map<std::string, Largest> largest{
      {"bernoulli", {"bernoulli(draft=1/1000000000000,target=999999999999/1000000000000)"}},
      {"uniform", {"uniform(draft=1000000,target=999999)"}},
      {"iid", {"iid(draft=[1/3,1/3,1/3],target=[1/2,1/4,1/4])"}},
      {"zipf", {"zipf(vocabulary=1000000,draft=1,target=1.1)"}},
      {"logits", {"logits(vocabulary=2048,sharpness=32,error=64)"}},
      {"markov", {"markov(vocabulary=4096,horizon=2,seed=1)", "2"}},
      {"tree", {"tree(vocabulary=4,depth=10,seed=1,denominator=1000000)"}},
      {"ngram", {"ngram(text=" + text + ",draft=7,target=8,vocabulary=65536)"}},
  };
  for (const auto& [family, at] : largest) {
    for (const char* command : {"exact", "simulate"}) {
      check_ends(argv(command, "--pair", at.pair, "--verifier block --gamma 4 --horizon",
                      at.horizon, "--max-memory 1G"));
    }
  }
  // file, recorded and scored are as large as their files, and what lists its laws as its text.
  for (const PairFamily& family : pair_families()) {
    if (family.parameters == "PATH") continue;
    if (family.parameters.find("[[..],..]") != std::string_view::npos) continue;
    CHECK(largest.contains(std::string(family.name)));
  }
}

TEST_CASE("an enumeration over a large vocabulary is not begun: closed forms, or a refusal") {
  if (kSanitized) return;
  struct Asked {
    const char *pair, *verifier;
    bool more = false;  ///< than the first iteration, of which alone there are closed forms
  };
  const Asked all[] = {{"zipf(vocabulary=128256,draft=1,target=1.1)", "block", true},
                       {"zipf(vocabulary=128256,draft=1,target=1.1)", "rrs(K=4)", true},
                       {"uniform(draft=128256,target=128255)", "rrs(K=4)", true},
                       {"zipf(vocabulary=128256,draft=1,target=1.1)", "block"},
                       {"uniform(draft=128256,target=128255)", "rrs(K=4)"},
                       {"zipf(vocabulary=32000,draft=1,target=1.1)", "greedy-block"},
                       {"uniform(draft=32000,target=31999)", "greedy-block"}};
  for (const Asked& asked : all) {
    for (const char* arithmetic : {"rational", "double"}) {
      std::vector<std::string> command = argv("exact --pair", asked.pair, "--verifier",
                                              asked.verifier, "--gamma 4 --arithmetic", arithmetic);
      if (asked.more) command = argv(command, "--iterations 1");
      // To count up to the limit takes longer than the processor seconds given.
      const Finished done = Process(command, [] { limit(RLIMIT_CPU, 6); }).wait();
      INFO(asked.pair << " " << asked.verifier << " " << arithmetic << "\n" << done.err);
      CHECK(done.code == (asked.more ? 4 : 0));
      if (asked.more) {
        CHECK_THAT(done.err,
                   Containing("sequences of decisions or more are over the limit of 1e+08"));
      } else {
        CHECK_THAT(done.out, Containing("not enumerated"));
      }
    }
  }
}

}  // namespace
}  // namespace speclab::largest_test
