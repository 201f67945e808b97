#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "answer/bench.h"
#include "catch.h"
#include "message_of.h"
#include "model/registry.h"
#include "recording_text.h"
#include "temporary_file.h"

namespace speclab {

inline PairPointer recorded(const std::string& path) { return make_pair("recorded(" + path + ")"); }

inline RecordedRequest asked(const std::vector<std::string>& verifiers, std::vector<int> gammas) {
  RecordedRequest request;
  for (const std::string& text : verifiers) request.verifiers.push_back(make_verifier(text));
  request.gammas = std::move(gammas);
  return request;
}

/// What is refused of a recording when it is asked, or nothing.
inline std::string refusal(const std::string& text, const std::string& verifier, int gamma) {
  const TemporaryFile file(text);
  const std::string message =
      message_of([&] { run_recorded(recorded(file.path()), asked({verifier}, {gamma})); });
  CHECK(message.find('\n') == std::string::npos);
  return message;
}

inline ByRecording by_recording(const std::vector<std::string>& verifiers,
                                std::vector<int> gammas) {
  return {std::make_shared<RecordedRuns>(asked(verifiers, std::move(gammas)))};
}

inline Question question(const PairPointer& pair, const std::string& verifier, int gamma) {
  Question asked;
  asked.pair = pair;
  asked.verifier = make_verifier(verifier);
  asked.lengths.gamma = gamma;
  return asked;
}

inline const std::vector<double> kDraft{2.0 / 3, 1.0 / 3};
inline const std::vector<double> kTarget{1.0 / 3, 2.0 / 3};

inline RecordedText toy(std::vector<Token> tokens) {
  const std::size_t n = tokens.size();
  return {std::move(tokens), std::vector(n, kDraft), std::vector(n + 1, kTarget), {}};
}

}  // namespace speclab
