// What the laboratory holds of the papers on relaxed acceptance, and of what engines add to them.
// Their text is not at hand: the rows are the statements that their rules stand for, not their
// numbered ones.
#include "claims/engine/paper.h"
#include "claims/papers/rules/rules.h"

namespace speclab {

PaperItems narasimhan2025_items();
PaperItems holsman2025_items();
PaperItems cai2024_items();
PaperItems li2025_items();
PaperItems engines_items();

namespace coverage_relaxed {
namespace {

constexpr PaperItem kNarasimhan[] = {
    {"Speculative execution of a cascade",
     "token verification against pi rejects with TV(d, pi), its token follows pi",
     {"narasimhan2025.law", "narasimhan2025.relaxed", "relaxed"}},
    {"Ensemble", "w t + (1 - w) d", {"narasimhan2025.ensemble.line"}},
    {"[OPT]", "defers where max d < max t - alpha TV(d, t)", {"narasimhan2025.cascade-opt.line"}},
    {"[Token-specific]",
     "trusts the draft on {t >= (1 - alpha) max t}",
     {"narasimhan2025.cascade-top.line", "narasimhan2025.cascade-top.bound"},
     "the two other token-specific rules, which differ in the set"},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kHolsman[] = {
    {"Fuzzy speculative decoding",
     "the draft stands for the target where D(t, d) is small",
     {"holsman2025.fuzzy.line", "relaxed"},
     "XTV and other divergences than TV, KL and JS"},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kCai[] = {
    {"Typical acceptance",
     "accepts iff t(x) > min(eps, alpha e^-H(t))",
     {"cai2024.typical.line", "typical"},
     "the tree of heads that proposes the candidates"},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kLi[] = {
    {"FLy",
     "a mismatch is forgiven where t is uncertain and the next W tokens match",
     {"li2025.lossless", "li2025.line", "fly"}},
    {"Released code",
     "two draws of the target a position",
     {"li2025.released", "engines.argmax-draft.line", "fly-released"}},
    {"Other numbered statements", "what the paper states besides", {}, kNoText},
};

constexpr PaperItem kEngines[] = {
    {"SGLang",
     "thresholds of tree verification",
     {"engines.sglang", "engines.sglang.line", "sglang"}},
    {"llama.cpp",
     "the target's own draw; likeliest-token drafts; drafts dropped below p-min",
     {"miao2023.sample-match.lossless", "engines.argmax-draft.line", "engines.stop-own-drop",
      "engines.stop-own-drop.first-token", "sample-match", "stopping"}},
    {"transformers",
     "the draft ends after an unlikely token",
     {"engines.stop-own-keep", "engines.stop-law", "stopping"}},
    {"TensorRT-LLM",
     "relaxed acceptance among the n likeliest tokens",
     {"engines.top-within.line", "top-within"}},
    {"Entropy-scaled acceptance",
     "min(1, t / (m d)), m = min(e^(-alpha H(t)), theta)",
     {"engines.entropy-verify.line", "entropy-verify"}},
};

}  // namespace
}  // namespace coverage_relaxed

PaperItems narasimhan2025_items() { return coverage_relaxed::kNarasimhan; }
PaperItems holsman2025_items() { return coverage_relaxed::kHolsman; }
PaperItems cai2024_items() { return coverage_relaxed::kCai; }
PaperItems li2025_items() { return coverage_relaxed::kLi; }
PaperItems engines_items() { return coverage_relaxed::kEngines; }

}  // namespace speclab
