#include "optimum/independent_drafts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/power.h"
#include "base/random.h"
#include "optimum/linear_program.h"
#include "optimum/prefix_tree.h"

namespace speclab {
namespace {

struct DraftBlock {
  Prefix tokens;
  Rational mass;
};

/// P(X = x | y) by y, then x.
using Kernel = std::vector<std::vector<Rational>>;

class Members {
 public:
  Members(const Rows<Rational>& rows, State start, int gamma, int drafts, std::size_t most)
      : gamma_(gamma), drafts_(drafts) {
    Prefix prefix;
    collect(rows, start, prefix, Rational(1), true, most);
    collect(rows, start, prefix, Rational(1), false, most);
    if (drafts_of_.size() * outputs_.size() > most) {
      throw LimitError(
          fmt::format("the linear program would have {} pairs of a draft and an output, more than "
                      "{}; lower gamma",
                      drafts_of_.size() * outputs_.size(), most));
    }
  }

  IndependentOptimum best() {
    IndependentOptimum found;
    found.bound = Rational(gamma_);
    bool proven = false;
    found.attained = climb(0, proven);
    if (proven && (drafts_ == 1 || outputs_.size() <= 2)) found.bound = found.attained;
    if (gamma_ == 1) found.bound = std::min(found.bound, equation5());
    constexpr int kStarts = 24;
    constexpr std::size_t kFew = 144;  // pairs, up to which other starting points are tried
    for (int i = 1; i <= kStarts && found.attained < found.bound; ++i) {
      if (drafts_of_.size() * outputs_.size() > kFew) break;
      bool unused = false;
      found.attained = std::max(found.attained, climb(i, unused));
    }
    found.rows = rows_;
    found.columns = columns_;
    return found;
  }

 private:
  void collect(const Rows<Rational>& rows, State state, Prefix& prefix, const Rational& mass,
               bool draft, std::size_t most) {
    auto& blocks = draft ? drafts_of_ : outputs_;
    if (static_cast<int>(prefix.size()) == gamma_) {
      blocks.push_back({prefix, mass});
      if (blocks.size() > most) throw LimitError("the program has too many blocks; lower gamma");
      return;
    }
    for (Token x = 0; x < rows.vocabulary(); ++x) {
      const Rational p =
          (draft ? rows.draft(state) : rows.target(state))[static_cast<std::size_t>(x)];
      if (p == 0) continue;
      prefix.push_back(x);
      collect(rows, rows.next(state, x), prefix, mass * p, draft, most);
      prefix.pop_back();
    }
  }

  /// sum t (1 - (1 - min(1, d/t))^K). @pre gamma is 1
  [[nodiscard]] Rational equation5() const {
    Rational sum(0);
    for (const DraftBlock& y : outputs_) {
      Rational draft(0);
      for (const DraftBlock& x : drafts_of_) {
        if (x.tokens == y.tokens) draft = x.mass;
      }
      sum += y.mass * (1 - power(positive_part<Rational>(1 - draft / y.mass), drafts_));
    }
    return sum;
  }

  [[nodiscard]] Kernel blind() const {
    std::vector<Rational> law;
    for (const DraftBlock& x : drafts_of_) law.push_back(x.mass);
    return Kernel(outputs_.size(), law);
  }

  /// Coordinate ascent from drafts independent of y, each in turn optimised against the others,
  /// until none gains. Start 0 optimises the first draft; the others begin at other vertices, where
  /// only the first tokens of each draft depend on y.
  /// @param proven  set where start 0 optimised the first kernel with a certificate
  Rational climb(int start, bool& proven) {
    std::vector<Kernel> kernels(static_cast<std::size_t>(drafts_), blind());
    Rational worth(-1);
    std::size_t idle = 0;
    for (std::size_t turn = 0; idle < kernels.size(); ++turn) {
      const std::size_t k = turn % kernels.size();
      const bool shaken = start > 0 && turn < kernels.size();
      const int looking = shaken ? 1 + start % gamma_ : gamma_;
      const Certificate best = improve(kernels, k, shaken ? start : 0, looking);
      if (turn == 0) proven = best.attained == best.bound && best.raised == 0;
      if (best.point.empty()) {
        ++idle;
        continue;
      }
      take(best.point, looking, kernels[k]);
      if (shaken) continue;
      idle = *best.attained > worth ? 1 : idle + 1;
      worth = std::max(worth, *best.attained);
    }
    return worth;
  }

  /// The drafts in classes by their first `looking` tokens: by class its members and their mass.
  struct Class {
    std::vector<std::size_t> members;
    Rational mass;
  };
  [[nodiscard]] std::vector<Class> classes(int looking) const {
    std::map<Prefix, Class> found;
    for (std::size_t x = 0; x < drafts_of_.size(); ++x) {
      const Prefix& tokens = drafts_of_[x].tokens;
      Class& own = found[{tokens.begin(), tokens.begin() + looking}];
      own.members.push_back(x);
      own.mass += drafts_of_[x].mass;
    }
    std::vector<Class> all;
    for (auto& [prefix, own] : found) all.push_back(std::move(own));
    return all;
  }

