// A target modified again and again: the views' rows against the definition, from joint
// probabilities.
#include "model/carries/carried_view.h"

#include <cmath>
#include <map>

#include "catch.h"
#include "model/registry.h"

namespace speclab::carried_view_test {
namespace {

using Row = std::vector<Rational>;
using View = CarriedView<Rational>;

/// One modification by its definition: from a context and the target under which it was made.
struct Made {
  std::size_t from;  ///< length of the context at which its iteration began
  std::size_t at;    ///< length of the context from which on it modifies the target
  std::size_t end;   ///< ... and up to which, not included
  int power;
};

/// The target's law at a context under the first `count` modifications, by
///   t'(x) proportional to T(wx) ([1 - D(wx) / T(wx)]+)^power,
/// D, T being joint probabilities from the modification's start and T under those before it.
class Definition {
 public:
  Definition(const Rows<Rational>& rows, std::vector<Made> made)
      : rows_(rows), made_(std::move(made)) {}

  Row target(const std::vector<Token>& context, std::size_t count) const {
    const auto [known, fresh] = known_.try_emplace({context, count});
    if (!fresh) return known->second;
    Row row;
    if (count == 0) {
      const auto own = rows_.target(state(context));
      row.assign(own.begin(), own.end());
    } else {
      row = target(context, count - 1);
      const Made& last = made_[count - 1];
      if (context.size() >= last.at && context.size() < last.end) modify(context, last, count, row);
    }
    known_[{context, count}] = row;
    return row;
  }

 private:
  void modify(const std::vector<Token>& context, const Made& made, std::size_t count,
              Row& row) const {
    Rational draft(1), joint(1);
    std::vector<Token> walked(context.begin(),
                              context.begin() + static_cast<std::ptrdiff_t>(made.from));
    for (std::size_t i = made.from; i < context.size(); ++i) {
      const auto x = static_cast<std::size_t>(context[i]);
      draft *= rows_.draft(state(walked))[x];
      joint *= target(walked, count - 1)[x];
      walked.push_back(context[i]);
    }
    Row weights;
    Rational total(0);
    for (std::size_t x = 0; x < row.size(); ++x) {
      const Rational t = joint * row[x];
      const Rational gap = t - draft * rows_.draft(state(context))[x];
      Rational weight(0);
      if (gap > 0) {
        weight = t;
        for (int k = 0; k < made.power; ++k) weight *= gap / t;
      }
      weights.push_back(weight);
      total += weight;
    }
    if (!(total > 0)) return;  // a context that is never emitted keeps the law below
    for (Rational& weight : weights) weight /= total;
    row = weights;
  }

  State state(const std::vector<Token>& context) const {
    State at = 0;
    for (const Token x : context) at = rows_.next(at, x);
    return at;
  }

