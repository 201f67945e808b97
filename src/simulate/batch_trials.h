#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "simulate/batch.h"
#include "simulate/plan.h"
#include "simulate/sampled_program.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"
#include "verifiers/contract.h"
#include "verifiers/end_of_sequence.h"
#include "verifiers/window.h"

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
        name_(name),
        rows_(rows),
        view_(rows),
        plan_(plan),
        request_(request),
        cells_(cells),
        batch_(static_cast<std::size_t>(request.requests)) {}

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
    Node node{};
    std::uint64_t cell = 0;  ///< of the first tokens
    int tokens = 0;
    int steps = 0;
    int longest = 0;  ///< tokens that it drafts at most
    bool done = false;
    std::vector<Token> draft;
    std::vector<double> scores;
    std::size_t length = 0;  ///< tokens that are verified
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
      for (Member& member : batch_) {
        if (!member.done) draft(member, trial, run_of(member));
      }
      counts[BatchTally::verified] += split();
      for (Member& member : batch_) {
        if (member.done) continue;
        verify(member, trial, run_of(member));
        if (member.done) --left;
      }
    }
    counts[BatchTally::steps] = step;
    for (const Member& member : batch_) {
      counts[BatchTally::tokens] += static_cast<std::uint64_t>(member.tokens);
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
      member.node = view_.root(plan_.starts[start]);
      member.cell = start;
      member.tokens = member.steps = 0;
      member.longest = request_.gamma;
      member.done = false;
    }
  }

  /// Drafts and scores, from the numbers that the verifier then draws its drafts from.
  void draft(Member& member, std::uint64_t trial, std::uint32_t run) {
    reading_->pause();
    member.draft.clear();
    member.scores.clear();
    member.length = 0;
    BufferedStream numbers(plan_.key, trial, run, Purpose::draft);
    const int room = std::min(member.longest, request_.horizon - member.tokens);
    Node node = member.node;
    double product = 1;
    for (int i = 0; i < room; ++i) {
      const auto laws = view_.at(node);
      const Token x = pick(laws.draft(), numbers.uniform());
      member.scores.push_back(score(laws, x, i, product));
      member.draft.push_back(x);
      if (i + 1 < room) node = view_.next(node, x);
    }
  }

  /// @param product  of the tokens before x; of those up to x afterwards
  template <class AnyLaws>
  double score(const AnyLaws& laws, Token x, int position, double& product) const {
    const auto overlap = [&] { return 1 - laws.residual(1.0).mass(); };
    switch (request_.split) {
      case BatchSplit::even:
      case BatchSplit::adaptive:
        return -position;
      case BatchSplit::own:
        return product *= laws.draft(x);
      case BatchSplit::top:
        return product *= laws.draft(most_probable_draft(laws));
      case BatchSplit::known:
        return product *= overlap();
      case BatchSplit::survival:
        break;
    }
    const double next = product * overlap();
    product *= std::min(1.0, likelihood_ratio(laws, x));
    return next;
  }

  /// Gives the budget to the drafted tokens. @returns how many are verified
  std::uint64_t split() {
    heads_ = {};
    const auto offer = [&](const Member& member) {
      if (member.length < member.draft.size()) {
        heads_.emplace(member.scores[member.length], -static_cast<int>(member.number));
      }
    };
    for (const Member& member : batch_) {
      if (!member.done) offer(member);
    }
    std::uint64_t admitted = 0;
    const auto budget = static_cast<std::uint64_t>(request_.budget);
    for (; admitted < budget && !heads_.empty(); ++admitted) {
      Member& member = batch_[static_cast<std::size_t>(-heads_.top().second)];
      heads_.pop();
      ++member.length;
      offer(member);
    }
    return admitted;
  }

  void verify(Member& member, std::uint64_t trial, std::uint32_t run) {
    reading_->pause();
    typename Program::Choices choices(plan_.key, trial, run);
    choices.begin();
    const Window window =
        window_within(static_cast<int>(member.length), request_.horizon - member.tokens);
    out_.begin(member.node);
    if (member.length == 0) {
      out_.finish(view_, choices, window);
    } else {
      program_(view_, member.node, window, choices, out_);
    }
    check_fits(out_, window);
    check_drafted(member);
    ++member.steps;
    if (request_.split == BatchSplit::adaptive) adapt(member);
    const std::size_t added = before_end(out_.tokens, plan_.end_token);
    append(member, added);
    const bool undefined = out_.ending == Ending::undefined;
    undefined_ = undefined_ || undefined;
    check_progress(added, out_.ending);
    const bool ended = has_end(out_.tokens, plan_.end_token);
    member.done = undefined || ended || member.tokens >= request_.horizon;
    member.node = out_.node;
    if (ended) pad(member);
    if (undefined) member.cell = cells_.each;  // of no law
  }

  /// The split looked at the tokens that this iteration was to draft.
  void check_drafted(const Member& member) const {
    const auto first = out_.tokens.begin();
    if (std::equal(first, first + out_.accepted, member.draft.begin())) return;
    throw UsageError(name_ +
                     " accepts other tokens than those that were drafted, which a batch's split "
                     "looks at; use a verifier of one chain, such as token or block");
  }

  /// The length of the next draft, which knows of this one what was accepted. A request gets no
  /// part of the budget only before its first verification, where its drafts are of gamma tokens.
  void adapt(Member& member) const {
    const bool whole = out_.accepted == static_cast<int>(member.length);
    member.longest = whole ? member.longest + std::min(2, request_.gamma - member.longest)
                           : std::max(1, member.longest - 1);
  }

  void append(Member& member, std::size_t added) const {
    for (std::size_t i = 0; i < added; ++i, ++member.tokens) {
      if (member.tokens < cells_.tokens) put(member, out_.tokens[i]);
    }
  }

  /// An ended text goes on with end tokens.
  void pad(Member& member) const {
    for (int i = member.tokens; i < cells_.tokens; ++i) put(member, *plan_.end_token);
  }

  void put(Member& member, Token token) const {
    member.cell = member.cell * static_cast<std::uint64_t>(rows_.vocabulary()) +
                  static_cast<std::uint64_t>(token);
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
      if (member.cell < cells_.each) count(member.cell, tally.outputs[member.number]);
      joint = joint * cells_.each + member.cell;
    }
    if (cells_.joint > 0 && !undefined_) count(joint, tally.joint);
  }

  static void count(std::uint64_t cell, std::vector<std::uint64_t>& counts) {
    if (cell >= counts.size()) counts.resize(cell + 1);
    ++counts[cell];
  }

  Program program_;
  const std::string& name_;
  const Rows<double>& rows_;
  View view_;
  Rows<double>::Reading* reading_ = nullptr;  ///< of the trials that run
  const TrialPlan& plan_;
  const BatchRequest& request_;
  BatchCells cells_;
  std::vector<Member> batch_;
  bool undefined_ = false;
  /// The next token of each request that has one: its score, and the request's number negated.
  std::priority_queue<std::pair<double, int>> heads_;
  Iteration<View> out_;
};

}  // namespace speclab
