#pragma once

#include <string>
#include <vector>

#include "catch.h"
#include "experiment/expand.h"
#include "scratch.h"

// Experiments that tests write as small.toml.
namespace speclab::small_file {

/// What every experiment has, in two lines.
inline const std::string kTop = "title = \"t\"\nsource = \"s\"\n";

inline Experiment read(const std::string& text) {
  return read_experiment(Scratch().write("small.toml", text));
}

/// Reads an experiment and checks its selectors, as before a run.
inline Experiment read_checked(const std::string& text, bool quick = false) {
  Experiment experiment = read(text);
  Bench bench;
  SweepOptions options;
  options.quick = quick;
  check_selectors(experiment, expand(experiment, options, bench), quick);
  return experiment;
}

/// An experiment, and what its refusal says after the file's name: ":3: [[task]] has no gamma".
struct Case {
  std::string text, message;
};

inline void refuses(const std::vector<Case>& cases) {
  for (const Case& bad : cases) {
    INFO(bad.text);
    CHECK_THROWS_WITH(read(bad.text), Containing("small.toml" + bad.message));
  }
}

}  // namespace speclab::small_file
