// Every claim is shown to bite: under each fault that its row names, its outcome is not the
// recorded one. This program links its own ingredient functions, so that a fault can be planted
// here and nowhere else.
#include <atomic>

#include "base/spec.h"
#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/registry.h"

namespace speclab {
namespace {

Bite planted;                       ///< what is wrong now
std::atomic<std::uint64_t> struck;  ///< how often it was met

template <class Number>
Number spoilt(std::string_view name, Number value) {
  if (planted.ingredient != name || planted.fault == Fault::replaced) return value;
  ++struck;
  const Number seventh = Number(1) / 7;
  switch (planted.fault) {
    case Fault::zeroed:
      return Number(0);
    case Fault::halved:
      return Number(value / 2);
    case Fault::doubled:
      return Number(value * 2);
    case Fault::raised:
      return Number(value + seventh);
    case Fault::lowered:
      return Number(value - seventh);
    case Fault::constant:
      return seventh;
    default:
      return value;
  }
}

bool as_recorded_under(const ClaimRow& row, const Bite& bite) {
  planted = bite;
  struck = 0;
  ClaimContext context;
  context.effort = Effort::quick;
  context.threads = 1;
  const bool as_recorded = ClaimOutcome{&row, run_claim(row, context), 0}.as_recorded();
  planted = {};
  return as_recorded;
}

void bite(std::string_view paper) {
  int claims = 0;
  for (const ClaimRow& row : claim_rows()) {
    if (!row.id.starts_with(paper)) continue;
    ++claims;
    int bites = 0;
    for (const Bite& bite : row.bites) {
      if (bite.ingredient.empty()) continue;
      ++bites;
      CAPTURE(row.id, bite.text());
      const bool as_recorded = as_recorded_under(row, bite);
      CHECK(struck > 0);
      CHECK_FALSE(as_recorded);
    }
    CAPTURE(row.id);
    CHECK(bites > 0);
  }
  CHECK(claims > 0);
}

}  // namespace

Rational ingredient(std::string_view name, Rational value) { return spoilt(name, value); }
double ingredient(std::string_view name, double value) { return spoilt(name, value); }
std::vector<Rational> ingredient(std::string_view name, std::vector<Rational> values) {
  if (planted.ingredient == name && planted.fault == Fault::levelled && !values.empty()) {
    ++struck;
    Rational sum(0);
    for (const Rational& value : values) sum += value;
    values.assign(values.size(), sum / values.size());
    return values;
  }
  for (Rational& value : values) value = spoilt(name, value);
  return values;
}

/// "rrs(K=2)" replaced by "wrong-rrs" is "wrong-rrs(K=2)"; by "kseq(K=3)", that.
std::string played(std::string_view verifier) {
  std::string text(verifier);
  if (planted.fault != Fault::replaced || parse_spec(text).name != planted.ingredient) return text;
  ++struck;
  if (planted.by.find('(') != std::string_view::npos) return std::string(planted.by);
  return std::string(planted.by) + text.substr(planted.ingredient.size());
}

TEST_CASE("claims of sun2025 bite") { bite("sun2025."); }
TEST_CASE("claims of sun2024 bite") { bite("sun2024."); }
TEST_CASE("claims of yin2024 bite") { bite("yin2024."); }
TEST_CASE("claims of lin2026 bite") { bite("lin2026."); }
TEST_CASE("claims of zhong2025 bite") { bite("zhong2025."); }
TEST_CASE("claims of slot-block bite") { bite("slot-block."); }
TEST_CASE("claims of sun2023 bite") { bite("sun2023."); }
TEST_CASE("claims of miao2023 bite") { bite("miao2023."); }
TEST_CASE("claims of hu2025 bite") { bite("hu2025."); }
TEST_CASE("claims of daliri2024 bite") { bite("daliri2024."); }
TEST_CASE("claims of li2024 bite") { bite("li2024."); }
TEST_CASE("claims of jeon2024 bite") { bite("jeon2024."); }
TEST_CASE("claims of weng2025 bite") { bite("weng2025."); }
TEST_CASE("claims of khisti2025 bite") { bite("khisti2025."); }
TEST_CASE("claims of thomas2026 bite") { bite("thomas2026."); }
TEST_CASE("claims of zhou2026 bite") { bite("zhou2026."); }
TEST_CASE("claims of narasimhan2025 bite") { bite("narasimhan2025."); }
TEST_CASE("claims of holsman2025 bite") { bite("holsman2025."); }
TEST_CASE("claims of cai2024 bite") { bite("cai2024."); }
TEST_CASE("claims of li2025 bite") { bite("li2025."); }
TEST_CASE("claims of engines bite") { bite("engines."); }

TEST_CASE("a claim of any paper bites") {
  for (const ClaimRow& row : claim_rows()) {
    CAPTURE(row.id);
    CHECK_FALSE(row.planted().empty());
  }
}

}  // namespace speclab
