// Bounded rows: their memory, what they keep, and that they make the same rows again.
#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "catch.h"
#include "model/registry.h"
#include "model/rows.h"
#include "scratch.h"
#include "system/parallel.h"

namespace speclab::bounded_rows_test {
namespace {

/// A text of a few hundred contexts: a fixed scramble of 40 words.
std::string scramble() {
  std::string text;
  for (unsigned i = 0, x = 1; i < 3000; ++i, x = x * 75 % 65537) {
    text += "w" + std::to_string(x % 41 % 40) + " ";
  }
  return text;
}

struct Fixture {
  Scratch scratch;
  std::vector<std::string> pairs{"markov(vocabulary=30,horizon=40,seed=2)",
                                 ngram("draft=1,target=3"), ngram("draft=2,target=3"),
                                 ngram("draft=3,target=2,eos=4")};
  [[nodiscard]] std::string ngram(const std::string& options) const {
    return "ngram(text=\"" + scratch.write("text", scramble()) + "\"," + options + ")";
  }
};

/// Bytes of one state's rows and tables.
std::size_t state_bytes(const PairPointer& pair) {
  const Rows<double> rows(pair);
  static_cast<void>(rows.table(0));
  return rows.bytes();
}

bool same_table(const StateTable& a, const StateTable& b) {
  if (!std::ranges::equal(a.draft(), b.draft()) ||
      !std::ranges::equal(a.target_row(), b.target_row())) {
    return false;
  }
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a.token(k) != b.token(k) || a.draft_before(k) != b.draft_before(k)) return false;
  }
  return a.residual().mass == b.residual().mass && a.residual().count == b.residual().count;
}

TEST_CASE("bounded rows respect their limit after a pause and make the same rows again") {
  const Fixture all;
  for (const std::string& text : all.pairs) {
    CAPTURE(text);
    const PairPointer pair = make_pair(text);
    const std::size_t one = state_bytes(pair);
    const std::size_t most = 20 * one;
    const Rows<double> whole(pair);
    const Rows<double> bounded(pair, most);
    std::size_t largest = 0;
    {
      Rows<double>::Reading reading(bounded);
      for (int round = 0; round < 3; ++round) {
        for (State s = 0; s < pair->states(); ++s) {
          reading.pause();
          REQUIRE(bounded.bytes() <= most);
          REQUIRE(same_table(bounded.table(s), whole.table(s)));
          REQUIRE(bounded.draft(s).data() == bounded.draft(bounded.draft_state(s)).data());
          REQUIRE(std::ranges::equal(
              draft_alias(bounded, s).entries(), draft_alias(whole, s).entries(),
              [](const auto& a, const auto& b) { return a.keep == b.keep && a.other == b.other; }));
          largest = std::max(largest, bounded.bytes());
        }
      }
    }
    // The bound was reached: all rows together are many times larger.
    CHECK(largest > most);
    CHECK(largest <= most + 2 * one);
    CHECK(whole.bytes() > 5 * most);
  }
}

TEST_CASE("the rows a thread has read are kept until its pause") {
  const PairPointer pair = make_pair("markov(vocabulary=30,horizon=40,seed=2)");
  const Rows<double> rows(pair, 3 * state_bytes(pair));
  Rows<double>::Reading reading(rows);
  std::vector<const StateTable*> got;
  for (State s = 0; s < 200; ++s) got.push_back(&rows.table(s));
  for (State s = 0; s < 200; ++s) CHECK(&rows.table(s) == got[s]);
  CHECK(rows.bytes() >= 200 * state_bytes(pair));
  reading.pause();
  CHECK(rows.bytes() <= 3 * state_bytes(pair));
}

TEST_CASE("rows in use are kept, the least recently used are evicted") {
  const PairPointer pair = make_pair("markov(vocabulary=30,horizon=40,seed=2)");
  const std::size_t one = state_bytes(pair);
  const Rows<double> rows(pair, 40 * one);
  Rows<double>::Reading reading(rows);
  constexpr State kHot = 1000;
  std::vector<const StateTable*> used(10);
  for (State s = 0; s < 10; ++s) used[s] = &rows.table(kHot + s);
  int changed = 0;
  for (State s = 100; s < 1000; ++s) {
    // Ten states requested repeatedly, among hundreds requested once.
    for (State hot = 0; hot < 10; ++hot) {
      const StateTable* now = &rows.table(kHot + hot);
      changed += now == used[hot] && now->draft().data() == rows.draft(kHot + hot).data() ? 0 : 1;
    }
    static_cast<void>(rows.table(s));
    reading.pause();
  }
  CHECK(changed == 0);
}

TEST_CASE("power sums are counted and evicted with their table") {
  const PairPointer pair = make_pair("markov(vocabulary=30,horizon=40,seed=2)");
  const std::size_t one = state_bytes(pair);
  const Rows<double> rows(pair, 10 * one);
  Rows<double>::Reading reading(rows);
  for (int power = 1; power <= 8; ++power) static_cast<void>(rows.table(3).powers(power));
  CHECK(rows.bytes() == rows.table(3).bytes() + 2 * 30 * sizeof(double));
  CHECK(rows.bytes() > 3 * one);
  for (State s = 0; s < 30; ++s) static_cast<void>(rows.table(s).powers(8));
  CHECK(rows.bytes() > 30 * one);
  reading.pause();
  CHECK(rows.bytes() <= 10 * one);
}

TEST_CASE("concurrent readers of bounded rows see exactly the rows of the pair") {
  const Fixture all;
  for (const std::string& text : all.pairs) {
    CAPTURE(text);
    const PairPointer pair = make_pair(text);
    const Rows<double> whole(pair);
    const Rows<double> bounded(pair, 25 * state_bytes(pair));
    const std::int64_t states = pair->states();
    std::atomic<int> wrong = 0;
    parallel_for(64, 4, [&](std::int64_t part) {
      Rows<double>::Reading reading(bounded);
      for (std::int64_t i = 0; i < 200; ++i) {
        reading.pause();
        const auto s = static_cast<State>((part * 131 + i * i * 7) % states);
        if (!same_table(bounded.table(s), whole.table(s))) ++wrong;
      }
    });
    CHECK(wrong == 0);
    Rows<double>::Reading(bounded).pause();
    CHECK(bounded.bytes() <= 25 * state_bytes(pair));
  }
}

}  // namespace
}  // namespace speclab::bounded_rows_test
