#include "optimum/node_masses.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/power.h"
#include "optimum/linear_program.h"
#include "optimum/one_draft.h"

namespace speclab {
namespace {

/// f(x) = 1 - (1 - x)^K and its derivative.
struct AtLeastOnce {
  int drafts;
  [[nodiscard]] Rational value(const Rational& x) const {
    return 1 - power<Rational>(1 - x, drafts);
  }
  [[nodiscard]] Rational slope(const Rational& x) const {
    return drafts * power<Rational>(1 - x, drafts - 1);
  }
  /// f(x) - f'(x) x
  [[nodiscard]] Rational intercept(const Rational& x) const { return value(x) - slope(x) * x; }
};

/// The draft mass and the accepted mass of an antichain.
struct Point {
  Rational draft;
  Rational accepted;
};

/// The vertices of an upper hull, from the origin, with decreasing slopes.
using Hull = std::vector<Point>;

/// Whether b is on or below the line from a to c.
bool needless(const Point& a, const Point& b, const Point& c) {
  return (b.accepted - a.accepted) * (c.draft - a.draft) <=
         (c.accepted - a.accepted) * (b.draft - a.draft);
}

Hull sum_of(const Hull& a, const Hull& b) {
  Hull sum{{Rational(a[0].draft + b[0].draft), Rational(a[0].accepted + b[0].accepted)}};
  std::size_t i = 0;
  std::size_t j = 0;
  while (i + 1 < a.size() || j + 1 < b.size()) {
    bool first = j + 1 == b.size();
    if (!first && i + 1 < a.size()) {
      first = (a[i + 1].accepted - a[i].accepted) * (b[j + 1].draft - b[j].draft) >=
              (b[j + 1].accepted - b[j].accepted) * (a[i + 1].draft - a[i].draft);
    }
    ++(first ? i : j);
    sum.push_back({Rational(a[i].draft + b[j].draft), Rational(a[i].accepted + b[j].accepted)});
  }
  return sum;
}

/// The hull with one more point. A point with at most the mass of a cheaper one is no vertex.
Hull with(Hull hull, const Point& point) {
  hull.push_back(point);
  std::stable_sort(hull.begin(), hull.end(), [](const Point& a, const Point& b) {
    return a.draft < b.draft || (a.draft == b.draft && a.accepted < b.accepted);
  });
  Hull upper;
  for (const Point& each : hull) {
    while (upper.size() >= 2 && needless(upper[upper.size() - 2], upper.back(), each)) {
      upper.pop_back();
    }
    if (upper.size() == 1 && upper[0].draft == each.draft) {
      upper[0].accepted = std::max(upper[0].accepted, each.accepted);
      continue;
    }
    if (!upper.empty() && each.accepted <= upper.back().accepted) continue;
    upper.push_back(each);
  }
  return upper;
}

/// The hull of all antichains below the root.
Hull hull_of(const PrefixTree& tree, const std::vector<Rational>& masses) {
  std::vector<Hull> below(tree.size(), Hull{{Rational(0), Rational(0)}});
  for (std::size_t v = tree.size(); v-- > 1;) {
    const Hull own = with(std::move(below[v]), {tree[v].draft, masses[v]});
    below[v].clear();
    Hull& parent = below[tree[v].parent];
    parent = sum_of(parent, own);
  }
  return below[0];
}

/// The program with the blocks so far, and the positions of its rows and columns.
class Master {
 public:
  Master(const PrefixTree& tree, const Rows<Rational>& rows, const AcceptanceProblem& problem)
      : tree_(tree), rows_(rows), problem_(problem), once_{problem.drafts} {}

