#include "draft/source.h"

#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/integer.h"
#include "base/text.h"
#include "base/types.h"

namespace speclab {
namespace {

constexpr std::array<std::pair<Draw, std::string_view>, 3> kDraws{
    {{Draw::with, "with"}, {Draw::without, "without"}, {Draw::top, "top"}}};

std::string draw_name(Draw draw) {
  for (const auto& [value, name] : kDraws) {
    if (value == draw) return std::string(name);
  }
  return {};
}

/// "3-2-1"; empty where a part is not a whole number of 1..kMostDrafts written plainly.
std::optional<std::vector<int>> parse_profile(std::string_view text) {
  std::vector<int> profile;
  for (;;) {
    const std::size_t end = std::min(text.find('-'), text.size());
    int children = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + end, children);
    if (error != std::errc() || stop != text.data() + end || text.front() == '0' ||
        children > kMostDrafts) {
      return std::nullopt;
    }
    profile.push_back(children);
    if (end == text.size()) return profile;
    text.remove_prefix(end + 1);
  }
}

std::vector<int> read_profile(SpecReader& spec) {
  const std::string text = spec.path("tree");
  auto profile = parse_profile(text);
  if (!profile) {
    spec.refuse("tree=" + abbreviate(text) +
                " is not a shape; write how many children a node has at each depth, from the root "
                "down, such as tree=3-2-1");
  }
  long long draws = 0;
  long long level = 1;
  for (const int children : *profile) {
    level *= children;
    draws += level;
    if (draws > kMostDrafts) {
      spec.refuse("tree=" + abbreviate(text) + " has more than " + std::to_string(kMostDrafts) +
                  " nodes; give a smaller one");
    }
  }
  return std::move(*profile);
}

[[noreturn]] void refuse_length(const std::vector<int>& profile, int drafts) {
  const std::string wanted =
      drafts == kUnbounded ? std::string("without bound") : std::to_string(drafts);
  throw InputError("tree=" + profile_text(profile) + " has depth " +
                   std::to_string(profile.size()) + " and the draft length is " + wanted +
                   "; the tree's depth is the draft length: change one of the two");
}

}  // namespace

std::string profile_text(const std::vector<int>& profile) {
  std::string text;
  for (const int children : profile) {
    text += (text.empty() ? "" : "-") + std::to_string(children);
  }
  return text;
}

int read_drafts(SpecReader& spec, std::string_view key, int least) {
  return static_cast<int>(spec.integer(key, least, kMostDrafts));
}

namespace {

/// A node of `ranks`.
std::vector<int> read_ranks(const SpecReader& spec, const std::vector<Rational>& row) {
  std::vector<int> path;
  for (const Rational& rank : row) {
    if (denominator(rank) != 1 || rank < 0 || rank >= kMostDrafts) {
      spec.refuse("ranks: " + abbreviate(to_text(rank)) +
                  " is no rank; give a whole number from 0, the likeliest token");
    }
    path.push_back(static_cast<int>(numerator(rank).signed_value()));
  }
  return path;
}

Growth read_rank_paths(SpecReader& spec) {
  Growth growth{.kind = Growth::Kind::ranks};
  std::set<std::vector<int>> nodes;
  for (const auto& row : spec.number_rows("ranks")) {
    for (std::vector<int> path = read_ranks(spec, row); !path.empty(); path.pop_back()) {
      nodes.insert(path);
    }
  }
  if (nodes.size() > kMostDrafts) {
    spec.refuse("ranks has more than " + std::to_string(kMostDrafts) + " nodes; give fewer");
  }
  growth.nodes = growth.width = static_cast<int>(nodes.size());
  for (const auto& path : nodes)
    growth.depth = std::max(growth.depth, static_cast<int>(path.size()));
  growth.paths.assign(nodes.begin(), nodes.end());
  return growth;
}

Growth read_growth(SpecReader& spec) {
  for (const char* other : {"K", "tree", "draw"}) {
    if (!spec.has(other)) continue;
    spec.refuse(std::string(other) +
                " is for a tree of a given shape; remove it, or grow and ranks");
  }
  if (spec.has("ranks")) {
    if (spec.has("grow")) spec.refuse("ranks and grow are both given; keep one");
    return read_rank_paths(spec);
  }
  constexpr std::array<std::pair<std::string_view, Growth::Kind>, 4> kKinds{
      {{"best", Growth::Kind::best},
       {"beam", Growth::Kind::beam},
       {"target", Growth::Kind::target},
       {"static", Growth::Kind::fixed}}};
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) names.emplace_back(name);
  const std::string named = spec.word("grow", names);
  Growth growth;
  for (const auto& [name, kind] : kKinds) {
    if (name == named) growth.kind = kind;
  }
  growth.nodes = read_drafts(spec, "nodes");
  if (growth.kind == Growth::Kind::fixed) {
    growth.depth = static_cast<int>(spec.integer("depth", 1, growth.nodes));
    growth.width = growth.nodes;
    return growth;
  }
  const std::optional<long long> fallback =
      growth.kind == Growth::Kind::beam ? std::nullopt : std::optional<long long>(growth.nodes);
  growth.width = static_cast<int>(spec.integer("width", 1, kMostDrafts, fallback));
  return growth;
}

