#include "audit/vector_cases.h"

namespace speclab {

const std::vector<VectorFlag>& vector_flags() {
  static const std::vector<VectorFlag> flags{
      {"random", "independent rows after every prefix: a row of another position shows",
       "Leviathan et al. 2023, Algorithm 1"},
      {"zero-residual", "draft and target are equal: nothing is left to correct from, 0/0",
       "Leviathan et al. 2023, section 2.3; github.com/duoan/TorchCode/issues/16"},
      {"disjoint", "no token of the draft is possible under the target: all is rejected",
       "github.com/sgl-project/sglang/issues/35771"},
      {"ties", "equal probabilities: a comparison that should be < and is <=",
       "transformers, src/transformers/generation/utils.py@1097d4b; vllm-ascend, "
       "vllm_ascend/sample/rejection_sampler.py@182b75e"},
      {"one-hot", "a row with one token, as argmax drafts and temperature 0 have",
       "github.com/jaymody/speculative-sampling/issues/3; github.com/SafeAILab/EAGLE/issues/183"},
      {"tiny", "probabilities of 1e-12: ratios that a clamp or an underflow changes",
       "github.com/lablup/mlxcel/pull/992"},
      {"float32", "probabilities at the edge of 24 bits: 1 - p is lost in float32 and bfloat16",
       "github.com/vllm-project/vllm/pull/46665; github.com/deepseek-ai/DeepSpec/issues/31"},
      {"filtered", "rows cut by different top-k: a drafted token that the target cannot draw",
       "github.com/huggingface/transformers/issues/47932; github.com/vllm-project/vllm/pull/10198"},
      {"end", "an end-of-sequence token among the drafts: what follows it is not emitted",
       "github.com/huggingface/transformers/issues/47912; "
       "github.com/ggml-org/llama.cpp/issues/28049"},
      {"wide", "rows of many tokens of which the last are padding: block boundaries of kernels",
       "github.com/iree-org/iree-turbine/pull/890"},
      {"short", "drafts of one token: the bonus follows at once", "Chen et al. 2023, Algorithm 2"},
      {"long", "drafts of five tokens and more: products along the path",
       "Sun et al. 2025, Algorithm 2"},
      {"rising", "ratios below 1, then above: the weight of a correction is no single factor",
       "Sun et al. 2025, Algorithm 2"},
      {"equal-drafts", "several drafts that are the same",
       "Miao et al. 2023 (SpecInfer); Sun et al. 2023 (SpecTr)"}};
  return flags;
}

}  // namespace speclab
