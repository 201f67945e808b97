#include <fmt/format.h>

#include <functional>

#include "answer/bench.h"
#include "answer/documents/optimum.h"
#include "answer/optima.h"
#include "answer/shapes.h"
#include "command.h"
#include "model/lengths.h"
#include "option_values.h"
#include "progress.h"
#include "report/output.h"
#include "report/partial.h"

namespace speclab {
namespace {

constexpr int kMostOptimumDrafts = 1000;
constexpr int kMostOptimumIterations = 1000;

std::vector<VerifierClass> read_classes(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const VerifierClass one : kVerifierClasses) names.emplace_back(class_name(one));
  std::vector<VerifierClass> classes;
  for (const std::string& text : read_each(arguments, "class")) {
    classes.push_back(kVerifierClasses[choice_of("class", text, names)]);
  }
  if (classes.empty()) classes.push_back(VerifierClass::coupling);
  return classes;
}

/// Refuses classes but the one that an option speaks of.
void refuse_other_classes(const Arguments& arguments, std::string_view option, VerifierClass only) {
  for (const std::string& text : read_each(arguments, "class")) {
    if (text == class_name(only)) continue;
    throw UsageError(
        fmt::format("--{} speaks of the class {}; leave out --class", option, class_name(only)));
  }
}

std::vector<int> read_draft_counts(const Arguments& arguments) {
  std::vector<int> counts = read_numbers(arguments, "drafts", kMostOptimumDrafts);
  if (counts.empty()) counts.push_back(1);
  return counts;
}

std::vector<PairPointer> read_pairs(const Arguments& arguments, Bench& bench) {
  std::vector<PairPointer> pairs;
  for (const std::string& text : read_each(arguments, "pair")) pairs.push_back(bench.pair(text));
  return pairs;
}

/// The front of rejections and bias, a row a vertex.
ExitCode run_front(const Arguments& arguments, const std::vector<int>& gammas) {
  refuse_other_classes(arguments, "front", VerifierClass::algorithm2);
  refuse_any(arguments, {"drafts", "certificate", "coupling", "arithmetic"},
             "--front is of one draft, in fractions; leave out --{}");
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  Bench bench;
  const std::vector<PairPointer> pairs = read_pairs(arguments, bench);
  std::vector<Cells> rows;
  const auto ask_all = [&] {
    ProgressBar bar(0, "fronts", Forecast::unknown);
    for (const PairPointer& pair : pairs) {
      for (const int tokens : gammas) {
        check_lengths(*pair, {.gamma = tokens, .horizon = tokens, .iterations = 0});
        bar.show(0, fmt::format("front of {} tokens", tokens));
        for (const FrontPoint& point : bias_front(*bench.rationals(pair), tokens)) {
          rows.push_back(
              {pair->name(), tokens, to_text(point.rejections), to_text(point.distance)});
        }
      }
    }
  };
  write_whole_or_part(output, format, rows, ask_all, [](const std::vector<Cells>& found) {
    return listing("front", {"pair", "tokens", "rejections", "tv"}, found, std::identity());
  });
  return ExitCode::done;
}

/// The best trees of at most N nodes, a row a tree.
ExitCode run_shapes(const Arguments& arguments, const std::vector<int>& gammas) {
  refuse_any(arguments, {"class", "drafts", "certificate", "coupling", "arithmetic"},
             "--shapes is in fractions, of a rule; leave out --{}");
  const std::vector<int> budgets = read_numbers(arguments, "shapes", kMostOptimumDrafts);
  std::vector<std::string> rules = read_each(arguments, "verifier");
  for (const std::string& rule : rules) check_shape_rule(rule);
  if (rules.empty()) rules.assign(shape_rules().begin(), shape_rules().end());
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  Bench bench;
  const std::vector<PairPointer> pairs = read_pairs(arguments, bench);
  std::vector<Cells> rows;
  const auto ask = [&](const PairPointer& pair, const std::string& rule, int gamma, int nodes) {
    const BestShape best = best_shape(bench, pair, rule, gamma, nodes);
    for (const ShapeWorth& tree : best.trees) {
      rows.push_back({pair->name(), rule, gamma, nodes, best.shapes, tree.tree, tree.verifier,
                      to_double(tree.accepted), to_text(tree.accepted), to_double(tree.share)});
    }
  };
  const auto ask_all = [&] {
    ProgressBar bar(0, "shapes", Forecast::unknown);
    for (const PairPointer& pair : pairs) {
      for (const std::string& rule : rules) {
        for (const int gamma : gammas) {
          check_lengths(*pair, {.gamma = gamma, .horizon = {}, .iterations = 0});
          for (const int nodes : budgets) {
            bar.show(0, fmt::format("{}, at most {} nodes", rule, nodes));
            ask(pair, rule, gamma, nodes);
          }
        }
      }
    }
  };
  write_whole_or_part(output, format, rows, ask_all, [](const std::vector<Cells>& found) {
    return listing(
        "shapes",
        {"pair", "verifier", "gamma", "nodes", "shapes", "tree", "spec", "value", "exact", "share"},
        found, std::identity());
  });
  return ExitCode::done;
}

/// The most tokens of 1, 2, .. iterations, a row each.
ExitCode run_iterations(const Arguments& arguments, const std::vector<int>& gammas) {
  refuse_other_classes(arguments, "iterations", VerifierClass::plug_and_play);
  refuse_any(arguments, {"coupling", "arithmetic", "verifier"},
             "--iterations has prices in fractions alone; leave out --{}");
  const int iterations = read_numbers(arguments, "iterations", kMostOptimumIterations).front();
  const std::vector<int> drafts = read_draft_counts(arguments);
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  Bench bench;
  const std::vector<PairPointer> pairs = read_pairs(arguments, bench);
  std::vector<PairIterations> optima;
  const auto ask_all = [&] {
    ProgressBar bar(0, "iterations", Forecast::unknown);
    for (const PairPointer& pair : pairs) {
      for (const int gamma : gammas) {
        for (const int count : drafts) {
          bar.show(0, fmt::format("gamma {}, drafts {}", gamma_text(gamma), count));
          optima.push_back({pair, gamma, count,
                            find_iterations(*bench.rationals(pair), gamma, count, iterations)});
        }
      }
    }
  };
  write_whole_or_part(output, format, optima, ask_all,
                      [&](const std::vector<PairIterations>& found) {
                        return iterations_document(found, arguments.has("certificate"));
                      });
  return ExitCode::done;
}

ExitCode run_optimum(const Arguments& arguments) {
  require(arguments, "pair", "'bernoulli(draft=2/3,target=1/3)'");
  require(arguments, "gamma", "2");
  const std::vector<int> gammas = read_gammas(arguments, {.unbounded = false});
  std::vector<std::string_view> asked;
  for (const char* option : {"front", "shapes", "iterations"}) {
    if (arguments.has(option)) asked.emplace_back(option);
  }
  if (asked.size() > 1) {
    throw UsageError(fmt::format("--{} and --{} are two questions; keep one", asked[0], asked[1]));
  }
  if (arguments.has("iterations")) return run_iterations(arguments, gammas);
  if (arguments.has("front")) return run_front(arguments, gammas);
  if (arguments.has("shapes")) return run_shapes(arguments, gammas);
  if (arguments.has("verifier")) throw UsageError("--verifier is for --shapes N; add it");
  const std::vector<int> drafts = read_draft_counts(arguments);
  const std::vector<VerifierClass> classes = read_classes(arguments);
  const bool exact = read_choice(arguments, "arithmetic", {"rational", "double"}, 0) == 0;
  const bool certificate = arguments.has("certificate");
  const bool plan = arguments.has("coupling");
  if (!exact && (certificate || plan)) {
    throw UsageError(
        "--certificate and --coupling are in fractions; leave out --arithmetic double");
  }
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  Bench bench;
  const std::vector<PairPointer> pairs = read_pairs(arguments, bench);
  std::vector<PairOptimum> optima;
  const auto ask_all = [&] {
    const auto all =
        static_cast<double>(pairs.size() * classes.size() * gammas.size() * drafts.size());
    ProgressBar bar(all > 1 ? all : 0, "optima", Forecast::unknown);
    for (const PairPointer& pair : pairs) {
      for (const VerifierClass one : classes) {
        for (const int gamma : gammas) {
          for (const int count : drafts) {
            const OptimumRequest request{{one, gamma, count}, exact, plan};
            bar.show(
                static_cast<double>(optima.size()),
                fmt::format("{}, gamma {}, drafts {}", class_name(one), gamma_text(gamma), count));
            optima.push_back(
                {pair, find_optimum(*bench.rationals(pair), request), certificate, plan});
          }
        }
      }
    }
  };
  write_whole_or_part(output, format, optima, ask_all, optima_document);
  return ExitCode::done;
}

}  // namespace

