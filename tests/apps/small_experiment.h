#pragma once

#include <string>

namespace speclab {

/// An experiment of one exact task, "law".
inline const std::string kSmallExperiment = R"toml(
title = "small"
source = "none"
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "token"
gamma = 2
)toml";

}  // namespace speclab
