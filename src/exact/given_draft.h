#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "exact/output_law.h"
#include "system/interrupt.h"

namespace speclab {

/// P(accepted = i | X^gamma = x), i = 0 .. gamma, of one iteration from the starts, for every block
/// x that the draft can draw: the law of the accepted tokens given the whole draft, looked at or
/// not. For verifiers of one chain. Averaged with the draft's law it is the law of the accepted
/// tokens.
/// Worked example: the toy pair bernoulli(draft=2/3,target=1/3), token, gamma = 1: a likelier token
/// is accepted with 1/2, P(. | 1) = (1/2, 1/2), the other with probability 1, P(. | 0) = (0, 1).
template <class View>
class LawGivenDraft {
 public:
  using Real = typename View::Real;

  /// @param most  of numbers; with more the law is missing
  LawGivenDraft(const Runner<View>& runner, const Rows<Real>& rows, const View& view, Window window,
                double most)
      : runner_(runner), rows_(rows), view_(view), window_(window), most_(most) {}

  void run(std::span<const Started<View>> starts, ExactResult<Real>& result) {
    const double numbers =
        std::pow(static_cast<double>(rows_.vocabulary()), window_.drafts) * (window_.drafts + 1.0);
    if (numbers > most_) {
      return result.add_missing(
          QuantityId::law_given_draft,
          fmt::format("the law given each draft has up to {:.3g} numbers, over {:.3g}, a "
                      "thousandth of the limit of paths; lower gamma, or allow more (max-paths)",
                      numbers, most_));
    }
    try {
      for (const Started<View>& start : starts)
        extend(start, view_.state(start.node), start.probability);
    } catch (const ContractError&) {
      return refuse(result);
    }
    if (!in_order_) return refuse(result);
    for (auto& [block, found] : blocks_) {
      QuantityIndex index = block;
      index.push_back(0);
      for (std::size_t i = 0; i < found.law.size(); ++i) {
        index.back() = static_cast<int>(i);
        result.add(QuantityId::law_given_draft, Real(found.law[i].value() / found.mass.value()),
                   index);
      }
    }
  }

 private:
  /// P(X^gamma = x), and with each number of accepted tokens.
  struct Block {
    Sum<Real> mass;
    std::vector<Sum<Real>> law;
  };

  /// Every block that begins with tokens_, which were drafted with `mass`, the start's included.
  void extend(const Started<View>& start, State state, const Real& mass) {
    if (tokens_.size() == static_cast<std::size_t>(window_.drafts)) return add(start, mass);
    const auto draft = rows_.draft(state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > 0)) continue;
      tokens_.push_back(static_cast<Token>(x));
      extend(start, rows_.next(state, tokens_.back()), Real(mass * draft[x]));
      tokens_.pop_back();
    }
  }

  void add(const Started<View>& start, const Real& mass) {
    check_interrupted();
    Block& block = blocks_[tokens_];
    block.law.resize(tokens_.size() + 1);
    block.mass += mass;
    GivenDrafts given({tokens_});
    runner_.visit_given(
        view_, start.node, window_, given, [&](const auto& out, const Real& weight) {
          const auto accepted = static_cast<std::size_t>(out.accepted);
          block.law[accepted] += mass * weight;
          in_order_ =
              in_order_ && accepted <= out.tokens.size() &&
              std::equal(tokens_.begin(), tokens_.begin() + out.accepted, out.tokens.begin());
        });
  }

  static void refuse(ExactResult<Real>& result) {
    result.add_missing(QuantityId::law_given_draft,
                       "the verifier does not take one chain of drafts in its order");
  }

  const Runner<View>& runner_;
  const Rows<Real>& rows_;
  const View& view_;
  Window window_;
  double most_;
  std::vector<Token> tokens_;
  std::map<std::vector<Token>, Block> blocks_;
  bool in_order_ = true;
};

}  // namespace speclab
