#include <fmt/format.h>

#include <cstdio>
#include <initializer_list>

#include "answer/documents/proof.h"
#include "answer/proofs.h"
#include "base/text.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"
#include "system/memory.h"
#include "system/read_file.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

/// The verifier with its number of drafts, where that is given apart.
std::string read_verifier(const Arguments& arguments) {
  const std::string name = *arguments.text("verifier");
  if (!arguments.has("drafts")) return name;
  const auto drafts = read_count(arguments, "drafts", 1, 1'000'000, 1);
  const VerifierRow* row = find_verifier(name);
  if (row == nullptr || row->drafts.empty()) {
    throw UsageError(
        "--drafts goes with the bare name of a verifier of several drafts, such as "
        "--verifier rrs --drafts 2");
  }
  return fmt::format("{}({}={})", name, row->drafts, drafts);
}

/// By an induction over draft lengths, which is of pairs with any contexts.
Theorem theorem_for_every_length(const Arguments& arguments, TheoremQuestion question) {
  if (arguments.has("models") && question.contexts == Contexts::iid) {
    throw UsageError("--gamma all is about pairs with any contexts; leave out --models iid");
  }
  question.contexts = Contexts::step;
  question.gamma = AllPairs::kStepGamma;
  return theorem_of(question);
}

Theorem read_theorem(const Arguments& arguments) {
  for (const auto& [option, example] :
       {std::pair("verifier", "block"), {"vocabulary", "2"}, {"gamma", "2"}}) {
    require(arguments, option, example);
  }
  const auto contexts = static_cast<Contexts>(read_choice(arguments, "models", {"iid", "tree"}, 0));
  const auto vocabulary = static_cast<Token>(read_count(arguments, "vocabulary", 2, 64, 2));
  TheoremQuestion question{make_verifier(read_verifier(arguments)),
                           arguments.text("property").value_or("lossless"), contexts, vocabulary};
  const std::string gamma = *arguments.text("gamma");
  if (gamma == "all") return theorem_for_every_length(arguments, question);
  if (gamma.find(':') != gamma.npos) {
    throw UsageError(fmt::format(
        "--gamma {} is a range, and a theorem is of one draft length or of all; prove each on its "
        "own, --gamma {}, or all at once, --gamma all",
        abbreviate(gamma), abbreviate(gamma.substr(0, gamma.find(':')))));
  }
  question.gamma = static_cast<int>(read_count(arguments, "gamma", 1, 64, 1));
  return theorem_of(question);
}

/// Explores with a line of progress on a terminal.
ProofEnd explore_shown(Prover& prover, ProofEffort effort) {
  ProgressBar bar(0, "cells", Forecast::unknown);
  bar.show(0, prover.theorem().verifier.name);
  const Stopwatch watch;
  const std::size_t before = prover.state().cells.size();
  effort.progress = [&](const ProofState& state, std::size_t branches) {
    bar.show(0,
             fmt::format("{} cells, {:.3g}/s, {} undecided, {} branches to go", state.cells.size(),
                         static_cast<double>(state.cells.size() - before) / watch.seconds(),
                         state.undecided.size(), branches));
  };
  return explore(prover, effort);
}

ExitCode conclude(const Prover& prover, ProofEnd end, double max_memory, bool saved) {
  const char* where = saved ? "go on with --resume and the certificate's file"
                            : "give --certificate FILE to be able to go on from here";
  switch (prover.verdict()) {
    case TheoremVerdict::proved:
      return ExitCode::done;
    case TheoremVerdict::refuted:
      return ExitCode::verdict_differs;
    case TheoremVerdict::undecided:
      break;
  }
  if (end == ProofEnd::interrupted) {
    throw Error(ExitCode::interrupted, verdict_text(prover) + "; " + where);
  }
  if (end == ProofEnd::out_of_time) {
    throw LimitError(verdict_text(prover) + "; allow more seconds with --time, or " + where);
  }
  if (end == ProofEnd::out_of_memory) {
    throw LimitError(fmt::format(
        "{}; the proof needs more than the limit of {}; allow more memory with --max-memory, give "
        "fewer --threads, or {}",
        verdict_text(prover), size_text(max_memory), where));
  }
  throw LimitError(verdict_text(prover) +
                   "; the solver may decide more with a longer --query-time");
}

Format read_proof_format(const Arguments& arguments) {
  return static_cast<Format>(read_choice(arguments, "format", {"table", "json"}, 0));
}

