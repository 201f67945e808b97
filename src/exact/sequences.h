#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "run/runner.h"
#include "system/interrupt.h"
#include "system/memory.h"
#include "system/openmp.h"
#include "system/parallel.h"

namespace speclab {

/// Runs the sequences of decisions of one computation, on all threads, and counts them against its
/// limit.
///
/// The work is cut in parts by where it starts and by the first decisions, never by the number of
/// threads; each part adds up on its own and the parts are handed over in order. So results are the
/// same bits for any number of threads.
template <class View>
class Sequences {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  /// @param end      the pair's end-of-sequence token
  /// @param most     LimitError beyond this many sequences since the last recount()
  /// @param threads  0: as many as the machine gives
  /// @param most_bytes  LimitError where merged prefixes take more than this
  Sequences(const Runner<View>& runner, const View& view, std::optional<Token> end, double most,
            int threads, double most_bytes)
      : runner_(runner),
        view_(view),
        end_(end),
        most_(most),
        threads_(thread_count(threads)),
        most_bytes_(most_bytes),
        bytes_before_(resident_memory()) {}

  /// What is taken of each iteration.
  struct Wanted {
    bool corrections = true;  ///< each last draw on its own
    bool tokens = true;       ///< the tokens; else only how many and where they end the sequence
  };

  [[nodiscard]] std::optional<Token> end_token() const { return end_; }
  [[nodiscard]] const View& view() const { return view_; }

  /// Counts from 0 again.
  void recount() {
    paths_ = 0;
    share_ = 1;
  }

  /// Calls visit(sum, emitted, weight) for every sequence from every root, `sum` being a copy of
  /// `zero` for each part; then, on this thread, add(root's index, std::move(sum)) for each part in
  /// order. The parts run side by side where about `expected` sequences in all are worth it.
  /// @throws LimitError beyond the limit, with the count; Error when interrupted; what a verifier
  /// throws
  template <class Sum, class Visit, class Add>
  void run(std::span<const Node> roots, Window window, Wanted wanted, double expected,
           const Sum& zero, const Visit& visit, const Add& add) {
    const bool merged = merges(wanted);
    const bool worth = merged ? roots.size() > 1 : expected >= kWorthThreads;
    const std::vector<Part> parts = cut(roots, window, wanted.corrections, worth && !merged);
    std::vector<Sum> sums(parts.size());
    std::atomic<std::size_t> failed{parts.size()};  // the lowest part that failed
    parallel_for(static_cast<std::int64_t>(parts.size()), worth ? threads_ : 1,
                 [&](std::int64_t i) {
                   const auto at = static_cast<std::size_t>(i);
                   // Of the running thread: the sums of two parts must not share a cache line.
                   Sum sum = zero;
                   run_part(
                       roots[parts[at].root], window, wanted, parts[at].first,
                       [&](const Emitted<Node>& emitted, const Real& weight) {
                         visit(sum, emitted, weight);
                       },
                       at, failed);
                   sums[at] = std::move(sum);
                 });
    for (std::size_t i = 0; i < parts.size(); ++i) add(parts[i].root, std::move(sums[i]));
  }

  /// Whether equal prefixes are merged, so that the number of sequences is not known
  /// beforehand.
  [[nodiscard]] bool merges(Wanted wanted) const {
    return !wanted.tokens && runner_.traits().merges;
  }

  /// An estimate of the number of sequences of one iteration; 0 where prefixes are merged. Beyond
  /// the limit it is counted on to kCounted, where that is quick.
  [[nodiscard]] double estimate(const Node& root, Window window, Wanted wanted) const {
    if (merges(wanted)) return 0;
    const double enough = view_.vocabulary() <= kQuick ? std::max(most_, kCounted) : most_;
    return runner_.branches(view_, root, window, wanted.corrections, enough);
  }

  /// Until recount() or the next call the limit is this share of it: of `all` roots `part` are run,
  /// and the others are taken to be like them.
  void expect_share(std::size_t part, std::size_t all) {
    share_ = static_cast<double>(part) / static_cast<double>(all);
  }

  /// Since the last recount().
  [[nodiscard]] double counted() const { return static_cast<double>(paths_); }

  /// Refuses sequences of a later run that are foreseen to be over the limit, and not by a little.
  void foresee(double paths) const {
    if (paths > kForeseen * most_) refuse(paths, "foreseen after some more tokens, ");
  }

  /// Refuses `paths` sequences that are over the limit.
  void check(double paths) const {
    if (paths > most_) refuse(paths);
  }

