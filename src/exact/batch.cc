#include "exact/batch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "exact/batch_run.h"
#include "model/target_cells.h"
#include "run/runs.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

/// Both requests in lock step, step after step. @tparam View  that programs run on
template <class View>
class ExactBatchRun {
 public:
  using Real = typename View::Real;
  using Laws = BatchStepLaws<View>;
  using Place = typename Laws::Place;

  ExactBatchRun(const AnyProgram<View>& program, const std::string& name, const View& view,
                const Rows<Real>& rows, const ExactBatchRequest& request,
                std::function<void()> tidy)
      : program_(program),
        name_(name),
        view_(view),
        rows_(rows),
        setting_(request.setting),
        work_(request.max_paths, request.max_memory),
        tidy_(std::move(tidy)) {}

  ExactBatch<Real> run() {
    ExactBatch<Real> result;
    count(result);
    while (result.law_tokens < setting_.compared_tokens() &&
           joint_cells(result.law_tokens + 1) <= kMostJointCells) {
      ++result.law_tokens;
    }
    if (result.law_tokens > 0) compare(result);
    return result;
  }

 private:
  using Both = std::pair<Place, Place>;
  using Places = std::map<Both, Gathered<Real>>;

  [[nodiscard]] double joint_cells(int tokens) const {
    return std::pow(static_cast<double>(rows_.pair().start().size()) *
                        std::pow(static_cast<double>(rows_.vocabulary()), tokens),
                    2);
  }

  Laws laws(int law_tokens) {
    return {program_, view_,
            BatchSteps(setting_, law_tokens, rows_.vocabulary(), rows_.pair().end_token(), name_),
            work_, tidy_};
  }

