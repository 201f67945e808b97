#pragma once

#include <string>

namespace speclab {

// Pairs whose draft begins anew with each iteration.

/// The target draws token 0 in state 0 and either in state 1; what an iteration drafts depends on
/// the state in which it began.
inline const std::string kFalling =
    "blocks(draft=[[1,0],[0,1],[1,0],[1,0],[1/2,1/2],[1,0]],target=[[1,0],[1/2,1/2]],"
    "next=[[1,0],[0,1]],start=0)";

/// One latent draft: the verifier is shown z ("conditioned"), or z is summed out ("marginal").
inline std::string latent(const std::string& reading) {
  return "latent(target=[[2/3,1/3],[1/2,1/2],[0,1]],next=[[1,2],[1,2],[1,2]],prior=[1/2,1/2],"
         "draft=[[0,1],[1,0],[2/3,1/3],[0,1]],reading=" +
         reading + ")";
}

}  // namespace speclab
