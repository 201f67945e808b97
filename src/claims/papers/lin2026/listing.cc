#include "claims/papers/lin2026/listing.h"

#include <algorithm>
#include <map>
#include <set>

#include "claims/engine/ingredient.h"
#include "claims/papers/lin2026/blocks.h"
#include "claims/papers/lin2026/class.h"

namespace speclab {
namespace {

class Listing {
 public:
  Listing(const Instance& at, State start, const VisitListed& visit)
      : start_(start),
        length_(static_cast<std::size_t>(at.gamma)),
        many_(at.drafts),
        visit_(visit) {
    for (const PathLaws& path : paths_from(*at.rows, start, at.gamma)) {
      laws_[path.tokens] = path;
      if (path.tokens.empty()) continue;
      const TokenPath before(path.tokens.begin(), path.tokens.end() - 1);
      following_[before].emplace_back(path.tokens, left_of(path, many_));
    }
  }

  /// One tuple of drafts, of this probability.
  void run(std::vector<TokenPath> drafts, const Rational& probability) {
    made_.drafts = std::move(drafts);
    refused_.clear();
    verify(0, 1, {}, probability);
  }

 private:
  [[nodiscard]] Rational coin(const TokenPath& block) {
    Rational following(0);
    for (const auto& [after, mass] : following_[block]) following += mass;
    const Rational value =
        sub_block_coin(laws_.at(block), following, block.size() == length_, many_);
    return ingredient("lin2026.listing.coin", min_one<Rational>(positive_part(value)));
  }

  /// Lines 2 to 17, from sub-block x_k^i on: t is the accepted sub-block so far.
  void verify(std::size_t k, std::size_t i, const TokenPath& t, const Rational& mass) {
    if (mass == 0) return;
    if (k == made_.drafts.size() || t.size() == length_) {
      made_.accepted = static_cast<int>(t.size());
      return extend(t, mass);
    }
    const TokenPath& whole = made_.drafts[k];
    const TokenPath block(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i));
    const bool known = refused_.contains(block);
    const Rational falls = known ? Rational(0) : coin(block);
    const bool last = i == length_;
    const auto go = [&](const TokenPath& accepted, const Rational& share) {
      if (last) return verify(k + 1, accepted.size() + 1, accepted, mass * share);
      verify(k, i + 1, accepted, mass * share);
    };
    if (falls > 0) go(block, falls);
    if (!known) refused_.insert(block);
    go(t, 1 - falls);
    if (!known) refused_.erase(block);
  }

  /// Equation (4), and Algorithm 2 after it: the same weights.
  void extend(const TokenPath& output, const Rational& mass) {
    if (output.size() == length_) {
      made_.output = output;
      return visit_(start_, made_, mass);
    }
    Rational sum(0);
    for (const auto& [after, weight] : following_[output]) sum += weight;
    for (const auto& [after, weight] : following_[output]) {
      if (weight > 0) extend(after, mass * weight / sum);
    }
  }

  State start_;
  std::size_t length_;
  int many_;
  const VisitListed& visit_;
  std::map<TokenPath, PathLaws> laws_;
  std::map<TokenPath, std::vector<std::pair<TokenPath, Rational>>> following_;
  std::set<TokenPath> refused_;
  ListedIteration made_;
};

}  // namespace

int ListedIteration::agreement() const {
  int longest = 0;
  for (const TokenPath& draft : drafts) longest = std::max(longest, common_prefix(output, draft));
  return longest;
}

void each_listed(const Instance& instance, bool from_target, const VisitListed& visit) {
  for (const Start& start : instance.pair().start()) {
    Listing listing(instance, start.state, visit);
    const Blocks blocks = blocks_of(instance, start.state);
    const std::vector<PathLaws>& drawn = from_target ? blocks.targets : blocks.drafts;
    each_tuple(drawn.size(), static_cast<std::size_t>(instance.drafts), [&](const auto& outcome) {
      Rational probability = start.probability;
      std::vector<TokenPath> drafts;
      for (const std::size_t x : outcome) {
        probability *= from_target ? drawn[x].target : drawn[x].draft;
        drafts.push_back(drawn[x].tokens);
      }
      if (probability > 0) listing.run(std::move(drafts), probability);
    });
  }
}

}  // namespace speclab
