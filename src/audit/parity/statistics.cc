#include "audit/parity/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace speclab {
namespace {

constexpr std::size_t kWholeOutput = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostLengthBuckets = 32;

/// Prefix lengths 1, 2, 3, 4, 6, 8, 12, 16, .. up to `longest`, and the whole output.
std::vector<std::size_t> levels_to(std::size_t longest) {
  std::vector<std::size_t> levels;
  for (std::size_t length = 1; length <= longest;) {
    levels.push_back(length);
    const bool power = (length & (length - 1)) == 0;
    length += length < 4 ? 1 : power ? length / 2 : length / 3;
  }
  levels.push_back(kWholeOutput);
  return levels;
}

/// Whether two outputs have the same first tokens; one that ends before has none of the other's.
bool same_prefix(const ServedOutput& a, const ServedOutput& b, std::size_t length) {
  const std::size_t left = std::min(length, a.tokens.size());
  return left == std::min(length, b.tokens.size()) &&
         std::equal(a.tokens.begin(), a.tokens.begin() + static_cast<std::ptrdiff_t>(left),
                    b.tokens.begin());
}

/// sum over u of (P_u - Q_u)^2 without bias, from counts.
double discrepancy(std::span<const double> a, std::span<const double> b, double m, double n) {
  double within_a = 0, within_b = 0, across = 0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    within_a += a[u] * (a[u] - 1);
    within_b += b[u] * (b[u] - 1);
    across += a[u] * b[u];
  }
  return within_a / (m * (m - 1)) + within_b / (n * (n - 1)) - 2 * across / (m * n);
}

}  // namespace

std::vector<TwoGroups> both_sides(const ServedSamples& samples) {
  std::vector<TwoGroups> all;
  for (const ServedPrompt& prompt : samples.prompts) {
    TwoGroups& groups = all.emplace_back();
    for (const ServedOutput& output : prompt.on) groups.first.push_back(&output);
    for (const ServedOutput& output : prompt.off) groups.second.push_back(&output);
  }
  return all;
}

OutputStatistics::OutputStatistics(const std::vector<TwoGroups>& prompts, int longest)
    : levels_(levels_to(static_cast<std::size_t>(longest))),
      longest_(static_cast<std::size_t>(longest)) {
  nodes_.resize(levels_.size());
  for (const TwoGroups& groups : prompts) {
    if (!groups.first.empty() && !groups.second.empty()) add_prompt(groups);
  }
  add_lengths();
  for (const std::size_t length : levels_) {
    names_.push_back(length == kWholeOutput ? std::string("whole output")
                     : length == 1          ? std::string("first token")
                                            : fmt::format("first {} tokens", length));
  }
  names_.emplace_back("first difference");
  names_.emplace_back("tokens");
  names_.emplace_back("lengths");
}

void OutputStatistics::add_prompt(const TwoGroups& groups) {
  // Sorted outputs: equal ones and those of one prefix stand together.
  std::vector<std::pair<const ServedOutput*, bool>> all;
  for (const ServedOutput* output : groups.first) all.emplace_back(output, true);
  for (const ServedOutput* output : groups.second) all.emplace_back(output, false);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first->tokens < b.first->tokens; });
  Prompt prompt{items_, items_, static_cast<double>(groups.first.size()),
                static_cast<double>(groups.second.size()),
                std::vector<std::size_t>(levels_.size(), 0)};
  for (const auto& [output, of_first] : all) {
    const bool is_new = prompt.end == prompt.begin || outputs_.back()->tokens != output->tokens;
    if (is_new) {
      for (std::size_t level = 0; level < levels_.size(); ++level) {
        const bool other =
            prompt.end == prompt.begin || !same_prefix(*outputs_.back(), *output, levels_[level]);
        if (other) ++prompt.nodes[level];
        nodes_[level].push_back(static_cast<std::uint32_t>(prompt.nodes[level] - 1));
      }
      outputs_.push_back(output);
      first_.push_back(0);
      second_.push_back(0);
      ++prompt.end;
      std::map<int, int> counts;
      for (std::size_t j = 0; j < std::min(longest_, output->tokens.size()); ++j) {
        ++counts[output->tokens[j]];
      }
      auto& list = tokens_.emplace_back();
      for (const auto& [token, count] : counts) {
        list.push_back({static_cast<std::uint32_t>(token), static_cast<float>(count)});
      }
    }
    (of_first ? first_ : second_).back() += 1;
  }
  items_ = prompt.end;
  prompts_.push_back(std::move(prompt));
}

