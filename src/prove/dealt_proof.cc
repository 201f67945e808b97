#include "prove/dealt_proof.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "prove/certificate.h"
#include "system/interrupt.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

using nlohmann::json;
using Stack = std::vector<std::vector<Condition>>;

json counterexample_json(const std::optional<Counterexample>& found) {
  if (!found) return nullptr;
  json point = json::array();
  for (const Rational& share : found->point) point.push_back(to_text(share));
  return {{"point", std::move(point)}, {"detail", found->detail}};
}

std::optional<Counterexample> read_counterexample(const json& text) {
  if (text.is_null()) return std::nullopt;
  Counterexample found{{}, text.at("detail").get<std::string>()};
  for (const json& share : text.at("point")) {
    found.point.push_back(parse_rational(share.get<std::string>()));
  }
  return found;
}

/// @param over  whether nobody wants the result any more
std::string explore_stack(const std::string& task, const std::function<bool()>& over) {
  const Stopwatch watch;
  const json text = json::parse(task);
  const ProofCertificate stack = read_certificate(text.at("stack").get<std::string>(), "a task");
  Prover prover(stack.theorem, {.query_seconds = text.at("query_seconds").get<double>(),
                                .seed = text.at("seed").get<std::uint64_t>(),
                                .symmetry = stack.ordered,
                                .second_try = false});
  resume(prover, stack);
  const auto seconds = text.at("seconds").get<double>();
  // Interrupted, it leaves the branch to be taken again.
  static_cast<void>(finished([&] {
    for (int i = 0; i < kBranchSteps && !over() && watch.seconds() < seconds; ++i) {
      if (!prover.step()) break;
    }
  }));
  return json{{"found", certificate_text(prover)},
              {"error_bound", prover.error_bound()},
              {"counterexample", counterexample_json(prover.state().counterexample)}}
      .dump();
}

void append(std::vector<std::vector<Condition>>& to, const Stack& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// A stack of branches and what became of it; behind it, in the order of one prover, the stacks
/// that it left.
struct Node {
  Stack stack;
  double query_seconds;
  bool dealt = false;
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
    if (!node.dealt) return &node;
    if (Node* later = first_waiting(node.rest)) return later;
  }
  return nullptr;
}

/// One exploration by all workers.
class DealtProof {
 public:
  DealtProof(Prover& prover, const ProofEffort& effort)
      : prover_(prover), effort_(effort), state_(prover.state()) {
    nodes_ = pieces_of(std::exchange(state_.pending, {}), prover.limits().query_seconds, kBranches);
    put_together();
  }

  ProofEnd run() {
    Workers::Deal deal;
    deal.kind = kBranchesWork.name;
    deal.threads = effort_.threads;
    deal.next = [this] { return next(); };
    deal.here = [this](std::size_t, const std::string& task) {
      return explore_stack(task, [this] { return over_.load(); });
    };
    deal.take = [this](std::size_t number, const std::string& text) { take(number, text); };
    const bool whole = Workers::current().deal(deal);
    if (!state_.counterexample) gather(nodes_);
    Stack pending;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) append(pending, node->stack);
    state_.pending = std::move(pending);
    const bool left = !state_.pending.empty() && !state_.counterexample;
    prover_.resume(std::move(state_));
    if (!whole) return ProofEnd::interrupted;
    return left ? ProofEnd::out_of_time : ProofEnd::finished;
  }

 private:
  std::optional<std::string> next() {
    if (over_ || watch_.seconds() > effort_.seconds) return std::nullopt;
    Node* const node = first_waiting(nodes_);
    if (node == nullptr) return std::nullopt;
    node->dealt = true;
    dealt_.push_back(node);
    ProofState stack;
    stack.pending = node->stack;
    return json{{"stack", certificate_text(prover_, stack)},
                {"query_seconds", node->query_seconds},
                {"seed", prover_.limits().seed},
                {"seconds", effort_.seconds - watch_.seconds()}}
        .dump();
  }

  void take(std::size_t number, const std::string& text) {
    const json told = json::parse(text);
    Node& node = *dealt_.at(number);
    if (over_) return;
    node.found =
        state_for(prover_, read_certificate(told.at("found").get<std::string>(), "a result"));
    node.found.error_bound = told.at("error_bound").get<double>();
    node.found.counterexample = read_counterexample(told.at("counterexample"));
    node.rest = pieces_of(std::exchange(node.found.pending, {}), node.query_seconds, kBranches);
    node.done = true;
    put_together();
    if (effort_.progress) effort_.progress(state_, branches(nodes_));
  }

  /// Takes in what is done, as far as all before it is.
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
    append(state_.undecided, found.undecided);
    for (std::size_t i = 0; i < kBases; ++i) state_.by_basis[i] += found.by_basis[i];
    state_.queries += found.queries;
    state_.error_bound += found.error_bound;
    if (!state_.counterexample) state_.counterexample = std::move(found.counterexample);
  }

  /// Takes in all that is done, and leaves what is not.
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
  ProofState state_;  ///< put together
  std::list<Node> nodes_;
  std::vector<Node*> dealt_;  ///< by number
  bool second_ = false;
  std::atomic<bool> over_ = false;  ///< a counterexample was put in
};

}  // namespace

ProofEnd explore(Prover& prover, const ProofEffort& effort) {
  if (prover.theorem().entry != nullptr) {
    throw std::logic_error("a theorem that no other rank can know");
  }
  return DealtProof(prover, effort).run();
}

std::string do_branches(const std::string& task) {
  return explore_stack(task, [] { return false; });
}

}  // namespace speclab
