// What attacks on the program found: signals, limits of time and memory, devices, closed pipes.
#include <fcntl.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"

namespace speclab::attacks_test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

/// A proof for all pairs; what is asked begins with the verifier.
Words prove(const auto&... asked) {
  return argv("prove --verifier", asked..., "--gamma 2 --models tree --threads 1");
}

/// How long after the limit of time or a signal a program may take, however busy the machine.
constexpr double kPatience = 8;

TEST_CASE("prove keeps its time within its algebra") {
  for (const auto& words : {prove("spectr-coupled(K=2) --vocabulary 3 --time 2"),
                            prove("slot-block(K=2) --vocabulary 3 --time 2"),
                            prove("rrs(K=100) --vocabulary 2 --time 2")}) {
    const auto began = Clock::now();
    const Finished done = speclab_run(words);
    INFO(words[2] << " " << done.err);
    CHECK(done.code == 4);
    // Of slot-block a product of polynomials may not fit, which is refused before the time is over.
    const bool refused =
        words[2].starts_with("slot-block") && done.err.find("--max-memory") != std::string::npos;
    if (!refused) CHECK_THAT(done.err, Containing("--time"));
    CHECK(seconds_since(began) < 2 + kPatience);
  }
}

TEST_CASE("prove ends on a signal within its algebra") {
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(prove("spectr-coupled(K=2) --vocabulary 3 --time 100"));
    process.let_work(1.5);
    const auto sent = Clock::now();
    process.send(signal);
    const Finished done = process.wait();
    INFO(done.err);
    CHECK(done.code == 130);
    CHECK(seconds_since(sent) < kPatience);
  }
}

TEST_CASE("prove counts the memory of its algebra and refuses more") {
  if (kSanitized) return;
  constexpr std::uint64_t kMost = 150 << 20;
  const Finished done =
      speclab_run(prove("spectr-coupled(K=2) --vocabulary 3 --time 60 --max-memory 150M"));
  INFO(done.err);
  CHECK(done.code == 4);
  CHECK_THAT(done.err, Containing("--max-memory"));
  CHECK(done.peak < 2 * kMost);
}

TEST_CASE("advice on a hundred thousand draft lengths ends on a signal at once") {
  Process process(argv("advise --pair", kToyPair, "--latency draft=0.1,target=1 --gamma 1:100000"));
  process.let_work(0.5);
  const auto sent = Clock::now();
  process.send(SIGINT);
  CHECK(process.wait().code == 130);
  CHECK(seconds_since(sent) < kPatience);
}

TEST_CASE("a bad second pair is refused before the first is worked on") {
  refuses(argv("advise --pair", kToyPair,
               "--pair no-such-family --latency draft=0.1,target=1 --format csv"),
          3, "there is no pair family 'no-such-family'");
  refuses(argv("advise --pair", kToyPair,
               "--pair markov(vocabulary=3,horizon=6,seed=1) --latency draft=0.1,target=1 "
               "--horizon 50 --format csv"),
          3, "a horizon of 50 is over the 6 positions");
}

TEST_CASE("what --format rates cannot give is refused before the work") {
  const auto began = Clock::now();
  refuses(argv("simulate --pair", kToyPair,
               "--verifier token --verifier autoregressive --gamma 8 --horizon 4096 --trials 1e9 "
               "--format rates"),
          3, "rates are of verifiers of one draft");
  refuses(
      argv("simulate --pair", kToyPair, "--verifier token --gamma 8 --trials 1e9 --format rates"),
      3, "ask for a horizon");
  CHECK(seconds_since(began) < kPatience);
}

TEST_CASE("one reason for several missing numbers is one note") {
  const Finished done = succeeds(
      "exact --pair markov(vocabulary=3,horizon=6,seed=10) --verifier token --gamma 2 --long-run "
      "--format json");
  CHECK(done.json()["results"][0]["notes"].size() == 1);
}

TEST_CASE("a dash as the output is standard output") {
  const Words ask = argv("exact --pair", kToyPair, "--verifier token --gamma 2 --format csv");
  const Scratch scratch;
  const Finished done = Process(argv(ask, "--output -"), [&] { enter(scratch); }).wait();
  CHECK(done.code == 0);
  CHECK(done.out == speclab_run(ask).out);
  CHECK(scratch.files() == 0);
}

TEST_CASE("a device is no file") {
  const auto began = Clock::now();
  for (const std::string device : {"/dev/zero", "/dev/urandom", "/dev/full"}) {
    refuses(argv("exact --pair", "file(" + device + ")", "--verifier token --gamma 1"), 3,
            "is a device");
    refuses(argv("score", device), 3, "is a device");
  }
  CHECK(seconds_since(began) < kPatience);
}

TEST_CASE("no zero has a sign") {
  const Finished done = succeeds("simulate --pair", kToyPair,
                                 "--compare token,rrs(K=1) --gamma 2 --trials 256 --format csv");
  CHECK(done.out.find("-0.0,") == std::string::npos);
}

TEST_CASE("work without a forecast says after two seconds what it does and how far it is") {
  for (const Words& words :
       {prove("greedy-block --vocabulary 2"),
        argv("optimum --pair zipf(vocabulary=6,draft=1.2,target=1) --gamma 3 --drafts 3 "
             "--class plug-and-play")}) {
    Process process(words);
    process.let_work(2.6);
    process.send(SIGINT);
    const Finished done = process.wait();
    INFO(words.front() << ": " << done.err);
    CHECK(done.code == 130);
    CHECK_THAT(done.err, Containing("speclab: after 2 s: "));
    const bool proves = words.front() == "prove";
    if (!proves) {
      CHECK_THAT(done.err, Containing("plug-and-play, gamma 3, drafts 3") &&
                               Containing("interrupted before it was finished"));
    }
    CHECK_THAT(done.err, Containing(proves ? " branches explored" : " pivots of the simplex"));
  }
}

