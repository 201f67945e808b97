// Bad parameters of verifiers: one clear line that names the parameter and what to write.
#include <string>

#include "catch.h"
#include "message_of.h"
#include "trained.h"
#include "verifiers/chain/sprinter.h"
#include "verifiers/registry.h"

namespace speclab::parameters_test {
namespace {

/// The message with which a spec is refused; "" where it is not.
std::string refusal(const std::string& text) {
  return message_of([&] { make_verifier(text); });
}

TEST_CASE("verifiers: bad parameters are refused") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"rrs(K=0)", "K=0 must be a whole number from 1 to 10000"},
      {"kseq(K=0)", "K=0 must be a whole number from 1 to 10000"},
      {"canonical(K=1)", "K=1 must be a whole number from 2 to 10000"},
      {"canonical(K=10001)", "K=10001 must be a whole number from 2 to 10000"},
      {"canonical", "the parameter K is missing"},
      {"slot-block(K=0)", "K=0 must be a whole number from 1 to 10000"},
      {"spectr-gbv(K=0)", "K=0 must be a whole number from 1 to 10000"},
      {"slot-block(K=-1)", "K=-1 must be a whole number from 1 to 10000"},
      {"slot-block(K=3/2)", "K=3/2 must be a whole number from 1 to 10000"},
      {"rrs", "the parameter K is missing"},
      {"batch(M=0)", "M=0 must be a whole number from 1 to 10000"},
      {"batch-printed(M=0)", "M=0 must be a whole number from 1 to 10000"},
      {"batch(K=2)", "the parameter M is missing"},
      {"biased(eps=-1/10)", "eps=-1/10 is negative"},
      {"biased(residual=optimal)", "the parameter eps is missing"},
      {"biased(eps=1/10,residual=optimum)", "did you mean 'optimal'?"},
      {"biased(eps=1/10,residual=standart)", "did you mean 'standard'?"},
      {"lenient(l=0)", "l=0 is out of range"},
      {"lenient(l=2)", "l=2 is out of range"},
      {"sprinter(fp=3/2,tp=1)", "fp=3/2 is out of range"},
      {"sprinter(fp=[0,3/2],tp=1)", "fp=3/2 is out of range"},
      {"sprinter(fp=-1/2,tp=1)", "fp=-1/2 is out of range"},
      {"sprinter(fp=0,tp=2)", "tp=2 is out of range"},
      {"sprinter(fp=0)", "the parameter tp is missing"},
      {"sprinter-printed(fp=3/2,tp=1)", "fp=3/2 is out of range"},
      {"sprinter", "fp= and tp= are missing; give both, or rates="},
      {"sprinter(rates=here.json,fp=0,tp=1)", "leave out fp= and tp="},
      {"sprinter(rates=here.json,tp=1)", "leave out fp= and tp="},
      {"sprinter(rates=\"\")", "rates is empty"},
      {"sprinter(rates=/no/such/file.json)", "cannot read '/no/such/file.json'"},
      {"sprinter-printed(rates=/no/such/file.json)", "cannot read '/no/such/file.json'"},
      {"sprinter-trained(lambda=1)", "unknown verifier 'sprinter-trained'"},
      {"token(K=2)", "unknown parameter 'K'; it takes none"},
      {"slotblock(K=2)", "did you mean 'slot-block'?"},
  };
  for (const auto& [text, part] : cases) {
    CAPTURE(text);
    const std::string message = refusal(text);
    CHECK_THAT(message, Containing(part));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("verifiers: a number of thousands of digits is quoted in part") {
  for (const char* text :
       {"biased(eps=-1e3000)", "lenient(l=1e3000)", "sprinter(fp=1e3000,tp=1)"}) {
    const std::string message = refusal(text);
    CHECK_THAT(message, Containing("0000..."));
    CHECK(message.size() < 200);
  }
}

TEST_CASE("verifiers: a decimal parameter is named as a fraction") {
  CHECK(make_verifier("sprinter(fp=0.20,tp=1)").name == "sprinter(fp=1/5,tp=1)");
}

TEST_CASE("prepare: a rates file is bound to its pair, other verifiers are unchanged") {
  const TrainedFile file("bernoulli(draft=2/3,target=1/3)", Training{.samples = 500});
  const auto pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  const Verifier raw = make_verifier(file.verifier());
  CHECK(raw.name == file.verifier());
  const ErrorRates& rates = program_as<Sprinter>(raw)->rates;
  REQUIRE(rates.file != nullptr);
  CHECK(rates.file->path() == file.path());
  CHECK(rates.for_pair == nullptr);
  const Verifier ready = prepare(raw, pair);
  const ErrorRates& known = program_as<Sprinter>(ready)->rates;
  REQUIRE(known.for_pair != nullptr);
  CHECK(known.for_pair == rates.file->of(pair));
  CHECK(ready.name == raw.name);
  const Verifier token = make_verifier("token");
  CHECK(prepare(token, pair).program == token.program);
}

}  // namespace
}  // namespace speclab::parameters_test