  const Rows<Rational>& rows_;
  std::vector<Made> made_;
  mutable std::map<std::pair<std::vector<Token>, std::size_t>, Row> known_;
};

/// Walks a path; after each token that the target gains more of than the draft makes, an iteration
/// of one token ends there and modifies the next `reach` tokens.
struct Walked {
  std::size_t deepest = 0;   ///< the most modifications that stood at once
  std::size_t compared = 0;  ///< rows
};

Walked check_path(const std::string& pair, const std::vector<Token>& path, int reach, int power) {
  const Rows<Rational> rows(make_pair(pair));
  const Rows<double> near_rows(rows.pair_pointer());
  const View view(rows);
  const CarriedView<double> near_view(near_rows);
  std::vector<Made> made;
  auto node = view.root(0);
  auto near_node = near_view.root(0);
  std::vector<Token> context;
  Walked walked;
  for (const Token x : path) {
    const Definition definition(rows, made);
    const auto laws = view.at(node);
    const auto near_laws = near_view.at(near_node);
    const Row expected = definition.target(context, made.size());
    Rational mass(0);
    bool same = true;
    double farthest = 0;
    const auto law = laws.target();
    const auto near_law = near_laws.target();
    for (Token y = 0; y < view.vocabulary(); ++y) {
      const Rational& wanted = expected[static_cast<std::size_t>(y)];
      same = same && laws.target(y) == wanted && law.weight(y) / law.mass() == wanted;
      for (const double found : {near_laws.target(y), near_law.weight(y) / near_law.mass()}) {
        farthest = std::max(farthest, std::abs(found - to_double(wanted)));
      }
      const Rational gap = Rational(3, 2) * wanted - laws.draft(y);
      mass += gap > 0 ? gap : Rational(0);
    }
    CAPTURE(pair.substr(0, 60), reach, power, context, node.stack.size());
    CHECK(same);
    CHECK(farthest < 1e-12);
    CHECK(laws.residual(Rational(3, 2)).mass() == mass);
    CHECK(std::abs(near_laws.residual(1.5).mass() - to_double(mass)) < 1e-12);
    ++walked.compared;
    walked.deepest = std::max(walked.deepest, node.stack.size());
    const Rational draft = laws.draft(x), target = laws.target(x);
    if (!(target > 0)) return walked;
    const Rational share = draft / target;
    node = view.next(node, x);
    near_node = near_view.next(near_node, x);
    context.push_back(x);
    if (share < 1) {
      node = view.modified(node, share, reach, power);
      near_node = near_view.modified(near_node, to_double(share), reach, power);
      made.push_back({context.size() - 1, context.size(),
                      context.size() + static_cast<std::size_t>(reach), power});
    }
  }
  return walked;
}

TEST_CASE("carried view: up to five nested modifications, by their definition") {
  for (const int power : {1, 2, 3}) {
    std::size_t deepest = 0, compared = 0;
    for (const std::string pair : {"iid(draft=[3/4,1/8,1/8],target=[1/2,1/4,1/4])",
                                   "iid(draft=[3/5,1/5,1/5],target=[1/4,1/2,1/4])",
                                   "tree(vocabulary=3,depth=3,seed=5,denominator=30)",
                                   "tree(vocabulary=3,depth=3,seed=11,denominator=30)"}) {
      for (int code = 0; code < 243; code += 4) {
        std::vector<Token> path;
        for (int i = 0, rest = code; i < 5; ++i, rest /= 3) path.push_back(rest % 3);
        path.push_back(0);
        for (const int reach : {2, 5}) {
          const Walked walked = check_path(pair, path, reach, power);
          deepest = std::max(deepest, walked.deepest);
          compared += walked.compared;
        }
      }
    }
    CHECK(deepest >= 4);
    CHECK(compared > 1000);
  }
}

/// An i.i.d. pair of this many tokens with weights of one digit.
std::string wide_pair(int vocabulary) {
  std::string draft, target;
  int drafts = 0, targets = 0;
  for (int x = 0; x < vocabulary; ++x) {
    drafts += 1 + x % 5;
    targets += 1 + x * x % 7;
  }
  for (int x = 0; x < vocabulary; ++x) {
    const char* comma = x > 0 ? "," : "";
    draft += comma + std::to_string(1 + x % 5) + "/" + std::to_string(drafts);
    target += comma + std::to_string(1 + x * x % 7) + "/" + std::to_string(targets);
  }
  return "iid(draft=[" + draft + "],target=[" + target + "])";
}

TEST_CASE("carried view: nested powers on a vocabulary whose targets are carried, not rows") {
  constexpr int kVocabulary = static_cast<int>(CarriedTarget::kLeast) + 8;
  for (const int power : {2, 3}) {
    std::size_t deepest = 0, compared = 0;
    // The target gains of tokens 5, 10 and 2, and loses of 1.
    for (const std::vector<Token>& path :
         std::vector<std::vector<Token>>{{5, 10, 5, 2}, {10, 1, 2, 5}}) {
      const Walked walked = check_path(wide_pair(kVocabulary), path, 3, power);
      deepest = std::max(deepest, walked.deepest);
      compared += walked.compared;
    }
    CHECK(deepest >= 3);
    CHECK(compared == 8);
  }
}

}  // namespace
}  // namespace speclab::carried_view_test
