// The commands `optimum` and `verify --pair`.
#include <map>

#include "apps/process.h"
#include "apps/refused.h"
#include "catch.h"

namespace speclab::optimum_test {
namespace {

const std::string kTwoTokens = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

Words optimum(const auto&... more) {
  return argv("optimum --pair", kTwoTokens, "--gamma 2", more...);
}

TEST_CASE("optimum: the value with its certificate and plan, as JSON") {
  const auto json = succeeds(optimum("--drafts 2 --certificate --coupling --format json")).json();
  CHECK(json["schema"] == 2);
  REQUIRE(json["results"].size() == 1);
  const auto& result = json["results"][0];
  CHECK(result["pair"] == kTwoTokens);
  CHECK(result["gamma"] == 2);
  CHECK(result["drafts"] == 2);
  CHECK(result["class"] == "coupling");
  CHECK(result["arithmetic"] == "rational");
  CHECK(result["optimum"]["exact"] == "134/81");
  CHECK(result["at_least"] == result["at_most"]);
  CHECK(result["certified"] == true);
  CHECK(result["program"]["prefixes"] == 6);
  const auto& start = result["starts"][0];
  CHECK(start["certificate"]["blocks"].size() > 0);
  double total = 0;
  for (const auto& choice : start["plan"]["choices"]) {
    total += choice["probability"]["value"].get<double>();
  }
  CHECK(total == Approx(1));
}

TEST_CASE("optimum: every class, length and number of drafts, in order") {
  const Finished done = succeeds(optimum(
      "--gamma 1 --drafts 2 --drafts 3 --class coupling --class plug-and-play --format csv"));
  CHECK(done.out.starts_with("pair,gamma,drafts,class,arithmetic,quantity,index,value,exact\n"));
  const std::vector<std::pair<std::string, std::string>> lines{
      {"2,2,coupling,rational,optimum,,", ",134/81"},
      {"2,3,coupling,rational,optimum,,", ",1351/729"},
      {"1,2,coupling,rational,optimum,,", ",8/9"},
      {"2,2,plug-and-play,rational,optimum,,", ",131/81"}};
  std::size_t at = 0;
  for (const auto& [place, value] : lines) {
    CAPTURE(place);
    const std::size_t found = done.out.find(place);
    REQUIRE(found != std::string::npos);
    CHECK(found > at);
    CHECK(done.out.substr(found, done.out.find('\n', found) - found).ends_with(value));
    at = found;
  }
}

TEST_CASE("optimum: a certificate names its bounds, those of the class") {
  const Finished coupling = succeeds(optimum("--drafts 2 --certificate"));
  CHECK_THAT(coupling.out,
             Containing("B(v): the probability that the accepted tokens begin with v"));
  CHECK_THAT(coupling.out, Containing("sum of B over cuts, tight at "));
  CHECK_THAT(coupling.out, !Containing("t(x|u)"));
  const Finished plug = succeeds(optimum("--drafts 2 --certificate --class plug-and-play"));
  CHECK_THAT(plug.out, Containing("B(ux) <= t(x|u) B(u), v = ux"));
  const Finished tokens = succeeds(optimum("--certificate --class algorithm2"));
  CHECK_THAT(tokens.out, Containing("B(ux) <= min(d, t)(x|u) B(u), v = ux"));
}

TEST_CASE("optimum: in doubles the value is not certified") {
  const Finished done = speclab_run(optimum("--drafts 2 --arithmetic double --format json"));
  const auto result = done.json()["results"][0];
  CHECK(result["certified"] == false);
  CHECK(result["optimum"]["exact"].is_null());
  CHECK(result["optimum"]["value"].get<double>() == Approx(134.0 / 81));
}

TEST_CASE("optimum: what cannot be asked is refused") {
  refuses(argv("optimum --gamma 2"), 2, "--pair is missing");
  refuses(argv("optimum --pair", kTwoTokens), 2, "--gamma is missing");
  refuses(optimum("--class couplings"), 2, "did you mean 'coupling'");
  refuses(optimum("--drafts 0"), 2, "--drafts takes a whole number");
  refuses(optimum("--class algorithm2 --drafts 2"), 2, "verifies one draft");
  refuses(optimum("--arithmetic double --certificate"), 2, "are in fractions");
  refuses(argv("optimum --pair", kTwoTokens, "--gamma inf"), 2, "a whole number from 1 to 1000000");
  refuses(argv("optimum --pair", kTwoTokens, "--gamma 60"), 4, "prefixes");
  refuses(optimum("--front --drafts 2"), 2, "leave out --drafts");
  refuses(optimum("--front --class coupling"), 2, "leave out --class");
}

TEST_CASE("optimum: what was found before a limit is written and says that it is not all") {
  const Finished table = speclab_run("optimum --pair", kTwoTokens, "--gamma 2 --gamma 60");
  CHECK(table.code == 4);
  CHECK_THAT(table.out, Containing("\npartial: ") && Containing("prefixes"));
  const Finished json =
      speclab_run("optimum --pair", kTwoTokens, "--gamma 2 --gamma 60 --format json");
  CHECK(json.code == 4);
  CHECK(json.json().at("results").size() == 1);
  CHECK_THAT(json.json().at("partial").get<std::string>(), Containing("prefixes"));
  const Finished front =
      speclab_run("optimum --pair", kTwoTokens, "--gamma 1 --gamma 12 --front --format csv");
  CHECK(front.code == 4);
  CHECK_THAT(front.out, Containing(",1,1/3,0\npartial: the front has more than"));
  // A mistake in the words is no limit: it is reported before anything is asked.
  refuses(argv("optimum --pair", kTwoTokens, "--gamma 1 --gamma inf --front"), 2,
          "a range such as 1:12 or 1:8:2, not 'inf'");
}

TEST_CASE("optimum: the front of rejections and bias of three tokens") {
  const auto front =
      succeeds("optimum --pair", kTwoTokens, "--gamma 3 --front --format json").json()["front"];
  REQUIRE(front.size() == 5);
  CHECK(front[0]["tv"] == "13/27");
  CHECK(front[4]["rejections"] == "1");
}

TEST_CASE("optimum: the most tokens of several iterations, with the prices of each") {
  const std::string contexts =
      "automaton(draft=[[1/2,1/2],[0,1],[1/2,1/2],[0,1],[0,1]],target=[[1/2,1/2],[1/2,1/2],[0,1],"
      "[1,0],[1,0]],next=[[0,1],[3,2],[2,4],[4,4],[0,1]],start=0)";
  const Words words = argv("optimum --pair", contexts, "--gamma 2 --format json --iterations 3");
  const auto rows = succeeds(words).json()["iterations"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["exact"] == "11/4");
  CHECK(rows[2]["iterations"] == 3);
  CHECK(rows[2]["quantity"] == "tokens");
  CHECK(rows[2]["exact"] == "1513/256");
  int prices = 0;
  const auto all = speclab_run(words, "--certificate").json();
  for (const auto& row : all["iterations"]) {
    if (row["state"] == "0" && row["iterations"] == 1 && row["quantity"] == "inherited") ++prices;
  }
  CHECK(prices == 5);
  refuses(optimum("--iterations 2 --class coupling"), 2, "leave out --class");
  refuses(optimum("--iterations 2 --coupling"), 2, "leave out --coupling");
  refuses(optimum("--iterations 2 --shapes 3"), 2, "keep one");
  refuses(argv("optimum --pair bernoulli(draft=2/3,target=1/3,eos=1) --gamma 1 --iterations 2"), 3,
          "leave out the pair's eos");
}

TEST_CASE("optimum: the best tree of N nodes, and what grown trees reach of it") {
  const auto shapes = succeeds("optimum --pair", kTwoTokens,
                               "--gamma 3 --shapes 3 --verifier rrs-without --format json")
                          .json()["shapes"];
  REQUIRE(shapes.size() == 4);
  CHECK(shapes[0]["tree"] == "best");
  CHECK(shapes[0]["spec"] == "rrs-without(ranks=[[0],[0,0],[1]])");
  CHECK(shapes[0]["exact"] == "13/9");
  CHECK(shapes[0]["shapes"] == 7);
  CHECK(shapes[1]["tree"] == "grow=sequoia");
  CHECK(shapes[3]["share"].get<double>() == Approx(38.0 / 39));
  const Finished all =
      succeeds("optimum --pair", kTwoTokens, "--gamma 2 --shapes 1 --shapes 2 --format csv");
  CHECK(all.out.starts_with("pair,verifier,gamma,nodes,shapes,tree,spec,value,exact,share\n\"iid"));
  CHECK_THAT(all.out, Containing("target-only,2,2,0,grow=static,"));
  refuses(optimum("--shapes 3 --class coupling"), 2, "leave out --class");
  refuses(optimum("--shapes 3 --front"), 2, "keep one");
  refuses(optimum("--shapes 3 --verifier rrs-witout"), 2, "did you mean 'rrs-without'");
  refuses(optimum("--verifier rrs-without"), 2, "--verifier is for --shapes");
  refuses(optimum("--shapes 0"), 2, "--shapes takes a whole number");
  refuses(argv("optimum --pair", kTwoTokens, "--gamma 20 --shapes 20"), 4, "more than 5000 shapes");
}

TEST_CASE("verify: claims on one pair alone") {
  const Finished done = succeeds(
      "verify --pair iid(draft=[3/7,4/7],target=[2/5,3/5]) --claim sun2025.theorem1 "
      "--claim sun2025.lemma1 --quick --format json");
  const auto claims = done.json()["own-pair"];
  std::map<std::string, std::string> verdicts;
  for (const auto& claim : claims) verdicts[claim["claim"]] = claim["verdict"];
  CHECK(claims.size() == 2);
  CHECK(verdicts == std::map<std::string, std::string>{{"sun2025.lemma1", "not asked"},
                                                       {"sun2025.theorem1", "holds"}});
  CHECK(speclab_run("verify --pair", kTwoTokens, "--controls").code == 2);
  CHECK(speclab_run("verify --pair iid(draft=[1] --quick").code == 3);
}

}  // namespace
}  // namespace speclab::optimum_test
