// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024): what Tables 2 to 4 say of themselves. The measured numbers are of language
// models and cannot be reproduced here; what the text says of them can be checked.
#include <fmt/format.h>

#include "claims/engine/ingredient.h"
#include "claims/engine/row.h"

namespace speclab {
namespace sun2024_tables {
namespace {

/// Token and block in thousandths, and the printed change from one to the other in thousandths of a
/// percent.
struct Change {
  int token;
  int block;
  int printed;
};
/// Block efficiency, then time over that of autoregressive sampling.
struct DataSet {
  std::string_view name;
  Change efficiency;
  Change time;
};
struct PrintedTable {
  int length;  ///< L
  std::array<DataSet, 7> rows;
};

/// Tables 3, 4, 2.
constexpr std::array<PrintedTable, 3> kPrinted{{
    {4,
     {{{"LM1B", {2781, 2788, 274}, {427, 426, -119}},
       {"WebQA", {2902, 2915, 460}, {410, 409, -304}},
       {"PIQA", {2887, 2893, 211}, {412, 412, -54}},
       {"ShareGPT", {2845, 2862, 587}, {418, 416, -419}},
       {"XSum", {2949, 2967, 615}, {404, 402, -439}},
       {"GSM8K", {3145, 3169, 777}, {380, 378, -587}},
       {"WMT-DeEn", {2748, 2753, 166}, {432, 432, -24}}}}},
    {6,
     {{{"LM1B", {3080, 3116, 1152}, {434, 430, -927}},
       {"WebQA", {3261, 3296, 1065}, {411, 407, -828}},
       {"PIQA", {3223, 3252, 894}, {415, 412, -691}},
       {"ShareGPT", {3188, 3216, 902}, {420, 417, -683}},
       {"XSum", {3326, 3363, 1110}, {403, 400, -860}},
       {"GSM8K", {3592, 3662, 1926}, {375, 369, -1623}},
       {"WMT-DeEn", {3032, 3066, 1125}, {440, 436, -901}}}}},
    {8,
     {{{"LM1B", {3226, 3299, 2253}, {462, 453, -1941}},
       {"WebQA", {3445, 3524, 2284}, {434, 425, -1974}},
       {"PIQA", {3389, 3485, 2826}, {441, 430, -2468}},
       {"ShareGPT", {3346, 3439, 2786}, {446, 435, -2437}},
       {"XSum", {3510, 3590, 2282}, {426, 418, -1964}},
       {"GSM8K", {3900, 3957, 1479}, {386, 381, -1195}},
       {"WMT-DeEn", {3179, 3255, 2412}, {469, 459, -2106}}}}},
}};

constexpr Family kTables{
    .text = "the printed numbers of Tables 2 to 4",
    .make = [](Effort) { return std::vector{printed_numbers()}; },
};

Comparisons gains(const Instance&) {
  Comparisons says;
  const auto add = [&](int length, std::string_view name, std::string_view metric,
                       const Change& change) {
    const Rational ratio(change.block, change.token);
    const Rational room = (1 + ratio) / (2 * change.token) + Rational(1, 200000);
    says.at_most(abs(ingredient("sun2024.tables.gain", Rational(ratio - 1)) -
                     Rational(change.printed, 100000)),
                 room, "L = {}, {}, {}: |block / token - 1 - printed|", length, name, metric);
    says.at_least(change.printed * (metric == "time" ? -1 : 1), 1,
                  "L = {}, {}, {}: the improvement in 0.001%", length, name, metric);
  };
  for (const PrintedTable& table : kPrinted) {
    for (const DataSet& row : table.rows) {
      add(table.length, row.name, "block efficiency", row.efficiency);
      add(table.length, row.name, "time", row.time);
    }
  }
  return says;
}

constexpr ClaimRow kGains{
    .id = "sun2024.tables.gains",
    .source = "sun2024 section 5 and appendix C, of Tables 2 to 4",
    .statement =
        "BlockVerify improves on TokenVerify in each of the 42 cells, and each printed improvement "
        "is block / token - 1",
    .hypotheses = "to rounding",
    .check = gains,
    .places = {kTables},
    .bites = {{raised("sun2024.tables.gain"), lowered("sun2024.tables.gain")}},
};

/// The mean improvement at a larger L against that at the next smaller one.
Comparisons growth(const Instance&) {
  Comparisons says;
  for (std::size_t i = 1; i < kPrinted.size(); ++i) {
    const PrintedTable& longer = kPrinted[i];
    const PrintedTable& shorter = kPrinted[i - 1];
    const auto compare = [&](std::string_view metric, Change DataSet::*column, int sign) {
      Rational more(0), fewer(0);
      for (std::size_t row = 0; row < longer.rows.size(); ++row) {
        more += Rational(sign * (longer.rows[row].*column).printed, 7);
        fewer += Rational(sign * (shorter.rows[row].*column).printed, 7);
      }
      says.above(ingredient("sun2024.tables.longer", more), fewer,
                 "{}: mean improvement in 0.001% at L = {} against L = {}", metric, longer.length,
                 shorter.length);
    };
    compare("block efficiency", &DataSet::efficiency, 1);
    compare("time", &DataSet::time, -1);
  }
  return says;
}

constexpr ClaimRow kGrowth{
    .id = "sun2024.tables.growth",
    .source = "sun2024 appendix C: \"the improvement is larger when L is larger\"",
    .statement = "the mean improvement over the data sets grows from L = 4 to 6 to 8",
    .hypotheses =
        "the printed rows of Tables 2 to 4; on GSM8K alone it falls from L = 6 to 8, "
        "1.926% to 1.479%",
    .check = growth,
    .places = {kTables},
    .bites = {{halved("sun2024.tables.longer"), zeroed("sun2024.tables.longer")}},
};

constexpr ClaimRow kClaims[] = {kGains, kGrowth};

}  // namespace
}  // namespace sun2024_tables

Claims sun2024_tables_claims() { return sun2024_tables::kClaims; }

}  // namespace speclab
