// The paths of a recording: its drafted tokens, starts and emitted tokens, checked.
#include <fmt/format.h>

#include "base/error.h"
#include "recorded/recording.h"

namespace speclab {

RecordedPath Recording::path(PathNumber at) const {
  RawPath raw;
  read_path(at, raw);
  RecordedPath path;
  for (std::size_t i = 0; i < raw.tokens.size(); ++i) {
    const std::int64_t token = raw.tokens[i];
    const int position = static_cast<int>(i);
    if (token < -1 || token >= shape_.vocabulary) {
      throw InputError(
          fmt::format("{}: token {} is none of the vocabulary's 0 to {}, nor -1 for the "
                      "path's end",
                      place(at, position), token, shape_.vocabulary - 1));
    }
    if (token == -1) continue;
    if (path.tokens.size() < i) {
      throw InputError(fmt::format("{}: token {} comes after a -1, which ends the path",
                                   place(at, position), token));
    }
    path.tokens.push_back(static_cast<Token>(token));
  }
  if (path.tokens.empty()) {
    throw InputError(place(at) + " has no token; leave it out");
  }
  read_starts(at, raw, path);
  if (!raw.emitted.empty()) read_emitted(at, raw, path);
  return path;
}

void Recording::read_starts(PathNumber at, const RawPath& raw, RecordedPath& path) const {
  if (raw.starts.empty()) {
    path.starts.push_back(0);
    return;
  }
  for (std::size_t i = 0; i < raw.starts.size(); ++i) {
    if (raw.starts[i] == 0) continue;
    const int position = static_cast<int>(i);
    if (raw.starts[i] != 1) {
      throw InputError(fmt::format("{}: starts has {}; it is 1 where an iteration begins, else 0",
                                   place(at, position), raw.starts[i]));
    }
    if (i >= path.tokens.size()) {
      throw InputError(
          fmt::format("{}: an iteration starts where the path has no token", place(at, position)));
    }
    path.starts.push_back(position);
  }
  if (path.starts.empty()) {
    throw InputError(
        place(at) +
        " has no start; mark the positions at which an iteration begins, or leave out starts where "
        "that is position 0 alone");
  }
}

void Recording::read_emitted(PathNumber at, const RawPath& raw, RecordedPath& path) const {
  std::size_t next_start = 0;
  bool on_path = true;
  for (std::size_t i = 0; i < path.tokens.size(); ++i) {
    const int position = static_cast<int>(i);
    if (next_start < path.starts.size() && path.starts[next_start] == position) {
      ++next_start;
      on_path = true;
    }
    const std::int64_t token = raw.emitted[i];
    const auto refuse_emitted = [&](const char* why) {
      throw InputError(fmt::format("{}: the emitted token {} {}", place(at, position), token, why));
    };
    if (token < -1 || token >= shape_.vocabulary) {
      refuse_emitted("is none of the vocabulary, nor -1 where the output has left the path");
    }
    if (token >= 0 && !on_path) {
      refuse_emitted(
          "stands behind one that is not the path's; give -1 from there to the next start");
    }
    on_path = on_path && token == path.tokens[i];
    path.emitted.push_back(static_cast<Token>(token));
  }
}

}  // namespace speclab
