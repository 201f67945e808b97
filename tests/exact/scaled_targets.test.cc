// Every verifier on a pair whose tables have entries for few tokens only (model/scaled_tail.h),
// against itself on the same laws with whole tables.
#include <cmath>
#include <memory>
#include <set>
#include <string_view>

#include "catch.h"
#include "exact/exact.h"
#include "scaled_pair.h"
#include "verifiers/registry.h"

namespace speclab::scaled_targets_test {
namespace {

constexpr double kAllowed = 1e-12;
constexpr std::size_t kTokens = 66;
constexpr std::size_t kOthers = 9;

ExactResult<double> answer(const Verifier& verifier, const Rows<double>& rows, int gamma) {
  return run_exact<double>(verifier, rows, {.lengths = {.gamma = gamma, .horizon = gamma}});
}

void check_same(const ExactResult<double>& scaled, const ExactResult<double>& whole) {
  REQUIRE(scaled.all().size() == whole.all().size());
  for (std::size_t i = 0; i < scaled.all().size(); ++i) {
    const auto& found = scaled.all()[i];
    const auto& wanted = whole.all()[i];
    REQUIRE(found.id == wanted.id);
    REQUIRE(found.values.size() == wanted.values.size());
    for (std::size_t k = 0; k < found.values.size(); ++k) {
      CAPTURE(quantity(found.id).name, index_text(found.values[k].index), found.values[k].value,
              wanted.values[k].value);
      REQUIRE(std::abs(found.values[k].value - wanted.values[k].value) <= kAllowed);
    }
  }
}

/// Rules that draw from the same laws as others and take ten times as long here.
const std::set<std::string_view> kLong{"gumbel-list", "one-hot", "sglang", "target-only"};

TEST_CASE("scaled targets: every lossless verifier answers as by whole tables") {
  const Rows<double> scaled(std::make_shared<ScaledPair>(kTokens, kOthers, true));
  const Rows<double> whole(std::make_shared<ScaledPair>(kTokens, kOthers, false));
  for (State state = 0; state < scaled.pair().states(); ++state) {
    REQUIRE(scaled.table(state).target_row().empty());
    REQUIRE_FALSE(whole.table(state).target_row().empty());
  }
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind != VerifierKind::lossless || kLong.contains(row.name)) continue;
    CAPTURE(row.example);
    const Verifier verifier = make_verifier(row.example);
    check_same(answer(verifier, scaled, 1), answer(verifier, whole, 1));
  }
}

TEST_CASE("scaled targets: weights and carries along a draft are those by whole tables") {
  const Rows<double> scaled(std::make_shared<ScaledPair>(kTokens, kOthers, true));
  const Rows<double> whole(std::make_shared<ScaledPair>(kTokens, kOthers, false));
  for (const char* text : {"token", "block", "greedy-block", "lazy-block"}) {
    CAPTURE(text);
    const Verifier verifier = make_verifier(text);
    check_same(answer(verifier, scaled, 2), answer(verifier, whole, 2));
  }
}

}  // namespace
}  // namespace speclab::scaled_targets_test
