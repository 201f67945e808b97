// What the program takes, and what it does with files that can be read once.
#include <sys/stat.h>

#include "catch.h"
#include "process.h"
#include "recording_text.h"
#include "refused.h"

namespace speclab::memory_test {
namespace {

constexpr std::uint64_t kMega = 1 << 20;

/// A text of some ten thousand contexts of two words: a fixed scramble of 250 words, the low ones
/// more often.
std::string rich_text() {
  std::string text;
  std::uint64_t x = 1;
  for (int i = 0; i < 60'000; ++i) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto u = static_cast<double>(x >> 40) / static_cast<double>(1 << 24);
    text += "w" + std::to_string(static_cast<int>(250 * u * u)) + " ";
  }
  return text;
}

TEST_CASE("the memory of trials about a text does not grow with their number") {
  if (kSanitized) return;
  const Scratch scratch;
  const std::string pair =
      "ngram(text=\"" + scratch.write("text", rich_text()) + "\",draft=1,target=3,vocabulary=256)";
  const auto run = [&](const std::string& trials, const std::string& memory) {
    return succeeds("simulate --pair", pair, "--verifier block --gamma 2 --trials", trials,
                    "--threads 2 --max-memory", memory, "--format csv");
  };
  // 16 MiB hold the text's counts and half of them a fiftieth of the tables.
  const Finished few = run("2", "16M");
  const Finished some = run("1e3", "16M");
  const Finished many = run("1e5", "16M");
  CHECK(some.peak < few.peak + 16 * kMega);
  CHECK(many.peak < few.peak + 16 * kMega);
  // The same trials where all may be kept: the bound is what held it, and changed no number.
  const Finished free = run("1e5", "4G");
  CHECK(free.peak > few.peak + 100 * kMega);
  CHECK(free.out == many.out);
}

TEST_CASE("counts of a text over the limit of memory are refused before they are made") {
  const Scratch scratch;
  const std::string path = scratch.write("text", rich_text());
  const std::string pair = "ngram(text=\"" + path + "\",draft=1,target=3)";
  const auto task = [&](const std::string& memory) {
    return argv("simulate --pair", pair, "--verifier block --gamma 2 --trials 100 --max-memory",
                memory);
  };
  refuses(task("1M"), 4, "the n-grams of its 60000 tokens may take ");
  refuses(task("1M"), 4,
          "over the limit of 1 MiB; give a shorter text, lower the orders, or allow more memory "
          "(max-memory)");
  succeeds(task("64M"));
}

TEST_CASE("laws in a file over the limit of memory are refused, and under it take no more") {
  if (kSanitized) return;
  constexpr int kTokens = 100'000;
  const Scratch scratch;
  const auto task = [](const std::string& path, const std::string& memory, const char* more) {
    return argv("simulate --pair", "file(" + path + more + ")",
                "--gamma 1 --verifier token --trials 2 --max-memory", memory);
  };
  const std::string small = R"({"vocabulary":2,"kind":"iid","draft":[0,1],"target":[1,0]})";
  const std::uint64_t least = speclab_run(task(scratch.write("small", small), "1G", ",eos=2")).peak;
  for (const char* number :
       {"0", "1e-5", "0.00001", "\"1/100000\"", "\"1000000000000001/100000000000000100000\""}) {
    std::string law = number == std::string("0") ? "1" : number;
    for (int token = 1; token < kTokens; ++token) law += std::string(",") + number;
    const std::string text =
        R"({"vocabulary":100000,"kind":"iid","draft":[)" + law + R"(],"target":[)" + law + "]}";
    const std::string path = scratch.write("laws", text);
    INFO(number);
    refuses(task(path, "1M", ""), 4, "its 200002 numbers may take ");
    // A token that is not there is reported after the laws are read.
    const Finished read = speclab_run(task(path, "1G", ",eos=100000"));
    CHECK_THAT(read.err, Containing("eos"));
    CHECK(read.peak > least + 5 * kMega);
    CHECK(read.peak < least + 192 * 200'002 + 3 * text.size());
  }
}

TEST_CASE("iterations that take more than the limit of memory end with their number") {
  if (kSanitized) return;
  const auto task = [](const std::string& iterations) {
    return argv("exact --pair", kToyPair, "--verifier token --gamma 2 --iterations", iterations,
                "--law --max-memory 16M --format csv");
  };
  succeeds(task("50"));
  refuses(task("4000"), 4, "over the limit of 16 MiB; lower the iterations");
}

/// A pipe with a name.
std::string make_pipe(const Scratch& scratch) {
  const std::string path = scratch.file("pipe");
  if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
  return path;
}

TEST_CASE("a pipe is read once, and its bytes are what the numbers are kept by") {
  const Scratch scratch;
  const std::string pipe = make_pipe(scratch);
  const auto numbers = [&](const std::string& path, const std::string& text) {
    Process process(argv("simulate --pair", "ngram(text=\"" + path + "\",draft=1,target=2)",
                         "--verifier block --gamma 2 --trials 500 --format json"));
    if (path == pipe) std::ofstream(path, std::ios::binary) << text;
    const Finished done = process.wait();
    REQUIRE(done.code == 0);
    return done.json()["results"][0]["iteration"];
  };
  const std::string text = "a b a c a b b a c c a b", other = "a b c a b c a b c b b b a";
  CHECK(numbers(pipe, text) == numbers(scratch.write("text", text), ""));
  CHECK(numbers(pipe, other) == numbers(scratch.write("other", other), ""));
  CHECK(numbers(pipe, other) != numbers(pipe, text));
}

TEST_CASE("a sweep refuses a pipe: what it goes on with must be there again") {
  const Scratch scratch;
  const std::string pipe = make_pipe(scratch);
  const std::string sweep = scratch.write("sweep.toml", R"toml(
title = "a text"
source = "none"
[[task]]
name = "text"
kind = "simulate"
pair = "ngram(text={text},draft=1,target=2)"
verifier = "block"
gamma = 2
trials = 100
quick-trials = 100
)toml");
  // Nobody writes to it: the program must not wait.
  refuses(argv("run", sweep, "--text", pipe, "--results", scratch.file("results")), 3,
          "is a pipe or a device, which can be read once; copy it to a file");
}

TEST_CASE("a signal while a pipe waits for its writer is an interruption") {
  const Scratch scratch;
  const std::string pipe = make_pipe(scratch);
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(
        argv("exact --pair", "ngram(text=\"" + pipe + "\")", "--verifier block --gamma 1"));
    process.let_wait();
    process.send(signal);
    CHECK(process.wait().code == 130);
  }
  for (const Words& more :
       {argv("--pair", "recorded(" + pipe + ")"), argv("--pair", kToyPair, "--output", pipe)}) {
    Process process(argv("simulate --verifier block --gamma 1", more));
    process.let_wait();
    process.send(SIGINT);
    CHECK(process.wait().code == 130);
  }
}

TEST_CASE("a recording comes through a pipe") {
  const Scratch scratch;
  const std::string pipe = make_pipe(scratch);
  const std::string text = recording_head(2) + R"({"tokens": [0], "draft": [[0.5, 0.5]],)"
                                               R"( "target": [[0.25, 0.75], [0.5, 0.5]]})"
                                               "\n";
  const auto numbers = [&](const std::string& path) {
    Process process(argv("simulate --pair", "recorded(" + path + ")",
                         "--verifier token --gamma 1 --format json"));
    if (path == pipe) std::ofstream(path, std::ios::binary) << text;
    const Finished done = process.wait();
    INFO(done.err);
    REQUIRE(done.code == 0);
    return done.json()["results"][0]["iteration"];
  };
  CHECK(numbers(pipe) == numbers(scratch.write("file.jsonl", text)));
}

TEST_CASE("equal prefixes that are merged are held within the limit of memory") {
  // Nearly every prefix has a weight of its own.
  for (const char* arithmetic : {"rational", "double"}) {
    const Finished done = speclab_run(
        "exact --pair zipf(vocabulary=5000,draft=1,target=1.1) --verifier block --gamma 4 "
        "--arithmetic",
        arithmetic, "--max-memory 50M");
    INFO(done.err);
    CHECK(done.code == 4);
    CHECK_THAT(done.err, Containing("over the limit of 50 MiB; lower gamma, or allow more memory"));
  }
}

}  // namespace
}  // namespace speclab::memory_test
