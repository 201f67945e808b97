#include "model/memory.h"

#include <algorithm>

#include "catch.h"
#include "model/registry.h"
#include "scratch.h"

namespace speclab::memory_test {
namespace {

TEST_CASE("no more states are forecast than there are or than contexts of the length") {
  const auto tree = make_pair("tree(vocabulary=3,depth=6)");
  const auto most = [&](Lengths lengths) { return most_states(*tree, lengths); };
  CHECK(most({.gamma = kUnbounded, .horizon = 1}) == 1 + 3);
  CHECK(most({.gamma = kUnbounded, .horizon = 2}) == 1 + 3 + 9);
  CHECK(most({.gamma = 2, .horizon = {}}) == 1 + 3 + 9 + 27);
  CHECK(most({.gamma = 1, .horizon = 3}) == 1 + 3 + 9 + 27);
  CHECK(most({.gamma = 1, .horizon = {}, .iterations = 2}) == 1 + 3 + 9 + 27 + 81);
  CHECK(most({.gamma = 2, .horizon = 1000}) == tree->states());
  // Seven starts.
  const auto chain = make_pair("markov(vocabulary=7,horizon=50,seed=10)");
  CHECK(most_states(*chain, {.gamma = kUnbounded, .horizon = 1}) == 7 + 49);
  CHECK(most_states(*chain, {.gamma = 8, .horizon = 50}) == chain->states());
}

/// All rows, and in doubles all tables.
template <class Real>
void make_all(const Rows<Real>& rows) {
  for (State s = 0; s < rows.pair().states(); ++s) {
    if constexpr (std::is_same_v<Real, double>) static_cast<void>(rows.table(s));
    static_cast<void>(rows.target(s));
    static_cast<void>(rows.draft(s));
  }
}

TEST_CASE("rows and tables take at most their forecast, and little less") {
  for (const char* text :
       {"bernoulli(draft=1/3,target=2/3)", "tree(vocabulary=3,depth=4)",
        "markov(vocabulary=7,horizon=50,seed=10)", "zipf(vocabulary=1000,draft=1.0,target=1.1)",
        "markov(vocabulary=70,horizon=3,seed=1)"}) {
    CAPTURE(text);
    const Rows<double> rows(make_pair(text));
    const MemoryForecast forecast = forecast_memory(rows, {.gamma = 1, .horizon = 1'000'000});
    CHECK(forecast.states == rows.pair().states());
    make_all(rows);
    const auto held = static_cast<double>(rows.bytes() + rows.index_bytes());
    CHECK(held <= forecast.bytes());
    CHECK(held >= 0.8 * forecast.bytes());
  }
}

TEST_CASE("a fraction is counted with its digits") {
  const auto per_state = [](const char* text) {
    const Rows<Rational> rows(make_pair(text));
    return forecast_memory(rows, {.gamma = 1, .horizon = {}}).per_state;
  };
  const double shorter = per_state("iid(draft=[1/3,2/3],target=[1/2,1/2])");
  CHECK(shorter >= 4 * (sizeof(Rational) + 2 * 24));
  // Numerator and denominator of 80 digits are 34 bytes each, five words with the fifth.
  const std::string large = "1" + std::string(80, '0');
  CHECK(per_state(("iid(draft=[1/" + large + "," + std::string(80, '9') + "/" + large +
                   "],target=[1/2,1/2])")
                      .c_str()) > shorter);
}

TEST_CASE("contexts that share a draft law share its row and its table") {
  const Scratch scratch;
  const std::string file = scratch.write("text", "a b c a b d a c b a d d c a b c b a c d a b");
  for (const char* orders : {"draft=1,target=3", "draft=2,target=3", "draft=3,target=2",
                             "draft=2,target=4,smoothing=additive", "draft=1,target=3,eos=1",
                             "draft=2,target=3,top-k=2,eos=0", "draft=3,target=2,eos=2"}) {
    CAPTURE(orders);
    const Rows<double> rows(make_pair("ngram(text=\"" + file + "\"," + orders + ")"));
    const Pair& pair = rows.pair();
    const auto width = static_cast<std::size_t>(rows.vocabulary());
    std::vector<double> draft(width), target(width);
    std::size_t shared = 0;
    for (State s = 0; s < pair.states(); ++s) {
      pair.rows(s, draft, target);
      CHECK(std::ranges::equal(rows.draft(s), draft));
      CHECK(std::ranges::equal(rows.target(s), target));
      const State owner = rows.draft_state(s);
      CHECK(rows.draft_state(owner) == owner);
      CHECK(rows.draft(s).data() == rows.draft(owner).data());
      shared += owner == s ? 0 : 1;
    }
    // All but the contexts that the draft distinguishes, of which there are at most 1, 1 + V, ..
    const int orders_distinguished = std::string_view(orders)[6] - '0';
    const std::size_t distinguished = orders_distinguished == 1 ? 1 : 1 + width;
    const std::size_t ended = pair.end_token() ? 1 : 0;
    if (orders_distinguished < 3) CHECK(pair.states() - shared <= distinguished + ended);
    CHECK((shared > 0) == !std::string_view(orders).starts_with("draft=3"));
  }
}

}  // namespace
}  // namespace speclab::memory_test
