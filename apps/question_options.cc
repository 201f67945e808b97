#include "question_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/answer.h"
#include "answer/costs.h"
#include "answer/documents/answers.h"
#include "answer/optima.h"
#include "base/text.h"
#include "claims/rule/rule_check.h"
#include "option_values.h"
#include "print_note.h"
#include "report/output.h"
#include "report/report.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

std::vector<Verifier> read_verifiers(const Arguments& arguments) {
  std::vector<Verifier> verifiers;
  for (const std::string& text : read_each(arguments, "verifier")) {
    if (text != "all") {
      verifiers.push_back(make_verifier(text));
      continue;
    }
    for (const VerifierInfo& row : verifier_rows()) {
      if (row.kind != VerifierKind::wrong) verifiers.push_back(make_verifier(row.example));
    }
  }
  return verifiers;
}

/// Asks the combinations one by one and remembers why it stopped.
class Round {
 public:
  Round(const QuestionOptions& options, Bench& bench,
        const std::function<Answer(const Question&)>& ask)
      : options_(options), optima_(bench), ask_(ask), all_(options.combinations()) {}

  /// Whether to go on: a limit ends one combination, not those after it.
  [[nodiscard]] bool goes_on() const { return !stopped_ || stopped_->code() == ExitCode::limit; }

  void one(const Question& question) {
    const std::string place =
        all_ == 1 ? ""
                  : fmt::format("{}, {}, gamma {}: ", abbreviate(question.pair->name()),
                                question.verifier.name, gamma_text(question.lengths.gamma));
    try {
      answers_.push_back(ask_(question));
      const bool whole = !interrupted();
      if (whole) optima_.add_share(answers_.back());
      if (options_.costs) add_costs(answers_.back(), *options_.costs);
      const auto& run = answers_.back().run;
      if (run && run->interrupted) {
        stopped_.emplace(ExitCode::interrupted,
                         fmt::format("{}interrupted after {} trials", place, run->trials));
      } else if (interrupted() && !(whole && answers_.size() == all_)) {
        stopped_.emplace(
            ExitCode::interrupted,
            fmt::format("interrupted after {} of {} combinations", answers_.size(), all_));
      }
    } catch (const Error& error) {
      if (error.code() != ExitCode::limit && error.code() != ExitCode::interrupted) {
        throw Error(error.code(), place + error.what());
      }
      refused_ += error.code() == ExitCode::limit ? 1 : 0;
      if (refused_ <= 1 || error.code() == ExitCode::interrupted) {
        stopped_.emplace(error.code(), place + error.what());
      }
    }
  }

  ExitCode finish() const {
    const Output output(options_.output);
    if (!answers_.empty()) {
      Document document =
          options_.rates ? rates_document(answers_) : answers_document(answers_, options_.look);
      if (stopped_) document.partial = stopped_->what();
      write(output, document);
    }
    if (stopped_ && refused_ > 1 && stopped_->code() == ExitCode::limit) {
      throw LimitError(fmt::format("{}; so are {} more of {} combinations", stopped_->what(),
                                   refused_ - 1, all_));
    }
    if (stopped_) throw Error(*stopped_);
    return ExitCode::done;
  }

 private:
  /// What ended the run is not hidden by what its unfinished answers lack.
  void write(const Output& output, const Document& document) const {
    try {
      output.write(render(document, options_.format));
    } catch (const InputError&) {
      if (!stopped_) throw;
    }
  }

  const QuestionOptions& options_;
  Optima optima_;
  const std::function<Answer(const Question&)>& ask_;
  std::size_t all_;
  std::vector<Answer> answers_;
  std::optional<Error> stopped_;
  std::size_t refused_ = 0;  ///< by a limit
};

}  // namespace

std::vector<Option> question_options(std::vector<Option> own) {
  std::vector<Option> options{
      {"pair", "SPEC", "draft and target models (speclab list pairs)", true},
      {"verifier", "SPEC",
       "the verifier (speclab list verifiers); all: the example of each but the "
       "wrong ones",
       true},
      {"gamma", "G",
       "draft length: a number, a range such as 1:12 or 1:8:2, or inf (up to the horizon)", true},
      {"horizon", "T", "whole decodes of T tokens as well"},
      {"iterations", "N", "expected tokens after 1, 2, .., N iterations as well"},
      {"law", "",
       "the law of the T tokens as well (with --horizon), and that of the tokens after each "
       "iteration (with --iterations)"},
      {"variance", "", "the variance of the accepted tokens of an iteration as well"}};
  options.insert(options.end(), own.begin(), own.end());
  options.insert(
      options.end(),
      {{"latency", "TIMES",
        "draft=A,verifier=B,target=C,rule=D: modelled time and work from what one call takes "
        "(seconds, FLOPs, any one unit), and with --horizon (or --long-run of exact) the speedup; "
        "target may "
        "be 20+0.1n or @FILE by its positions n, draft so by the drafts side by side (a plain A is "
        "one draft's), rule is the rule's own time a drafted token"},
       kThreadsOption,
       kMaxMemoryOption,
       {"format", "F",
        "table (default), json, csv, markdown (one row a combination) or rates (what engines "
        "take for benchmarks without a draft model)"},
       {"columns", "NAMES",
        "of the table and of markdown: these quantities of a line each, and nothing else, such as "
        "expected_accepted,acceptance_length (speclab list quantities)"},
       {"sort", "NAME",
        "of the table and of markdown: the lines alone, from the largest of this quantity on, or "
        "by verifier or gamma"},
       {"fractions", "", "of the table and of markdown: write out every fraction, however long"},
       output_option()});
  return options;
}