[[noreturn]] void refuse_deeper(int depth, int drafts) {
  throw InputError("the deepest node of the tree has depth " + std::to_string(depth) +
                   " and the draft length is " +
                   (drafts == kUnbounded ? std::string("without bound") : std::to_string(drafts)) +
                   "; lower the draft length, or give a deeper one");
}

}  // namespace

int DraftSource::branching(int depth) const {
  if (profile.empty()) return depth == 0 ? paths : 1;
  return profile[static_cast<std::size_t>(depth)];
}

int DraftSource::count() const {
  if (grown()) return growth.nodes;
  int leaves = profile.empty() ? paths : 1;
  for (const int children : profile) leaves *= children;
  return leaves;
}

void DraftSource::check_window(int drafts) const {
  if (growth.depth > 0 && growth.depth < drafts) refuse_deeper(growth.depth, drafts);
  if (!profile.empty() && static_cast<int>(profile.size()) < drafts) {
    refuse_length(profile, drafts);
  }
}

DraftSource read_draft_source(SpecReader& spec) {
  if (spec.has("grow") || spec.has("ranks")) {
    DraftSource grown;
    grown.draw = Draw::top;
    grown.growth = read_growth(spec);
    return grown;
  }
  const bool shape = spec.has("tree");
  if (shape && spec.has("K")) spec.refuse("K and tree are both given; keep one");
  if (!shape) {
    if (spec.has("draw")) spec.refuse("draw is for a tree; add tree=3-2-1 or remove it");
    if (!spec.has("K")) {
      spec.refuse("the drafts are missing; add K=2, or tree=2-1 with draw=with, without or top");
    }
    return read_paths(spec);
  }
  DraftSource source;
  source.profile = read_profile(spec);
  std::vector<std::string> names;
  for (const auto& [value, name] : kDraws) names.emplace_back(name);
  const std::string named = spec.word("draw", names);
  for (const auto& [value, name] : kDraws) {
    if (name == named) source.draw = value;
  }
  return source;
}

DraftSource read_chain_or_tree(SpecReader& spec) {
  if (spec.has("tree") || spec.has("draw") || spec.has("grow") || spec.has("ranks")) {
    if (spec.has("draft")) spec.refuse("a tree and draft are both given; keep one");
    return read_draft_source(spec);
  }
  const bool argmax = spec.word("draft", {"sampled", "argmax"}, "sampled") == "argmax";
  return argmax ? DraftSource::argmax_chain() : DraftSource{};
}

DraftSource read_paths(SpecReader& spec) { return {Draw::with, read_drafts(spec, "K"), {}}; }

DraftSource read_tree(SpecReader& spec, Draw draw) {
  const bool shape = spec.has("tree");
  if (shape && spec.has("K")) spec.refuse("K and tree are both given; keep one");
  if (!shape) {
    if (!spec.has("K")) spec.refuse("the drafts are missing; add K=2, or a shape such as tree=2-1");
    return {draw, read_drafts(spec, "K"), {}};
  }
  DraftSource source{draw, 1, read_profile(spec)};
  spec.word("draw", {draw_name(draw)}, draw_name(draw));
  return source;
}

}  // namespace speclab
