// The rows of what engines run: complete, with rules of the registry, and as lossless as these are.
#include "verifiers/engine_rows.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "catch.h"
#include "verifiers/faults/fault.h"
#include "verifiers/registry.h"

namespace speclab::engine_rows_test {
namespace {

/// Whether it is "id NUMBER", or abbreviated commits with ", " between them.
bool names_a_version(std::string_view commit) {
  if (commit.substr(0, 3) == "id ") {
    const auto number = commit.substr(3);
    return !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  }
  while (true) {
    const auto end = std::min(commit.find(", "), commit.size());
    const auto one = commit.substr(0, end);
    if (one.size() < 7 || one.size() > 40) return false;
    if (one.find_first_not_of("0123456789abcdef") != one.npos) return false;
    if (end == commit.size()) return true;
    commit.remove_prefix(end + 2);
  }
}

TEST_CASE("every row of an engine has a file and a version, and says what the file does") {
  CHECK(names_a_version("id 57601243306"));
  CHECK(names_a_version("16f0267, 84e55f9"));
  CHECK_FALSE(names_a_version(""));
  CHECK_FALSE(names_a_version("id "));
  CHECK_FALSE(names_a_version("main"));
  CHECK_FALSE(names_a_version("16f0267, "));
  std::set<std::pair<std::string_view, std::string_view>> options;
  for (const EngineRow& row : engine_rows()) {
    CAPTURE(row.engine, row.option);
    CHECK_FALSE(row.engine.empty());
    CHECK_FALSE(row.option.empty());
    CHECK_FALSE(row.file.empty());
    CHECK(names_a_version(row.commit));
    CHECK_FALSE(row.runs.empty());
    CHECK(options.insert({row.engine, row.option}).second);
  }
}

TEST_CASE("a row's rule is a verifier, and lossless where the row is") {
  for (const EngineRow& row : engine_rows()) {
    CAPTURE(row.engine, row.option, row.rule);
    CHECK(row.condition.empty() == (row.lossless != KeepsLaw::conditional));
    if (row.rule.empty()) continue;
    const Verifier rule = make_verifier(row.rule);
    CHECK(rule.info->kind != VerifierKind::wrong);
    if (row.lossless == KeepsLaw::yes) CHECK(rule.info->kind == VerifierKind::lossless);
    if (row.lossless == KeepsLaw::no) CHECK(rule.info->kind != VerifierKind::lossless);
  }
}

TEST_CASE("a fault that an engine had is one that is planted") {
  int named = 0;
  for (const EngineRow& row : engine_rows()) {
    for (const std::string_view fault : row.faults) {
      if (fault.empty()) continue;
      CAPTURE(row.engine, row.option, fault);
      CHECK(std::ranges::any_of(faults(),
                                [&](const FaultRow& each) { return each.info.name == fault; }));
      ++named;
    }
  }
  CHECK(named == 10);  // coins of six options; draft laws of transformers' three and of DeepSpec
}

}  // namespace
}  // namespace speclab::engine_rows_test
