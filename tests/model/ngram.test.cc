#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <numeric>

#include "base/error.h"
#include "model/families/ngram_counts.h"
#include "model/rows.h"
#include "model/tokens.h"
#include "pairs.h"
#include "stops.h"
#include "system/interrupt_scope.h"
#include "system/read_file.h"

namespace speclab::ngram_test {
namespace {

TEST_CASE("words, punctuation and bytes") {
  const TokenText words = tokenise(" Don't stop. na\xc3\xafve,\n stop stop", TokenKind::word, 100);
  CHECK(words.names == std::vector<std::string>{"stop", "Don't", ".", "na\xc3\xafve", ","});
  CHECK(words.tokens == std::vector<Token>{1, 0, 2, 3, 4, 0, 0});
  CHECK(tokenise(" \n\t ", TokenKind::word, 9).tokens.empty());
  const TokenText bytes = tokenise("abba b", TokenKind::byte, 100);
  CHECK(bytes.names == std::vector<std::string>{"b", "a", " "});
  CHECK(bytes.tokens == std::vector<Token>{1, 0, 0, 1, 2, 0});
}

TEST_CASE("the cap keeps the most frequent tokens and one unknown token") {
  const TokenText capped = tokenise("c b a a b d", TokenKind::word, 3);
  CHECK(capped.names == std::vector<std::string>{"b", "a", "<unk>"});
  CHECK(capped.tokens == std::vector<Token>{2, 0, 1, 1, 0, 2});
  CHECK(tokenise("a b", TokenKind::word, 2).names == std::vector<std::string>{"a", "b"});
  CHECK(tokenise("a b", TokenKind::word, 1).names == std::vector<std::string>{"<unk>"});
}

/// A text at the end of a page, after which nothing may be read.
class AtTheEdge {
 public:
  explicit AtTheEdge(std::string_view text) : text_(text) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = 2 * page;
    pages_ = static_cast<char*>(
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages_ != MAP_FAILED);
    REQUIRE(mprotect(pages_ + page, page, PROT_NONE) == 0);
    char* first = pages_ + page - text.size();
    std::copy(text.begin(), text.end(), first);
    text_ = {first, text.size()};
  }
  AtTheEdge(const AtTheEdge&) = delete;
  AtTheEdge& operator=(const AtTheEdge&) = delete;
  ~AtTheEdge() { munmap(pages_, size_); }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  char* pages_ = nullptr;
  std::size_t size_ = 0;
};

TEST_CASE("nothing is read past the end of a text") {
  for (const char* text : {"a b", "a b ", "a b \n\t ", " ", "don't.", "."}) {
    CAPTURE(text);
    const AtTheEdge edge(text);
    for (const TokenKind kind : {TokenKind::word, TokenKind::byte}) {
      CHECK(tokenise(edge.text(), kind, 100).tokens == tokenise(text, kind, 100).tokens);
    }
  }
}

TEST_CASE(
    "a text is counted within its forecast, and a limit below it is refused before anything is "
    "made") {
  std::vector<Token> tokens;
  for (unsigned i = 0, x = 1; i < 20000; ++i, x = x * 75 % 65537) {
    tokens.push_back(static_cast<Token>(x % 997));
  }
  for (const int order : {1, 2, 3, 5}) {
    const NgramCounts counts(tokens, order);
    const double most = NgramCounts::most_bytes(tokens.size(), 997, order);
    const auto held = static_cast<double>(counts.bytes());
    CHECK(held <= most);
    // A child for each n-gram, and two numbers for each state: by the followers of every state.
    std::size_t grams = 0;
    for (State s = 0; s < counts.states(); ++s) grams += counts.followers(s).size();
    CHECK(counts.bytes() == 8 * grams + 4 * (2 * counts.states() + 1));
  }
  // Where every n-gram is another one the forecast is little more than what is held.
  std::iota(tokens.begin(), tokens.end(), 0);
  CHECK(static_cast<double>(NgramCounts(tokens, 3).bytes()) >=
        0.7 * NgramCounts::most_bytes(tokens.size(), 20000, 3));
  const TemporaryFile file("a b a b a c");
  const std::string text = "ngram(text=" + file.path() + ",draft=1,target=2)";
  CHECK_THROWS_WITH(speclab::make_pair(text, 100.0),
                    Containing("the n-grams of its 6 tokens may take ") &&
                        Containing("over the limit of 100 bytes"));
  CHECK(speclab::make_pair(text, 1000.0)->bytes() > 0);
}

TEST_CASE("reading and counting a text are interruptible") {
  const TemporaryFile file(std::string(300'000, 'a'));
  const std::string text = "a b c a b d a c";
  const std::vector<Token> tokens{0, 1, 2, 0, 1, 3, 0, 2};
  const auto goes_on_and_stops = [](const auto& work) {
    CHECK_NOTHROW(work());
    const InterruptScope scope;
    std::raise(SIGINT);
    CHECK(stops(work));
  };
  // SIGINT is ignored while no scope lives, so that the scope's handler passes it on to
  // that.
  const auto before = std::signal(SIGINT, SIG_IGN);
  goes_on_and_stops([&] { read_file(file.path()); });
  goes_on_and_stops([&] { input_file(file.path(), text); });
  goes_on_and_stops([&] { check_utf8(text, "T"); });
  goes_on_and_stops([&] { tokenise(text, TokenKind::word, 100); });
  goes_on_and_stops([&] { NgramCounts(tokens, 3); });
  // A small pair's rows are made even so: the trials that were done may need them.
  goes_on_and_stops([&] { Rows<double>(make_pair("markov(vocabulary=7,horizon=10000,seed=10)")); });
  std::signal(SIGINT, before);
}

/// Occurrences of `gram` in `tokens`, by brute force.
std::size_t occurrences(const std::vector<Token>& tokens, const std::vector<Token>& gram) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + gram.size() <= tokens.size(); ++i) {
    count += std::equal(gram.begin(), gram.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return count;
}

TEST_CASE("the automaton's state is the longest suffix that occurs, and its counts are right") {
  // A fixed scramble over 4 tokens, and every history of up to 6 tokens against brute force.
  std::vector<Token> tokens;
  for (unsigned i = 0, x = 1; i < 60; ++i, x = x * 75 % 65537) {
    tokens.push_back(static_cast<Token>(x % 5 % 4));
  }
  for (const int order : {1, 2, 3, 4}) {
    const NgramCounts counts(tokens, order);
    for (int code = 0; code < 4096; ++code) {
      std::vector<Token> history;
      for (int i = 0; i < 6; ++i) history.push_back((code >> (2 * i)) & 3);
      State state = 0;
      for (const Token token : history) state = counts.next(state, token);
      REQUIRE(state < counts.states());
      std::vector<Token> longest(history.end() - std::min(order - 1, 6), history.end());
      while (occurrences(tokens, longest) == 0) longest.erase(longest.begin());
      REQUIRE(counts.depth(state) == static_cast<int>(longest.size()));
      std::size_t followed = 0;
      for (const auto& follower : counts.followers(state)) {
        longest.push_back(follower.token);
        REQUIRE(occurrences(tokens, longest) == follower.count);
        longest.pop_back();
        followed += follower.count;
      }
      const bool ends = std::equal(longest.rbegin(), longest.rend(), tokens.rbegin());
      REQUIRE(followed + (ends && !longest.empty() ? 1 : 0) ==
              (longest.empty() ? tokens.size() : occurrences(tokens, longest)));
    }
  }
}

std::string spec(const TemporaryFile& file, const std::string& options) {
  return "ngram(text=" + file.path() + "," + options + ")";
}

TEST_CASE("back-off is interpolated absolute discounting, by hand") {
  const TemporaryFile file("a b a b a c");  // ids a=0, b=1, c=2; counts 3, 2, 1
  const PairPointer pair = make_pair(spec(file, "draft=1,target=2,discount=1/2"));
  CHECK(pair->name() == "ngram(text=" + file.path() +
                            ",draft=1,target=2,temperature=1,tokens=word,vocabulary=512,"
                            "smoothing=backoff,discount=1/2,prompt=text)");
  check_pair(*pair);
  // Unigram: (c - 1/2)/6 + (1/2 * 3/6) * 1/3
  const std::vector<double> unigram{2.5 / 6 + 0.25 / 3, 1.5 / 6 + 0.25 / 3, 0.5 / 6 + 0.25 / 3};
  const auto start = laws_at<double>(*pair, 0);
  const auto after_a = laws_at<double>(*pair, pair->next(0, 0));
  const auto after_c = laws_at<double>(*pair, walk(*pair, {0, 2}));
  for (std::size_t x = 0; x < 3; ++x) {
    CHECK(start.draft[x] == Approx(unigram[x]).epsilon(1e-14));
    CHECK(start.target[x] == Approx(unigram[x]).epsilon(1e-14));
    CHECK(after_a.draft[x] == Approx(unigram[x]).epsilon(1e-14));
    CHECK(after_c.target[x] == Approx(unigram[x]).epsilon(1e-14));  // nothing follows c
  }
  // After a: b twice, c once; two different followers share 1/2 * 2/3.
  CHECK(after_a.target[0] == Approx(unigram[0] / 3).epsilon(1e-14));
  CHECK(after_a.target[1] == Approx(1.5 / 3 + unigram[1] / 3).epsilon(1e-14));
  CHECK(after_a.target[2] == Approx(0.5 / 3 + unigram[2] / 3).epsilon(1e-14));
}

TEST_CASE("additive smoothing, by hand, with either model the higher order") {
  const TemporaryFile file("a b a b a c");
  const PairPointer pair = make_pair(spec(file, "draft=2,target=1,smoothing=additive,alpha=1/2"));
  check_pair(*pair);
  const auto after_a = laws_at<double>(*pair, pair->next(0, 0));
  CHECK(after_a.draft[0] == Approx(0.5 / 4.5));
  CHECK(after_a.draft[1] == Approx(2.5 / 4.5));
  CHECK(after_a.draft[2] == Approx(1.5 / 4.5));
  CHECK(after_a.target[0] == Approx(3.5 / 7.5));
}

TEST_CASE("temperature sharpens both laws, and 0 is greedy with ties to the lowest token") {
  const TemporaryFile file("a b c b a a b");  // a and b three times, c once
  const auto options = [](const std::string& temperature) {
    return "draft=1,target=1,smoothing=additive,alpha=0,temperature=" + temperature;
  };
  const auto half = laws_at<double>(*make_pair(spec(file, options("1/2"))), 0);
  CHECK(half.draft[0] == Approx(9.0 / 19));
  CHECK(half.draft[2] == Approx(1.0 / 19));
  CHECK(half.target == half.draft);
  const PairPointer greedy = make_pair(spec(file, options("0")));
  CHECK(laws_at<Rational>(*greedy, 0).target == fractions({"1", "0", "0"}));
  check_pair(*greedy);
  for (const char* extreme : {"1e-300", "1e-4000", "1000"}) {
    check_pair(*make_pair(spec(file, options(extreme))));
  }
}

TEST_CASE("a real text gives a plausible pair by default") {
  const TemporaryFile file([] {
    std::string text;
    for (int i = 0; i < 400; ++i) {
      text += "the cat " + std::string(i % 3 == 0 ? "sat" : "ran") + " on the " +
              (i % 5 == 0 ? "mat" : "grass") + ". ";
    }
    return text;
  }());
  for (const char* options : {"draft=1,target=3", "tokens=byte,draft=2,target=5",
                              "draft=2,target=3,vocabulary=4,eos=3"}) {
    const PairPointer pair = make_pair(spec(file, options));
    check_pair(*pair);
  }
  const PairPointer pair = make_pair(spec(file, "draft=1,target=3"));
  double acceptance = 0;
  const auto laws = laws_at<double>(*pair, walk(*pair, {0, 2}));
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    acceptance += std::min(laws.draft[x], laws.target[x]);
  }
  CHECK(acceptance > 0.02);
  CHECK(acceptance < 0.9);
}

TEST_CASE("texts that cannot be used are refused with what to give") {
  const auto refused = [](const std::string& bytes, const std::string& message) {
    const TemporaryFile file(bytes);
    CHECK_THROWS_WITH(make_pair(spec(file, "draft=1,target=3")),
                      Containing(message) && Containing(file.path()));
  };
  refused("", "is empty; give a text file");
  refused(" \n", "has 0 tokens, fewer than the order 3");
  refused("two words", "has 2 tokens, fewer than the order 3");
  refused(std::string("ab\0cd", 5), "byte 2 is NUL");
  refused("abc \xff\xfe", "byte 4 does not begin a valid UTF-8 character");
  CHECK_THROWS_WITH(make_pair("ngram(text=/no/such.txt)"), Containing("No such file"));
  CHECK_THROWS_WITH(make_pair("ngram(text=/)"), Containing("is a directory"));
  const TemporaryFile file("some words here");
  CHECK_THROWS_WITH(make_pair(spec(file, "vocabulary=0")), Containing("vocabulary=0 must be"));
  CHECK_THROWS_WITH(make_pair(spec(file, "draft=0")), Containing("draft=0 must be"));
  CHECK_THROWS_WITH(make_pair(spec(file, "temperature=-1")), Containing("out of range"));
  CHECK_THROWS_WITH(make_pair(spec(file, "smoothing=back-off")),
                    Containing("did you mean 'backoff'?"));
  CHECK_THROWS_WITH(make_pair(spec(file, "alpha=1")), Containing("unknown parameter 'alpha'"));
}

TEST_CASE("prompts drawn from the text are the contexts of its places") {
  // Ids a=0, b=1, c=2. Places with two tokens before them and one after: ab a ba b ab a ba c.
  const TemporaryFile file("a b a b a c");
  const PairPointer pair = make_pair(spec(file, "draft=1,target=3"));
  check_pair(*pair);
  CHECK(pair->name() == "ngram(text=" + file.path() +
                            ",draft=1,target=3,temperature=1,tokens=word,vocabulary=512,"
                            "smoothing=backoff,discount=3/4,prompt=text)");
  const auto starts = pair->start();
  REQUIRE(starts.size() == 2);
  for (const Start& start : starts) {
    CHECK(start.probability == Rational(1) / 2);
    CHECK((start.state == walk(*pair, {0, 1}) || start.state == walk(*pair, {1, 0})));
  }
  CHECK(starts[0].state != starts[1].state);
  // Where it is asked for, and where a model sees nothing, the prompt is empty.
  const auto empty = [](const PairPointer& other) {
    return other->start().size() == 1 && other->start().front().state == 0;
  };
  CHECK(empty(make_pair(spec(file, "draft=1,target=3,prompt=start"))));
  CHECK(empty(make_pair(spec(file, "draft=1,target=1,prompt=text"))));
  CHECK(!empty(make_pair(spec(file, "draft=1,target=3,prompt=text"))));
  CHECK_THROWS_WITH(make_pair(spec(file, "prompt=end")), Containing("prompt=end is not one of"));
}

TEST_CASE("prompts of a long text are drawn from places spread evenly over all of it") {
  // 3000 times a, then as often b, then c: a third of the places each.
  std::string text;
  for (const char* word : {"a ", "b ", "c "}) {
    for (int i = 0; i < 3000; ++i) text += word;
  }
  const TemporaryFile file(text);
  const PairPointer pair = make_pair(spec(file, "draft=1,target=2,prompt=text"));
  const auto starts = pair->start();
  REQUIRE(starts.size() == 3);
  Rational sum(0);
  for (const Start& start : starts) {
    CHECK(abs(Rational(start.probability - Rational(1) / 3)) <= Rational(1) / 1024);
    sum += start.probability;
  }
  CHECK(sum == 1);
}

}  // namespace
}  // namespace speclab::ngram_test