/// Buckets of the lengths with about as many outputs each, and the totals of the tokens.
void OutputStatistics::add_lengths() {
  std::vector<std::size_t> all;
  std::size_t most = 0;
  for (std::size_t i = 0; i < items_; ++i) {
    all.insert(all.end(), static_cast<std::size_t>(first_[i] + second_[i]),
               outputs_[i]->tokens.size());
    for (const TokenCount& each : tokens_[i]) most = std::max<std::size_t>(most, each.token + 1);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> ends;
  for (std::size_t b = 1; b <= kMostLengthBuckets && !all.empty(); ++b) {
    const std::size_t end = all[(b * all.size() + kMostLengthBuckets - 1) / kMostLengthBuckets - 1];
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  length_buckets_ = ends.size();
  token_totals_.assign(most, 0);
  for (std::size_t i = 0; i < items_; ++i) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), outputs_[i]->tokens.size());
    lengths_.push_back(static_cast<std::uint32_t>(at - ends.begin()));
    for (const TokenCount& each : tokens_[i]) {
      token_totals_[each.token] += each.count * (first_[i] + second_[i]);
    }
  }
}

void OutputStatistics::evaluate(std::span<const double> first, std::span<const double> second,
                                std::span<double> to) const {
  std::fill(to.begin(), to.end(), 0.0);
  const std::size_t levels = levels_.size();
  std::vector<double> a, b, lengths(length_buckets_, 0.0), tokens(token_totals_.size(), 0.0);
  for (const Prompt& prompt : prompts_) {
    double m = 0, n = 0;
    for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
      m += first[i];
      n += second[i];
    }
    if (!(m > 0) || !(n > 0)) continue;
    const double weight = m * n / (m + n);
    for (std::size_t level = 0; level < levels && m > 1 && n > 1; ++level) {
      a.assign(prompt.nodes[level], 0.0);
      b.assign(prompt.nodes[level], 0.0);
      const auto& node = nodes_[level];
      for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
        a[node[i]] += first[i];
        b[node[i]] += second[i];
      }
      const double found = weight * discrepancy(a, b, m, n);
      to[level] += found;
      if (level + 1 < levels) {
        const std::size_t before = level > 0 ? levels_[level - 1] : 0;
        to[levels] += static_cast<double>(levels_[level] - before) * found;
      }
    }
    for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
      const double difference = weight * (first[i] / m - second[i] / n);
      if (difference == 0) continue;
      lengths[lengths_[i]] += difference;
      for (const TokenCount& each : tokens_[i]) tokens[each.token] += difference * each.count;
    }
  }
  double& of_tokens = to[levels + 1];
  for (std::size_t v = 0; v < tokens.size(); ++v) {
    if (token_totals_[v] > 0) of_tokens += tokens[v] * tokens[v] / token_totals_[v];
  }
  double below = 0;
  for (const double difference : lengths) {
    below += difference;
    to[levels + 2] += below * below;
  }
}

void OutputStatistics::permute(Stream& stream, std::vector<double>& first,
                               std::vector<double>& second) const {
  first.assign(items_, 0.0);
  second.assign(items_, 0.0);
  for (const Prompt& prompt : prompts_) {
    // Every output in turn is one of the first group with the chance that is left.
    double wanted = prompt.m, left = prompt.m + prompt.n;
    for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
      const double count = first_[i] + second_[i];
      for (double k = 0; k < count; ++k, --left) {
        if (stream.uniform() * left < wanted) {
          first[i] += 1;
          --wanted;
        } else {
          second[i] += 1;
        }
      }
    }
  }
}

}  // namespace speclab