  /// The kernel of a joint law of (y, class); within its class a draft is independent of y.
  void take(const std::vector<Rational>& point, int looking, Kernel& kernel) const {
    const auto all = classes(looking);
    for (std::size_t y = 0; y < outputs_.size(); ++y) {
      for (std::size_t c = 0; c < all.size(); ++c) {
        for (const std::size_t x : all[c].members) {
          kernel[y][x] =
              point[y * all.size() + c] / outputs_[y].mass * drafts_of_[x].mass / all[c].mass;
        }
      }
    }
  }

  /// The best kernel k against the others: the joint law of (y, class of X_k), with X_k independent
  /// of every tuple of the other drafts that depend on y.
  /// @param shake  if nonzero, uses random rewards, for another vertex
  Certificate improve(const std::vector<Kernel>& kernels, std::size_t k, int shake, int looking) {
    LinearProgram program;
    program.law_rows = outputs_.size();
    for (const DraftBlock& y : outputs_) program.totals.push_back(y.mass);
    const auto tuples = looks_of_others(kernels, k);
    const auto all = classes(looking);
    for (const auto& tuple : tuples) {
      Rational mass(0);
      for (std::size_t y = 0; y < outputs_.size(); ++y) mass += outputs_[y].mass * tuple[y];
      for (const Class& c : all) program.totals.push_back(mass * c.mass);
    }
    for (std::size_t y = 0; y < outputs_.size(); ++y) {
      for (std::size_t c = 0; c < all.size(); ++c) {
        LinearProgram::Column column{Rational(0), {{y, Rational(1)}}};
        if (shake > 0) {
          const std::uint64_t words = task_hash(fmt::format("{} {} {} {}", shake, k, y, c));
          column.reward = Rational(static_cast<long>(words % 17), 16);
        } else {
          for (const std::size_t x : all[c].members) {
            column.reward += reward(kernels, k, y, x) * drafts_of_[x].mass / all[c].mass;
          }
        }
        for (std::size_t u = 0; u < tuples.size(); ++u) {
          if (tuples[u][y] == 0) continue;
          column.entries.emplace_back(outputs_.size() + u * all.size() + c, tuples[u][y]);
        }
        program.columns.push_back(std::move(column));
      }
    }
    rows_ = std::max(rows_, program.totals.size());
    columns_ = std::max(columns_, program.columns.size());
    return certify(program);
  }

  /// P(tuple | y), by tuple of the drafts other than k that depend on y, then y.
  [[nodiscard]] std::vector<std::vector<Rational>> looks_of_others(
      const std::vector<Kernel>& kernels, std::size_t k) const {
    std::vector<std::vector<Rational>> tuples{std::vector<Rational>(outputs_.size(), Rational(1))};
    const Kernel none = blind();
    for (std::size_t j = 0; j < kernels.size(); ++j) {
      if (j == k || kernels[j] == none) continue;
      std::vector<std::vector<Rational>> grown;
      for (const auto& tuple : tuples) {
        for (std::size_t x = 0; x < drafts_of_.size(); ++x) {
          std::vector<Rational> law = tuple;
          for (std::size_t y = 0; y < law.size(); ++y) law[y] *= kernels[j][y][x];
          grown.push_back(std::move(law));
        }
      }
      tuples = std::move(grown);
    }
    return tuples;
  }

  /// E[tau | y, X_k = x].
  [[nodiscard]] Rational reward(const std::vector<Kernel>& kernels, std::size_t k, std::size_t y,
                                std::size_t x) const {
    const Prefix& output = outputs_[y].tokens;
    const auto shared = [&](const Prefix& draft) {
      return std::mismatch(draft.begin(), draft.end(), output.begin()).first - draft.begin();
    };
    const auto own = shared(drafts_of_[x].tokens);
    Rational expected(static_cast<long>(own));
    for (auto i = own + 1; i <= gamma_; ++i) {
      Rational none(1);
      for (std::size_t j = 0; j < kernels.size(); ++j) {
        if (j == k) continue;
        Rational begins(0);
        for (std::size_t other = 0; other < drafts_of_.size(); ++other) {
          if (shared(drafts_of_[other].tokens) >= i) begins += kernels[j][y][other];
        }
        none *= 1 - begins;
      }
      expected += 1 - none;
    }
    return expected;
  }

  int gamma_;
  int drafts_;
  std::vector<DraftBlock> drafts_of_;
  std::vector<DraftBlock> outputs_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace

IndependentOptimum independent_optimum(const Rows<Rational>& rows, State start, int gamma,
                                       int drafts, std::size_t most) {
  return Members(rows, start, gamma, drafts, most).best();
}

}  // namespace speclab
