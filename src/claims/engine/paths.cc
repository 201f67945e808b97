#include "claims/engine/paths.h"

#include <fmt/format.h>

namespace speclab {

std::string path_text(std::span<const Token> path) {
  return fmt::format("({})", fmt::join(path, ","));
}

std::vector<PathLaws> drafted_paths(const Instance& instance, State start) {
  auto paths = paths_from(*instance.rows, start, instance.gamma);
  std::erase_if(paths, [](const PathLaws& path) { return path.tokens.empty() || path.draft == 0; });
  return paths;
}

PathLaws follow(const Rows<Rational>& rows, State state, std::span<const Token> x) {
  PathLaws at{{x.begin(), x.end()}, state, Rational(1), Rational(1)};
  for (const Token token : x) {
    at.draft *= rows.draft(at.state)[static_cast<std::size_t>(token)];
    at.target *= rows.target(at.state)[static_cast<std::size_t>(token)];
    at.state = rows.next(at.state, token);
  }
  return at;
}

}  // namespace speclab
