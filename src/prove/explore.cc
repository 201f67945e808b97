#include "prove/explore.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "prove/algebra_limits.h"
#include "prove/certificate.h"
#include "system/interrupt.h"
#include "system/stage.h"
#include "system/stopwatch.h"
#include "system/thread_pool.h"

namespace speclab {
namespace {

using Stack = std::vector<Conditions>;

/// What a thread is given: provers number their polynomials each in its own way, so that branches
/// pass from one to another as text.
struct StackTask {
  std::string stack;  ///< a certificate whose pending branches are the stack
  Prover::Limits limits;
  double seconds;  ///< after these a step is given up
};

struct StackResult {
  std::string found;  ///< a certificate
  double error_bound;
  std::optional<Counterexample> counterexample;
  bool out_of_memory;
};

/// Takes steps until there are enough. A step that a signal or a limit ends leaves its branch
/// pending. @returns false where the memory was over
bool take_steps(Prover& prover, const StackTask& task, const std::function<bool()>& over) {
  const TimeLimit limit(task.seconds);
  try {
    static_cast<void>(finished([&] {
      for (int i = 0; i < kBranchSteps && !over() && seconds_left() > 0; ++i) {
        if (!prover.step()) break;
        count_in_stage();
      }
    }));
  } catch (const OutOfTime&) {
  } catch (const OutOfProofMemory&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

/// @param over  whether the result is no longer needed
StackResult explore_stack(const StackTask& task, const std::function<bool()>& over) {
  const ProofCertificate stack = read_certificate(task.stack, "a task");
  Prover::Limits limits = task.limits;
  limits.symmetry = stack.ordered;
  limits.second_try = false;
  Prover prover(stack.theorem, limits);
  resume(prover, stack);
  const bool whole = take_steps(prover, task, over);
  return {certificate_text(prover, prover.state(), /*queries=*/false), prover.error_bound(),
          prover.state().counterexample, !whole};
}

void append(std::vector<Conditions>& to, const Stack& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// A stack of branches and its result; `rest` has the stacks that it left, in the order of one
/// prover.
struct Node {
  Stack stack;
  double query_seconds;
  bool begun = false;
  bool done = false;
  ProofState found{};
  std::list<Node> rest{};
};

/// Cuts a stack into pieces, the top first.
std::list<Node> pieces_of(Stack stack, double query_seconds, std::size_t size) {
  std::list<Node> pieces;
  while (!stack.empty()) {
    const auto cut = stack.end() - static_cast<std::ptrdiff_t>(std::min(size, stack.size()));
    pieces.push_back({Stack(cut, stack.end()), query_seconds});
    stack.erase(cut, stack.end());
  }
  return pieces;
}

Node* first_waiting(std::list<Node>& nodes) {
  for (Node& node : nodes) {
    if (!node.begun) return &node;
    if (Node* later = first_waiting(node.rest)) return later;
  }
  return nullptr;
}

/// One call of explore().
class Exploration {
 public:
  Exploration(Prover& prover, const ProofEffort& effort)
      : prover_(prover), effort_(effort), state_(prover.state()) {
    nodes_ = pieces_of(std::exchange(state_.pending, {}), prover.limits().query_seconds, kBranches);
    put_together();
  }

  ProofEnd run() {
    const ProofMemoryLimit limit(effort_.max_memory);
    begin_stage("branches explored");
    const bool whole = run_all();
    if (!state_.counterexample) gather(nodes_);
    Stack pending;
    std::for_each(nodes_.rbegin(), nodes_.rend(),
                  [&pending](const auto& node) { append(pending, node.stack); });
    state_.pending = std::move(pending);
    const bool left = !state_.pending.empty() && !state_.counterexample;
    prover_.resume(std::move(state_));
    if (!whole) return ProofEnd::interrupted;
    if (left && out_of_memory_) return ProofEnd::out_of_memory;
    return left ? ProofEnd::out_of_time : ProofEnd::finished;
  }

 private:
  /// False where a signal was received.
  bool run_all() {
    try {
      return run_tasks(effort_.threads, [this] { return next(); });
    } catch (const OutOfProofMemory&) {  // of the results put together
      out_of_memory_ = true;
      return true;
    }
  }

  std::optional<PoolTask> next() {
    if (over_ || out_of_memory_ || watch_.seconds() > effort_.seconds) return std::nullopt;
    Node* const node = first_waiting(nodes_);
    if (node == nullptr) return std::nullopt;
    node->begun = true;
    ProofState stack;
    stack.pending = node->stack;
    Prover::Limits limits = prover_.limits();
    limits.query_seconds = node->query_seconds;
    const StackTask task{certificate_text(prover_, stack, /*queries=*/false), limits,
                         effort_.seconds - watch_.seconds()};
    const auto result = std::make_shared<StackResult>();
    return PoolTask{
        [this, task, result] { *result = explore_stack(task, [this] { return over_.load(); }); },
        [this, node, result] { take(*node, *result); }};
  }

  void take(Node& node, const StackResult& result) {
    if (over_) return;
    const WithoutPolls storing;
    out_of_memory_ = out_of_memory_ || result.out_of_memory;
    node.found = state_for(prover_, read_certificate(result.found, "a result"));
    node.found.error_bound = result.error_bound;
    node.found.counterexample = result.counterexample;
    node.rest = pieces_of(std::exchange(node.found.pending, {}), node.query_seconds, kBranches);
    node.done = true;
    put_together();
    if (effort_.progress) effort_.progress(state_, branches(nodes_));
  }

  /// Adds the results that are there, as far as all before them are.
  void put_together() {
    while (!nodes_.empty() && nodes_.front().done && !over_) {
      std::list<Node> rest = std::move(nodes_.front().rest);
      take_in(std::move(nodes_.front().found));
      nodes_.pop_front();
      nodes_.splice(nodes_.begin(), rest);
      over_ = state_.counterexample.has_value();
    }
    if (nodes_.empty() && !over_ && prover_.limits().second_try && !second_) {
      second_ = true;
      nodes_ = pieces_of(std::exchange(state_.undecided, {}),
                         prover_.limits().query_seconds * Prover::kSecondTry, 1);
    }
  }

  void take_in(ProofState found) {
    std::move(found.cells.begin(), found.cells.end(), std::back_inserter(state_.cells));
    std::move(found.splits.begin(), found.splits.end(), std::back_inserter(state_.splits));
    append(state_.empty, found.empty);
    append(state_.undecided, found.undecided);
    for (std::size_t i = 0; i < kBases; ++i) state_.by_basis[i] += found.by_basis[i];
    state_.queries += found.queries;
    state_.error_bound += found.error_bound;
    if (!state_.counterexample) state_.counterexample = std::move(found.counterexample);
  }

  /// Adds all results that are there, and keeps the stacks without one.
  void gather(std::list<Node>& nodes) {
    for (auto node = nodes.begin(); node != nodes.end();) {
      if (!node->done) {
        ++node;
        continue;
      }
      take_in(std::move(node->found));
      gather(node->rest);
      nodes.splice(node, node->rest);
      node = nodes.erase(node);
    }
  }

  static std::size_t branches(const std::list<Node>& nodes) {
    std::size_t count = 0;
    for (const Node& node : nodes) count += node.done ? branches(node.rest) : node.stack.size();
    return count;
  }

  Prover& prover_;
  const ProofEffort& effort_;
  const Stopwatch watch_;
  ProofState state_;  ///< the results put together so far
  std::list<Node> nodes_;
  bool second_ = false;
  bool out_of_memory_ = false;
  std::atomic<bool> over_ = false;  ///< a counterexample is among the results
};

}  // namespace

ProofEnd explore(Prover& prover, const ProofEffort& effort) {
  if (prover.theorem().program) {
    throw std::logic_error("a theorem whose verifier a certificate cannot name");
  }
  return Exploration(prover, effort).run();
}

}  // namespace speclab
