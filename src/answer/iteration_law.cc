#include "answer/iteration_law.h"

#include <fmt/format.h>

#include <array>

#include "answer/answer.h"
#include "base/error.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

/// All of an outcome but its weight.
template <class Real>
struct OutcomeOrder {
  using Outcome = IterationOutcome<Real>;
  bool operator()(const Outcome& a, const Outcome& b) const {
    return std::tie(a.draft, a.tokens, a.accepted, a.ending, a.path, a.context) <
           std::tie(b.draft, b.tokens, b.accepted, b.ending, b.path, b.context);
  }
};

/// Outcomes with their weights, equal ones merged.
template <class Real>
using Merged = std::map<IterationOutcome<Real>, Real, OutcomeOrder<Real>>;

std::vector<Token> listed(std::span<const Token> tokens) { return {tokens.begin(), tokens.end()}; }

/// The outcomes of one iteration.
template <class Real>
class Gather {
 public:
  Gather(const Verifier& verifier, const Rows<Real>& rows, State start, Window window,
         const IterationRequest& request)
      : verifier_(verifier), rows_(rows), start_(start), window_(window), request_(request) {}

  Merged<Real> run() {
    if (!request_.whole_draft) {
      add(nullptr, Real(1));
    } else if (verifier_.drafts == 1 && verifier_.drafts_iid) {
      extend(start_, Real(1));
    } else {
      throw UsageError(verifier_.name +
                       " does not draft one chain of tokens: its whole draft is no block; ask for "
                       "the law of what it drafts");
    }
    return std::move(merged_);
  }

 private:
  /// Every block of the window's length that begins with block_, drafted with this probability.
  void extend(State state, const Real& mass) {
    if (block_.size() == static_cast<std::size_t>(window_.drafts)) {
      GivenDrafts given({block_});
      return add(&given, mass);
    }
    const auto draft = rows_.draft(state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0)) continue;
      block_.push_back(static_cast<Token>(x));
      extend(rows_.next(state, block_.back()), Real(mass * draft[x]));
      block_.pop_back();
    }
  }

  void add(GivenDrafts* given, const Real& mass) {
    each_drafted<Real>(verifier_, rows_, start_,
                       {.window = window_, .given = given, .corrections = request_.corrections},
                       [&](const DraftedIteration<Real>& out) {
                         if (++sequences_ > request_.most_sequences) refuse();
                         IterationOutcome<Real> outcome{
                             given != nullptr ? block_ : listed(out.drafted),
                             listed(out.path),
                             listed(out.tokens),
                             out.accepted,
                             out.ending,
                             out.context,
                             Real(0)};
                         merged_[std::move(outcome)] += mass * out.weight;
                       });
  }

  [[noreturn]] void refuse() const {
    throw LimitError(
        fmt::format("one iteration has more than {:.3g} sequences of decisions; lower gamma, or "
                    "allow more paths (max-paths)",
                    request_.most_sequences));
  }

  const Verifier& verifier_;
  const Rows<Real>& rows_;
  State start_;
  Window window_;
  const IterationRequest& request_;
  std::vector<Token> block_;
  double sequences_ = 0;
  Merged<Real> merged_;
};

}  // namespace

std::string_view ending_name(Ending ending) {
  constexpr std::array<std::string_view, 4> names{"correction", "bonus", "horizon", "undefined"};
  return names[static_cast<std::size_t>(ending)];
}

template <class Real>
IterationLaws<Real>::IterationLaws(const Verifier& verifier, std::shared_ptr<const Rows<Real>> rows,
                                   const IterationRequest& request)
    : verifier_(prepare(verifier, rows->pair_pointer())),
      rows_(std::move(rows)),
      request_(request) {}

template <class Real>
const IterationLaw<Real>& IterationLaws<Real>::from(State start, Window window) {
  const auto [place, is_new] = known_.try_emplace({start, window.drafts, window.bonus});
  if (is_new) place->second = make(start, window);
  return place->second;
}

template <class Real>
IterationLaw<Real> IterationLaws<Real>::make(State start, Window window) const {
  IterationLaw<Real> law;
  for (const auto& [outcome, weight] :
       Gather<Real>(verifier_, *rows_, start, window, request_).run()) {
    law.push_back(outcome);
    law.back().weight = weight;
  }
  return law;
}

template <class Real>
void add_iteration_law(Answer& answer, std::shared_ptr<const Rows<Real>> rows,
                       double most_sequences) {
  const Question& question = answer.question;
  const Window window = full_window(*question.pair, question.lengths);
  std::map<std::tuple<std::vector<Token>, std::vector<Token>, int, Ending>, Real> total;
  IterationLaws<Real> laws(question.verifier, std::move(rows), {.most_sequences = most_sequences});
  try {
    for (const Start& start : question.pair->start()) {
      const auto share = from_rational<Real>(start.probability);
      for (const IterationOutcome<Real>& one : laws.from(start.state, window)) {
        total[{one.draft, one.tokens, one.accepted, one.ending}] += share * one.weight;
      }
    }
  } catch (const LimitError& error) {
    answer.notes.push_back(std::string("iteration.law: ") + error.what());
    return;
  }
  for (const auto& [outcome, weight] : total) {
    const auto& [draft, tokens, accepted, ending] = outcome;
    answer.iteration_law.push_back({draft, tokens, accepted, ending, value_of(weight)});
  }
}

template class IterationLaws<double>;
template class IterationLaws<Rational>;
template void add_iteration_law(Answer&, std::shared_ptr<const Rows<double>>, double);
template void add_iteration_law(Answer&, std::shared_ptr<const Rows<Rational>>, double);

}  // namespace speclab