Command optimum_command() {
  return {
      "optimum",
      "the most that any verifier of a class accepts of one iteration's drafts, with its "
      "certificate",
      "--pair SPEC --gamma G [--drafts K] [--class C] [options]",
      "",
      {{"pair", "SPEC", "draft and target models (speclab list pairs)", true},
       {"gamma", "G", "draft length: a number, or a range such as 1:4", true},
       {"drafts", "K", "i.i.d. drafts of an iteration (default 1)", true},
       {"class", "C",
        "coupling (default: any joint law of drafts and output), plug-and-play (no carry), "
        "algorithm2 (token by token) or conditionally-independent",
        true},
       {"certificate", "", "the prices that prove it, which are checked in any case"},
       {"coupling", "",
        "the plan that attains it, checked: what is accepted of which drafts, and the laws of "
        "the corrections"},
       {"iterations", "N",
        "in its place the most tokens that 1, 2, .. N iterations emit, of the class plug-and-play"},
       {"front", "",
        "in its place the least TV of G tokens by expected rejections over yin2024's class: the "
        "front's vertices, G up to 3 or so"},
       {"shapes", "N",
        "in its place the best tree of at most N nodes, none deeper than gamma, and the share of "
        "it that grown trees reach",
        true},
       {"verifier", "V",
        "of --shapes: rrs-without, traversal-without or target-only (default: all)", true},
       {"arithmetic", "A",
        "rational (default: fractions, certified) or double (within about 1e-9, further)"},
       kFormatOption,
       output_option()},
      {"speclab optimum --pair 'iid(draft=[2/3,1/3],target=[1/3,2/3])' --gamma 2 --drafts 2 "
       "--certificate",
       "speclab optimum --pair 'iid(draft=[2/3,1/3],target=[1/3,2/3])' --gamma 3 --shapes 4"},
      &run_optimum};
}

}  // namespace speclab
