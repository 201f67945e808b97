#include "claims/engine/papers.h"

#include <algorithm>
#include <array>

namespace speclab {

// A table a paper, each in the file coverage_KEY.cc.
PaperItems sun2025_items();
PaperItems sun2024_items();
PaperItems yin2024_items();
PaperItems lin2026_items();
PaperItems zhong2025_items();

// In rules/coverage.cc: rules for several drafts and for coupled draws.
PaperItems miao2023_items();
PaperItems khisti2025_items();
PaperItems jeon2024_items();
PaperItems weng2025_items();
PaperItems daliri2024_items();
PaperItems li2024_items();
PaperItems thomas2026_items();
PaperItems zhou2026_items();

// In rules/coverage_relaxed.cc: relaxed acceptance.
PaperItems narasimhan2025_items();
PaperItems holsman2025_items();
PaperItems cai2024_items();
PaperItems li2025_items();
PaperItems engines_items();

// In further/coverage.cc: the others.
PaperItems leviathan_items();
PaperItems sun2023_items();
PaperItems hu2025_items();
PaperItems own_items();

namespace {

constexpr std::array kPapers{
    Paper{"sun2025",
          "Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: Block Verification Accelerates "
          "Speculative Decoding (2025)",
          sun2025_items, true},
    Paper{"sun2024",
          "Sun, Ro, Beirami, Suresh: Optimal Block-Level Draft Verification for Accelerating "
          "Speculative Decoding (2024)",
          sun2024_items, true},
    Paper{"yin2024",
          "Yin, Chen, Huang, Wang: A Theoretical Perspective for Speculative Decoding Algorithm "
          "(2024)",
          yin2024_items, true},
    Paper{"lin2026",
          "Lin, Sheng, Cai, Zhou: SpecTr-GBV: Multi-Draft Block Verification Accelerating "
          "Speculative Decoding (2026)",
          lin2026_items, true},
    Paper{"zhong2025",
          "Zhong, Teku, Tandon: Speeding up Speculative Decoding via Sequential Approximate "
          "Verification (2025)",
          zhong2025_items, true},
    Paper{"leviathan",
          "Leviathan, Kalman, Matias: Fast Inference from Transformers via Speculative Decoding "
          "(2023)",
          leviathan_items},
    Paper{"miao2023",
          "Miao et al.: SpecInfer: Accelerating Generative Large Language Model Serving with "
          "Tree-based Speculative Inference and Verification (2023)",
          miao2023_items},
    Paper{"sun2023", "Sun et al.: SpecTr: Fast Speculative Decoding via Optimal Transport (2023)",
          sun2023_items},
    Paper{"hu2025", "Hu et al.: Towards Optimal Multi-draft Speculative Decoding (2025)",
          hu2025_items},
    Paper{"khisti2025",
          "Khisti et al.: Multi-Draft Speculative Sampling: Canonical Decomposition and "
          "Theoretical Limits (2025)",
          khisti2025_items},
    Paper{"jeon2024",
          "Jeon et al.: Recursive Speculative Decoding: Accelerating LLM Inference via Sampling "
          "Without Replacement (2024)",
          jeon2024_items},
    Paper{"weng2025", "Weng et al.: Traversal Verification for Speculative Tree Decoding (2025)",
          weng2025_items},
    Paper{"li2024",
          "Li et al.: EAGLE-2: Faster Inference of Language Models with Dynamic Draft Trees (2024)",
          li2024_items},
    Paper{"thomas2026", "Thomas, Pal: path selection with block verification (2026)",
          thomas2026_items},
    Paper{"zhou2026", "Zhou et al.: hierarchical speculative decoding, HSD (2026)", zhou2026_items},
    Paper{"daliri2024",
          "Daliri, Musco, Suresh: Coupling without Communication and Drafter-Invariant Speculative "
          "Decoding (2024)",
          daliri2024_items},
    Paper{"narasimhan2025", "Narasimhan et al.: Faster Cascades via Speculative Decoding (2025)",
          narasimhan2025_items},
    Paper{
        "holsman2025",
        "Holsman et al.: Fuzzy Speculative Decoding for a Tunable Accuracy-Runtime Tradeoff (2025)",
        holsman2025_items},
    Paper{"cai2024",
          "Cai et al.: Medusa: Simple LLM Inference Acceleration Framework with Multiple Decoding "
          "Heads (2024)",
          cai2024_items},
    Paper{"li2025", "Li et al.: FLy: training-free loosely speculative decoding (2025)",
          li2025_items},
    Paper{"engines", "rules and stops of inference engines that no paper states", engines_items},
    Paper{"speclab", "this project: the lossless repair of SpecTr-GBV, and other rules of its own",
          own_items},
};

}  // namespace

std::span<const Paper> papers() { return kPapers; }

const Paper* find_paper(std::string_view key) {
  const auto paper = std::find_if(kPapers.begin(), kPapers.end(),
                                  [key](const Paper& row) { return row.key == key; });
  return paper == kPapers.end() ? nullptr : &*paper;
}

const Paper& paper_of(std::string_view id) {
  const Paper* paper = find_paper(id.substr(0, id.find('.')));
  return paper != nullptr ? *paper : kPapers.back();
}

}  // namespace speclab