  /// Adds a block for each vertex that is violated by more than `tolerance` and has no block yet;
  /// false where there is none.
  bool cut(const std::vector<Rational>& masses, const Rational& tolerance) {
    if (problem_.verifiers == VerifierClass::algorithm2) return false;
    constexpr std::size_t kMost = 6;
    std::vector<std::pair<Rational, Rational>> violated;
    for (const Point& point : hull_of(tree_, masses)) {
      const Rational by = point.accepted - once_.value(point.draft);
      if (by > tolerance && std::find(shares_.begin(), shares_.end(), point.draft) == shares_.end())
        violated.emplace_back(by, point.draft);
    }
    std::sort(violated.begin(), violated.end(), std::greater<>());
    if (violated.size() > kMost) violated.resize(kMost);
    for (const auto& [by, share] : violated) shares_.push_back(share);
    return !violated.empty();
  }

  LinearProgram build() {
    program_ = {};
    last_row_.clear();
    first_row_.clear();
    for (std::size_t v = 1; v < tree_.size(); ++v) {
      program_.columns.push_back({problem_.gain(tree_[v].state), {}});
    }
    if (problem_.verifiers == VerifierClass::coupling) {
      sums();
    } else {
      steps();
    }
    for (const Rational& share : shares_) block(share);
    for (std::size_t row = 0; row < program_.totals.size(); ++row) {
      program_.columns.push_back({Rational(0), {{row, Rational(1)}}});
    }
    return program_;
  }

  /// B by node, of a point by column.
  template <class Real>
  std::vector<Rational> masses(const std::vector<Real>& point) const {
    std::vector<Rational> masses{Rational(1)};
    for (std::size_t v = 1; v < tree_.size(); ++v) {
      if constexpr (std::is_same_v<Real, double>) {
        masses.push_back(positive_part<Rational>(exact(point[v - 1])));
      } else {
        masses.push_back(point[v - 1]);
      }
    }
    return masses;
  }

  /// The rows' prices as a proof.
  AcceptanceProof proof(const std::vector<Rational>& prices) const {
    AcceptanceProof proof;
    const auto put = [](std::map<Prefix, Rational>& to, Prefix prefix, const Rational& price) {
      if (price > 0) to[std::move(prefix)] = price;
    };
    std::size_t row = 0;
    if (problem_.verifiers == VerifierClass::coupling) {
      for (std::size_t v = 0; v < tree_.size(); ++v) {
        if (!tree_[v].children.empty()) put(proof.inherited, tree_.prefix(v), prices[row++]);
      }
      for (std::size_t v = 1; v < tree_.size(); ++v) {
        put(proof.ceiling, tree_.prefix(v), prices[row++]);
      }
    } else {
      for (std::size_t v = 1; v < tree_.size(); ++v) {
        put(proof.inherited, tree_.prefix(v), prices[row++]);
      }
    }
    for (std::size_t j = 0; j < shares_.size(); ++j) {
      AcceptanceProof::Block block{shares_[j], positive_part(prices[last_row_[j]]), {}};
      if (block.weight == 0) continue;
      for (std::size_t v = 1; v < tree_.size(); ++v) {
        put(block.claims, tree_.prefix(v), prices[first_row_[j] + v - 1]);
      }
      proof.blocks.push_back(std::move(block));
    }
    return proof;
  }

  [[nodiscard]] ProgramSize size() const {
    return {tree_.size() - 1, program_.totals.size(), program_.columns.size(), shares_.size(), 0};
  }

 private:
  std::size_t new_row(Rational total) {
    program_.totals.push_back(std::move(total));
    return program_.totals.size() - 1;
  }

  void enter(std::size_t column, std::size_t row, Rational coefficient) {
    program_.columns[column].entries.emplace_back(row, std::move(coefficient));
  }

  /// sum_x B(vx) <= B(v) <= T(v)
  void sums() {
    for (std::size_t v = 0; v < tree_.size(); ++v) {
      if (tree_[v].children.empty()) continue;
      const std::size_t row = new_row(Rational(v == 0 ? 1 : 0));
      for (const std::size_t child : tree_[v].children) enter(child - 1, row, Rational(1));
      if (v != 0) enter(v - 1, row, Rational(-1));
    }
    for (std::size_t v = 1; v < tree_.size(); ++v) {
      enter(v - 1, new_row(tree_[v].target), Rational(1));
    }
  }

