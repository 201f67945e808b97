#include "verifiers/faults/control_rows.h"

namespace speclab {
namespace {

constexpr std::string_view kDisjoint = "iid(draft=[1,0],target=[0,1])";
constexpr std::string_view kSureDraft = "iid(draft=[1,0],target=[1/2,1/2])";
constexpr std::string_view kSureTarget = "iid(draft=[1/2,1/2],target=[1,0])";
constexpr std::string_view kOneToken = "iid(draft=[1],target=[1])";
constexpr std::string_view kEqual = "iid(draft=[1/2,1/2],target=[1/2,1/2])";
constexpr std::string_view kShifted = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";
constexpr std::string_view kUneven = "iid(draft=[0,1/4,3/4],target=[1/4,1/2,1/4])";
constexpr std::string_view kTree = "tree(vocabulary=3,depth=2,seed=8,denominator=12,eos=0)";
constexpr std::string_view kEnding = "bernoulli(draft=2/3,target=1/3,eos=1)";
/// 7/1280 is 1.4/256: to the nearest 1/256 it loses more than a quarter of itself.
constexpr std::string_view kCoarse = "iid(draft=[7/1280,1273/1280],target=[7/1280,1273/1280])";

constexpr double kSure = 0.999999;  // what samples are chosen for: see claims/engine/simulated.cc

constexpr ControlRow kControls[] = {
    {"wrong-always-accept", "", {kDisjoint, 1}, kJointLaw, "1", kSure},
    {"wrong-greedy-draft", "", {kEqual, 1}, kJointLaw, "3/4", kSure},
    {"wrong-shared-uniform", "", {kShifted, 1}, kJointLaw, "2/9", kSure},
    {"wrong-reseeded-coins", "", {kSureDraft, 2}, kJointLaw, "7/16", kSure},
    {"wrong-closed-coin", "", {kDisjoint, 1}, kSupport, "", 0},
    {"wrong-token-zero", "", {kDisjoint, 1}, kJointLaw, "1", kSure},
    {"wrong-one-hot-residual", "", {kShifted, 1}, kJointLaw, "35/243", kSure},
    {"wrong-no-draft-law", "", {kEqual, 1}, kJointLaw, "3/4", kSure},
    {"wrong-no-bonus", "", {kOneToken, 1}, kOneMore, "", 0},
    {"wrong-draft-bonus", "", {kSureDraft, 1}, kJointLaw, "3/8", kSure},
    {"wrong-late-residual", "", {kEnding, 1}, kJointLaw, "1/3", kSure},
    {"wrong-correction-accepted", "", {kDisjoint, 1}, kBelowOptimum, "", 0},
    {"wrong-drawn-draft(by=rounded)",
     "the draft is drawn from d rounded to 8 bits and tested with d",
     {kCoarse, 1},
     kJointLaw,
     "637/204800",
     kSure},
    {"wrong-drawn-draft(by=filtered)",
     "the draft is drawn after a top-2 filter and tested with the law before it",
     {kThreeTokens, 1},
     kJointLaw,
     "151/450",
     kSure},
    {"wrong-filtered-law(model=target)",
     "a top-2 filter is applied to the target's law alone",
     {kThreeTokens, 1},
     kJointLaw,
     "61/125",
     kSure},
    {"wrong-filtered-law(model=draft)",
     "a top-2 filter is applied to the draft's law alone, where its drafts are tested",
     {kThreeTokens, 1},
     kJointLaw,
     "257/1280",
     kSure},
    {"wrong-late-rejection", "", {kToy, 2}, kJointLaw, "4/9", kSure},
    {"wrong-late-stop(theta=1/2)", "", {kToy, 1}, kJointLaw, "11/81", kSure},
    {"wrong-frozen-target", "", {kTree, 1}, kJointLaw, "227/1728", kSure},
    {"stopping(verify=token,stop=own-drop,theta=1/2)",
     "the draft ends before a token whose own probability is below theta",
     {kToy, 1},
     kJointLaw,
     "11/81",
     kSure},
    {"stopping(verify=block,stop=own-drop,theta=1/2)",
     "the same around block verification, which leaves the first token right",
     {kToy, 2},
     kJointLaw,
     "436/2187",
     kSure},
    {"top-within(n=1,delta=0,correction=argmax,bonus=argmax)",
     "argmax verification of a target that is sampled (temperature above 0)",
     {kToy, 1},
     kJointLaw,
     "19/27",
     kSure},
    {"wrong-coin-product", "", {kSureDraft, 2}, kJointLaw, "", kSure},
    {"wrong-weight-coins", "", {kSureDraft, 2}, kJointLaw, "9/64", kSure},
    {"wrong-block-residual(weight=none)",
     "block's correction ignores w: [t - d]+ at every tau",
     {kUneven, 2},
     kJointLaw,
     "15/256",
     kSure},
    {"wrong-block-residual(weight=first)",
     "block's correction knows the first factor of w alone: [w_1 t - d]+ at every tau >= 1",
     {kUneven, 3},
     kJointLaw,
     "81/2048",
     kSure},
    {"wrong-first-failure", "", {kOneToken, 2}, kJointLaw, "1", kSure},
    {"hsd-released",
     "block's last coin is min(1, T/D), the ratio not capped on its way",
     {kToy, 2},
     kJointLaw,
     "1/9",
     kSure},
    {"wrong-no-carry", "", {kToy, 2}, kJointLaw, "1/9", kSure},
    {"wrong-flat-carry", "", {kToy, 2}, kJointLaw, "4/81", kSure},
    {"wrong-without-replacement(K=2)", "", {kShifted, 1}, kJointLaw, "5/9", kSure},
    {"wrong-dense-tree(K=2)", "", {kToy, 1}, kJointLaw, "7/36", kSure},
    {"wrong-sibling-draft(K=2)", "", {kEnding, 2}, kJointLaw, "1/81", kSure},
    {"wrong-swapped-rows", "", {kEnding, 1}, kJointLaw, "2/9", kSure},
    {"wrong-own-order(nodes=2)",
     "",
     {"iid(draft=[1/2,1/3,1/6],target=[5/6,1/6,0])", 2},
     kJointLaw,
     "149/1944",
     kSure},
    {"wrong-one-draft-fewer(K=2)", "", {kSureTarget, 1}, kKnownMean, "", 0},
    {"wrong-largest-rho(K=2)", "", {kOneToken, 1}, kKnownMean, "", 0},
    {"wrong-early-slots(K=2)", "", {kSureTarget, 1}, kKnownMean, "", 0},
    {"wrong-path-order(K=2,order=ties)",
     "of paths preferred alike the higher is selected, the law is that of the lower",
     {kEqual, 1},
     kJointLaw,
     "181/432",
     kSure},
    {"wrong-path-order(K=2,order=clipped)",
     "paths are selected by min(1, t/d), the law is that of t/d",
     {"iid(draft=[1/2,1/4,1/4],target=[1/5,3/10,1/2])", 1},
     kJointLaw,
     "7359/50000",
     kSure},
};

}  // namespace

std::span<const ControlRow> control_rows() { return kControls; }

}  // namespace speclab
