#include "model/registry.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "model/end_token.h"
#include "model/families/families.h"
#include "model/filtered_pair.h"
#include "system/memory.h"

namespace speclab {
namespace {

constexpr PairFamily kFamilies[] = {
    {"bernoulli",
     "draft=, target=", "two tokens; draft and target are the probabilities of token 1",
     "sun2024, section 3.1", "bernoulli(draft=2/3,target=1/3)", &make_bernoulli},
    {"uniform",
     "draft=, target=", "uniform on the first `draft` tokens against uniform on the first `target`",
     "yin2024, section 3.2", "uniform(draft=8,target=4)", &make_uniform},
    {"iid", "draft=[..], target=[..]", "the same two laws at every position, given entry by entry",
     "sun2025, section 2", "iid(draft=[1/6,5/6],target=[1/2,1/2])", &make_iid},
    {"zipf", "vocabulary=, draft=, target=, seed=1, noise=1",
     "long-tailed laws with these exponents; noise blurs the draft's ranking of the tokens",
     "this project", "zipf(vocabulary=1024,draft=1,target=1.1)", &make_zipf},
    {"logits", "vocabulary=, sharpness=, error=, seed=1",
     "random softmax laws, one a last token, some flat and some nearly certain; the draft's logits "
     "err by `error`",
     "this project", "logits(vocabulary=32,sharpness=4,error=1)", &make_logits},
    {"markov", "vocabulary=7, horizon=50, seed=10",
     "random nonstationary chains, uniform prompt, NumPy's legacy generator",
     "yin2024, Figures 2, 4 and 5", "markov(vocabulary=7,horizon=50,seed=10)", &make_markov},
    {"tree", "vocabulary=, depth=, seed=1, denominator=12",
     "random exact laws, one a prefix, zeros in both; for checking context-dependent statements",
     "this project", "tree(vocabulary=3,depth=4)", &make_tree},
    {"automaton", "draft=[[..],..], target=[[..],..], next=[[..],..], start=0, root=[..]",
     "a finite automaton, a row a state: its two laws and the states that follow its tokens; how "
     "counterexamples with context are printed; root has the state in which an iteration begins, "
     "where the draft begins anew with each",
     "this project",
     "automaton(draft=[[1,0],[1/2,1/2]],target=[[1/2,1/2],[0,1]],next=[[0,1],[1,0]],start=0)",
     &make_automaton},
    // Those whose draft begins anew with each iteration.
    {"blocks", "target=[[..],..], next=[[..],..], start=0, draft=[[..],..]",
     "a draft that depends on where its iteration began: the laws of L offsets, independent, for "
     "each of the target's states, the offsets of state 0 first",
     "this project", "blocks(draft=[[1/2,1/2],[1,0],[1/4,3/4],[0,1]],target=[[1/3,2/3],[3/4,1/4]])",
     &make_blocks},
    {"mtp", "target=[[..],..], next=[[..],..], start=0, heads=, sees=root|last",
     "heads trained to the end: each draws from the target's own law so many tokens ahead of the "
     "iteration's first context, given the token drafted last where it sees it",
     "Cai et al. 2024 (Medusa); DeepSeek-AI 2024 (MTP)",
     "mtp(target=[[1/3,2/3],[3/4,1/4]],heads=3,sees=root)", &make_mtp},
    {"diffusion", "target=[[..],..], next=[[..],..], start=0, length=, steps=1",
     "a block diffusion model trained to the end: the tokens of a step are independent, each from "
     "the target's own law so many tokens ahead of the step's first context",
     "Arriola et al. 2025 (block diffusion)",
     "diffusion(target=[[1/3,2/3],[3/4,1/4]],length=4,steps=2)", &make_diffusion},
    {"latent",
     "target=[[..],..], next=[[..],..], start=0, prior=[..], draft=[[..],..], "
     "reading=conditioned|marginal",
     "a draft that draws z from the prior and then independent tokens, the offsets given z = 0 "
     "first; the verifier reads the laws given z, or those with z summed out",
     "this project",
     "latent(target=[[2/3,1/3],[1/2,1/2],[0,1]],next=[[1,2],[1,2],[1,2]],prior=[1/2,1/2],"
     "draft=[[0,1],[1,0],[2/3,1/3],[0,1]],reading=marginal)",
     &make_latent},
    {"lookup", "target=[[..],..], next=[[..],..], start=0, match=, length=, window=",
     "prompt lookup: the draft repeats what followed the last `match` tokens where they last "
     "stood among the last `window`; where nowhere, the last token",
     "Saxena 2023 (prompt lookup decoding)",
     "lookup(target=[[1/5,4/5],[4/5,1/5]],match=1,length=3,window=4)", &make_lookup},
    {"retokenised",
     "tokens=a-b-ab, target=[[..],..], next=[[..],..], start=0, draft-tokens=a-b, "
     "draft=[[..],..], length=, tokeniser=longest|merges, "
     "reading=conditioned|joined|marginal|shared",
     "two vocabularies: the drafter writes so many tokens of its own, a row each last character, "
     "and the target's tokeniser makes target tokens of the string; the verifier reads these, or "
     "their laws with the strings summed out; or the drafter draws tokens that both have",
     "Timor et al. 2025 (heterogeneous vocabularies)",
     "retokenised(tokens=a-b-ab,target=[[1/4,1/4,1/2]],next=[[0,0,0]],draft-tokens=a-b,"
     "draft=[[1/2,1/2]],length=3)",
     &make_retokenised},
    // Those of a text and of a file.
    {"ngram",
     "text=PATH, draft=1, target=3, temperature=1, tokens=word|byte, vocabulary=512, "
     "smoothing=backoff|additive, discount=3/4 or alpha=1/10, prompt=text|start",
     "n-gram models of these orders of any UTF-8 text; temperature 0 is greedy; the prompt is "
     "drawn from the text, or empty",
     "Ney, Essen and Kneser 1994 (interpolated absolute discounting)", "", nullptr,
     /*tempered=*/true, &make_ngram},
    {"file", "PATH", "laws from a JSON file: iid, chain, nonstationary, tree, automaton or blocks",
     "this project", "", nullptr, /*tempered=*/false, &make_file},
};

std::vector<PairFamily>& families() {
  static std::vector<PairFamily> all(std::begin(kFamilies), std::end(kFamilies));
  return all;
}

/// bernoulli(2/3,1/3): refuses values without names in families that have an example.
void refuse_unnamed(const PairFamily& family, const Spec& spec) {
  if (family.example.empty()) return;
  for (const SpecArgument& argument : spec.arguments) {
    if (!argument.key.empty()) continue;
    throw InputError("'" + abbreviate(spec.text) + "': every value needs its name; write " +
                     std::string(family.name) + "(" + std::string(family.parameters) +
                     "), such as " + std::string(family.example));
  }
}

PairPointer filtered(const PairFamily& family, PairPointer pair, const PairFilters& filters,
                     const SpecReader& reader) {
  if (filters.draft.idle() && filters.target.idle()) return pair;
  for (const SamplingFilter* filter : {&filters.draft, &filters.target}) {
    if (filter->vocabulary.empty() || filter->vocabulary.back() < pair->vocabulary()) continue;
    reader.refuse(fmt::format("its vocabulary has the token {}; the pair's are 0 to {}",
                              filter->vocabulary.back(), pair->vocabulary() - 1));
  }
  if (family.filter != nullptr) return family.filter(pair, filters, reader);
  return std::make_shared<FilteredPair>(std::move(pair), filters);
}

}  // namespace

std::span<const PairFamily> pair_families() { return families(); }

void add_pair_family(const PairFamily& family) { families().push_back(family); }

PairPointer make_pair(std::string_view text, std::optional<double> max_memory) {
  const Spec spec = parse_spec(text);
  std::vector<std::string> names;
  for (const PairFamily& family : families()) {
    names.emplace_back(family.name);
    if (family.name != spec.name) continue;
    refuse_unnamed(family, spec);
    SpecReader reader(spec);
    PairPointer pair = family.make_within != nullptr
                           ? family.make_within(reader, max_memory ? *max_memory : most_memory())
                           : family.make(reader);
    const PairFilters filters = read_filters(reader, family.tempered);
    pair = filtered(family, std::move(pair), filters, reader);
    const auto end = reader.optional_integer("eos", 0, pair->vocabulary() - 1);
    if (end && !family.no_end.empty()) reader.refuse(std::string(family.no_end));
    reader.finish();
    if (end) pair = std::make_shared<EndTokenPair>(std::move(pair), static_cast<Token>(*end));
    // The maker returned the only owner of a pair that is not read yet.
    std::const_pointer_cast<Pair>(pair)->set_name(reader.canonical());
    return pair;
  }
  for (const auto& [ending, family] : {std::pair(".json", "file"),
                                       {".h5", "recorded"},
                                       {".hdf5", "recorded"},
                                       {".jsonl", "recorded"}}) {
    if (!spec.arguments.empty() || !spec.name.ends_with(ending)) continue;
    throw InputError(fmt::format("'{}' is no spec text; a file is named {}({})",
                                 abbreviate(spec.text), family, abbreviate(spec.text)));
  }
  throw InputError("there is no pair family '" + abbreviate(spec.name) + "'; the families are " +
                   join(names) + suggestion(spec.name, names));
}

}  // namespace speclab
