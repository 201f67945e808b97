#include "verifiers/faults/fault.h"

#include <algorithm>
#include <memory>
#include <typeinfo>
#include <utility>

#include "base/text.h"
#include "draft/source.h"
#include "verifiers/faults/programs.h"

namespace speclab {
namespace {

using Names = std::span<const std::string_view>;

// The verifiers that faults are for besides their first. Of these the coins are accepted or not,
// the drafts are drawn from the draft's law, and the ending is known from what was accepted.
constexpr std::string_view kOneChain[] = {"block", "greedy-block"};
constexpr std::string_view kTestsByCoins[] = {"block", "greedy-block", "batch",
                                              "rrs",   "kseq",         "gumbel-list"};
constexpr std::string_view kDraws[] = {"block", "greedy-block", "batch",      "rrs",
                                       "kseq",  "slot-block",   "path-block", "gumbel-list"};
constexpr std::string_view kTestsLastToken[] = {"batch", "rrs-without"};
constexpr std::string_view kCarries[] = {"recursive-greedy"};

constexpr FaultRow plain(std::string_view name, std::string_view prose, std::string_view first,
                         Change change, Names others = {}, bool exact = true) {
  return {{.name = name,
           .parameters = "",
           .prose = prose,
           .source = "",
           .kind = VerifierKind::wrong,
           .example = name,
           .fault_of = first,
           .exact = exact},
          change,
          others};
}

constexpr FaultRow with(std::string_view name, std::string_view parameters, std::string_view prose,
                        std::string_view example, std::string_view first, Change change,
                        Names others = {}, std::string_view drafts = "",
                        std::string_view form = "") {
  return {{.name = name,
           .parameters = parameters,
           .prose = prose,
           .source = "",
           .kind = VerifierKind::wrong,
           .example = example,
           .drafts = drafts,
           .fault_of = first},
          change,
          others,
          form};
}

constexpr FaultRow kFaults[] = {
    plain("wrong-always-accept", "every draft token is accepted untested", "token",
          Change::always_accept, kTestsByCoins),
    plain("wrong-greedy-draft",
          "the draft is the likeliest token (the first of equals), yet tested with t/d", "token",
          Change::greedy_draft, kDraws),
    plain("wrong-shared-uniform", "one uniform picks the draft token and its correction", "token",
          Change::shared_uniform),
    plain("wrong-reseeded-coins",
          "the coins' generator is reseeded: all coins of an iteration are one number", "token",
          Change::reseeded_coins, kTestsByCoins),
    plain("wrong-closed-coin",
          "tests coin <= t/d: a coin of 0 accepts a token of target probability 0", "token",
          Change::closed_coin, kTestsByCoins),
    plain("wrong-token-zero", "token 0 is taken for padding and accepted untested", "token",
          Change::token_zero, kTestsLastToken),
    plain("wrong-one-hot-residual",
          "tests with the dense t/d but corrects from t without the rejected token", "token",
          Change::one_hot_residual, kTestsLastToken),
    plain("wrong-no-draft-law", "the draft's law is left out of the test: accepts with t", "token",
          Change::no_draft_law, kTestsLastToken),
    plain("wrong-no-bonus", "the bonus token is dropped", "token", Change::no_bonus, kDraws),
    plain("wrong-draft-bonus", "the bonus token is drawn from the draft's law", "token",
          Change::draft_bonus, kDraws),
    plain("wrong-late-residual",
          "the residual is taken from the position after the rejected token, as if it stood",
          "token", Change::late_residual, kTestsLastToken),
    plain("wrong-correction-accepted", "the correction is counted as an accepted token", "token",
          Change::correction_accepted, kOneChain),
    with("wrong-drawn-draft", "by=rounded|filtered",
         "the draft is drawn from d in 8 bits, or after a top-2 filter, and tested with d",
         "wrong-drawn-draft(by=rounded)", "token", Change::drawn_draft, kDraws, "", "by=filtered"),
    with("wrong-filtered-law", "model=draft|target",
         "a top-2 filter is applied to the law of one model only, where tokens are verified",
         "wrong-filtered-law(model=target)", "token", Change::filtered_law),
    plain("wrong-late-rejection",
          "a rejection is handled one position late: the rejected token is emitted and the "
          "correction follows it",
          "token", Change::late_rejection),
    with("wrong-late-stop",
         "theta=", "the draft is cut where d(x) < theta after it has been verified",
         "wrong-late-stop(theta=1/2)", "token", Change::late_stop),
    plain("wrong-frozen-target",
          "penalties are frozen within a block: the target's law is that of its first context",
          "token", Change::frozen_target),
    plain("wrong-coin-product", "each sub-block is tested against the product of the coins so far",
          "block", Change::coin_product, {}, false),
    plain("wrong-weight-coins", "every coin is w_i (h_i = w_i at every i, not at gamma only)",
          "block", Change::weight_coins),
    with("wrong-block-residual", "weight=none|first",
         "the correction is drawn from [t - d]+, or [w_1 t - d]+, at every tau",
         "wrong-block-residual(weight=none)", "block", Change::block_residual),
    plain("wrong-first-failure", "the coins are tossed from i = 1 up, to the first that fails",
          "block", Change::first_failure),
    plain("wrong-no-carry", "the next tokens' target is left unmodified", "greedy-block",
          Change::no_carry, kCarries),
    plain("wrong-flat-carry",
          "each carry starts from the original target: modifications do not nest", "greedy-block",
          Change::flat_carry),
    with("wrong-without-replacement",
         "K=", "the K first tokens are drawn without replacement but tested as if with it",
         "wrong-without-replacement(K=2)", "batch(M=2)", Change::without_replacement, {}, "K"),
    with("wrong-dense-tree", "K= or tree=",
         "children are the likeliest tokens but tested as if drawn without replacement",
         "wrong-dense-tree(K=2)", "rrs-without(K=2)", Change::greedy_draft, {}, "K"),
    with("wrong-sibling-draft",
         "K=", "below an accepted draft the draft's law is read on the branch of the one before it",
         "wrong-sibling-draft(K=2)", "batch(M=2)", Change::sibling_draft, {}, "K"),
    plain("wrong-swapped-rows",
          "two drafts; below the roots the target's rows of the two are swapped", "batch(M=2)",
          Change::swapped_rows),
    {WrongOwnOrder::kInfo, Change::own_program, {}},
    // These three keep the law and lose speed: only what is known of E[tau] shows them.
    with("wrong-one-draft-fewer", "K=", "the last of the K drafts is never tried: lossless, slower",
         "wrong-one-draft-fewer(K=2)", "rrs(K=2)", Change::one_draft_fewer, {}, "K"),
    {WrongLargestRho::kInfo, Change::own_program, {}},
    with("wrong-early-slots",
         "K=", "the slot is drawn before the last of the K drafts is seen: lossless, slower",
         "wrong-early-slots(K=2)", "slot-block(K=2)", Change::one_draft_fewer, {}, "K"),
    // This one is biased.
    {WrongPathOrder::kInfo, Change::own_program, {}},
};

constexpr std::string_view kRule = "rule";

/// The spec text of a verifier of that many drafts.
std::string with_drafts(std::string_view name, std::string_view parameter, int drafts) {
  return std::string(name) + "(" + std::string(parameter) + "=" + std::to_string(drafts) + ")";
}

/// The verifier that a fault is planted in where the spec text does not name it.
Verifier first_rule(SpecReader& reader, const FaultRow& fault) {
  const VerifierInfo& info = fault.info;
  if (info.drafts.empty()) return make_verifier(info.fault_of);
  const Spec right = parse_spec(info.fault_of);
  if (fault.change == Change::greedy_draft) {
    const DraftSource source = read_tree(reader, Draw::top);
    if (!source.profile.empty()) {
      return make_verifier(right.name + "(tree=" + profile_text(source.profile) + ")");
    }
    return make_verifier(with_drafts(right.name, "K", source.paths));
  }
  const int least = fault.change == Change::one_draft_fewer ? 2 : 1;
  return make_verifier(with_drafts(right.name, right.arguments.front().key,
                                   read_drafts(reader, info.drafts, least)));
}

/// The verifier that the spec text names.
/// @throws InputError where the fault is not for it
Verifier other_rule(SpecReader& reader, const FaultRow& fault) {
  const std::string text = reader.path(kRule);
  Verifier rule = make_verifier(text);
  if (rule.name != text) reader.refuse("rule: write " + rule.name + " for " + text);
  if (std::find(fault.others.begin(), fault.others.end(), rule.info->name) == fault.others.end()) {
    std::vector<std::string> names(fault.others.begin(), fault.others.end());
    reader.refuse("rule: " + text + " cannot have this fault; " +
                  (names.empty() ? "leave rule= out" : "give one of " + join(names)));
  }
  return rule;
}

ProgramPointer read_faulty(const VerifierRow& row, SpecReader& reader) {
  Faulty made;
  made.fault =
      &*std::find_if(std::begin(kFaults), std::end(kFaults),
                     [&row](const FaultRow& fault) { return fault.info.name == row.name; });
  switch (made.fault->change) {
    case Change::drawn_draft:
      made.second = reader.word("by", {"rounded", "filtered"}, "rounded") == "filtered";
      break;
    case Change::filtered_law:
      made.second = reader.word("model", {"draft", "target"}, "target") == "draft";
      break;
    case Change::block_residual:
      made.second = reader.word("weight", {"none", "first"}, "none") == "first";
      break;
    case Change::late_stop:
      made.theta = reader.number_between("theta", Rational(0), Rational(1));
      break;
    default:
      break;
  }
  made.right =
      reader.has(kRule) ? other_rule(reader, *made.fault) : first_rule(reader, *made.fault);
  made.run = made.right;
  if (made.fault->change == Change::one_draft_fewer) {
    const VerifierInfo& right = *made.right.info;
    made.run = make_verifier(with_drafts(right.name, right.drafts, made.right.drafts - 1));
  }
  return std::make_shared<const Faulty>(std::move(made));
}

const Faulty& faulty_of(const void* program) { return *static_cast<const Faulty*>(program); }

}  // namespace

std::span<const FaultRow> faults() { return kFaults; }

VerifierRow faulty_row(const FaultRow& fault) {
  VerifierRow row{fault.info};
  row.type = &typeid(Faulty);
  row.read = &read_faulty;
  row.draft_count = [](const void* program) { return faulty_of(program).right.drafts; };
  row.tree = [](const void* program) { return faulty_of(program).right.tree; };
  row.grown = [](const void* program) { return faulty_of(program).right.grown; };
  row.drafts_iid = [](const void* program) { return faulty_of(program).right.drafts_iid; };
  row.inputs = [](const void* program) { return faulty_of(program).right.inputs; };
  row.prepared = [](const ProgramPointer& program, const PairPointer& pair) -> ProgramPointer {
    Faulty made = faulty_of(program.get());
    made.run = prepare(made.run, pair);
    return std::make_shared<const Faulty>(std::move(made));
  };
  return row;
}

std::vector<std::string> faults_in(const Verifier& rule) {
  std::vector<std::string> texts;
  for (const FaultRow& fault : kFaults) {
    if (std::find(fault.others.begin(), fault.others.end(), rule.info->name) ==
        fault.others.end()) {
      continue;
    }
    const std::string form(fault.form);
    const bool plain = rule.name.find('(') == std::string::npos;
    texts.push_back(std::string(fault.info.name) + "(" + form + (form.empty() ? "" : ",") +
                    "rule=" + (plain ? rule.name : '"' + rule.name + '"') + ")");
  }
  return texts;
}

}  // namespace speclab
