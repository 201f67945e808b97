#include "claims/engine/place.h"

#include <fmt/format.h>

#include "base/types.h"

namespace speclab {
namespace {

/// "2", or "1..3"; sizes as in Sized::text.
std::string range_text(int least, const Sized& most) {
  const bool one = most.quick == least && most.thorough == least;
  return one ? std::to_string(least) : fmt::format("{}..{}", least, most.text());
}

/// ", K 2..3", or nothing where there is one draft.
std::string drafts_text(int least, const Sized& most) {
  const bool single = least == 1 && most.thorough == 1;
  return single ? "" : ", K " + range_text(least, most);
}

std::string text_of(const BatteryShape& shape) {
  std::string text =
      fmt::format("battery{}: at most {} tokens, gamma {}{}",
                  shape.contexts ? "" : " without context", shape.tokens.text(),
                  range_text(1, shape.gammas), drafts_text(shape.least_drafts, shape.drafts));
  if (shape.contexts && shape.random.thorough > 0) {
    text += fmt::format(", {} random trees", shape.random.text());
  }
  return text;
}

/// "memoryless, at most 2 tokens".
std::string pairs_text(const SearchSpace& space) {
  return fmt::format("{}, at most {} tokens",
                     space.states.thorough == 1
                         ? std::string("memoryless")
                         : fmt::format("at most {} contexts", space.states.text()),
                     space.tokens.text());
}

std::string text_of(const SearchSpace& space) {
  return fmt::format("search: {}, gamma {}{}, denominators to {}", pairs_text(space),
                     range_text(space.least_gamma, space.gammas),
                     drafts_text(space.least_drafts, space.drafts), space.denominator.text());
}

std::string text_of(const NamedPair& named) {
  const std::string gamma =
      named.gamma == kUnbounded ? std::string("inf") : std::to_string(named.gamma);
  return fmt::format("{}, gamma {}{}", named.pair, gamma, drafts_text(named.drafts, named.drafts));
}

std::string text_of(const Family& family) {
  return fmt::format("{}{}", family.searched ? "search: " : "", family.text);
}

}  // namespace

std::string Sized::text() const {
  return quick == standard && standard == thorough
             ? std::to_string(quick)
             : fmt::format("{}/{}/{}", quick, standard, thorough);
}

std::string Place::text() const {
  std::string text = std::visit([](const auto& where) { return text_of(where); }, where_);
  if (filter_.keeps != nullptr) text += ", where " + std::string(filter_.text);
  return text;
}

}  // namespace speclab
