// Every sequence of decisions of every verifier, one by one: their weights, and that they replay.
#include "exact/plain.h"

#include "catch.h"
#include "toy.h"

namespace speclab {

namespace {

TEST_CASE("the weights of every verifier's decisions sum to exactly 1 and replay the same") {
  const Rows<Rational> rows(make_pair("tree(vocabulary=3,depth=3,seed=5)"));
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    const Verifier verifier = prepare(make_verifier(row.example), rows.pair_pointer());
    with_plain(verifier, rows, [](const auto& view, const auto& program) {
      const auto run = [&] {
        std::vector<std::pair<std::vector<Token>, Rational>> all;
        program.enumerate(view, view.root(0), {.drafts = 2, .bonus = true}, true,
                          [&](const auto& out, const Rational& weight) {
                            CHECK(weight > 0);
                            CHECK(out.accepted >= 0);
                            all.emplace_back(out.tokens, weight);
                          });
        return all;
      };
      const auto once = run();
      Rational sum(0);
      for (const auto& [tokens, weight] : once) sum += weight;
      CHECK(sum == 1);
      CHECK(once == run());
    });
  }
}

}  // namespace
}  // namespace speclab
