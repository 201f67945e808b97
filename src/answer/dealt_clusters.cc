#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "answer/advice.h"
#include "answer/asked.h"
#include "answer/dealt.h"
#include "answer/portions.h"
#include "system/interrupt.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

using nlohmann::json;

json clusters_json(const std::vector<Cluster>& clusters) {
  json list = json::array();
  for (const Cluster& each : clusters) {
    list.push_back({each.tokens, each.steps, each.calls, each.accepted, each.trials, each.drafted,
                    each.undefined, each.independent});
  }
  return list;
}

std::vector<Cluster> read_clusters(const json& list) {
  std::vector<Cluster> clusters;
  for (const json& each : list) {
    const auto number = [&](std::size_t i) { return each.at(i).get<double>(); };
    clusters.push_back(
        {number(0), number(1), number(2), number(3), number(4), number(5), number(6), number(7)});
  }
  return clusters;
}

/// A part of a wish.
struct ClusterRange {
  std::size_t wish, first, last;
};

/// The wishes in parts, one after another.
class ClusterRanges {
 public:
  ClusterRanges(std::span<const ClusterWish> wishes, int ranks)
      : wishes_(wishes), portions_(ranks) {
    for (const ClusterWish& wish : wishes) left_ += (wish.last - wish.first) * kClusterTrials;
  }
  std::optional<ClusterRange> next() {
    while (wish_ < wishes_.size() && wishes_[wish_].first + dealt_ == wishes_[wish_].last) {
      ++wish_;
      dealt_ = 0;
    }
    if (wish_ == wishes_.size()) return std::nullopt;
    const ClusterWish& wish = wishes_[wish_];
    const std::size_t first = wish.first + dealt_;
    const std::size_t count =
        std::clamp<std::size_t>(portions_.next(left_) / kClusterTrials, 1, wish.last - first);
    dealt_ += count;
    left_ -= count * kClusterTrials;
    return ClusterRange{wish_, first, first + count};
  }
  void took(std::uint64_t trials, double seconds) { portions_.took(trials, seconds); }

 private:
  std::span<const ClusterWish> wishes_;
  Portions portions_;
  std::uint64_t left_ = 0;  ///< trials
  std::size_t wish_ = 0, dealt_ = 0;
};

/// @param task  with the method, "first" and "last"
std::string counted_text(Bench& bench, const Question& question, const json& task) {
  const Stopwatch watch;
  std::vector<Cluster> clusters;
  add_clusters(bench, question, read_method(task.at("method")), task.at("first").get<std::size_t>(),
               task.at("last").get<std::size_t>(), clusters);
  return json{{"clusters", clusters_json(clusters)}, {"seconds", watch.seconds()}}.dump();
}

/// count_clusters over several ranks.
class ClusterDeal {
 public:
  ClusterDeal(Bench& bench, std::span<const ClusterWish> wishes, const BySimulation& method,
              const Progress& progress)
      : bench_(bench),
        wishes_(wishes),
        method_(method),
        progress_(progress),
        ranges_(wishes, Workers::current().ranks()) {
    for (const ClusterWish& wish : wishes) asked_.push_back(question_json(*wish.question));
  }

  std::vector<std::vector<Cluster>> run() {
    Workers::Deal deal;
    deal.kind = kClustersWork.name;
    deal.wide = true;
    deal.threads = method_.threads;
    deal.next = [this] { return next(); };
    deal.here = [this](std::size_t, const std::string& task) {
      const json text = json::parse(task);
      const ClusterWish& wish = wishes_[text.at("wish").get<std::size_t>()];
      return counted_text(bench_, *wish.question, text);
    };
    deal.take = [this](std::size_t number, const std::string& text) { take(number, text); };
    if (!Workers::current().deal(deal)) check_interrupted();
    return collected();
  }

 private:
  std::optional<std::string> next() {
    const auto range = ranges_.next();
    if (!range) return std::nullopt;
    dealt_.push_back(*range);
    return json{{"question", asked_[range->wish]},
                {"method", method_json(method_)},
                {"wish", range->wish},
                {"first", range->first},
                {"last", range->last}}
        .dump();
  }

  void take(std::size_t number, const std::string& text) {
    const json node = json::parse(text);
    const ClusterRange& range = dealt_.at(number);
    const std::uint64_t trials = (range.last - range.first) * kClusterTrials;
    ranges_.took(trials, node.at("seconds").get<double>());
    parts_.emplace(number, read_clusters(node.at("clusters")));
    done_ += trials;
    if (progress_) progress_(done_);
  }

  /// The parts were dealt in order.
  [[nodiscard]] std::vector<std::vector<Cluster>> collected() const {
    std::vector<std::vector<Cluster>> counted(wishes_.size());
    for (const auto& [number, part] : parts_) {
      std::vector<Cluster>& all = counted[dealt_[number].wish];
      all.insert(all.end(), part.begin(), part.end());
    }
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      if (counted[i].size() == wishes_[i].last - wishes_[i].first) continue;
      throw std::logic_error("clusters of trials were lost or counted twice");
    }
    return counted;
  }

  Bench& bench_;
  std::span<const ClusterWish> wishes_;
  const BySimulation& method_;
  const Progress& progress_;
  std::vector<json> asked_;
  ClusterRanges ranges_;
  std::vector<ClusterRange> dealt_;                    ///< by number
  std::map<std::size_t, std::vector<Cluster>> parts_;  ///< by number
  std::uint64_t done_ = 0;                             ///< trials
};

}  // namespace

std::string do_clusters(const std::string& task) {
  const json text = json::parse(task);
  const Asked asked(text.at("question"));
  return counted_text(asked.bench(), asked.question(), text);
}

std::vector<std::vector<Cluster>> count_clusters(Bench& bench, std::span<const ClusterWish> wishes,
                                                 const BySimulation& method,
                                                 const Progress& progress) {
  if (Workers::current().ranks() > 1) return ClusterDeal(bench, wishes, method, progress).run();
  std::vector<std::vector<Cluster>> counted(wishes.size());
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const auto& [question, first, last] = wishes[i];
    add_clusters(bench, *question, method, first, last, counted[i]);
    done += (last - first) * kClusterTrials;
    if (progress) progress(done);
  }
  return counted;
}

}  // namespace speclab
