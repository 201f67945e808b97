#include "answer/dealt.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "answer/asked.h"
#include "answer/portions.h"
#include "simulate/tally_text.h"
#include "system/interrupt.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

using nlohmann::json;

/// What a range came to, as text and back.
std::string tallied_text(const Tallied& tallied) {
  return json{{"tally", tally_text(tallied.tally)},
              {"threads", tallied.threads},
              {"seconds", tallied.seconds}}
      .dump();
}

Tallied read_tallied(const std::string& text) {
  const json node = json::parse(text);
  Tallied tallied;
  tallied.tally = read_tally(node.at("tally").get<std::string>());
  tallied.threads = node.at("threads").get<int>();
  tallied.seconds = node.at("seconds").get<double>();
  return tallied;
}

/// Adds up ranges that come in any order.
class RangeSum {
 public:
  explicit RangeSum(std::uint64_t first) : end_(first) {}
  void add(std::uint64_t first, Tallied tallied) {
    waiting_.emplace(first, std::move(tallied));
    for (auto next = waiting_.find(end_); next != waiting_.end(); next = waiting_.find(end_)) {
      const Tally& tally = next->second.tally;
      sum_ += tally;
      end_ += tally.trials;
      const bool none = tally.trials == 0;
      waiting_.erase(next);
      if (none) break;
    }
  }
  /// Of the trials from the first on without a gap.
  [[nodiscard]] const Tally& tally() const { return sum_; }

 private:
  std::uint64_t end_;
  Tally sum_;
  std::map<std::uint64_t, Tallied> waiting_;
};

}  // namespace

Tallied deal_trials(const Question& question, const BySimulation& method, const RangeSampler& here,
                    const Progress& progress) {
  Workers& workers = Workers::current();
  const json asked = question_json(question);
  const Stopwatch watch;
  Portions portions(workers.ranks());
  RangeSum sum(method.first_trial);
  std::vector<std::uint64_t> firsts;
  std::uint64_t dealt = 0, done = 0;
  Tallied result;
  Workers::Deal deal;
  deal.kind = kTrialsWork.name;
  deal.wide = true;
  deal.threads = method.threads;
  deal.next = [&]() -> std::optional<std::string> {
    BySimulation range = method;
    range.first_trial = method.first_trial + dealt;
    range.trials = portions.next(method.trials - dealt);
    if (range.trials == 0) return std::nullopt;
    dealt += range.trials;
    firsts.push_back(range.first_trial);
    return json{{"question", asked}, {"method", method_json(range)}}.dump();
  };
  deal.here = [&](std::size_t, const std::string& task) {
    return tallied_text(here(read_method(json::parse(task).at("method"))));
  };
  deal.take = [&](std::size_t number, const std::string& text) {
    Tallied tallied = read_tallied(text);
    done += tallied.tally.trials;
    portions.took(tallied.tally.trials, tallied.seconds);
    result.threads = std::max(result.threads, tallied.threads * workers.ranks());
    sum.add(firsts.at(number), std::move(tallied));
    if (progress) progress(done);
  };
  workers.deal(deal);
  result.tally = sum.tally();
  result.seconds = watch.seconds();
  result.interrupted = result.tally.trials < method.trials;
  if (result.tally.trials == 0) check_interrupted();
  const bool whole = result.tally.trials == method.trials || (result.interrupted && interrupted());
  if (!whole) throw std::logic_error("ranges of trials were lost or counted twice");
  return result;
}

std::string do_trials(const std::string& task) {
  const json text = json::parse(task);
  const Asked asked(text.at("question"));
  return tallied_text(asked.bench().sample(asked.question(), read_method(text.at("method"))));
}

}  // namespace speclab
