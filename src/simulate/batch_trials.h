#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "run/batch.h"
#include "simulate/batch.h"
#include "simulate/plan.h"
#include "simulate/sampled_program.h"
#include "simulate/tally.h"

namespace speclab {

/// Cells of a law of a batch's first tokens, of which none are counted where there are too many.
struct BatchCells {
  int tokens = 0;           ///< first tokens of a request
  std::uint64_t each = 0;   ///< cells of a request: (start, first tokens)
  std::uint64_t joint = 0;  ///< cells of all requests
};

/// Runs trials of batches. @tparam View  of the program, in doubles
template <class View>
class BatchTrials {
 public:
  using Program = SampledProgram<View>;
  using Node = typename View::Node;

  /// @param name  of the verifier   @param name, rows, plan, request  must outlive this
  BatchTrials(Program program, const std::string& name, const Rows<double>& rows,
              const TrialPlan& plan, const BatchRequest& request, BatchCells cells)
      : program_(std::move(program)),
        rows_(rows),
        view_(rows),
        plan_(plan),
        request_(request),
        cells_(cells),
        steps_(request.setting, cells.tokens, rows.vocabulary(), plan.end_token, name),
        batch_(static_cast<std::size_t>(request.setting.requests)),
        lengths_(batch_.size()) {
    for (const Member& member : batch_) drafts_.push_back(&member.draft);
  }

  void run(std::uint64_t first, std::uint64_t last, BatchTally& tally) {
    Rows<double>::Reading reading(rows_);
    reading_ = &reading;
    if (cells_.each > 0) tally.outputs.resize(batch_.size());
    for (std::uint64_t trial = first; trial < last; ++trial) one(trial, tally);
  }

 private:
  /// A request of the batch, with its draft of the step.
  struct Member {
    std::uint32_t number = 0;
    BatchPlace<View> place{};
    int steps = 0;
    ScoredDraft<double> draft{};
  };

  void one(std::uint64_t trial, BatchTally& tally) {
    begin(trial);
    undefined_ = false;
    std::array<std::uint64_t, BatchTally::kCounts> counts{};
    std::uint32_t step = 0;
    for (std::size_t left = batch_.size(); left > 0; ++step) {
      // The runs of a step: one a request.
      const auto run_of = [&](const Member& member) {
        return step * static_cast<std::uint32_t>(batch_.size()) + member.number;
      };
      for (Member& member : batch_) draft(member, trial, run_of(member));
      counts[BatchTally::verified] += split_(drafts_, request_.setting.budget, lengths_);
      for (Member& member : batch_) {
        if (member.place.done) continue;
        verify(member, trial, run_of(member));
        if (member.place.done) --left;
      }
    }
    counts[BatchTally::steps] = step;
    for (const Member& member : batch_) {
      counts[BatchTally::tokens] += static_cast<std::uint64_t>(member.place.tokens);
      counts[BatchTally::request_steps] += static_cast<std::uint64_t>(member.steps);
    }
    add(counts, tally);
  }

  void begin(std::uint64_t trial) {
    std::uint32_t number = 0;
    for (Member& member : batch_) {
      std::size_t start = 0;
      if (plan_.starts.size() > 1) {
        start = start_at(plan_, Stream(plan_.key, trial, number, Purpose::prompt).uniform());
      }
      member.number = number++;
      member.place = steps_.begin(view_, plan_.starts[start], start);
      member.steps = 0;
    }
  }

  /// Drafts and scores, from the numbers that the verifier then draws its drafts from.
  void draft(Member& member, std::uint64_t trial, std::uint32_t run) {
    reading_->pause();
    member.draft.clear();
    if (member.place.done) return;
    BufferedStream numbers(plan_.key, trial, run, Purpose::draft);
    const int room = steps_.room(member.place);
    Node node = member.place.node;
    for (int i = 0; i < room && !member.draft.ended; ++i) {
      const auto laws = view_.at(node);
      const Token x = pick(laws.draft(), numbers.uniform());
      member.draft.add(request_.setting.split, laws, x, member.place.threshold);
      if (i + 1 < room) node = view_.next(node, x);
    }
  }

  void verify(Member& member, std::uint64_t trial, std::uint32_t run) {
    reading_->pause();
    typename Program::Choices choices(plan_.key, trial, run);
    choices.begin();
    const std::size_t length = lengths_[member.number];
    steps_.verify(program_, view_, member.place, member.draft.tokens, length, choices, out_);
    steps_.read(out_, length, member.draft.probabilities, outcome_);
    steps_.go_on(member.place, outcome_);
    ++member.steps;
    undefined_ = undefined_ || member.place.undefined;
  }

  void add(const std::array<std::uint64_t, BatchTally::kCounts>& counts, BatchTally& tally) const {
    ++tally.trials;
    if (undefined_) ++tally.undefined_trials;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      tally.sums[i] += counts[i];
      for (std::size_t j = 0; j < counts.size(); ++j) {
        tally.products[i][j] += static_cast<WideCount>(counts[i]) * counts[j];
      }
    }
    if (cells_.each == 0) return;
    std::uint64_t joint = 0;
    for (const Member& member : batch_) {
      if (!member.place.undefined) add_one(tally.outputs[member.number], member.place.cell);
      joint = joint * cells_.each + member.place.cell;
    }
    if (cells_.joint > 0 && !undefined_) add_one(tally.joint, joint);
  }

  Program program_;
  const Rows<double>& rows_;
  View view_;
  Rows<double>::Reading* reading_ = nullptr;  ///< of the trials that run
  const TrialPlan& plan_;
  const BatchRequest& request_;
  BatchCells cells_;
  BatchSteps steps_;
  std::vector<Member> batch_;
  std::vector<const ScoredDraft<double>*> drafts_;  ///< of the members
  std::vector<std::size_t> lengths_;                ///< of them that are verified
  BudgetSplit<double> split_;
  bool undefined_ = false;
  Iteration<View> out_;
  BatchOutcome<View> outcome_;
};

}  // namespace speclab
