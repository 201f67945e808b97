// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what its tables say of themselves. The measured
// numbers are of language models and cannot be made again here; what follows from them can be held:
// averages, gains, the order of the methods, and what "acceptance rate" counts.
#include <fmt/format.h>

#include "claims/engine/row.h"

namespace speclab {
namespace lin2026_tables {
namespace {

/// The methods in the order of the columns: SD, SpecTr, GBV, SpecTr-GBV.
constexpr int kMethods = 4;
constexpr std::array<std::string_view, kMethods> kNames{"SD", "SpecTr", "GBV", "SpecTr-GBV"};

/// A printed row of Tables 1, 3, 4, 5, in hundredths.
struct Printed {
  std::string_view where;
  std::array<int, kMethods> efficiency;  ///< BE
  std::array<int, kMethods> speedup;     ///< SR
};

/// Five data sets and the row called Average.
using Setting = std::array<Printed, 6>;

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

constexpr std::array<Printed, 8> kLengths{{
    {"Table 3, L = 12", {953, 1025, 960, 1045}, {202, 221, 203, 250}},
    {"Table 3, L = 16", {1136, 1256, 1137, 1263}, {193, 256, 194, 252}},
    {"Table 3, L = 20", {1310, 1364, 1319, 1458}, {188, 255, 186, 287}},
    {"Table 3, L = 24", {1463, 1622, 1508, 1652}, {180, 233, 185, 268}},
    {"Table 5, L = 4", {442, 457, 444, 462}, {119, 115, 119, 126}},
    {"Table 5, L = 8", {706, 753, 706, 770}, {119, 115, 119, 128}},
    {"Table 5, L = 12", {939, 1011, 989, 1029}, {112, 116, 114, 126}},
    {"Table 5, L = 16", {1123, 1222, 1158, 1249}, {106, 113, 108, 123}},
}};

/// The printed gains of the averages over SD, SpecTr, GBV (sections 6.3 and C), in tenths of a
/// percent, in the order of kSettings: block efficiency, then speedup.
constexpr std::array<std::array<std::array<int, 3>, 2>, 4> kGains{{
    {{{124, 23, 97}, {293, 82, 270}}},
    {{{116, 22, 91}, {143, 81, 132}}},
    {{{80, 9, 61}, {154, 52, 174}}},
    {{{122, 24, 89}, {215, 92, 215}}},
}};

/// Table 2: L, the place of the block efficiencies, and Accept of SpecTr, SpecTr-GBV in
/// thousandths with the printed change in tenths of a percent.
struct Acceptance {
  std::string_view where;
  int length;
  int setting;
  int data_set;
  std::array<int, 2> accept;
  int change;
};
constexpr std::array<Acceptance, 4> kAcceptances{{
    {"Table 2, DeepSeek-33B, GSM8K", 12, 0, 1, {521, 555}, 65},
    {"Table 2, DeepSeek-33B, HumanEval", 12, 0, 0, {772, 788}, 21},
    {"Table 2, DeepSeek-6.7B, GSM8K", 8, 1, 1, {695, 711}, 23},
    {"Table 2, DeepSeek-6.7B, HumanEval", 8, 1, 0, {816, 838}, 27},
}};

/// The tables speak of no pair: one instance stands for them.
constexpr Family kTables{
    .text = "the printed numbers of Tables 1 to 5",
    .make =
        [](Effort) {
          Instance tables = make_instance("iid(draft=[1],target=[1])");
          return std::vector<Instance>{std::move(tables)};
        },
};

/// |new/old - 1 - gain|, and how large rounding can make it: `unit` is the last digit of both, the
/// gain is in tenths of a percent.
Compared gain_of(const std::string& what, int old_value, int new_value, int gain) {
  const Rational ratio(new_value, old_value);
  const Rational half(1, 2);
  const Rational room = Rational(1, 2000) + half / old_value * (1 + ratio) + Rational(1, 10000);
  const Rational found = ingredient("lin2026.tables.gain", Rational(ratio - 1));
  return {what, abs(found - Rational(gain, 1000)), Order::at_most, room};
}

Comparisons averages(const Instance&) {
  Comparisons comparisons;
  for (const Setting& setting : kSettings) {
    for (std::size_t m = 0; m < kMethods; ++m) {
      Rational efficiency(0);
      Rational speedup(0);
      for (std::size_t row = 0; row < 5; ++row) {
        efficiency += Rational(setting[row].efficiency[m], 500);
        speedup += Rational(setting[row].speedup[m], 500);
      }
      const auto off = [&](std::string_view metric, const Rational& mean, int printed) {
        comparisons.push_back(
            {fmt::format("{}, {} {}: |mean of five - printed|", setting[5].where, metric,
                         kNames[m]),
             abs(ingredient("lin2026.tables.mean", mean) - Rational(printed, 100)), Order::at_most,
             Rational(1, 100)});
      };
      off("BE", efficiency, setting[5].efficiency[m]);
      off("SR", speedup, setting[5].speedup[m]);
    }
  }
  return comparisons;
}

constexpr ClaimRow kAverages{
    .id = "lin2026.tables.averages",
    .source = "lin2026 Tables 1 and 4, the rows called Average",
    .statement = "each is the mean of the five data sets above it",
    .hypotheses = "to one unit of the last digit: all six numbers are rounded",
    .check = averages,
    .places = {kTables},
    .bites = {{{"lin2026.tables.mean", Fault::raised}}},
};

Comparisons gains(const Instance&) {
  Comparisons comparisons;
  for (std::size_t s = 0; s < kSettings.size(); ++s) {
    const Printed& average = kSettings[s][5];
    for (std::size_t m = 0; m < 3; ++m) {
      comparisons.push_back(gain_of(fmt::format("{}, BE over {}", average.where, kNames[m]),
                                    average.efficiency[m], average.efficiency[3], kGains[s][0][m]));
      comparisons.push_back(gain_of(fmt::format("{}, SR over {}", average.where, kNames[m]),
                                    average.speedup[m], average.speedup[3], kGains[s][1][m]));
    }
  }
  for (const Acceptance& row : kAcceptances) {
    comparisons.push_back(
        gain_of(fmt::format("{}, Accept", row.where), row.accept[0], row.accept[1], row.change));
  }
  return comparisons;
}

constexpr ClaimRow kGainsRow{
    .id = "lin2026.tables.gains",
    .source = "lin2026 sections 6.3 and C, of Tables 1 and 4; Table 2, column Accept",
    .statement = "the printed gains are those of the printed averages",
    .hypotheses = "to rounding",
    .check = gains,
    .places = {kTables},
    .bites = {{{"lin2026.tables.gain", Fault::raised}, {"lin2026.tables.gain", Fault::lowered}}},
};

Comparisons accept_is_rate(const Instance&) {
  Comparisons comparisons;
  for (const Acceptance& row : kAcceptances) {
    const auto setting = static_cast<std::size_t>(row.setting);
    const Printed& printed = kSettings[setting][static_cast<std::size_t>(row.data_set)];
    for (std::size_t m = 0; m < 2; ++m) {
      const Rational rate = ingredient(
          "lin2026.table2.rate", Rational(printed.efficiency[2 * m + 1] - 100, 100) / row.length);
      comparisons.push_back(
          {fmt::format("{}, {}: |Accept - (BE - 1)/L|", row.where, kNames[2 * m + 1]),
           abs(Rational(row.accept[m], 1000) - rate), Order::at_most, Rational(1, 500)});
    }
  }
  return comparisons;
}

constexpr ClaimRow kAccept{
    .id = "lin2026.table2.accept",
    .source = "lin2026 Table 2, column Accept, with Table 1",
    .statement = "the acceptance rate is (block efficiency - 1) / L",
    .hypotheses = "to 0.002",
    .check = accept_is_rate,
    .places = {kTables},
    .bites = {{{"lin2026.table2.rate", Fault::raised}, {"lin2026.table2.rate", Fault::halved}}},
};

void compare_methods(const Printed& row, bool speedups, Comparisons& comparisons) {
  const auto& values = speedups ? row.speedup : row.efficiency;
  for (std::size_t m = 0; m < 3; ++m) {
    comparisons.push_back({fmt::format("{}, {} of SpecTr-GBV against {}", row.where,
                                       speedups ? "SR" : "BE", kNames[m]),
                           ingredient("lin2026.tables.own", Rational(values[3], 100)), Order::above,
                           Rational(values[m], 100)});
  }
}

Comparisons outperforms(bool speedups) {
  Comparisons comparisons;
  for (const Printed& row : kLengths) compare_methods(row, speedups, comparisons);
  for (const Setting& setting : kSettings) {
    for (const Printed& row : setting) compare_methods(row, speedups, comparisons);
  }
  return comparisons;
}

constexpr ClaimRow kOutperforms{
    .id = "lin2026.tables.outperforms",
    .source = "lin2026 section 6.5 of Table 3, captions of Tables 1 and 4",
    .statement = "SpecTr-GBV consistently outperforms all baselines in BE and SR",
    .hypotheses = "every printed row of Tables 1, 3, 4, 5",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance&) { return outperforms(true); },
    .places = {kTables},
    .correction = {"in block efficiency; of the speedups, Table 3 at L = 16 and Table 4 at "
                   "CodeLlama, HumanEval do not",
                   [](const Instance&) { return outperforms(false); },
                   {}},
    .bites = {{{"lin2026.tables.own", Fault::raised}, {"lin2026.tables.own", Fault::halved}}},
};

constexpr ClaimRow kClaims[] = {kAverages, kGainsRow, kAccept, kOutperforms};

}  // namespace
}  // namespace lin2026_tables

Claims lin2026_tables_claims() { return lin2026_tables::kClaims; }

}  // namespace speclab