ExitCode check(const Arguments& arguments, const std::string& path) {
  const Format format = read_proof_format(arguments);
  const Output output(arguments.text("output"));
  const ProofCertificate certificate = read_certificate(read_file(path), quoted_path(path));
  const CertificateCheck found = check_certificate(certificate);
  output.write(render(check_document(certificate, found), format));
  return found.fault.empty() ? ExitCode::done : ExitCode::verdict_differs;
}

/// A certificate to go on from. It is checked first, as what a wrong one has would be part of the
/// proof.
ProofCertificate read_resumed(const std::string& path) {
  ProofCertificate known = read_certificate(read_file(path), quoted_path(path));
  const CertificateCheck found = check_certificate(known);
  if (!found.fault.empty()) {
    throw InputError(quoted_path(path) + ": the certificate is wrong: " + found.fault +
                     "; prove the theorem again");
  }
  known.state.error_bound = found.error_bound;
  return known;
}

ExitCode run_prove(const Arguments& arguments) {
  if (const auto path = arguments.text("check")) {
    refuse_any(arguments,
               {"verifier", "vocabulary", "gamma", "models", "drafts", "property", "all-names",
                "resume", "certificate"},
               "--check takes the theorem from its file; leave out --{}");
    return check(arguments, *path);
  }
  if (arguments.has("resume")) {
    refuse_any(arguments,
               {"verifier", "vocabulary", "gamma", "models", "drafts", "property", "all-names"},
               "--resume takes the theorem from its file; leave out --{}");
  }
  const Format format = read_proof_format(arguments);
  const Output output(arguments.text("output"));
  std::optional<Output> file;
  if (const auto path = arguments.text("certificate")) file.emplace(*path);
  Prover::Limits limits;
  limits.seed = read_seed(arguments);
  limits.symmetry = !arguments.has("all-names");
  limits.query_seconds = static_cast<double>(read_count(arguments, "query-time", 1, 1'000'000, 5));
  const auto seconds = static_cast<double>(read_count(arguments, "time", 1, 1'000'000'000, 300));
  std::optional<ProofCertificate> known;
  if (const auto path = arguments.text("resume")) {
    known = read_resumed(*path);
    limits.symmetry = known->ordered;
  }
  Prover prover(known ? known->theorem : read_theorem(arguments), limits);
  if (known) resume(prover, *known);
  const ProofEffort effort{.seconds = seconds,
                           .max_memory = most_memory(read_max_memory(arguments)),
                           .threads = read_threads(arguments)};
  const ProofEnd end = explore_shown(prover, effort);
  const ProofReport report = report_on(prover);
  if (file) file->write(certificate_text(prover));
  output.write(render(proof_document(report), format));
  return conclude(prover, end, effort.max_memory, file.has_value());
}

}  // namespace

Command prove_command() {
  return {"prove",
          "a theorem for all pairs of a size, by cells of pairs that decide every comparison "
          "alike, or the smallest counterexample",
          "--verifier SPEC --vocabulary V --gamma G [--models iid|tree] [options]",
          "",
          {{"verifier", "SPEC", "the verifier (speclab list verifiers)"},
           {"vocabulary", "V", "number of tokens"},
           {"gamma", "G", "draft length; all: every one, by induction (of token, block)"},
           {"models", "M",
            "iid (default): one law a model; tree: one for each prefix of up to G tokens"},
           {"drafts", "K", "number of drafts, where the verifier's bare name is given"},
           {"property", "P",
            "lossless (default), equals:SPEC or at-least:SPEC (the expected accepted tokens "
            "against another verifier's), predicts:CLAIM (against a closed form)"},
           {"time", "S",
            "seconds after which the proof ends with what it has (default 300; exit code 4)"},
           {"query-time", "S",
            "seconds for one question to the solver (default 5), 4 times as many at the end"},
           {"max-memory", "BYTES",
            "end the proof with what it has where it takes more, also written as 500M or 2G "
            "(default: three quarters of what is free; exit code 4)"},
           {"all-names", "", "take pairs that differ in the names of tokens for different"},
           {"certificate", "FILE",
            "write the tree of branches there, with each query to the solver as SMT-LIB",
            /*repeated=*/false,
            /*written=*/true},
           {"check", "FILE",
            "check a certificate, but for the solver's answers (proofs/certificate.py does that)"},
           {"resume", "FILE", "go on from the certificate of a proof that was not finished"},
           {"seed", "S", "of the pairs that are tried (default 1)"},
           kThreadsOption,
           {"format", "F", "table (default) or json"},
           output_option()},
          {"speclab prove --verifier block --vocabulary 2 --gamma 2 --models iid",
           "speclab prove --verifier block --property at-least:token --vocabulary 2 --gamma 2 "
           "--models iid"},
          &run_prove};
}

}  // namespace speclab
