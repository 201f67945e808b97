#pragma once

#include <string>

#include "catch.h"
#include "message_of.h"
#include "recorded/recording.h"

namespace speclab::recordings {

/// Reads all of a recording: the message of what is refused, or nothing.
inline std::string fault(const std::string& path) {
  const std::string message = message_of([&] {
    const auto recording = open_recording(path);
    RecordedRow row;
    const auto read = [&](RecordedModel model, PathNumber at, int positions) {
      for (int i = 0; i < positions; ++i) {
        if (recording->has_row(model, at, i)) recording->read(model, at, i, row);
      }
    };
    for (std::int64_t p = 0; p < recording->shape().prompts; ++p) {
      for (int k = 0; k < recording->shape().paths; ++k) {
        const auto length = static_cast<int>(recording->path({p, k}).tokens.size());
        read(RecordedModel::draft, {p, k}, length);
        read(RecordedModel::target, {p, k}, length + 1);
      }
    }
  });
  CHECK(message.find('\n') == std::string::npos);
  if (!message.empty()) CHECK_THAT(message, Containing("recorded(" + path));
  return message;
}

}  // namespace speclab::recordings