  /// @param apart  whether the starts' numbers are kept
  [[nodiscard]] Places begin(const BatchSteps& steps, bool apart) const {
    Places places;
    const auto& starts = rows_.pair().start();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (std::size_t j = 0; j < starts.size(); ++j) {
        places[{steps.begin(view_, starts[i].state, apart ? i : 0),
                steps.begin(view_, starts[j].state, apart ? j : 0)}] +=
            Real(from_rational<Real>(starts[i].probability) *
                 from_rational<Real>(starts[j].probability));
      }
    }
    return places;
  }

  /// Decodes the batch. Before each step count_step(both, law, mass), after it whatever
  /// ends(both, mass) does not take goes on.
  template <class CountStep, class Ends>
  void decode(int law_tokens, const CountStep& count_step, const Ends& ends) {
    Laws step_laws = laws(law_tokens);
    const BatchSteps& steps = step_laws.steps();
    for (Places now = begin(steps, law_tokens > 0); !now.empty();) {
      Places after;
      for (const auto& [both, gathered] : now) {
        const Real mass = reduced(gathered);
        const auto& law = step_laws.at(both.first, both.second);
        work_.add(static_cast<double>(law.both.size()));
        count_step(both, law, mass);
        for (const auto& [one, other, probability] : law.both) {
          Both next = both;
          if (!next.first.done) go_on(steps, next.first, *one);
          if (!next.second.done) go_on(steps, next.second, *other);
          const Real reached = mass * probability;
          if (!ends(next, reached)) after[std::move(next)] += reached;
        }
      }
      now = std::move(after);
    }
  }

  /// A request that is done has one place for each of its texts.
  static void go_on(const BatchSteps& steps, Place& place, const typename Laws::Outcome& outcome) {
    steps.go_on(place, outcome);
    if (!place.done) return;
    place.node = {};
    place.longest = 0;
    place.judged.clear();
  }

  void count(ExactBatch<Real>& result) {
    Sum<Real> tokens, steps, request_steps, verified, accepted, undefined;
    decode(
        0,
        [&](const Both& both, const auto& law, const Real& mass) {
          const long running = (both.first.done ? 0 : 1) + (both.second.done ? 0 : 1);
          steps += mass;
          request_steps += mass * Real(running);
          verified += mass * law.verified;
          const bool first = running == 2 && both.first.tokens + both.second.tokens == 0;
          if (first) accepted += mass * law.accepted;
        },
        [&](const Both& both, const Real& mass) {
          if (!both.first.done || !both.second.done) return false;
          tokens += mass * Real(static_cast<long>(both.first.tokens + both.second.tokens));
          if (both.first.undefined || both.second.undefined) undefined += mass;
          return true;
        });
    result.tokens = tokens.value();
    result.steps = steps.value();
    result.request_steps = request_steps.value();
    result.verified = verified.value();
    result.accepted = accepted.value();
    result.undefined = undefined.value();
  }

  /// The laws of the first tokens. An undefined draw, however late, is an outcome of its own, so
  /// that texts are followed to their ends where there are any.
  void compare(ExactBatch<Real>& result) {
    const bool to_end = result.undefined > 0;
    const std::uint64_t none = kNoCell;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Sum<Real>> joint;
    decode(
        result.law_tokens, [](const Both&, const auto&, const Real&) {},
        [&](const Both& both, const Real& mass) {
          const auto known = [&](const Place& place) {
            return place.done || (!to_end && place.tokens >= result.law_tokens);
          };
          if (!known(both.first) || !known(both.second)) return false;
          joint[{both.first.undefined ? none : both.first.cell,
                 both.second.undefined ? none : both.second.cell}] += mass;
          return true;
        });
    const std::vector<Real> target = target_cells(rows_, result.law_tokens);
    std::map<std::uint64_t, Sum<Real>> first, second;
    for (const auto& [cells, mass] : joint) {
      first[cells.first] += mass.value();
      second[cells.second] += mass.value();
    }
    const auto of_one = [&](std::uint64_t cell) {
      return cell == none ? Real(0) : target[static_cast<std::size_t>(cell)];
    };
    result.tv = {distance(first, of_one), distance(second, of_one)};
    result.joint_tv = distance(
        joint, [&](const auto& cells) { return Real(of_one(cells.first) * of_one(cells.second)); });
  }

  /// Half the sum of |law - target|, the target's mass where the law has none included.
  template <class Law, class Target>
  static Real distance(const Law& law, const Target& target) {
    Sum<Real> sum, covered;
    for (const auto& [cell, mass] : law) {
      const Real aim = target(cell);
      const Real gap = mass.value() - aim;
      sum += gap < 0 ? Real(-gap) : gap;
      covered += aim;
    }
    const Real tv = (sum.value() + (Real(1) - covered.value())) / Real(2);
    return tv > 0 ? tv : Real(0);
  }

  static constexpr std::uint64_t kNoCell = std::numeric_limits<std::uint64_t>::max();

  const AnyProgram<View>& program_;
  const std::string& name_;
  const View& view_;
  const Rows<Real>& rows_;
  BatchSetting setting_;
  BatchWork work_;
  std::function<void()> tidy_;
};

void check_batch(const Pair& pair, const BatchSetting& setting) {
  check_lengths(pair, {.gamma = setting.gamma, .horizon = setting.horizon});
  if (setting.requests != 2) {
    throw UsageError(
        fmt::format("an exact batch is of 2 requests, not {}; simulate it", setting.requests));
  }
}

}  // namespace

template <class Real>
ExactBatch<Real> run_exact_batch(const Verifier& verifier, const Rows<Real>& rows,
                                 const ExactBatchRequest& request) {
  check_batch(rows.pair(), request.setting);
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return with_runs(*ready.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using On = RunView<V<Real>>;
    const AnyProgram<On> program(ready.program.get(), runs.template in<Real>());
    return with_run_view(V<Real>(rows), [&](const On& view, const auto& tidy) {
      return ExactBatchRun<On>(program, ready.name, view, rows, request, tidy).run();
    });
  });
}

template ExactBatch<double> run_exact_batch(const Verifier&, const Rows<double>&,
                                            const ExactBatchRequest&);
template ExactBatch<Rational> run_exact_batch(const Verifier&, const Rows<Rational>&,
                                              const ExactBatchRequest&);

}  // namespace speclab
