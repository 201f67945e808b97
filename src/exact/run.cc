#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/sum.h"
#include "exact/runner.h"

namespace speclab {

namespace {

/// The exact computations of one verifier in one arithmetic.
template <class V>
class ExactRun {
 public:
  using View = V;
  using Real = typename View::Real;
  using Node = typename View::Node;

  ExactRun(const Runner<View>& runner, const Rows<Real>& rows, const ExactRequest& request)
      : runner_(runner), rows_(rows), view_(rows), request_(request) {
    for (const Start& start : rows.pair().start()) {
      starts_.push_back({view_.root(start.state), from_rational<Real>(start.probability)});
    }
  }

  ExactResult<Real> run() {
    ExactResult<Real> result;
    iteration(result);
    if (request_.iterations > 0) iterations(result);
    if (request_.horizon) result.decode = decode(*request_.horizon);
    return result;
  }

 private:
  /// What an iteration adds, with equal continuations merged.
  struct Leaf {
    std::vector<Token> tokens;
    Ending ending;
    Node node;
    Real weight;
  };
  struct Started {
    Node node;
    Real probability;
  };
  using Prefixes = std::map<std::pair<std::vector<Token>, Node>, Real>;

  void iteration(ExactResult<Real>& result) {
    const Window window = full_window(rows_.pair(), request_.gamma, request_.horizon);
    check_paths(branches(window, false) * static_cast<double>(starts_.size()));
    std::vector<Sum<Real>> law(static_cast<std::size_t>(window.drafts) + 1);
    Sum<Real> undefined;
    for (const Started& start : starts_) {
      visit(start.node, window, false, [&](const Iteration<View>& out, const Real& weight) {
        const auto accepted = static_cast<std::size_t>(out.accepted);
        if (accepted >= law.size()) law.resize(accepted + 1);
        law[accepted] += start.probability * weight;
        if (out.ending == Ending::undefined) undefined += start.probability * weight;
      });
    }
    Sum<Real> expected;
    for (std::size_t i = 0; i < law.size(); ++i) {
      result.accepted_law.push_back(law[i].value());
      expected += Real(static_cast<long>(i)) * law[i].value();
    }
    result.expected_accepted = expected.value();
    result.undefined_mass = undefined.value();
  }

  void iterations(ExactResult<Real>& result) {
    const auto length = rows_.pair().length();
    if (request_.gamma == kUnbounded) {
      throw UsageError("--iterations needs a finite --gamma");
    }
    const double needed = (1.0 + request_.gamma) * request_.iterations;
    if (length && needed > *length) {
      throw InputError(fmt::format(
          "{} iterations of up to {} tokens need {} positions and the pair has {}; lower "
          "--iterations or --gamma",
          request_.iterations, request_.gamma + 1, needed, *length));
    }
    const Window window{.drafts = request_.gamma, .bonus = true};
    check_paths(branches(window, true) * static_cast<double>(starts_.size()));
    std::map<Node, Real> now;
    for (const Started& start : starts_) now[start.node] += start.probability;
    Sum<Real> tokens;
    for (int i = 0; i < request_.iterations; ++i) {
      std::map<Node, Real> after;
      for (const auto& [node, weight] : now) {
        for (const Leaf& leaf : leaves(node, window)) {
          const Real mass = weight * leaf.weight;
          const std::size_t emitted = before_end(leaf.tokens);
          tokens += Real(static_cast<long>(emitted)) * mass;
          if (leaf.ending != Ending::undefined && emitted == leaf.tokens.size() && !ended(leaf)) {
            after[leaf.node] += mass;
          }
        }
      }
      result.expected_tokens.push_back(tokens.value());
      now = std::move(after);
    }
  }

