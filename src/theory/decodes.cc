// Whole decodes at any draft length, of rules that keep the target's law token by token and accept
// a path as often whatever the draft length is.
#include "theory/block_masses.h"
#include "theory/inquiry.h"
#include "theory/position_masses.h"
#include "theory/rowan2025.h"

namespace speclab {
namespace decodes {
namespace {

/// A decode of T tokens: gamma is no longer than T.
struct DecodeLengths {
  int gamma;
  int horizon;
};

template <class Real>
DecodeLengths lengths_of(Inquiry<Real>& inquiry) {
  const int horizon = inquiry.any_horizon();
  inquiry.require(!inquiry.setting().pair->end_token() && !inquiry.setting().pair->resets());
  inquiry.require(std::is_same_v<Real, double> || few_denominators(inquiry.rows.pair(), horizon));
  const int length = inquiry.setting().lengths.gamma;
  const int gamma = length == kUnbounded ? horizon : std::min(length, horizon);
  // At least so much: what is far beyond the limit is refused before any row is made.
  inquiry.spend(static_cast<double>(inquiry.start.entries().size()) * gamma *
                inquiry.rows.vocabulary());
  return {gamma, horizon};
}

/// @param paths  has masses(state, gamma), see accepted_masses.h
template <class Real, class Paths>
void add_decode(Inquiry<Real>& inquiry, const DecodeLengths& lengths, Paths paths) {
  constexpr int kMostRates = 64;
  const auto totals = LosslessDecode<Real>::totals(
      inquiry.rows, inquiry.start, lengths.gamma, lengths.horizon,
      [&paths](State state, int drafts) { return paths.masses(state, drafts); }, inquiry.budget);
  inquiry.add(QuantityId::target_calls, totals.calls);
  inquiry.add(QuantityId::rejections, totals.rejections);
  inquiry.add(QuantityId::draft_steps, totals.draft_steps);
  inquiry.add(QuantityId::acceptance_length, Real(lengths.horizon) / totals.calls);
  for (int i = 1; i <= std::min(lengths.gamma, kMostRates); ++i) {
    inquiry.add(QuantityId::position_rates,
                totals.reached[static_cast<std::size_t>(i) - 1] / totals.calls, Relation::equals,
                i);
  }
}

template <class Real, class Rule>
void add_positions(Inquiry<Real>& inquiry, int drafts, const Rule& rule) {
  const DecodeLengths lengths = lengths_of(inquiry);
  add_decode(inquiry, lengths, PositionMasses(inquiry.rows, drafts, rule, inquiry.budget));
}

constexpr auto block = []<class Real>(Inquiry<Real>& inquiry) {
  const DecodeLengths lengths = lengths_of(inquiry);
  add_decode(inquiry, lengths,
             BlockMasses<Real>(inquiry.rows, inquiry.start, lengths.gamma, lengths.horizon,
                               inquiry.budget));
};

constexpr auto token = []<class Real>(Inquiry<Real>& inquiry) {
  add_positions(inquiry, 1, rrs_survivors<Real>);
};

constexpr auto rrs = []<class Real>(Inquiry<Real>& inquiry) {
  add_positions(inquiry, inquiry.count("K"), rrs_survivors<Real>);
};

constexpr auto kseq = []<class Real>(Inquiry<Real>& inquiry) {
  add_positions(inquiry, inquiry.count("K"), kseq_survivors<Real>);
};

constexpr auto gumbel_list = []<class Real>(Inquiry<Real>& inquiry) {
  add_positions(inquiry, inquiry.count("K"), list_survivors<Real>(inquiry));
};

constexpr std::string_view kSource = "this project, from the accepted paths of one iteration";
/// rho* is irrational: its values are doubles in either arithmetic.
constexpr bool kInDoubles = true;
constexpr bool kDecode = true;

constexpr PredictionRow kRows[] = {
    {"speclab.decodes.token", about("token"),
     "token: calls, rejections, draft steps and rates of a decode, from P(tau >= i, X^i) = product "
     "of min(d, t)",
     kSource, token, nullptr, !kInDoubles, kDecode},
    {"speclab.decodes.block", about("block"),
     "block: the same, from P(tau >= i, X^i) = min(P(tau >= i - 1, X^{i-1}) t, D)", kSource, block,
     nullptr, !kInDoubles, kDecode},
    {"speclab.decodes.rrs", about("rrs"),
     "rrs(K): the same, from the positions that the drafts in play reach", kSource, rrs, nullptr,
     !kInDoubles, kDecode},
    {"speclab.decodes.kseq", about("kseq"),
     "kseq(K): the same, from the positions that the drafts in play reach", kSource, kseq, nullptr,
     kInDoubles, kDecode},
    {"speclab.decodes.gumbel-list", about("gumbel-list"),
     "gumbel-list(K): the same, from the positions that the drafts in play reach", kSource,
     gumbel_list, nullptr, !kInDoubles, kDecode},
};

}  // namespace
}  // namespace decodes

std::span<const PredictionRow> decodes_rows() { return decodes::kRows; }

}  // namespace speclab
