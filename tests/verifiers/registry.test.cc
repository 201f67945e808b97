#include "verifiers/registry.h"

#include <set>
#include <string>

#include "base/error.h"
#include "catch.h"

namespace speclab {
namespace {

TEST_CASE("every row of the registry is complete, names itself and makes what it names") {
  CHECK(verifier_rows().size() == kVerifierCount);
  std::set<std::string_view> names;
  std::size_t index = 0;
  for (const VerifierInfo& row : verifier_rows()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.prose.empty());
    CHECK_FALSE(row.source.empty());
    CHECK_FALSE(kind_name(row.kind).empty());
    const Verifier verifier = make_verifier(row.example);
    CHECK(verifier.info == &row);
    CHECK(verifier.program.index() == index++);
    // The canonical form reads back as itself.
    CHECK(make_verifier(verifier.name).name == verifier.name);
    CHECK(verifier.name.substr(0, row.name.size()) == row.name);
  }
}

TEST_CASE("the single-draft verifiers are there") {
  for (const char* name : {"autoregressive", "token", "block", "greedy-block"}) {
    const Verifier verifier = make_verifier(name);
    CHECK(verifier.name == name);
    CHECK(verifier.info->kind == VerifierKind::lossless);
  }
}

TEST_CASE("a verifier that is not there is named, with a near miss") {
  CHECK_THROWS_AS(make_verifier("blocks"), InputError);
  CHECK_THROWS_WITH(make_verifier("blocks"), Containing("did you mean 'block'?"));
  CHECK_THROWS_WITH(make_verifier("gredy-block"), Containing("did you mean 'greedy-block'?"));
  CHECK_THROWS_WITH(make_verifier("zzzzzz"), Containing("unknown verifier 'zzzzzz'"));
  CHECK_THROWS_WITH(make_verifier(std::string(100000, 'x')), Containing("xxx"));
}

TEST_CASE("parameters that a verifier does not have are refused") {
  CHECK_THROWS_WITH(make_verifier("token(K=2)"), Containing("K"));
  CHECK_THROWS_AS(make_verifier("block(1)"), InputError);
  CHECK_THROWS_AS(make_verifier("greedy-block(gamma=3)"), InputError);
  CHECK_THROWS_AS(make_verifier(""), InputError);
  CHECK_THROWS_AS(make_verifier("token("), InputError);
}

}  // namespace
}  // namespace speclab