TEST_CASE("plot keeps to the contract of signals, limits and bad options") {
  refuses(argv("plot /nonexistent/a.csv"), 3, "cannot read");
  const Scratch scratch;
  const std::string table = scratch.write("a.csv", "pair,verifier\n");
  refuses(argv("plot", table, "--output", scratch.file("a.bmp")), 2, ".svg, .pdf or .png");
  refuses(argv("plot", table, "--where verifier"), 2, "NAME=VALUE");
  refuses(argv("plot", table, "--log z"), 2, "--log");
  if (!draws_plots()) return;
  const auto with_input = [&scratch](const char* path) {
    return [path, &scratch] {
      const int file = open(path, O_RDONLY);
      if (file < 0 || dup2(file, STDIN_FILENO) < 0) _exit(125);
      enter(scratch);
    };
  };
  const Finished zeros = Process(argv("plot -"), with_input("/dev/zero")).wait();
  CHECK(zeros.code == 3);
  CHECK_THAT(zeros.err, Containing("is no text") && !Containing("Traceback"));
  for (const int signal : {SIGINT, SIGTERM}) {
    Process waiting(argv("plot -"), [&scratch] {
      int ends[2];  // nobody writes, and it stays open
      if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0) _exit(125);
      enter(scratch);
    });
    waiting.let_begin();
    usleep(400'000);
    waiting.send(signal);
    const Finished done = waiting.wait();
    INFO(done.err);
    CHECK(done.code == 130);
    CHECK_THAT(done.err, Containing("interrupted") && !Containing("Traceback"));
    CHECK(std::count(done.err.begin(), done.err.end(), '\n') == 1);
  }
  // A compiled module makes an ImportError of whatever stops its imports.
  const Scratch shadow;
  const std::string numpy =
      shadow.write("numpy.py",
                   "import os, signal\n"
                   "try:\n  os.kill(os.getpid(), signal.SIGTERM)\n  while True: pass\n"
                   "except KeyboardInterrupt:\n  raise ImportError('stopped')\n");
  const Finished loading =
      speclab_run({{"PYTHONPATH", std::filesystem::path(numpy).parent_path()}}, "plot", table);
  CHECK(loading.code == 130);
  CHECK(loading.err == "speclab: interrupted\n");
}

/// Command lines of words that mean something, in an order that means little.
Words random_words(std::mt19937_64& engine) {
  static const Words kCommands =
      argv("exact simulate optimum prove advise audit list verify train merge plot run");
  static const Words kOptions = argv(
      "--pair --verifier --gamma --horizon --iterations --trials --format --output --law "
      "--long-run --seed --threads --latency --drafts --models --time --vocabulary --max-memory "
      "--class --results --shard --compare --estimator --arithmetic --plugin --rule --lambda --x "
      "--y --property");
  static const Words kValues = argv(
      "bernoulli(draft=2/3,target=1/3) token block rrs(K=2) gumbel 1 2 0 -1 inf nan 1:3 3:1 1e3 "
      "18446744073709551616 json csv rates -",
      std::string(),
      "/dev/null /nonexistent iid tree lossless equals:block draft=0.1,target=1 1/2 2/1 all "
      "token,block ( file(/dev/zero) spectr-gbv(K=2) \xff a=b");
  const auto one_of = [&](const Words& all) { return all[engine() % all.size()]; };
  Words words{one_of(kCommands)};
  // What most need, so that some lines do some work.
  if (engine() % 2 == 0) words.insert(words.end(), {"--pair", kValues[0], "--verifier", "token"});
  if (engine() % 2 == 0) words.insert(words.end(), {"--gamma", "2", "--time", "1"});
  for (std::uint64_t i = engine() % 6; i > 0; --i) {
    words.push_back(one_of(kOptions));
    if (engine() % 4 != 0) words.push_back(one_of(kValues));
  }
  return words;
}

TEST_CASE("random command lines end with a code and a line") {
  const char* many = std::getenv("SPECLAB_ATTACKS");
  const int lines = many != nullptr ? std::atoi(many) : 40;
  std::mt19937_64 engine(31);
  const Scratch scratch;
  for (int i = 0; i < lines; ++i) {
    const std::vector<std::string> words = random_words(engine);
    const Finished done = Process(words, [&scratch] {
                            limit(RLIMIT_CPU, 20);
                            enter(scratch);
                            if (dup2(open("/dev/null", O_RDONLY), STDIN_FILENO) < 0) _exit(125);
                          }).wait();
    std::string line;
    for (const std::string& word : words) line += " '" + word + "'";
    INFO(line << "\n" << done.code << "\n" << done.err);
    const std::vector<int> known{0, 1, 2, 3, 4};
    CHECK(std::find(known.begin(), known.end(), done.code) != known.end());
    if (done.code >= 2) CHECK(done.err.find("speclab: ") != std::string::npos);
    CHECK(done.err.find("a fault of the program") == std::string::npos);
    CHECK(done.out.find("nan") == std::string::npos);
  }
}

}  // namespace
}  // namespace speclab::attacks_test
