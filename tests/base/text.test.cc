#include "base/text.h"

#include <string>
#include <vector>

#include "base/printable.h"
#include "catch.h"

namespace speclab::text_test {
namespace {

const std::vector<std::string> kNames{"bernoulli", "uniform", "markov"};

TEST_CASE("abbreviate keeps short texts, cuts long ones and hides control characters") {
  CHECK(abbreviate("short") == "short");
  CHECK(abbreviate(std::string(100, 'a'), 10) == "aaaaaaa...");
  CHECK(abbreviate("two\nlines\t\x7f") == "two?lines??");
  CHECK(abbreviate("aaaaaa\u00e9aaaa", 10) == "aaaaaa...");  // never within a character
}

TEST_CASE("printable text cannot control a terminal") {
  CHECK(printable("\x1b[31mred\x1b[0m") == "?[31mred?[0m");
  CHECK(printable("a\u009b31mb") == "a?31mb");  // C1, as UTF-8
  CHECK(printable("a\x9b"
                  "31mb") == "a?31mb");            // and as a byte
  CHECK(printable("a\u202eb\u2066c") == "a?b?c");  // right to left
  CHECK(printable("\u03b3 \u2265 \u00e9") == "\u03b3 \u2265 \u00e9");
  CHECK(printable("a\nb\tc\r") == "a?b?c?");
  CHECK(printable("a\nb\tc\r", true) == "a\nb\tc?");
}

TEST_CASE("the nearest name is suggested, a far one is not") {
  CHECK(nearest("bernouli", kNames) == "bernoulli");
  CHECK(nearest("markvo", kNames) == "markov");
  CHECK(nearest("mrakov", kNames) == "markov");
  CHECK(nearest("eso", std::vector<std::string>{"draft", "eos"}) == "eos");
  CHECK(nearest("zebra", kNames).empty());
  CHECK(nearest(std::string(1'000'000, 'b'), kNames).empty());
  CHECK(suggestion("unifrom", kNames) == "; did you mean 'uniform'?");
  CHECK(suggestion("zebra", kNames).empty());
}

TEST_CASE("join") {
  CHECK(join(kNames) == "bernoulli, uniform, markov");
  CHECK(join(std::vector<std::string>{}).empty());
}

}  // namespace
}  // namespace speclab::text_test
