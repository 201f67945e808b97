// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what its Table 5, over the draft length, says.
#include <fmt/format.h>

#include "claims/papers/lin2026/printed.h"

namespace speclab {
namespace lin2026_table5 {
namespace {

using lin2026_printed::gain_rounding;
using lin2026_printed::kLengths;
using lin2026_printed::kMethods;
using lin2026_printed::kNames;
using lin2026_printed::kTables;
using lin2026_printed::PrintedRow;

/// The gains of section C over SD, SpecTr, GBV at L = 4 and L = 16 of Table 5,
/// in tenths of a percent: block efficiency, then speedup.
struct LengthGains {
  std::size_t row;  ///< of kLengths
  std::array<std::array<int, 3>, 2> gains;
};
constexpr std::array<LengthGains, 2> kLengthGains{{
    {4, {{{45, 11, 41}, {59, 96, 59}}}},
    {7, {{{112, 22, 79}, {160, 88, 139}}}},
}};

Comparisons table5_gains(const Instance&) {
  Comparisons says;
  for (const LengthGains& printed : kLengthGains) {
    const PrintedRow& row = kLengths[printed.row];
    for (std::size_t metric = 0; metric < 2; ++metric) {
      const auto& values = metric == 0 ? row.efficiency : row.speedup;
      for (std::size_t m = 0; m < 3; ++m) {
        const Rational ratio(values[3], values[m]);
        says.at_most(abs(ingredient("lin2026.table5.gain", Rational(ratio - 1)) -
                         Rational(printed.gains[metric][m], 1000)),
                     gain_rounding(values[m], values[3]), "{}, {} over {}: |gain - printed|",
                     row.where, metric == 0 ? "BE" : "SR", kNames[m]);
      }
    }
  }
  return says;
}

constexpr ClaimRow kTable5Gains{
    .id = "lin2026.table5.gains",
    .source = "lin2026 section C, of Table 5",
    .statement = "the printed gains at L = 4 and L = 16 are those of the printed rows",
    .hypotheses = "to rounding",
    .check = table5_gains,
    .places = {kTables},
    .bites = {{raised("lin2026.table5.gain"), lowered("lin2026.table5.gain")}},
};

/// The printed gains at L = 16 against those at L = 4.
Comparisons gains_grow(bool over_spectr) {
  Comparisons says;
  const auto& [shorter, longer] = kLengthGains;
  for (std::size_t metric = 0; metric < 2; ++metric) {
    for (std::size_t m = 0; m < 3; ++m) {
      if (metric == 1 && kNames[m] == "SpecTr" && !over_spectr) continue;
      says.above(ingredient("lin2026.table5.longer", Rational(longer.gains[metric][m], 10)),
                 Rational(shorter.gains[metric][m], 10),
                 "Table 5, gain of {} over {} in %, L = 16 against L = 4",
                 metric == 0 ? "BE" : "SR", kNames[m]);
    }
  }
  return says;
}

constexpr ClaimRow kGainsGrow{
    .id = "lin2026.table5.growth",
    .source = "lin2026 section C, of Table 5: \"the gains grow to 16.0%, 8.8%, and 13.9%\"",
    .statement = "the gains over SD, SpecTr and GBV are larger at L = 16 than at L = 4",
    .hypotheses = "as printed, in block efficiency and in speedup",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance&) { return gains_grow(true); },
    .places = {kTables},
    .correction = {"but for the speedup over SpecTr, which falls from 9.6% to 8.8%",
                   [](const Instance&) { return gains_grow(false); },
                   {}},
    .bites = {{zeroed("lin2026.table5.longer"), halved("lin2026.table5.longer")}},
};

/// The rows of Table 5, L = 4, 8, 12, 16: BE against the shorter draft, SR at L = 16 against L = 4.
Comparisons with_length(const Instance&) {
  Comparisons says;
  for (std::size_t i = 5; i < kLengths.size(); ++i) {
    for (std::size_t m = 0; m < kMethods; ++m) {
      says.above(ingredient("lin2026.table5.efficiency", Rational(kLengths[i].efficiency[m], 100)),
                 Rational(kLengths[i - 1].efficiency[m], 100),
                 "{}, BE of {} against the shorter draft", kLengths[i].where, kNames[m]);
    }
  }
  for (std::size_t m = 0; m < kMethods; ++m) {
    says.add(ingredient("lin2026.table5.speedup", Rational(kLengths[7].speedup[m], 100)),
             Order::below, Rational(kLengths[4].speedup[m], 100), "{}, SR of {} against L = 4",
             kLengths[7].where, kNames[m]);
  }
  return says;
}

constexpr ClaimRow kDecline{
    .id = "lin2026.table5.decline",
    .source = "lin2026 section C, of Table 5: \"SR experiences a slight decline\"",
    .statement =
        "as L increases from 4 to 16, BE improves at every step, and SR is smaller at L = 16 than "
        "at L = 4",
    .hypotheses =
        "the printed rows of Table 5, all methods; SR does not decline at every step: at L = 8 "
        "SpecTr-GBV has 1.28 after 1.26, at L = 12 SpecTr 1.16 after 1.15",
    .check = with_length,
    .places = {kTables},
    .bites = {{halved("lin2026.table5.efficiency"), raised("lin2026.table5.speedup")}},
};

constexpr ClaimRow kClaims[] = {kTable5Gains, kGainsGrow, kDecline};

}  // namespace
}  // namespace lin2026_table5

Claims lin2026_table5_claims() { return lin2026_table5::kClaims; }

}  // namespace speclab