 private:
  /// Fewer sequences than this take less time than waking the threads.
  static constexpr double kWorthThreads = 5000;
  /// Enough for any number of threads to end at about the same time.
  static constexpr std::size_t kParts = 128;
  /// A number that says enough to whoever is refused: counting on could take longer than a life.
  static constexpr double kCounted = 1e30;
  /// Laws over so many tokens are walked through in no time.
  static constexpr Token kQuick = 1024;
  /// Steps, runs or tokens walked through, that take no time.
  static constexpr std::uint64_t kSoon = 1 << 16;
  /// What is foreseen of later positions is refused where it is this many times the limit.
  static constexpr double kForeseen = 3;
  /// What is foreseen of merged prefixes is refused where it is this many times the limit.
  static constexpr double kClearly = 4;
  /// Sequences between looks at the limit and for an interruption.
  static constexpr int kStride = std::is_same_v<Real, double> ? 256 : 1;
  /// Looks between those at the memory: at most some megabytes of prefixes.
  static constexpr int kMemoryStride = std::is_same_v<Real, double> ? 64 : 1 << 14;

  struct Part {
    std::size_t root;
    Trail<Real> first;
  };

  std::vector<Part> cut(std::span<const Node> roots, Window window, bool corrections,
                        bool worth) const {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (!worth || roots.size() >= kParts) {
        parts.push_back({i, {}});
        continue;
      }
      for (auto& first :
           runner_.parts(view_, roots[i], window, corrections, kParts / roots.size())) {
        parts.push_back({i, std::move(first)});
      }
    }
    return parts;
  }

  /// A part ends early where one before it failed; those before a failure are always completed, so
  /// that the reported failure is the same for any number of threads.
  template <class Visit>
  void run_part(const Node& root, Window window, Wanted wanted, const Trail<Real>& first,
                const Visit& visit, std::size_t part, std::atomic<std::size_t>& failed) {
    struct Ended {};
    int uncounted = 0;
    int looks = 0;
    bool foresight = merges(wanted);
    std::uint64_t runs = 0;
    const auto foreseen = [&](double least) {
      if (least > kClearly * most_) refuse(least);
    };
    const auto look = [&] {
      runs += static_cast<std::uint64_t>(uncounted);
      if (foresight && runs >= runs_before_foresight()) {
        foresight = false;
        foreseen(
            runner_.branches_to_pause(view_, root, window, wanted.corrections, kClearly * most_));
      }
      paths_ += static_cast<std::uint64_t>(uncounted);
      uncounted = 0;
      if (static_cast<double>(paths_) > share_ * most_) refuse(most_ + 1);
      check_interrupted();
      if (merges(wanted) && ++looks % kMemoryStride == 0) check_memory();
      if (failed < part) throw Ended{};
    };
    try {
      look();
      const auto count = [&] {
        if (++uncounted == kStride) look();
      };
      if (merges(wanted)) {
        runner_.visit_merged(view_, root, window, wanted.corrections, end_, visit,
                             {count, foreseen});
      } else {
        runner_.visit_part(view_, root, window, wanted.corrections, first,
                           [&](const Emitted<Node>& emitted, const Real& weight) {
                             visit(emitted, weight);
                             count();
                           });
      }
      look();
    } catch (const Ended&) {
    } catch (...) {
      for (auto lowest = failed.load(); part < lowest;) {
        if (failed.compare_exchange_weak(lowest, part)) break;
      }
      throw;
    }
  }

  /// How many runs of a merged iteration are made before it is asked how many there are up to the
  /// first pause. To answer takes walks through the vocabulary, in fractions less than the runs do.
  [[nodiscard]] std::uint64_t runs_before_foresight() const {
    const auto tokens = static_cast<std::uint64_t>(view_.vocabulary());
    return std::is_same_v<Real, double> ? std::max(kSoon, 4 * tokens) : kSoon / tokens;
  }

  /// @param foreseen  "", or that they are foreseen, with a comma at its end
  [[noreturn]] void refuse(double paths, std::string_view foreseen = "") const {
    throw LimitError(
        fmt::format("about {:.3g} sequences of decisions or more are {}over the limit of {:.3g}; "
                    "lower gamma or the horizon, or allow more paths (max-paths)",
                    paths, foreseen, most_));
  }

  /// How many prefixes there are to merge is not known beforehand: what they take is measured.
  void check_memory() const {
    const double taken = resident_memory() - bytes_before_;
    if (taken <= most_bytes_) return;
    throw LimitError(
        fmt::format("the prefixes of an iteration, equal ones merged, take {}, over the limit of "
                    "{}; lower gamma, or allow more memory (max-memory)",
                    size_text(taken), size_text(most_bytes_)));
  }

  const Runner<View>& runner_;
  const View& view_;
  std::optional<Token> end_;
  double most_;
  double share_ = 1;
  int threads_;
  double most_bytes_;
  double bytes_before_;
  std::atomic<std::uint64_t> paths_{0};
};

}  // namespace speclab