  DecodeLaw<Real> decode(int horizon) {
    const auto length = rows_.pair().length();
    if (length && horizon > *length) {
      throw InputError(fmt::format("--horizon {} is over the {} positions of {}", horizon, *length,
                                   rows_.pair().name()));
    }
    const double contexts = std::pow(static_cast<double>(rows_.vocabulary()), horizon);
    check_paths(branches(window_within(request_.gamma, horizon), true) *
                static_cast<double>(starts_.size()));
    check_paths(contexts);
    DecodeLaw<Real> result;
    Sum<Real> tv;
    std::map<std::vector<Token>, Sum<Real>> law;
    for (const Started& start : starts_) {
      const auto reached = decode_from(start, horizon, result);
      compare(start, horizon, reached, tv);
      if (request_.law) {
        for (const auto& [tokens, weight] : reached) law[tokens] += start.probability * weight;
      }
    }
    // The undefined mass is an outcome that the target never has.
    result.tv_to_target = (tv.value() + result.undefined_mass) / 2;
    for (auto& [tokens, weight] : law) result.law.emplace_back(tokens, weight.value());
    return result;
  }

  /// The law of the T tokens from one start; adds the expectations to `result`.
  std::map<std::vector<Token>, Real> decode_from(const Started& start, int horizon,
                                                 DecodeLaw<Real>& result) {
    const auto steps = static_cast<std::size_t>(horizon);
    std::vector<Prefixes> levels(steps);
    levels[0][{{}, start.node}] = Real(1);
    std::map<std::vector<Token>, Real> reached;
    for (std::size_t n = 0; n < steps; ++n) {
      const Window window = window_within(request_.gamma, horizon - static_cast<int>(n));
      for (const auto& [key, weight] : levels[n]) {
        check_interrupted();
        const Real mass = start.probability * weight;
        result.target_calls += mass;
        for (const Leaf& leaf : leaves(key.second, window)) {
          const Real here = weight * leaf.weight;
          const std::size_t emitted = before_end(leaf.tokens);
          result.tokens += mass * leaf.weight * Real(static_cast<long>(emitted));
          const int last = static_cast<int>(emitted) + (leaf.ending == Ending::undefined ? 1 : 0);
          result.draft_steps +=
              mass * leaf.weight *
              Real(static_cast<long>(draft_steps(runner_.drafting(), window.drafts, last)));
          if (leaf.ending == Ending::undefined) {
            result.undefined_mass += mass * leaf.weight;
            continue;
          }
          if (leaf.ending == Ending::correction && emitted == leaf.tokens.size()) {
            result.rejections += mass * leaf.weight;
          }
          std::vector<Token> tokens = key.first;
          tokens.insert(tokens.end(), leaf.tokens.begin(),
                        leaf.tokens.begin() + static_cast<std::ptrdiff_t>(emitted));
          if (emitted < leaf.tokens.size() || ended(leaf)) {
            tokens.resize(steps, *rows_.pair().end_token());
          }
          if (tokens.size() == steps) {
            reached[std::move(tokens)] += here;
          } else {
            levels[tokens.size()][{tokens, leaf.node}] += here;
          }
        }
      }
      levels[n].clear();
    }
    return reached;
  }

  /// Adds sum |output - target| over all sequences of `horizon` tokens.
  void compare(const Started& start, int horizon, const std::map<std::vector<Token>, Real>& reached,
               Sum<Real>& tv) const {
    std::map<std::vector<Token>, Real> target;
    std::vector<Token> tokens;
    target_law(view_.state(start.node), Real(1), horizon, tokens, target);
    for (const auto& [sequence, probability] : reached) {
      const auto known = target.find(sequence);
      const Real difference =
          known == target.end() ? probability : Real(probability - known->second);
      tv += start.probability * (difference < 0 ? Real(-difference) : difference);
      if (known != target.end()) target.erase(known);
    }
    for (const auto& [sequence, probability] : target) tv += start.probability * probability;
  }

  void target_law(State state, const Real& mass, int remaining, std::vector<Token>& tokens,
                  std::map<std::vector<Token>, Real>& law) const {
    if (remaining == 0) {
      check_interrupted();
      law[tokens] += mass;
      return;
    }
    const auto row = rows_.target(state);
    for (std::size_t x = 0; x < row.size(); ++x) {
      if (!(row[x] > 0)) continue;
      const auto token = static_cast<Token>(x);
      tokens.push_back(token);
      target_law(rows_.next(state, token), Real(mass * row[x]), remaining - 1, tokens, law);
      tokens.pop_back();
    }
  }

