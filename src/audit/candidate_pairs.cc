#include "audit/candidate_pairs.h"

#include <array>
#include <set>
#include <utility>

#include "base/random.h"
#include "document/document.h"
#include "model/families/listed_tree.h"
#include "model/registry.h"
#include "verifiers/faults/control_rows.h"

namespace speclab {
namespace {

constexpr Token kLargestVocabulary = 4;
constexpr int kTreesOfAShape = 6;
/// Trials of every audit: of the pairs of tiny probabilities, and of the one of eight tokens.
constexpr std::uint64_t kTinyTrials = 2'000, kEightTrials = 32'000;

/// Independent laws after every prefix of up to `depth` tokens.
std::shared_ptr<Pair> random_tree(Token vocabulary, int depth, int denominator, Stream& stream) {
  ListedLaws draft;
  ListedLaws target;
  std::vector<std::vector<Token>> prefixes{{}};
  for (std::size_t at = 0; at < prefixes.size(); ++at) {
    const auto prefix = prefixes[at];
    draft[prefix] = random_law(vocabulary, denominator, stream);
    target[prefix] = random_law(vocabulary, denominator, stream);
    if (static_cast<int>(prefix.size()) == depth) continue;
    for (Token x = 0; x < vocabulary; ++x) {
      prefixes.push_back(prefix);
      prefixes.back().push_back(x);
    }
  }
  return std::make_shared<ListedTreePair>(vocabulary, draft, target);
}

/// Rows in which the tokens at the ends have tiny probabilities, although a case may draft them: a
/// number of few bits represents neither them nor their ratio. The residual after a rejection is
/// representable in every format that represents the rows: draft (4u, 1 - 5u, u), target (u, 1 -
/// 5u, 4u) give (0, 0, 3u).
std::vector<std::pair<std::vector<Rational>, std::vector<Rational>>> tiny_laws() {
  const Rational tiny(1, 1'000'000'000);
  const auto law = [&tiny](int first, int last) {
    return std::vector<Rational>{tiny * first, 1 - tiny * (first + last), tiny * last};
  };
  return {{law(4, 1), law(1, 4)}, {law(1, 1), law(1, 1)}, {law(2, 1), law(1, 2)}};
}

CandidatePair candidate(const PairPointer& pair, int gamma) { return {place_on(pair, gamma, {})}; }

std::string pair_object(const AuditPlace& place, int length) {
  const Pair& pair = place.rows->pair();
  const auto size = static_cast<std::size_t>(pair.vocabulary());
  std::vector<Rational> draft(size);
  std::vector<Rational> target(size);
  Json object{{"vocabulary", pair.vocabulary()}};
  if (pair.memoryless()) {
    pair.rows(place.start, draft, target);
    object["kind"] = "iid";
    object["draft"] = json_of(draft, to_text);
    object["target"] = json_of(target, to_text);
    return object.dump();
  }
  object["kind"] = "tree";
  std::vector<std::pair<std::string, State>> prefixes{{"", place.start}};
  std::size_t begin = 0;
  for (int depth = 0; depth < length; ++depth) {
    const std::size_t end = prefixes.size();
    for (std::size_t at = begin; at < end; ++at) {
      const auto [prefix, state] = prefixes[at];
      pair.rows(state, draft, target);
      object["draft"][prefix] = json_of(draft, to_text);
      object["target"][prefix] = json_of(target, to_text);
      for (Token x = 0; x < pair.vocabulary(); ++x) {
        prefixes.emplace_back(prefix + (prefix.empty() ? "" : ",") + std::to_string(x),
                              pair.next(state, x));
      }
    }
    begin = end;
  }
  return object.dump();
}

}  // namespace

std::vector<Rational> random_law(Token vocabulary, int denominator, Stream& stream) {
  std::vector<int> shares(static_cast<std::size_t>(vocabulary), 0);
  for (int i = 0; i < denominator; ++i) ++shares[stream() % shares.size()];
  std::vector<Rational> law;
  for (const int share : shares) law.emplace_back(share, denominator);
  return law;
}

std::vector<CandidatePair> candidate_pairs(int longest) {
  std::vector<CandidatePair> found;
  std::set<std::pair<std::string, int>> named;
  for (const ControlRow& row : control_rows()) {
    const PairPointer pair = make_pair(std::string(row.at.pair));
    if (row.at.gamma > longest || pair->vocabulary() > kLargestVocabulary || pair->end_token() ||
        pair->start().size() > 1 || pair->length() ||
        !named.emplace(pair->name(), row.at.gamma).second) {
      continue;
    }
    found.push_back(candidate(pair, row.at.gamma));
  }
  for (const auto& [draft, target] : tiny_laws()) {
    found.push_back(candidate(
        std::make_shared<ListedTreePair>(3, ListedLaws{{{}, draft}}, ListedLaws{{{}, target}}), 1));
    found.back().least_trials = kTinyTrials;
  }
  constexpr std::array kDenominators{2, 3, 4, 6, 9, 12};
  Stream stream(stream_key(1, task_hash("audit")), 0, 0, Purpose::prompt);
  for (int gamma = 1; gamma <= longest; ++gamma) {
    for (Token vocabulary = 2; vocabulary <= kLargestVocabulary; ++vocabulary) {
      for (int i = 0; i < kTreesOfAShape; ++i) {
        const int denominator = kDenominators[static_cast<std::size_t>(i) % kDenominators.size()];
        found.push_back(candidate(random_tree(vocabulary, gamma, denominator, stream), gamma));
      }
    }
  }
  return found;
}

CandidatePair eight_tokens() {
  const auto law = [](std::initializer_list<int> units) {
    std::vector<Rational> made;
    for (const int each : units) made.emplace_back(each, 24);
    return made;
  };
  const auto draft = law({7, 2, 6, 1, 1, 5, 0, 2});
  const auto target = law({2, 4, 3, 4, 3, 1, 2, 5});
  CandidatePair found = candidate(
      std::make_shared<ListedTreePair>(8, ListedLaws{{{}, draft}}, ListedLaws{{{}, target}}), 1);
  found.least_trials = kEightTrials;
  return found;
}

CasePlan case_on(const CandidatePair& pair, int length, int drafts) {
  CasePlan plan;
  plan.least_trials = pair.least_trials;
  plan.shape.pair = pair_object(pair, length);
  plan.shape.vocabulary = pair.rows->vocabulary();
  plan.shape.gamma = pair.gamma;
  plan.shape.drafts = drafts;
  return plan;
}

}  // namespace speclab