  /// B(vx) <= s(x|v) B(v)
  void steps() {
    for (std::size_t v = 1; v < tree_.size(); ++v) {
      const std::size_t parent = tree_[v].parent;
      const auto x = static_cast<std::size_t>(tree_[v].token);
      const Rational& t = rows_.target(tree_[parent].state)[x];
      const Rational& d = rows_.draft(tree_[parent].state)[x];
      const Rational& step = problem_.verifiers == VerifierClass::algorithm2 ? std::min(d, t) : t;
      const std::size_t row = new_row(parent == 0 ? step : Rational(0));
      enter(v - 1, row, Rational(1));
      if (parent != 0) enter(parent - 1, row, -step);
    }
  }

  void block(const Rational& share) {
    const Rational price = once_.slope(share);
    const std::size_t first = program_.columns.size();
    first_row_.push_back(program_.totals.size());
    for (std::size_t v = 1; v < tree_.size(); ++v) {
      program_.columns.push_back({Rational(0), {}});
      const std::size_t row = new_row(price * tree_[v].draft);
      enter(v - 1, row, Rational(1));
      enter(first + v - 1, row, Rational(-1));
    }
    for (std::size_t v = 1; v < tree_.size(); ++v) {
      if (tree_[v].children.empty()) continue;
      const std::size_t row = new_row(Rational(0));
      for (const std::size_t child : tree_[v].children) enter(first + child - 1, row, Rational(1));
      enter(first + v - 1, row, Rational(-1));
    }
    last_row_.push_back(new_row(once_.intercept(share)));
    for (const std::size_t child : tree_[0].children) {
      enter(first + child - 1, last_row_.back(), Rational(1));
    }
  }

  const PrefixTree& tree_;
  const Rows<Rational>& rows_;
  const AcceptanceProblem& problem_;
  AtLeastOnce once_;
  std::vector<Rational> shares_;  ///< of the blocks
  LinearProgram program_;
  std::vector<std::size_t> first_row_;  ///< by block: of g(v) >= B(v) - k D(v), v = 1, 2, ..
  std::vector<std::size_t> last_row_;   ///< by block: of the sum over first tokens
};

constexpr int kMostRounds = 200;

[[noreturn]] void refuse() {
  throw LimitError(
      fmt::format("the cuts do not settle in {} rounds; lower gamma, the number of "
                  "drafts or the vocabulary",
                  kMostRounds));
}

}  // namespace

Rational worst_antichain(const PrefixTree& tree, const std::vector<Rational>& masses, int drafts) {
  Rational worst(0);
  const AtLeastOnce once{drafts};
  for (const Point& point : hull_of(tree, masses)) {
    worst = std::max<Rational>(worst, point.accepted - once.value(point.draft));
  }
  return worst;
}

NodeMasses solve_masses(const PrefixTree& tree, const Rows<Rational>& rows,
                        const AcceptanceProblem& problem, bool exact) {
  if (tree.size() == 1) return {{Rational(1)}, Rational(0), {}, {}};
  if (needs_no_program(problem)) return masses_of_one_draft(tree, problem);
  Master master(tree, rows, problem);
  const Rational tolerance(1, 1'000'000'000);
  NearOptimum near;
  NodeMasses found;
  int rounds = 0;
  do {
    if (++rounds > kMostRounds) refuse();
    near = solve_near(master.build());
    found.masses = master.masses(near.point);
  } while (master.cut(found.masses, tolerance));
  found.size = master.size();
  if (exact) {
    Certificate certificate;
    do {
      if (++rounds > kMostRounds) refuse();
      certificate = certify(master.build());
      if (certificate.point.empty()) refuse();
      found.masses = master.masses(certificate.point);
    } while (master.cut(found.masses, Rational(0)));
    found.proof = master.proof(certificate.prices);
    found.size = master.size();
  }
  found.size.rounds = rounds;
  for (std::size_t v = 1; v < tree.size(); ++v) {
    found.worth += problem.gain(tree[v].state) * found.masses[v];
  }
  return found;
}

}  // namespace speclab
