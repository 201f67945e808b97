// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what its tables say of themselves.
#include <fmt/format.h>

#include "claims/papers/lin2026/printed.h"

namespace speclab {
namespace lin2026_tables {
namespace {

using lin2026_printed::gain_rounding;
using lin2026_printed::kLengths;
using lin2026_printed::kMethods;
using lin2026_printed::kNames;
using lin2026_printed::kTables;
using lin2026_printed::PrintedRow;

/// Five data sets and the row called Average.
using Setting = std::array<PrintedRow, 6>;

constexpr std::array<Setting, 4> kSettings{{
    {{{"Table 1, DeepSeek-33B, HumanEval", {953, 1025, 960, 1045}, {202, 221, 203, 250}},
      {"Table 1, DeepSeek-33B, GSM8K", {683, 725, 689, 765}, {157, 226, 157, 246}},
      {"Table 1, DeepSeek-33B, MGSM", {718, 810, 737, 831}, {155, 197, 160, 212}},
      {"Table 1, DeepSeek-33B, LM1B", {817, 893, 842, 894}, {171, 182, 175, 190}},
      {"Table 1, DeepSeek-33B, Alpaca", {651, 742, 689, 758}, {136, 152, 141, 160}},
      {"Table 1, DeepSeek-33B, Average", {764, 839, 783, 859}, {164, 196, 167, 212}}}},
    {{{"Table 1, DeepSeek-6.7B, HumanEval", {706, 753, 706, 770}, {119, 115, 119, 128}},
      {"Table 1, DeepSeek-6.7B, GSM8K", {578, 655, 599, 668}, {102, 128, 104, 142}},
      {"Table 1, DeepSeek-6.7B, MGSM", {584, 638, 599, 660}, {101, 106, 102, 114}},
      {"Table 1, DeepSeek-6.7B, LM1B", {617, 686, 642, 701}, {102, 104, 103, 112}},
      {"Table 1, DeepSeek-6.7B, Alpaca", {581, 612, 589, 623}, {101, 100, 100, 103}},
      {"Table 1, DeepSeek-6.7B, Average", {613, 669, 627, 684}, {105, 111, 106, 120}}}},
    {{{"Table 4, CodeLlama-13B, HumanEval", {758, 799, 759, 802}, {145, 167, 142, 167}},
      {"Table 4, CodeLlama-13B, GSM8K", {733, 789, 752, 795}, {118, 148, 118, 151}},
      {"Table 4, CodeLlama-13B, MGSM", {683, 736, 689, 739}, {128, 139, 126, 151}},
      {"Table 4, CodeLlama-13B, LM1B", {727, 781, 752, 788}, {115, 117, 116, 128}},
      {"Table 4, CodeLlama-13B, Alpaca", {708, 756, 720, 770}, {107, 106, 105, 114}},
      {"Table 4, CodeLlama-13B, Average", {721, 772, 734, 779}, {123, 135, 121, 142}}}},
    {{{"Table 4, Vicuna-13B, HumanEval", {644, 688, 650, 696}, {118, 120, 115, 131}},
      {"Table 4, Vicuna-13B, GSM8K", {596, 661, 613, 674}, {116, 156, 115, 167}},
      {"Table 4, Vicuna-13B, MGSM", {594, 640, 611, 665}, {109, 116, 109, 130}},
      {"Table 4, Vicuna-13B, LM1B", {504, 571, 530, 582}, {91, 97, 92, 101}},
      {"Table 4, Vicuna-13B, Alpaca", {557, 617, 579, 632}, {101, 104, 102, 121}},
      {"Table 4, Vicuna-13B, Average", {579, 635, 597, 650}, {107, 119, 107, 130}}}},
}};

/// The printed gains of the averages over SD, SpecTr, GBV (sections 6.3 and C),
/// in tenths of a percent, in the order of kSettings: block efficiency, then
/// speedup.
constexpr std::array<std::array<std::array<int, 3>, 2>, 4> kGains{{
    {{{124, 23, 97}, {293, 82, 270}}},
    {{{116, 22, 91}, {143, 81, 132}}},
    {{{80, 9, 61}, {154, 52, 174}}},
    {{{122, 24, 89}, {215, 92, 215}}},
}};

/// Table 2: L, the place of the block efficiencies, and Accept of SpecTr,
/// SpecTr-GBV in thousandths with the printed change in tenths of a percent.
struct Acceptance {
  std::string_view where;
  int length;
  std::size_t setting;
  std::size_t data_set;
  std::array<int, 2> accept;
  int change;
};
constexpr std::array<Acceptance, 4> kAcceptances{{
    {"Table 2, DeepSeek-33B, GSM8K", 12, 0, 1, {521, 555}, 65},
    {"Table 2, DeepSeek-33B, HumanEval", 12, 0, 0, {772, 788}, 21},
    {"Table 2, DeepSeek-6.7B, GSM8K", 8, 1, 1, {695, 711}, 23},
    {"Table 2, DeepSeek-6.7B, HumanEval", 8, 1, 0, {816, 838}, 27},
}};

Comparisons averages(const Instance&) {
  Comparisons says;
  for (const Setting& setting : kSettings) {
    for (std::size_t m = 0; m < kMethods; ++m) {
      const auto off = [&](std::string_view metric, const auto& values) {
        Rational mean(0);
        for (std::size_t row = 0; row < 5; ++row) mean += Rational((setting[row].*values)[m], 500);
        says.at_most(
            abs(ingredient("lin2026.tables.mean", mean) - Rational((setting[5].*values)[m], 100)),
            Rational(1, 100), "{}, {} {}: |mean of five - printed|", setting[5].where, metric,
            kNames[m]);
      };
      off("BE", &PrintedRow::efficiency);
      off("SR", &PrintedRow::speedup);
    }
  }
  return says;
}

constexpr ClaimRow kAverages{
    .id = "lin2026.tables.averages",
    .source = "lin2026 Tables 1 and 4, the rows called Average",
    .statement = "each is the mean of the five data sets above it",
    .hypotheses = "to one unit of the last digit: all six numbers are rounded",
    .check = averages,
    .places = {kTables},
    .bites = {{raised("lin2026.tables.mean")}},
};

Comparisons gains(const Instance&) {
  Comparisons says;
  const auto add = [&](int old_value, int new_value, int gain, std::string_view where,
                       std::string_view what) {
    const Rational ratio(new_value, old_value);
    const Rational found = ingredient("lin2026.tables.gain", Rational(ratio - 1));
    says.at_most(abs(found - Rational(gain, 1000)), gain_rounding(old_value, new_value), "{}, {}",
                 where, what);
  };
  for (std::size_t s = 0; s < kSettings.size(); ++s) {
    const auto& [where, efficiency, speedup] = kSettings[s][5];
    for (std::size_t m = 0; m < 3; ++m) {
      add(efficiency[m], efficiency[3], kGains[s][0][m], where,
          fmt::format("BE over {}", kNames[m]));
      add(speedup[m], speedup[3], kGains[s][1][m], where, fmt::format("SR over {}", kNames[m]));
    }
  }
  for (const Acceptance& row : kAcceptances) {
    add(row.accept[0], row.accept[1], row.change, row.where, "Accept");
  }
  return says;
}

constexpr ClaimRow kGainsRow{
    .id = "lin2026.tables.gains",
    .source = "lin2026 sections 6.3 and C, of Tables 1 and 4; Table 2, column Accept",
    .statement = "the printed gains are those of the printed averages",
    .hypotheses = "to rounding",
    .check = gains,
    .places = {kTables},
    .bites = {{raised("lin2026.tables.gain"), lowered("lin2026.tables.gain")}},
};

Comparisons accept_is_rate(const Instance&) {
  Comparisons says;
  for (const Acceptance& row : kAcceptances) {
    for (std::size_t m = 0; m < 2; ++m) {
      const Rational rate = ingredient(
          "lin2026.table2.rate",
          Rational(kSettings[row.setting][row.data_set].efficiency[2 * m + 1] - 100, 100) /
              row.length);
      says.at_most(abs(Rational(row.accept[m], 1000) - rate), Rational(1, 500),
                   "{}, {}: |Accept - (BE - 1)/L|", row.where, kNames[2 * m + 1]);
    }
  }
  return says;
}

constexpr ClaimRow kAccept{
    .id = "lin2026.table2.accept",
    .source = "lin2026 Table 2, column Accept, with Table 1",
    .statement = "the acceptance rate is (block efficiency - 1) / L",
    .hypotheses = "to 0.002",
    .check = accept_is_rate,
    .places = {kTables},
    .bites = {{raised("lin2026.table2.rate"), halved("lin2026.table2.rate")}},
};

Comparisons outperforms(std::string_view metric,
                        const std::array<int, kMethods> PrintedRow::*values) {
  Comparisons says;
  const auto compare = [&](const PrintedRow& row) {
    for (std::size_t m = 0; m < 3; ++m) {
      says.above(ingredient("lin2026.tables.own", Rational((row.*values)[3], 100)),
                 Rational((row.*values)[m], 100), "{}, {} of SpecTr-GBV against {}", row.where,
                 metric, kNames[m]);
    }
  };
  for (const PrintedRow& row : kLengths) compare(row);
  for (const Setting& setting : kSettings) {
    for (const PrintedRow& row : setting) compare(row);
  }
  return says;
}

constexpr ClaimRow kOutperforms{
    .id = "lin2026.tables.outperforms",
    .source = "lin2026 section 6.5 of Table 3, captions of Tables 1 and 4",
    .statement = "SpecTr-GBV consistently outperforms all baselines in BE and SR",
    .hypotheses = "every printed row of Tables 1, 3, 4, 5",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance&) { return outperforms("SR", &PrintedRow::speedup); },
    .places = {kTables},
    .correction = {"in block efficiency; of the speedups, Table 3 at L = 16 and Table 4 at "
                   "CodeLlama, HumanEval do not",
                   [](const Instance&) { return outperforms("BE", &PrintedRow::efficiency); },
                   {}},
    .bites = {{raised("lin2026.tables.own"), halved("lin2026.tables.own")}},
};

/// Figure 3 (a) at K = 3: the relative margin of the acceptance rate over
/// SpecTr against that of Table 2, and of (BE - 1) / L of Table 5, L = 8, 12.
Comparisons margins(const Rational& least, const Rational& most) {
  Comparisons says;
  const Rational half(1, 2000);  // of a rate with three digits
  const Acceptance& row = kAcceptances[3];
  const Rational table2(row.accept[1], row.accept[0]);
  const Rational room = (1 + table2) * half * 1000 / row.accept[0];
  const auto within = [&](const Rational& found, const Rational& rounding, std::string_view where) {
    const Rational margin = ingredient("lin2026.figure3.margin", found);
    says.at_most(margin, most + rounding, "{}: margin over SpecTr against the most of the text",
                 where);
    says.at_least(margin, least - rounding, "{}: margin over SpecTr against the least of the text",
                  where);
  };
  within(table2 - 1, room, row.where);
  for (const std::size_t i : {std::size_t{5}, std::size_t{6}}) {
    const auto& efficiency = kLengths[i].efficiency;
    const Rational ratio(efficiency[3] - 100, efficiency[1] - 100);
    within(ratio - 1, (1 + ratio) / (2 * (efficiency[1] - 100)), kLengths[i].where);
  }
  return says;
}

constexpr ClaimRow kMargin{
    .id = "lin2026.figure3.margin",
    .source = "lin2026 section C, of Figure 3 (a) at K = 3: 1.75%",
    .statement =
        "the acceptance rate of SpecTr-GBV is 1.75% above that of SpecTr at K = 3, L = 8 and 12",
    .hypotheses = "DeepSeek-6.7B, HumanEval, T = 0.4: the setting of Table 2, L = 8, and Table 5",
    .recorded = ClaimVerdict::not_decidable,
    .check =
        [](const Instance&) {
          return margins({175, 10000}, {175, 10000});
        },
    .places = {kTables},
    .correction = {"the figure prints no numbers, and the text does not say how it joins its two "
                   "lengths and its runs to one margin; by Tables 2 and 5, which may be other "
                   "runs, it is 2.60% to 2.70% at L = 8 and 1.98% at L = 12",
                   [](const Instance&) {
                     return margins({197, 10000}, {270, 10000});
                   },
                   {},
                   Amends::by_reading},
    .bites = {{raised("lin2026.figure3.margin"), zeroed("lin2026.figure3.margin")}},
};

constexpr ClaimRow kClaims[] = {kAverages, kGainsRow, kAccept, kOutperforms, kMargin};

}  // namespace
}  // namespace lin2026_tables

Claims lin2026_tables_claims() { return lin2026_tables::kClaims; }

}  // namespace speclab
