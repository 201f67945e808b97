#include "claims/engine/own_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "claims/engine/examination.h"
#include "claims/engine/work.h"

namespace speclab {
namespace {

/// One range of settings of a place, and the check that is made there.
struct PairRange {
  int least_gamma, gammas, least_drafts, drafts;
  bool memoryless;  ///< the statement speaks of pairs without context
  bool one_start;   ///< its check may read one context before position 1
};

std::optional<PairRange> range_of(const Place& place, Effort effort) {
  if (const auto* shape = std::get_if<BatteryShape>(&place.where())) {
    return PairRange{
        1, shape->gammas.at(effort), shape->least_drafts, shape->drafts, !shape->contexts, false};
  }
  if (const auto* space = std::get_if<SearchSpace>(&place.where())) {
    return PairRange{space->least_gamma,  space->gammas.at(effort),
                     space->least_drafts, space->drafts.at(effort),
                     space->memoryless,   space->one_start || space->states.at(effort) == 1};
  }
  return std::nullopt;
}

/// Asks a claim's places of one pair.
class Asking {
 public:
  Asking(const ClaimRow& row, const PairPointer& pair, const ClaimContext& context)
      : row_(row), pair_(pair), context_(context), examination_(context, row.correction.amends) {}

  OwnPairOutcome run() {
    OwnPairOutcome outcome;
    outcome.row = &row_;
    if (pair_->resets()) {
      outcome.unasked = "it speaks of drafts whose laws depend on the tokens alone";
      return outcome;
    }
    check(row_.places, row_.check, Reading::printed);
    if (row_.correction.check) {
      check(row_.correction.places.empty() ? row_.places : row_.correction.places,
            row_.correction.check, Reading::corrected);
    }
    if (compared_) {
      outcome.result = examination_.finish();
    } else {
      outcome.unasked = why_not();
    }
    return outcome;
  }

 private:
  [[nodiscard]] std::string why_not() const {
    if (!ranged_) return "it speaks of instances of its own: " + join(row_.checked_on(), "; ");
    if (!limit_.empty()) return limit_;
    if (starts_) return "it is checked from one context, and the pair begins in several";
    if (contexts_) return "it speaks of pairs without context";
    if (!filter_.empty()) return "it speaks of pairs where " + filter_;
    return "its statement says nothing of this pair";
  }

  void check(const Places& places, const Check& check, Reading reading) {
    for (const Place& place : places) {
      const auto range = range_of(place, context_.effort);
      if (!range) continue;
      ranged_ = true;
      if (range->memoryless && !pair_->memoryless()) {
        contexts_ = true;
        continue;
      }
      if (range->one_start && pair_->start().size() > 1) {
        starts_ = true;
        continue;
      }
      const Check own = place.made(check);
      for (int gamma = range->least_gamma; gamma <= range->gammas; ++gamma) {
        for (int drafts = range->least_drafts; drafts <= range->drafts; ++drafts) {
          const std::tuple asked{gamma, drafts, own, reading};
          if (std::find(asked_.begin(), asked_.end(), asked) != asked_.end()) continue;
          asked_.push_back(asked);
          try {
            one(place, own, gamma, drafts, reading);
          } catch (const LimitError& error) {
            if (reading == Reading::printed) limit_ = error.what();
          }
        }
      }
    }
  }

  void one(const Place& place, const Check& check, int gamma, int drafts, Reading reading) {
    limit_work(std::pow(pair_->vocabulary(), gamma * drafts), "drafted blocks");
    Instance instance = make_instance(pair_, gamma, drafts);
    instance.depth = row_.depth.at(context_.effort);
    const Filter& filter = place.filter();
    if (filter.keeps != nullptr && !filter.keeps(instance)) {
      filter_ = filter.text;
      return;
    }
    examination_.check(
        {instance},
        [&](const Instance& at) {
          Comparisons comparisons = check(at);
          if (reading == Reading::printed && !comparisons.empty()) compared_ = true;
          return comparisons;
        },
        reading, place.method());
  }

  const ClaimRow& row_;
  const PairPointer& pair_;
  const ClaimContext& context_;
  Examination examination_;
  std::vector<std::tuple<int, int, Check, Reading>> asked_;
  bool compared_ = false;
  bool ranged_ = false;
  bool contexts_ = false;
  bool starts_ = false;
  std::string limit_;  ///< the last that a check of the printed statement hit
  std::string filter_;
};

}  // namespace

bool OwnPairOutcome::differs() const {
  if (!result) return false;
  return row->recorded == ClaimVerdict::holds ? result->verdict != ClaimVerdict::holds
                                              : result->amended_violated;
}

OwnPairOutcome check_on_pair(const ClaimRow& row, const PairPointer& pair,
                             const ClaimContext& context) {
  try {
    return Asking(row, pair, context).run();
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted) throw;
    OwnPairOutcome outcome;
    outcome.row = &row;
    outcome.unasked = error.what();
    return outcome;
  }
}

}  // namespace speclab
