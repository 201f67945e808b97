// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025): what its tables say of themselves. The measured numbers are of
// language models and cannot be reproduced here; what the text says of them can be checked.
#include <fmt/format.h>

#include <algorithm>

#include "claims/engine/ingredient.h"
#include "claims/engine/row.h"

namespace speclab {
namespace sun2025_tables {
namespace {

/// A printed row, in hundredths: token, block, and the improvement in hundredths of a percent.
struct Measured {
  int token;
  int block;
  int gain;
};
/// Block efficiency, then wall-clock speedup.
struct PrintedRow {
  std::string_view where;
  Measured efficiency;
  Measured speedup;
};

/// Table 1: gamma = 8, PALM-2-XXS.
constexpr PrintedRow kTable1[] = {
    {"LM1B", {321, 349, 868}, {217, 232, 685}},
    {"GPT Prompt", {341, 376, 1006}, {230, 248, 814}},
    {"WebQA", {344, 370, 753}, {232, 245, 575}},
    {"PIQA", {340, 368, 830}, {229, 244, 652}},
    {"ShareGPT", {334, 362, 845}, {225, 240, 668}},
    {"XSum", {349, 376, 763}, {235, 249, 582}},
    {"GSM8K", {381, 415, 874}, {255, 273, 684}},
    {"WMT-DeEn", {319, 341, 700}, {215, 227, 536}},
};
constexpr Measured kAverageEfficiency{341, 370, 830};
constexpr Measured kAverageSpeedup{230, 245, 649};

/// Figures 4 and 5, from Tables 1 and 6 to 10: gamma = 4, 6, 8 of each drafter.
constexpr int kLengths[] = {4, 6, 8};
constexpr std::array<std::array<PrintedRow, 3>, 2> kFigure4{{
    {{{"PALM-2-XXS", {289, 299, 336}, {244, 250, 249}},
      {"PALM-2-XXS", {323, 343, 610}, {243, 254, 467}},
      {"PALM-2-XXS", {341, 370, 830}, {230, 245, 649}}}},
    {{{"PALM-2-XXXS", {235, 243, 316}, {236, 243, 289}},
      {"PALM-2-XXXS", {250, 263, 507}, {239, 250, 467}},
      {"PALM-2-XXXS", {257, 273, 627}, {228, 240, 536}}}},
}};

/// Table 2: temperatures 0.2, 0.6, 1.0.
constexpr PrintedRow kTable2[] = {
    {"T = 0.2", {275, 285, 372}, {122, 124, 166}},
    {"T = 0.6", {275, 290, 532}, {123, 129, 424}},
    {"T = 1.0", {279, 304, 870}, {127, 134, 607}},
};

constexpr Family kPrinted{
    .text = "the printed numbers of Tables 1, 2 and of Figure 4",
    .make = [](Effort) { return std::vector{printed_numbers()}; },
};

/// |block / token - 1 - gain| against how large rounding the three printed numbers can make it.
void add_gain(Comparisons& says, std::string_view where, std::string_view metric,
              const Measured& row) {
  const Rational ratio(row.block, row.token);
  const Rational room = (1 + ratio) / (2 * row.token) + Rational(1, 20000);
  says.at_most(
      abs(ingredient("sun2025.tables.gain", Rational(ratio - 1)) - Rational(row.gain, 10000)), room,
      "{}, {}: |block / token - 1 - printed|", where, metric);
}

/// The text of section 6.1: the extremes and the averages of Table 1's improvements.
Comparisons table1(const Instance&) {
  Comparisons says;
  const auto of = [&](std::string_view metric, const Measured PrintedRow::*column, int least,
                      int most, const Measured& average) {
    int found_least = 10000, found_most = 0, total = 0;
    for (const PrintedRow& row : kTable1) {
      const Measured& measured = row.*column;
      add_gain(says, row.where, metric, measured);
      found_least = std::min(found_least, measured.gain);
      found_most = std::max(found_most, measured.gain);
      total += measured.gain;
    }
    add_gain(says, "Average", metric, average);
    says.equal(found_least, least, "{}: the least improvement in 0.01%", metric);
    says.equal(found_most, most, "{}: the largest improvement in 0.01%", metric);
    says.at_most(abs(ingredient("sun2025.tables.mean", Rational(total, 8)) - average.gain), 1,
                 "{}: |mean improvement - printed average| in 0.01%", metric);
  };
  of("block efficiency", &PrintedRow::efficiency, 700, 1006, kAverageEfficiency);
  of("wall-clock speedup", &PrintedRow::speedup, 536, 814, kAverageSpeedup);
  return says;
}

constexpr ClaimRow kTable1Row{
    .id = "sun2025.table1",
    .source = "sun2025 section 6.1, of Table 1",
    .statement =
        "improvements of 7.00% to 10.06%, 8.30% on average, in block efficiency and of 5.36% to "
        "8.14%, 6.49% on average, in wall-clock time, and each is block / token - 1",
    .hypotheses = "to rounding; the second \"block efficiency\" of the text is wall-clock time",
    .check = table1,
    .places = {kPrinted},
    .bites = {{raised("sun2025.tables.gain"), lowered("sun2025.tables.gain"),
               doubled("sun2025.tables.mean")}},
};

/// Section 6.1 of Figure 4: what grows with gamma, where the speedup peaks, the better drafter.
Comparisons figure4(const Instance&) {
  Comparisons says;
  for (const auto& drafter : kFigure4) {
    for (std::size_t i = 0; i < drafter.size(); ++i) {
      const PrintedRow& row = drafter[i];
      const std::string where = fmt::format("{}, gamma = {}", row.where, kLengths[i]);
      says.above(row.efficiency.block, row.efficiency.token, "{}: block efficiency of block",
                 where);
      if (i > 0) {
        const PrintedRow& shorter = drafter[i - 1];
        says.above(ingredient("sun2025.figure4.efficiency", Rational(row.efficiency.block)),
                   shorter.efficiency.block, "{}: block efficiency against the shorter draft",
                   where);
        says.above(ingredient("sun2025.figure4.improvement", Rational(row.efficiency.gain)),
                   shorter.efficiency.gain, "{}: improvement against the shorter draft", where);
      }
      says.above(kFigure4[0][i].efficiency.gain, kFigure4[1][i].efficiency.gain,
                 "gamma = {}: improvement under PALM-2-XXS against PALM-2-XXXS", kLengths[i]);
    }
    for (const auto column : {&Measured::token, &Measured::block}) {
      says.above(std::max(drafter[0].speedup.*column, drafter[1].speedup.*column),
                 drafter[2].speedup.*column, "{}: speedup at gamma = 4 or 6 against 8",
                 drafter[0].where);
    }
  }
  return says;
}

constexpr ClaimRow kFigure4Row{
    .id = "sun2025.figure4",
    .source = "sun2025 section 6.1, of Figures 4 and 5",
    .statement =
        "block efficiency and relative improvement of block increase with gamma, the speedup peaks "
        "at gamma = 4 or 6, and the better drafter has the larger improvement",
    .hypotheses = "the printed averages, gamma = 4, 6, 8",
    .check = figure4,
    .places = {kPrinted},
    .bites = {{constant("sun2025.figure4.efficiency"), halved("sun2025.figure4.improvement")}},
};

/// Section 6.2: "up to 8.7% in block efficiency and up to 6.7% in wall clock speedup".
Comparisons largest_gains(const Rational& speedup) {
  int efficiency = 0;
  int found = 0;
  for (const PrintedRow& row : kTable2) {
    efficiency = std::max(efficiency, row.efficiency.gain);
    found = std::max(found, row.speedup.gain);
  }
  Comparisons says;
  says.equal(efficiency, 870, "the largest improvement in block efficiency of Table 2, in 0.01%");
  says.equal(ingredient("sun2025.table2.largest", Rational(found)), speedup,
             "the largest improvement in wall-clock speedup of Table 2, in 0.01%");
  return says;
}

constexpr ClaimRow kTable2Row{
    .id = "sun2025.table2.largest",
    .source = "sun2025 section 6.2, of Table 2",
    .statement = "the improvement is up to 8.7% in block efficiency and up to 6.7% in speedup",
    .hypotheses = "the printed rows, gamma = 8",
    .recorded = ClaimVerdict::not_decidable,
    .check = [](const Instance&) { return largest_gains(670); },
    .places = {kPrinted},
    .correction = {"of Table 2, which fixes gamma = 8, the largest speedup gain is 6.07%; the "
                   "sentence says \"across different draft lengths\", and no other one is printed",
                   [](const Instance&) { return largest_gains(607); },
                   {},
                   Amends::by_reading},
    .bites = {{raised("sun2025.table2.largest")}},
};

/// Section 6.2: "the additional improvement is higher for larger temperatures".
Comparisons temperatures(const Instance&) {
  Comparisons says;
  for (std::size_t i = 0; i < std::size(kTable2); ++i) {
    const PrintedRow& row = kTable2[i];
    add_gain(says, row.where, "block efficiency", row.efficiency);
    add_gain(says, row.where, "wall-clock speedup", row.speedup);
    if (i == 0) continue;
    says.above(row.efficiency.gain, kTable2[i - 1].efficiency.gain,
               "{}: improvement in block efficiency against the lower temperature", row.where);
    says.above(row.speedup.gain, kTable2[i - 1].speedup.gain,
               "{}: improvement in speedup against the lower temperature", row.where);
  }
  return says;
}

constexpr ClaimRow kTemperatures{
    .id = "sun2025.table2.temperature",
    .source = "sun2025 section 6.2, of Table 2",
    .statement = "the improvement is larger at a higher temperature, and each is block / token - 1",
    .hypotheses = "the printed rows; to rounding",
    .check = temperatures,
    .places = {kPrinted},
    .bites = {{raised("sun2025.tables.gain"), lowered("sun2025.tables.gain")}},
};

constexpr ClaimRow kClaims[] = {kTable1Row, kFigure4Row, kTable2Row, kTemperatures};

}  // namespace
}  // namespace sun2025_tables

Claims sun2025_tables_claims() { return sun2025_tables::kClaims; }

}  // namespace speclab
