#include "draft/source.h"

#include <algorithm>
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

/// In the order of the enumerators.
const std::vector<std::string>& draw_names() {
  static const std::vector<std::string> names{"with", "without", "top"};
  return names;
}

const std::string& draw_name(Draw draw) { return draw_names()[static_cast<std::size_t>(draw)]; }

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

std::vector<std::vector<std::size_t>> places_of(const std::vector<std::vector<int>>& paths) {
  std::vector<std::vector<std::size_t>> places(paths.size() + 1);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::vector<int> above(paths[i].begin(), paths[i].end() - 1);
    const auto parent = std::lower_bound(paths.begin(), paths.end(), above);
    places[above.empty() ? 0 : static_cast<std::size_t>(parent - paths.begin()) + 1].push_back(i +
                                                                                               1);
  }
  return places;
}

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

/// @param draw  without: a node brings the siblings that are drawn before it
Growth read_rank_paths(const SpecReader& spec, const std::vector<std::vector<Rational>>& rows,
                       Draw draw) {
  Growth growth{.kind = Growth::Kind::ranks};
  std::set<std::vector<int>> nodes;
  for (const auto& row : rows) {
    for (std::vector<int> path = read_ranks(spec, row); !path.empty(); path.pop_back()) {
      nodes.insert(path);
      if (draw != Draw::without) continue;
      for (std::vector<int> sibling = path; sibling.back() > 0;) {
        --sibling.back();
        nodes.insert(sibling);
      }
    }
  }
  if (nodes.size() > kMostDrafts) {
    spec.refuse("ranks has more than " + std::to_string(kMostDrafts) + " nodes; give fewer");
  }
  growth.nodes = growth.width = static_cast<int>(nodes.size());
  for (const auto& path : nodes)
    growth.depth = std::max(growth.depth, static_cast<int>(path.size()));
  growth.paths.assign(nodes.begin(), nodes.end());
  if (draw == Draw::without) growth.places = places_of(growth.paths);
  return growth;
}

/// What `grow` names. @param draw  without: sequoia alone
Growth read_growth(SpecReader& spec, std::optional<Draw> draw) {
  constexpr std::array<std::pair<std::string_view, Growth::Kind>, 5> kKinds{
      {{"best", Growth::Kind::best},
       {"beam", Growth::Kind::beam},
       {"target", Growth::Kind::target},
       {"static", Growth::Kind::fixed},
       {"sequoia", Growth::Kind::sequoia}}};
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) {
    if (!draw || kind == Growth::Kind::sequoia) names.emplace_back(name);
  }
  const std::string named = spec.word("grow", names);
  Growth growth;
  for (const auto& [name, kind] : kKinds) {
    if (name == named) growth.kind = kind;
  }
  growth.nodes = read_drafts(spec, "nodes");
  growth.places = places_of({});
  if (growth.of_pair()) growth.depth = static_cast<int>(spec.integer("depth", 1, growth.nodes));
  if (growth.kind == Growth::Kind::fixed) {
    growth.width = growth.nodes;
    return growth;
  }
  const std::optional<long long> fallback =
      growth.kind == Growth::Kind::beam ? std::nullopt : std::optional<long long>(growth.nodes);
  growth.width = static_cast<int>(spec.integer("width", 1, kMostDrafts, fallback));
  return growth;
}

/// Whether the spec has a tree that is grown, or a shape as ranks.
bool has_growth(const SpecReader& spec) { return spec.has("grow") || spec.has("ranks"); }

DraftSource read_given_growth(SpecReader& spec, std::optional<Draw> draw) {
  for (const char* other : {"K", "tree"}) {
    if (!spec.has(other)) continue;
    spec.refuse(std::string(other) +
                " is for a tree of a given shape; remove it, or grow and ranks");
  }
  DraftSource source;
  if (spec.has("ranks")) {
    if (spec.has("grow")) spec.refuse("ranks and grow are both given; keep one");
    const auto rows = spec.number_rows("ranks");
    source.draw = draw.value_or(Draw::top);
    if (spec.has("draw")) {
      if (draw) {
        spec.word("draw", {draw_name(*draw)});
      } else if (spec.word("draw", {"top", "without"}) == "without") {
        source.draw = Draw::without;
      }
    }
    source.growth = read_rank_paths(spec, rows, source.draw);
    return source;
  }
  if (spec.has("draw")) spec.refuse("draw is for a tree of a given shape; remove it, or grow");
  source.growth = read_growth(spec, draw);
  source.draw = source.growth.kind == Growth::Kind::sequoia ? Draw::without : Draw::top;
  return source;
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
  if (growth.kind != Growth::Kind::none) return growth.nodes;
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
  if (has_growth(spec)) return read_given_growth(spec, std::nullopt);
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
  source.draw = spec.choice<Draw>("draw", draw_names());
  return source;
}

DraftSource read_chain_or_tree(SpecReader& spec) {
  if (spec.has("tree") || spec.has("draw") || has_growth(spec)) {
    if (spec.has("draft")) spec.refuse("a tree and draft are both given; keep one");
    return read_draft_source(spec);
  }
  const bool argmax = spec.word("draft", {"sampled", "argmax"}, "sampled") == "argmax";
  return argmax ? DraftSource::argmax_chain() : DraftSource{};
}

DraftSource read_best_and_tail(SpecReader& spec) {
  const int nodes = read_drafts(spec, "nodes");
  return {Draw::without, 1, {}, {.kind = Growth::Kind::tail, .nodes = nodes, .width = 2}};
}

DraftSource read_paths(SpecReader& spec) { return {Draw::with, read_drafts(spec, "K"), {}}; }

DraftSource read_tree(SpecReader& spec, Draw draw) {
  if (draw == Draw::without && has_growth(spec)) return read_given_growth(spec, draw);
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
