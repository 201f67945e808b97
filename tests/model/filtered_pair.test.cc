// Every family takes filters: their names, what they forward, and what they leave unchanged.
#include "model/filtered_pair.h"

#include "model/content.h"
#include "model/rows.h"
#include "pairs.h"

namespace speclab::filtered_pair_test {
namespace {

/// `text` with more arguments.
std::string with(std::string text, const std::string& more) {
  text.pop_back();
  return text + "," + more + ")";
}

std::vector<std::string> filter_names() {
  std::vector<std::string> names;
  for (const FilterRow& row : filter_rows()) names.emplace_back(row.name);
  return names;
}

/// A spec text of every family but recordings, of which the target alone is filtered.
struct Families {
  TemporaryFile text{"a b a b a c b a c c a b"};
  TemporaryFile json{R"({"vocabulary": 3, "kind": "chain",
    "draft": [["1/2","1/4","1/4"], ["1/3","1/3","1/3"], ["1","0","0"]],
    "target": [["1/5","2/5","2/5"], ["0","1/2","1/2"], ["1/6","1/6","2/3"]]})"};
  std::vector<std::string> specs() const {
    std::vector<std::string> specs;
    for (const PairFamily& family : pair_families()) {
      if (!family.example.empty()) specs.emplace_back(family.example);
    }
    specs.push_back("ngram(text=" + text.path() + ",draft=1,target=3,temperature=4/5)");
    specs.push_back("file(" + json.path() + ")");
    // Recordings and scored texts have no rows to filter.
    REQUIRE(specs.size() + 2 == pair_families().size());
    return specs;
  }
};

TEST_CASE("every family takes every filter and its name reads back") {
  const Families families;
  for (const std::string& spec : families.specs()) {
    const PairPointer plain = make_pair(spec);
    for (const std::string more :
         {"temperature=1/2", "temperature=0", "draft-temperature=0", "target-temperature=3/2",
          "min-p=1/4", "draft-min-p=1", "target-min-p=1/3", "top-k=2", "draft-top-k=1",
          "target-top-k=1", "top-p=1/2", "draft-top-p=9/10", "target-top-p=2/3",
          "draft-vocabulary=[1]", "target-vocabulary=[0,1,0]",
          "draft-temperature=0,min-p=1/9,target-top-k=2,top-p=4/5,draft-top-p=1"}) {
      const bool twice = plain->name().find("temperature=4/5") != std::string::npos &&
                         more.starts_with("temperature=");
      if (twice) continue;
      const PairPointer pair = make_pair(with(spec, more));
      check_pair(*pair, 20);
      CHECK(pair->states() == plain->states());
      CHECK(pair->length() == plain->length());
      CHECK(pair->memoryless() == plain->memoryless());
      CHECK(pair->inputs().size() == plain->inputs().size());
      CHECK(pair->start().size() == plain->start().size());
      CHECK(pair->next(0, 1) == plain->next(0, 1));
      CHECK_FALSE(pair->end_token());
    }
  }
}

TEST_CASE("names list the given filters in the order of their application, and eos last") {
  const std::string toy = "bernoulli(draft=2/3,target=1/3)";
  CHECK(make_pair(with(toy, "eos=1,top-p=0.5,draft-top-k=1,min-p=0,temperature=0"))->name() ==
        "bernoulli(draft=2/3,target=1/3,temperature=0,min-p=0,draft-top-k=1,top-p=1/2,eos=1)");
  CHECK(make_pair(with(toy, "target-top-p=1/2,draft-top-p=1/3,top-p=1"))->name() ==
        "bernoulli(draft=2/3,target=1/3,top-p=1,draft-top-p=1/3,target-top-p=1/2)");
  CHECK(filter_names() ==
        std::vector<std::string>{"vocabulary", "temperature", "min-p", "top-k", "top-p"});
  for (const FilterRow& row : filter_rows()) {
    INFO(row.name);
    CHECK_FALSE(row.prose.empty());
    CHECK_FALSE(row.exact.empty());
    CHECK_FALSE(row.source.empty());
    CHECK(std::string(row.example).find(std::string(row.name) + "=") != std::string::npos);
    check_pair(*make_pair(row.example));
  }
}

TEST_CASE("a filter of one model leaves the other unchanged and overrides that of both") {
  const std::string spec = "tree(vocabulary=5,depth=2,seed=3,denominator=12)";
  const PairPointer plain = make_pair(spec);
  const PairPointer both = make_pair(with(spec, "top-k=2"));
  const PairPointer draft = make_pair(with(spec, "draft-top-k=2"));
  const PairPointer target = make_pair(with(spec, "target-top-k=2"));
  const PairPointer apart = make_pair(with(spec, "top-k=1,draft-top-k=2,target-top-k=5"));
  int changed = 0;
  for (State state = 0; state < plain->states(); ++state) {
    const auto own = laws_at<Rational>(*plain, state), two = laws_at<Rational>(*both, state);
    CHECK(laws_at<Rational>(*draft, state).draft == two.draft);
    CHECK(laws_at<Rational>(*draft, state).target == own.target);
    CHECK(laws_at<Rational>(*target, state).draft == own.draft);
    CHECK(laws_at<Rational>(*target, state).target == two.target);
    CHECK((laws_at<Rational>(*apart, state) == laws_at<Rational>(*draft, state)));
    CHECK((laws_at<double>(*apart, state) == laws_at<double>(*draft, state)));
    changed += two.draft != own.draft && two.target != own.target;
  }
  CHECK(changed > 10);
  // A temperature of the draft alone leaves the target's fractions as they are written.
  const PairPointer mixed = make_pair(with(spec, "draft-temperature=1/2,target-top-p=1/2"));
  CHECK(laws_at<Rational>(*mixed, 3).target ==
        laws_at<Rational>(*make_pair(with(spec, "target-top-p=1/2")), 3).target);
}

TEST_CASE("neutral values change neither laws nor the numbers that are drawn") {
  for (const std::string spec :
       {"zipf(vocabulary=64,draft=1,target=2)", "tree(vocabulary=3,depth=2,seed=4)"}) {
    const PairPointer plain = make_pair(spec);
    for (const char* more : {"temperature=1", "min-p=0", "top-p=1", "top-k=64", "top-k=1048576"}) {
      const PairPointer pair = make_pair(with(spec, more));
      for (State state = 0; state < plain->states(); ++state) {
        CHECK((laws_at<double>(*pair, state) == laws_at<double>(*plain, state)));
        CHECK((laws_at<Rational>(*pair, state) == laws_at<Rational>(*plain, state)));
      }
      CHECK(content_digest(*pair) == content_digest(*plain));
    }
  }
}

TEST_CASE("filters commute with the end of a sequence") {
  const std::string spec = "tree(vocabulary=4,depth=2,seed=6)";
  const PairPointer ending = make_pair(with(spec, "top-p=5/8,eos=2"));
  CHECK(ending->end_token() == 2);
  const PairPointer inside = make_pair(with(spec, "eos=2"));
  PairFilters filters;
  filters.draft.top_p = filters.target.top_p = parse_rational("5/8");
  const FilteredPair outside(inside, filters);
  CHECK(outside.end_token() == 2);
  for (State state = 0; state < inside->states(); ++state) {
    // What ends is no RationalPair: `outside` filters doubles. No sum of twelfths is 5/8.
    const auto laws = laws_at<double>(outside, state), expected = laws_at<double>(*ending, state);
    for (std::size_t x = 0; x < laws.target.size(); ++x) {
      CHECK(laws.draft[x] == Approx(expected.draft[x]).epsilon(1e-14));
      CHECK(laws.target[x] == Approx(expected.target[x]).epsilon(1e-14));
    }
  }
}

TEST_CASE("n-gram models share their draft's rows and their temperatures are those of all") {
  const TemporaryFile file("a b c b a a b c a b b a c a b a");
  const std::string spec = "ngram(text=" + file.path() + ",draft=1,target=3)";
  const PairPointer plain = make_pair(spec);
  const PairPointer cut = make_pair(with(spec, "top-k=2,draft-temperature=1/2"));
  CHECK(cut->name().find(",temperature=1,draft-temperature=1/2,tokens=") != std::string::npos);
  const Rows<double> rows(cut);
  CHECK(rows.shares_drafts());
  const auto both = make_pair(with(spec, "temperature=1/2"));
  const auto apart = make_pair(with(spec, "draft-temperature=1/2,target-temperature=1/2"));
  const auto draft = make_pair(with(spec, "temperature=2,draft-temperature=1/2"));
  const auto second = make_pair(with(spec, "temperature=2"));
  for (State state = 0; state < plain->states(); ++state) {
    CHECK(cut->draft_state(state) == plain->draft_state(state));
    CHECK((laws_at<double>(*both, state) == laws_at<double>(*apart, state)));
    CHECK(laws_at<double>(*draft, state).draft == laws_at<double>(*both, state).draft);
    const auto mixed = laws_at<double>(*draft, state).target;
    const auto alike = laws_at<double>(*second, state).target;
    for (std::size_t x = 0; x < mixed.size(); ++x) {
      CHECK(mixed[x] == Approx(alike[x]).epsilon(1e-14));
    }
    // The common filter, on the laws that the temperature 1 gives.
    auto law = laws_at<double>(*plain, state).target;
    SamplingFilter half;
    half.temperature = parse_rational("1/2");
    apply_filter(half, std::span<double>(law));
    for (std::size_t x = 0; x < law.size(); ++x) {
      CHECK(law[x] == Approx(laws_at<double>(*both, state).target[x]).epsilon(1e-14));
    }
  }
}

TEST_CASE("temperature 0 of the draft is a greedy draft") {
  const PairPointer pair =
      make_pair("iid(draft=[1/4,3/8,3/8],target=[1/2,1/4,1/4],draft-temperature=0)");
  CHECK(laws_at<Rational>(*pair, 0).draft == fractions({"0", "1", "0"}));
  CHECK(laws_at<Rational>(*pair, 0).target == fractions({"1/2", "1/4", "1/4"}));
}

TEST_CASE("filters out of range are refused with the range") {
  const auto refused = [](const std::string& more, const std::string& message) {
    CHECK_THROWS_WITH(make_pair(with("bernoulli(draft=1/2,target=1/3)", more)),
                      Containing(message));
  };
  refused("top-k=0", "top-k=0 must be a whole number from 1 to 1048576");
  refused("draft-top-k=3/2", "draft-top-k=3/2 must be a whole number");
  refused("top-p=1.1", "top-p=11/10 is out of range; give a number from 0 to 1");
  refused("target-min-p=-1/2", "target-min-p=-1/2 is out of range");
  refused("temperature=1001", "temperature=1001 is out of range");
  refused("top-p=x", "top-p: 'x' is not a number");
  refused("top-p=1/2,top-p=1/3", "top-p is given twice");
  refused("tempersture=1", "did you mean 'temperature'?");
  refused("target-topk=1", "did you mean 'target-top-k'?");
}

}  // namespace
}  // namespace speclab::filtered_pair_test