namespace {

TableLook read_look(const Arguments& arguments, Format format) {
  if (format != Format::table && format != Format::markdown) {
    refuse_any(arguments, {"columns", "sort", "fractions"},
               "--{} is of the table and of markdown; csv and json have every number");
  }
  TableLook look{.fractions = arguments.has("fractions"),
                 .sort = arguments.text("sort").value_or("")};
  if (const auto names = arguments.text("columns")) {
    for (const std::string& name : at_commas(*names)) {
      look.columns.push_back(single_quantity(name));
    }
  }
  if (!look.sort.empty() && look.sort != "verifier" && look.sort != "gamma") {
    single_quantity(look.sort);
  }
  return look;
}

}  // namespace

QuestionOptions read_question_options(const Arguments& arguments, Bench& bench,
                                      bool needs_verifier) {
  require(arguments, "pair", "'bernoulli(draft=2/3,target=1/3)'");
  if (needs_verifier) require(arguments, "verifier", "block");
  require(arguments, "gamma", "4");
  QuestionOptions options;
  Lengths lengths;
  if (arguments.has("horizon")) {
    lengths.horizon = static_cast<int>(read_count(arguments, "horizon", 1, kLargestLength, 1));
  }
  lengths.iterations = static_cast<int>(read_count(arguments, "iterations", 1, kLargestLength, 0));
  for (const int gamma : read_gammas(arguments)) {
    lengths.gamma = gamma;
    options.lengths.push_back(lengths);
  }
  options.law = arguments.has("law");
  if (options.law && !lengths.horizon && lengths.iterations == 0) {
    throw UsageError("--law needs --horizon or --iterations");
  }
  options.variance = arguments.has("variance");
  options.long_run = arguments.has("long-run");
  options.costs = read_latency(arguments);
  const std::size_t format =
      read_choice(arguments, "format", {"table", "json", "csv", "markdown", "rates"}, 0);
  options.rates = format == 4;
  options.format = options.rates ? Format::json : static_cast<Format>(format);
  options.look = read_look(arguments, options.format);
  options.output = arguments.text("output");
  const Output check(options.output);
  options.verifiers = read_verifiers(arguments);
  for (const std::string& text : read_each(arguments, "pair"))
    options.pairs.push_back(bench.pair(text));
  if (options.combinations() > kMostCombinations) {
    throw UsageError(
        fmt::format("there are more than {} combinations; ask for fewer", kMostCombinations));
  }
  return options;
}

void leave_out(const Arguments& arguments, QuestionOptions& options, const std::string& why,
               const std::function<bool(const Verifier&)>& fits) {
  if (arguments.all("verifier") != std::vector<std::string>{"all"}) return;
  std::string left_out;
  std::erase_if(options.verifiers, [&](const Verifier& verifier) {
    if (fits(verifier)) return false;
    left_out += (left_out.empty() ? "" : ", ") + verifier.name;
    return true;
  });
  if (!left_out.empty()) print_note(why + ": " + left_out);
}

ExitCode run_questions(const QuestionOptions& options, Arithmetic arithmetic, Bench& bench,
                       const std::function<Answer(const Question&)>& ask, ProgressBar& bar) {
  Round round(options, bench, ask);
  if (options.rates) {
    options.each_question(arithmetic, [](const Question& question) { check_rates(question); });
  }
  options.each_question(arithmetic, [&](const Question& question) {
    if (round.goes_on()) round.one(question);
  });
  bar.hide();
  const ExitCode code = round.finish();
  for (const Verifier& verifier : options.verifiers) {
    if (const auto broken = broken_declaration(verifier)) {
      print_note(
          fmt::format("{} declares itself lossless and is not: {}; `speclab check` prints the "
                      "counterexample",
                      verifier.name, *broken));
    }
  }
  return code;
}

}  // namespace speclab
