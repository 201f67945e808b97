#include "optimum/paths.h"

#include <utility>

namespace speclab {

std::vector<PathLaws> paths_from(const Rows<Rational>& rows, State start, int length) {
  std::vector<PathLaws> paths{{{}, start, Rational(1), Rational(1)}};
  std::size_t begin = 0;
  for (int i = 0; i < length; ++i) {
    const std::size_t end = paths.size();
    for (std::size_t at = begin; at < end; ++at) {
      const PathLaws parent = paths[at];
      const auto draft = rows.draft(parent.state);
      const auto target = rows.target(parent.state);
      for (std::size_t x = 0; x < draft.size(); ++x) {
        PathLaws child{parent.tokens, rows.next(parent.state, static_cast<Token>(x)),
                       parent.draft * draft[x], parent.target * target[x]};
        if (child.draft == 0 && child.target == 0) continue;
        child.tokens.push_back(static_cast<Token>(x));
        paths.push_back(std::move(child));
      }
    }
    begin = end;
  }
  return paths;
}

std::vector<PathLaws> whole_paths(const Rows<Rational>& rows, State start, int length) {
  auto paths = paths_from(rows, start, length);
  std::erase_if(paths, [&](const PathLaws& path) { return path.length() != length; });
  return paths;
}

}  // namespace speclab
