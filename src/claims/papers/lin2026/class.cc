#include "claims/papers/lin2026/class.h"

#include <cmath>

#include "base/special.h"
#include "claims/battery/small_pairs.h"
#include "claims/engine/work.h"
#include "theory/measure.h"

namespace speclab {
namespace {

/// P(the drafts are `outcome` | y).
Rational given(const Kernels& kernels, const std::vector<std::size_t>& outcome, std::size_t y) {
  Rational product(1);
  for (std::size_t k = 0; k < kernels.size(); ++k) product *= kernels[k][y][outcome[k]];
  return product;
}

/// Adds b to the points found where it lies in [0, 1]^n and is new.
void keep(std::vector<Rational> b, std::vector<std::vector<Rational>>& found) {
  const bool inside =
      std::all_of(b.begin(), b.end(), [](const Rational& p) { return p >= 0 && p <= 1; });
  if (inside && std::find(found.begin(), found.end(), b) == found.end()) {
    found.push_back(std::move(b));
  }
}

/// b with the entries of `ends` at 1, the others at 0.
std::vector<Rational> corner(std::size_t n, std::size_t ends) {
  std::vector<Rational> b;
  for (std::size_t y = 0; y < n; ++y) b.emplace_back(ends >> y & 1U);
  return b;
}

/// sum of weights values
Rational dot(const std::vector<Rational>& weights, const std::vector<Rational>& values) {
  Rational sum(0);
  for (std::size_t y = 0; y < weights.size(); ++y) sum += weights[y] * values[y];
  return sum;
}

/// Every b in [0, 1]^n with sum of `weights` b = total that has all entries but
/// one at an end.
std::vector<std::vector<Rational>> vertices(const std::vector<Rational>& weights,
                                            const Rational& total) {
  const std::size_t n = weights.size();
  std::vector<std::vector<Rational>> found;
  for (std::size_t free = 0; free < n; ++free) {
    for (std::size_t ends = 0; ends < (std::size_t{1} << n); ++ends) {
      if ((ends >> free & 1U) != 0) continue;
      std::vector<Rational> b = corner(n, ends);
      b[free] = (total - dot(weights, b)) / weights[free];
      keep(std::move(b), found);
    }
  }
  return found;
}

/// Every b in [0, 1]^n with sum of w b = total and sum of w first b = product
/// that has all entries but two at an end.
std::vector<std::vector<Rational>> vertices(const std::vector<Rational>& weights,
                                            const std::vector<Rational>& first,
                                            const Rational& total, const Rational& product) {
  const std::size_t n = weights.size();
  std::vector<Rational> both = weights;
  for (std::size_t y = 0; y < n; ++y) both[y] *= first[y];
  std::vector<std::vector<Rational>> found;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (first[i] == first[j]) continue;
      for (std::size_t ends = 0; ends < (std::size_t{1} << n); ++ends) {
        if ((ends >> i & 1U) != 0 || (ends >> j & 1U) != 0) continue;
        std::vector<Rational> b = corner(n, ends);
        // w_i b_i + w_j b_j = left and w_i f_i b_i + w_j f_j b_j = rest
        const Rational left = total - dot(weights, b), rest = product - dot(both, b);
        b[i] = (first[j] * left - rest) / (weights[i] * (first[j] - first[i]));
        b[j] = (rest - first[i] * left) / (weights[j] * (first[j] - first[i]));
        keep(std::move(b), found);
      }
    }
  }
  return found;
}

/// The kernel that takes the first token `one` with probability b[y], the other
/// one otherwise.
Kernel looking(const Blocks& blocks, Token one, const Rational& share,
               const std::vector<Rational>& b) {
  Kernel kernel;
  for (const Rational& taken : b) {
    std::vector<Rational> law;
    for (const PathLaws& x : blocks.drafts) {
      law.push_back(x.tokens.front() == one ? Rational(taken * x.draft / share)
                                            : Rational((1 - taken) * x.draft / (1 - share)));
    }
    kernel.push_back(std::move(law));
  }
  return kernel;
}

}  // namespace

std::string kernel_text(const Kernel& kernel) {
  std::string text;
  for (const auto& law : kernel) text += (text.empty() ? "(" : ";(") + list_text(law) + ")";
  return text;
}

Blocks blocks_of(const Instance& instance, State start) {
  Blocks blocks;
  for (PathLaws& path : whole_paths(*instance.rows, start, instance.gamma)) {
    if (path.draft > 0) blocks.drafts.push_back(path);
    if (path.target > 0) blocks.targets.push_back(std::move(path));
  }
  return blocks;
}

Blocks blocks_of(const Instance& instance) { return blocks_of(instance, instance.start()); }

bool in_class(const Blocks& blocks, const Kernels& kernels) {
  bool member = true;
  each_tuple(blocks.drafts.size(), kernels.size(), [&](const auto& outcome) {
    Rational joint(0);
    for (std::size_t y = 0; y < blocks.targets.size(); ++y) {
      joint += blocks.targets[y].target * given(kernels, outcome, y);
    }
    Rational product(1);
    for (const std::size_t x : outcome) product *= blocks.drafts[x].draft;
    member = member && joint == product;
  });
  return member;
}

