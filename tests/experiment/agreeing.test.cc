// Rows found by the place of another, against a look at each.
#include "experiment/agreeing.h"

#include <algorithm>
#include <array>
#include <random>

#include "catch.h"

namespace speclab::agreeing_test {
namespace {

struct Row {
  TaskPlace place;
  std::string index;
};

/// One of few places, in which anything may be missing.
Row drawn(std::mt19937_64& random) {
  const auto one_of = [&](std::vector<std::string> texts) {
    return texts[random() % texts.size()];
  };
  Row row;
  row.place.pair = one_of({"", "u", "v"});
  row.place.gamma = one_of({"", "1", "2"});
  row.place.horizon = one_of({"", "4"});
  row.place.iterations = one_of({"", "1", "2"});
  if (random() % 2 == 0) row.place.trials = 100 * (1 + random() % 2);
  // In either order, and of names that columns have too.
  for (const std::string& name : {one_of({"x", "gamma"}), one_of({"y", "pair"})}) {
    if (random() % 3 > 0) row.place.vary.emplace_back(name, one_of({"1", "2", ""}));
  }
  if (random() % 2 == 0) std::reverse(row.place.vary.begin(), row.place.vary.end());
  row.index = one_of({"", "0", "1"});
  return row;
}

bool agree(const Row& a, const Row& b, const Selector& selector) {
  const auto same = [](const std::string& one, const std::string& other) {
    return one.empty() || other.empty() || one == other;
  };
  const auto named = [&](const std::string& column) { return selector.find(column) != nullptr; };
  if (a.index != b.index || !same(a.place.pair, b.place.pair)) return false;
  if (!named("gamma") && !same(a.place.gamma, b.place.gamma)) return false;
  if (!named("horizon") && !same(a.place.horizon, b.place.horizon)) return false;
  if (!named("iterations") && !same(a.place.iterations, b.place.iterations)) return false;
  const bool all_trials = selector.get("trials") == "all" && a.place.trials && b.place.trials;
  if (all_trials && *a.place.trials != *b.place.trials) return false;
  for (const auto& [name, value] : a.place.vary) {
    const std::string* other = find_variable(b.place.vary, name);
    if (other != nullptr && !named(name) && !same(value, *other)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("rows that agree are those that a look at each finds") {
  std::mt19937_64 random(20261123);
  const std::vector<Selector> selectors{
      {},
      {1, {{"trials", "all"}}},
      {1, {{"gamma", "1"}}},
      {1, {{"x", "1"}, {"horizon", "4"}}},
      {1, {{"pair", "u"}, {"iterations", "2"}, {"trials", "100"}}}};
  std::array<int, 3> times{};
  for (const Selector& selector : selectors) {
    std::vector<Row> rows;
    for (int i = 0; i < 8; ++i) rows.push_back(drawn(random));
    Agreeing agreeing(selector);
    for (const Row& row : rows) agreeing.add(row.place, row.index);
    for (int i = 0; i < 400; ++i) {
      const Row asked = drawn(random);
      std::vector<std::size_t> expected;
      for (std::size_t at = 0; at < rows.size() && expected.size() < 2; ++at) {
        if (agree(asked, rows[at], selector)) expected.push_back(at);
      }
      ++times[expected.size()];
      CHECK(agreeing.with(asked.place, asked.index) == expected);
    }
  }
  // None, one and more were all asked for.
  CHECK(*std::min_element(times.begin(), times.end()) > 50);
}

}  // namespace speclab::agreeing_test
