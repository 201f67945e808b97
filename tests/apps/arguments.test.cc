// Command lines that nobody would write, made from the commands' own options: each ends with a
// documented exit code and a line or two that say why.
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <random>

#include "apps/process.h"
#include "apps/steering.h"
#include "catch.h"

namespace speclab::arguments_test {
namespace {

/// A command's line that works and is soon done, and its options' names with those of their values.
struct Base {
  Words words;
  std::vector<std::pair<std::string, std::string>> options;
};

std::map<std::string, Base> bases() {
  const std::string costs = "draft=0.1,target=1";
  std::map<std::string, Base> all{
      {"exact", {argv("--pair", kToyPair, "--verifier token --gamma 2"), {}}},
      {"simulate", {argv("--pair", kToyPair, "--verifier token --gamma 2 --trials 100"), {}}},
      {"advise", {argv("--pair", kToyPair, "--latency", costs, "--gamma 1 --trials 640"), {}}},
      {"optimum", {argv("--pair", kToyPair, "--gamma 1"), {}}},
      {"prove", {argv("--verifier token --vocabulary 2 --gamma 1 --models iid"), {}}},
      {"audit", {argv("--rule token --cases"), {}}},
      {"verify", {argv("--claim sun2024.lemma1 --quick"), {}}},
      {"train", {argv("--pair", kToyPair, "--lambda 1 --samples 64"), {}}},
      {"run", {argv("none.toml --quick --trials 10"), {}}},
      {"list", {argv("pairs --format csv"), {}}},
      {"completion", {argv("bash"), {}}}};
  const auto commands = speclab_run("list commands --format json").json()["commands"];
  for (const auto& row : commands) {
    const auto found = all.find(row["command"]);
    if (found == all.end() || row["option"] == "") continue;
    found->second.options.emplace_back(row["option"], row["value"]);
  }
  return all;
}

const Words kValues =
    argv(std::string(), std::string(" "),
         "0 -1 1e400 99999999999999999999999999 18446744073709551616 nan 1/0 1:0 1:9:0 inf all -- "
         "- @ @none ( [1, file( file(none) token(K=99999999999) \" a,b %n%s / /dev/null /dev/full "
         "none/none \xff\xfe \x1b[2J \u009b31m",
         std::string("two\nlines"), std::string(5000, 'a'), std::string(70000, '('));

/// Words with one thing or two that are wrong with them.
class Mistakes {
 public:
  explicit Mistakes(const Base& base) : base_(base) {}

  Words make(std::mt19937_64& random) const {
    Words words = base_.words;
    const auto draw = [&](std::size_t count) { return random() % count; };
    for (std::size_t times = 1 + draw(2); times > 0; --times) {
      const auto& [option, value] = base_.options[draw(base_.options.size())];
      const std::string& odd = kValues[draw(kValues.size())];
      const auto place = words.begin() + static_cast<std::ptrdiff_t>(draw(words.size() + 1));
      switch (draw(8)) {
        case 0:  // another value
          if (place != words.end()) *place = odd;
          break;
        case 1:
        case 2:  // an option with a value that it may not take
          words.insert(words.end(), {option, odd});
          break;
        case 3:
          words.push_back(option + "=" + odd);
          break;
        case 4:  // an option that lacks its value, or has one too many, or is there twice
          words.insert(place, option);
          break;
        case 5: {  // a name that is nearly one
          std::string name = option;
          name[draw(name.size())] = static_cast<char>('a' + draw(26));
          words.push_back(std::move(name));
          break;
        }
        case 6:
          words.insert(place, odd);
          break;
        default:
          if (place != words.end()) words.erase(place);
      }
    }
    return words;
  }

 private:
  const Base& base_;
};

std::string shown(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    text += " '" +
            nlohmann::json(word.substr(0, 80))
                .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) +
            "'";
  }
  return text;
}

/// Whether the program ended by itself.
bool ends_well(const Finished& done) {
  if (done.code == 1000 + SIGXCPU) return false;  // it was at work
  CHECK((done.code >= 0 && done.code <= 4));
  CHECK(steering(done.out) == std::string::npos);
  CHECK(steering(done.err) == std::string::npos);
  CHECK(std::count(done.err.begin(), done.err.end(), '\n') <= 3);
  CHECK(done.err.size() < 3000);
  if (done.code != 0) CHECK(done.err.starts_with("speclab: "));
  if (done.code == 2) CHECK(done.out.empty());
  return true;
}

}  // namespace

TEST_CASE("no command line ends the program otherwise than with a line and a documented code") {
  constexpr std::size_t kLines = 22, kAtOnce = 4;
  std::mt19937_64 random(1);
  std::map<int, int> codes;
  int ended = 0, all = 0;
  for (const auto& [command, base] : bases()) {
    const Scratch scratch;
    const Mistakes mistakes(base);
    REQUIRE(!base.options.empty());
    for (std::size_t line = 0; line < kLines; line += kAtOnce) {
      std::vector<Words> words;
      std::vector<std::unique_ptr<Process>> started;
      for (std::size_t i = 0; i < std::min(kAtOnce, kLines - line); ++i) {
        words.push_back(mistakes.make(random));
        words.back().insert(words.back().begin(), command);
        started.push_back(std::make_unique<Process>(words.back(), [&] {
          const rlimit seconds{1, 2};
          setrlimit(RLIMIT_CPU, &seconds);
          setenv("OMP_NUM_THREADS", "1", 0);
          enter(scratch);
        }));
      }
      for (std::size_t i = 0; i < started.size(); ++i) {
        const Finished done = started[i]->wait();
        INFO(shown(words[i]) << "\n" << done.code << ": " << done.err.substr(0, 3000));
        ended += ends_well(done) ? 1 : 0;
        ++codes[done.code];
        ++all;
      }
    }
  }
  INFO(nlohmann::json(codes).dump());
  // The mistakes are of every kind, and few lines ask for much.
  CHECK(ended >= all * 9 / 10);
  for (const int code : {0, 2, 3}) CHECK(codes[code] >= 10);
}

TEST_CASE("a value is the next word, whatever it is, or stands behind an equals sign") {
  const auto refuses = [](const Words& words, const char* part) {
    return speclab_run(words).err.find(part) != std::string::npos;
  };
  CHECK(refuses(argv("exact --pair="), "--pair needs a value"));
  CHECK(refuses(argv("exact --pair"), "--pair needs a value"));
  CHECK(refuses(argv("exact --pair --law"), "--verifier is missing"));
  CHECK(refuses(argv("exact --law=3"), "--law takes no value"));
  CHECK(refuses(argv("exact --=3"), "unknown option"));
  CHECK(refuses(argv("exact --law --"), "--pair is missing"));
  CHECK(refuses(argv("exact - x"), "unexpected argument '-'"));
  const Words equals = argv("exact", "--pair=" + kToyPair, "--verifier=token --gamma=1");
  succeeds(equals);
}

}  // namespace speclab::arguments_test