  /// All distinct ends of an iteration from `node`, kept for the next time they are asked for.
  const std::vector<Leaf>& leaves(const Node& node, Window window) {
    const auto key = std::make_tuple(node, window.drafts, window.bonus);
    const auto known = leaves_.find(key);
    if (known != leaves_.end()) return known->second;
    std::map<std::tuple<std::vector<Token>, Ending, Node>, Real> merged;
    visit(node, window, true, [&](const Iteration<View>& out, const Real& weight) {
      // A decode would never end.
      if (out.tokens.empty() && out.ending != Ending::undefined) {
        throw std::logic_error("a verifier must emit a token");
      }
      merged[{out.tokens, out.ending, out.node}] += weight;
    });
    std::vector<Leaf> list;
    for (auto& [end, weight] : merged) {
      list.push_back({std::get<0>(end), std::get<1>(end), std::get<2>(end), std::move(weight)});
    }
    return leaves_.emplace(key, std::move(list)).first->second;
  }

  template <class Visit>
  void visit(const Node& root, Window window, bool corrections, Visit&& visit) {
    runner_.enumerate(view_, root, window, corrections,
                      [&](const Iteration<View>& out, const Real& weight) {
                        if (++paths_ > request_.max_paths) refuse_paths(paths_);
                        check_interrupted();
                        visit(out, weight);
                      });
  }

  /// Tokens up to and with the first end-of-sequence token.
  [[nodiscard]] std::size_t before_end(const std::vector<Token>& tokens) const {
    const auto end = rows_.pair().end_token();
    if (!end) return tokens.size();
    const auto found = std::find(tokens.begin(), tokens.end(), *end);
    return static_cast<std::size_t>(found - tokens.begin()) + (found == tokens.end() ? 0 : 1);
  }

  [[nodiscard]] bool ended(const Leaf& leaf) const {
    const auto end = rows_.pair().end_token();
    return end && !leaf.tokens.empty() && leaf.tokens.back() == *end;
  }

  /// An estimate of the number of sequences of decisions of one iteration.
  double branches(Window window, bool corrections) {
    return runner_.branches(view_, starts_.front().node, window, corrections);
  }

  void check_paths(double paths) const {
    if (paths > request_.max_paths) refuse_paths(paths);
  }
  static void check_interrupted() {
    if (interrupted()) throw Error(ExitCode::interrupted, "interrupted before it was finished");
  }
  [[noreturn]] void refuse_paths(double paths) const {
    throw LimitError(
        fmt::format("about {:.3g} sequences of decisions or more are over the limit of {:.3g}; "
                    "lower --gamma or "
                    "--horizon, or raise --max-paths",
                    paths, request_.max_paths));
  }

  const Runner<View>& runner_;
  const Rows<Real>& rows_;
  View view_;
  const ExactRequest& request_;
  std::vector<Started> starts_;
  std::map<std::tuple<Node, int, bool>, std::vector<Leaf>> leaves_;
  double paths_ = 0;
};

}  // namespace

template <class View>
ExactResult<typename View::Real> run_with(const Runner<View>& runner,
                                          const Rows<typename View::Real>& rows,
                                          const ExactRequest& request) {
  return ExactRun<View>(runner, rows, request).run();
}

template ExactResult<double> run_with(const Runner<PairView<double>>&, const Rows<double>&,
                                      const ExactRequest&);
template ExactResult<double> run_with(const Runner<CarriedView<double>>&, const Rows<double>&,
                                      const ExactRequest&);
template ExactResult<Rational> run_with(const Runner<PairView<Rational>>&, const Rows<Rational>&,
                                        const ExactRequest&);
template ExactResult<Rational> run_with(const Runner<CarriedView<Rational>>&, const Rows<Rational>&,
                                        const ExactRequest&);

}  // namespace speclab
