#include "recorded/path_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "model/lane_sum.h"

namespace speclab {
namespace {

double positive_gap(const Wide& a, const Wide& b, double target, double draft) {
  if (!(target > 0)) return 0;
  return positive_part<double>(gap_weight(a, b, target, draft));
}

}  // namespace

PathRows::PathRows(const Recording& recording, std::int64_t prompt, int first,
                   std::vector<PathDrafts> paths)
    : recording_(&recording), prompt_(prompt), first_(first), paths_(std::move(paths)) {
  places_.push_back({.depth = 0, .through = {}});
  for (int k = 0; k < this->paths(); ++k) {
    int at = 0;
    places_.front().through.push_back(k);
    for (const Token x : tokens(k)) {
      int to = next(at, x);
      if (to < 0) {
        to = places();
        places_.push_back(
            {.depth = places_[static_cast<std::size_t>(at)].depth + 1, .through = {}});
        places_[static_cast<std::size_t>(at)].ahead.push_back({x, to});
      }
      places_[static_cast<std::size_t>(to)].through.push_back(k);
      at = to;
    }
  }
}

int PathRows::next(int at, Token x) const {
  for (const Step& step : ahead(at)) {
    if (step.token == x) return step.to;
  }
  return -1;
}

std::string PathRows::where(int at) const {
  const Place& place = places_[static_cast<std::size_t>(at)];
  return recording_->place({prompt_, place.through.front()}, first_ + place.depth);
}

const RecordedRow& PathRows::row(RecordedModel model, std::optional<RecordedRow> Place::*which,
                                 int at) const {
  const Place& place = places_[static_cast<std::size_t>(at)];
  std::optional<RecordedRow>& known = places_[static_cast<std::size_t>(at)].*which;
  if (known) return *known;
  // A draft's row belongs to a drafted token: at the end of a segment, to the next iteration.
  const int position = first_ + place.depth;
  std::vector<int> recorded;
  for (const int k : place.through) {
    if (place.depth < paths_[static_cast<std::size_t>(k)].rows &&
        recording_->has_row(model, {prompt_, k}, position)) {
      recorded.push_back(k);
    }
  }
  if (recorded.empty()) {
    if (model == RecordedModel::draft && recording_->shape().likeliest) {
      throw InputError(where(at) +
                       ": this verifier looks at the draft's probabilities, and the draft has no "
                       "row here; record its rows");
    }
    throw InputError(where(at) + (model == RecordedModel::draft ? ": the draft" : ": the target") +
                     " has no row here; record one more, or ask for shorter drafts");
  }
  RecordedRow read;
  recording_->read_shared(model, prompt_, recorded, position, read);
  return known.emplace(std::move(read));
}

double PathRows::probability(const RecordedRow& row, RecordedModel model, int at, Token x) const {
  if (const double* known = row.find(x)) return *known;
  throw InputError(fmt::format(
      "{}: the {}'s probability of token {} is not recorded, only that of {} others; record more "
      "of them, or whole rows",
      where(at), model == RecordedModel::draft ? "draft" : "target", x, row.known.size()));
}

double PathRows::gap(int at, const Wide& a, const Wide& b, Token x) const {
  const double kept = target(at, x);
  return positive_gap(a, b, kept, b.high == 0 ? 0 : draft(at, x));
}

double PathRows::gap_mass(int at, const Wide& a, const Wide& b) const {
  const RecordedRow& target = target_row(at);
  const RecordedRow* draft = b.high == 0 ? nullptr : &draft_row(at);
  std::vector<Mass>& masses = places_[static_cast<std::size_t>(at)].masses;
  for (const Mass& mass : masses) {
    if (mass.a == a && mass.b == b) return mass.value;
  }
  if (!target.whole() || (draft != nullptr && !draft->whole())) {
    throw InputError(where(at) +
                     ": this verifier needs the probabilities of all tokens, and only those of the "
                     "likeliest are recorded; record whole rows");
  }
  const double* kept = target.law.data();
  const double* taken = draft != nullptr ? draft->law.data() : nullptr;
  const double sum = lane_sum(target.law.size(), [&](std::size_t x) {
    return positive_gap(a, b, kept[x], taken != nullptr ? taken[x] : 0);
  });
  masses.push_back({a, b, sum});
  return masses.back().value;
}

bool PathRows::has_gap(int at, const Wide& a, const Wide& b) const {
  // A next-token law has positive mass, recorded or not.
  if (b.high == 0) return a.high > 0;
  const RecordedRow& target = target_row(at);
  const RecordedRow& draft = draft_row(at);
  const auto share = [&](std::size_t i) {
    const Token x = target.whole() ? static_cast<Token>(i) : target.known[i];
    const double* taken = draft.find(x);
    // A token outside the draft's list has at most the mass of the rest.
    return positive_gap(a, b, target.law[i], taken != nullptr ? *taken : draft.rest);
  };
  for (std::size_t i = 0; i < target.law.size(); ++i) {
    if (share(i) > 0) return true;
  }
  if (target.whole() && draft.whole()) return false;
  // sum [a t - b d]+ = a - b + sum [b d - a t]+: the excess of the draft equals the deficit of the
  // target.
  if (!(a < b)) {
    for (std::size_t i = 0; i < draft.law.size(); ++i) {
      const double* kept = target.find(draft.whole() ? static_cast<Token>(i) : draft.known[i]);
      if (positive_gap(b, a, draft.law[i], kept != nullptr ? *kept : target.rest) > 0) return true;
    }
  }
  throw InputError(where(at) +
                   ": the recorded tokens do not decide whether a correction can be drawn; record "
                   "the probabilities of more tokens");
}

const StateTable* PathRows::table(int at) const {
  auto& known = places_[static_cast<std::size_t>(at)].table;
  if (known == nullptr) {
    const RecordedRow& draft = draft_row(at);
    const RecordedRow& target = target_row(at);
    if (!draft.whole() || !target.whole()) return nullptr;
    known = std::make_unique<const StateTable>(draft.law, target.law, /*with_draft_alias=*/false);
  }
  return known.get();
}

void PathRows::rank_ahead(int at) {
  Place& place = places_[static_cast<std::size_t>(at)];
  const auto is_recorded = [&](int k) {
    return recording_->has_row(RecordedModel::draft, {prompt_, k}, first_ + place.depth);
  };
  if (place.ahead.empty() ||
      std::none_of(place.through.begin(), place.through.end(), is_recorded)) {
    return;
  }
  draft_row(at);
  RecordedRow& row = *place.draft;
  double above = HUGE_VAL;  // what the token before has
  for (std::size_t j = 0; j < place.ahead.size(); ++j) {
    const Token token = place.ahead[j].token;
    const double own = probability(row, RecordedModel::draft, at, token);
    const auto rank =
        std::count_if(row.law.begin(), row.law.end(), [own](double other) { return other > own; });
    if (!(own > 0) || own > above || rank > static_cast<std::ptrdiff_t>(j)) {
      throw InputError(fmt::format(
          "{}: the drafted token {} has the draft's probability {:.3g}, and {} tokens have a "
          "larger one; of drafts that are argmax it is number {} by probability",
          where(at), token, own, rank, j + 1));
    }
    above = own;
  }
  // From the last drafted token to the first, so that the tokens before a tie stay above it.
  std::vector<char> kept(row.law.size(), 0);
  const auto index_of = [&](Token token) {
    return static_cast<std::size_t>(row.find(token) - row.law.data());
  };
  for (const Step& step : place.ahead) kept[index_of(step.token)] = 1;
  double least = 0;
  for (std::size_t j = place.ahead.size(); j-- > 0;) {
    double& own = row.law[index_of(place.ahead[j].token)];
    const double tied = own;
    for (std::size_t i = 0; i < row.law.size(); ++i) {
      if (kept[i] == 0 && row.law[i] == tied) least = std::max(least, tied);
    }
    if (own <= least) own = std::nextafter(least, HUGE_VAL);
    least = own;
  }
}

double PathRows::rank_weight(int at, Token x) const {
  const auto steps = ahead(at);
  for (std::size_t j = 0; j < steps.size(); ++j) {
    if (steps[j].token == x) return 1 / static_cast<double>(j + 1);
  }
  return 0;
}

void PathRows::add_drafted(int at, Token drafted, DrawnTest& test) const {
  const RecordedRow& row = draft_row(at);
  auto& moments = places_[static_cast<std::size_t>(at)].moments;
  if (!moments) moments.emplace(row);
  test.add(row.known_probability(drafted), *moments);
}

void PathView::refuse(const Node& node) {
  if (node.at == kModified) {
    throw InputError(
        "this verifier modifies the target within an iteration, and along recorded paths only the "
        "recorded rows are known; take another verifier");
  }
  throw InputError(
      "this verifier looks at rows off the recorded paths, which no recording has; take one that "
      "looks along its drafts alone, such as token, block or rrs");
}

}  // namespace speclab