Rational mean_agreement(const Blocks& blocks, const Kernels& kernels) {
  Rational mean(0);
  each_tuple(blocks.drafts.size(), kernels.size(), [&](const auto& outcome) {
    for (std::size_t y = 0; y < blocks.targets.size(); ++y) {
      int longest = 0;
      for (const std::size_t x : outcome) {
        longest =
            std::max(longest, common_prefix(blocks.drafts[x].tokens, blocks.targets[y].tokens));
      }
      mean += longest * blocks.targets[y].target * given(kernels, outcome, y);
    }
  });
  return mean;
}

Rational none_begins(const Blocks& blocks, const Kernels& kernels, const TokenPath& prefix) {
  Rational none(0);
  for (std::size_t y = 0; y < blocks.targets.size(); ++y) {
    if (!begins(blocks.targets[y].tokens, prefix)) continue;
    Rational product = blocks.targets[y].target;
    for (const Kernel& kernel : kernels) {
      Rational misses(0);
      for (std::size_t x = 0; x < blocks.drafts.size(); ++x) {
        if (!begins(blocks.drafts[x].tokens, prefix)) misses += kernel[y][x];
      }
      product *= misses;
    }
    none += product;
  }
  return none;
}

void each_kernel(const Instance& instance, int denominator,
                 const std::function<void(const Kernel& kernel)>& visit) {
  const auto draft = instance.draft();
  const auto target = instance.target();
  const std::size_t size = draft.size();
  std::vector<std::size_t> rows;
  for (std::size_t y = 0; y < size; ++y) {
    if (target[y] > 0) rows.push_back(y);
  }
  const auto places = static_cast<unsigned>(size) - 1;
  limit_work(binomial_coefficient(static_cast<unsigned>(denominator) + places, places), "laws");
  const auto laws = laws_of(size, denominator);
  limit_work(std::pow(laws.size(), rows.size() - 1), "kernels");
  each_tuple(laws.size(), rows.size() - 1, [&](const auto& chosen) {
    Kernel kernel(size, std::vector<Rational>(size, Rational(0)));
    std::vector<Rational> last(draft.begin(), draft.end());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      kernel[rows[i]] = laws[chosen[i]];
      for (std::size_t x = 0; x < size; ++x) last[x] -= target[rows[i]] * kernel[rows[i]][x];
    }
    for (Rational& mass : last) {
      if (mass < 0) return;
      mass /= target[rows.back()];
    }
    kernel[rows.back()] = std::move(last);
    visit(kernel);
  });
}

void each_member(const Blocks& blocks, const std::function<void(const Kernels& kernels)>& visit) {
  const Token one = blocks.drafts.back().tokens.front();
  Rational share(0);
  std::vector<Token> firsts;
  for (const PathLaws& x : blocks.drafts) {
    if (x.tokens.front() == one) share += x.draft;
    if (firsts.empty() || firsts.back() != x.tokens.front()) firsts.push_back(x.tokens.front());
  }
  if (firsts.size() != 2) return;
  std::vector<Rational> weights;
  for (const PathLaws& y : blocks.targets) weights.push_back(y.target);
  // Ends for all entries but one, of the first draft, and for all but two, of the second.
  const auto n = static_cast<double>(weights.size());
  limit_work(n * std::exp2(n - 1) * n * (n - 1) / 2 * std::exp2(n - 2), "pairs of kernels",
             kMostEntries);
  for (const auto& b : vertices(weights, share)) {
    const Kernel first = looking(blocks, one, share, b);
    for (const auto& c : vertices(weights, b, share, share * share)) {
      const Kernels kernels{first, looking(blocks, one, share, c)};
      if (in_class(blocks, kernels)) visit(kernels);
    }
  }
}

void each_two_token_member(const Blocks& blocks, int drafts, int denominator,
                           const std::function<void(const Kernels& kernels)>& visit) {
  if (blocks.drafts.size() != 2 || blocks.targets.size() != 2) return;
  if (blocks.drafts[0].tokens != blocks.targets[0].tokens) return;
  const Rational& draft = blocks.drafts[0].draft;
  const Rational& target = blocks.targets[0].target;
  std::vector<Rational> grid{draft, lesser<Rational>(Rational(1), draft / target)};
  for (int i = 0; i <= denominator; ++i) grid.emplace_back(i, denominator);
  Kernels single;
  for (const Rational& a : grid) {
    const Rational b = (draft - target * a) / (1 - target);
    if (b < 0 || b > 1) continue;
    Kernel kernel{{a, 1 - a}, {b, 1 - b}};
    if (std::find(single.begin(), single.end(), kernel) == single.end()) {
      single.push_back(std::move(kernel));
    }
  }
  each_tuple(single.size(), static_cast<std::size_t>(drafts), [&](const auto& chosen) {
    // The drafts' order says nothing.
    if (!std::is_sorted(chosen.begin(), chosen.end())) return;
    Kernels kernels;
    for (const std::size_t i : chosen) kernels.push_back(single[i]);
    if (in_class(blocks, kernels)) visit(kernels);
  });
}

}  // namespace speclab
