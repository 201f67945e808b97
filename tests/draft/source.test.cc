// The spec text of draft sets: how it is read, and the one-line message where it is wrong.
#include "draft/source.h"

#include <functional>
#include <string>

#include "base/error.h"
#include "base/types.h"
#include "catch.h"
#include "message_of.h"

namespace speclab::source_test {
namespace {

using Read = std::function<DraftSource(SpecReader&)>;

const Read kAny = read_draft_source;
const Read kPaths = read_paths;
const Read kWithout = [](SpecReader& spec) { return read_tree(spec, Draw::without); };

struct Parsed {
  DraftSource source;
  std::string canonical;
};

Parsed parse(const std::string& text, const Read& read = kAny) {
  const Spec parsed = parse_spec(text);
  SpecReader spec(parsed);
  DraftSource source = read(spec);
  spec.finish();
  return {std::move(source), spec.canonical()};
}

/// The message with which a text is refused; "" where it is not.
std::string refusal(const std::string& text, const Read& read = kAny) {
  return message_of([&] { parse(text, read); });
}

TEST_CASE("draft sets: the meaning of a spec text") {
  const auto chains = parse("r(K=3)");
  CHECK(chains.source.draw == Draw::with);
  CHECK(chains.source.branching(0) == 3);
  CHECK(chains.source.branching(7) == 1);
  CHECK(chains.canonical == "r(K=3)");

  const auto top = parse("r(draw=top,tree=3-2-1)");
  CHECK(top.source.draw == Draw::top);
  CHECK(top.source.profile == std::vector<int>{3, 2, 1});
  CHECK(top.source.branching(1) == 2);
  CHECK(top.canonical == "r(tree=3-2-1,draw=top)");
  CHECK(parse("r(tree=2,draw=with)").source.draw == Draw::with);
  CHECK(parse("r(tree=2,draw=without)").source.draw == Draw::without);

  const auto one = parse("r(tree=2-1)", kWithout);
  CHECK(one.source.draw == Draw::without);
  CHECK(one.canonical == "r(tree=2-1,draw=without)");
  CHECK(parse(one.canonical, kWithout).canonical == one.canonical);

  CHECK(DraftSource::argmax_chain().branching(0) == 1);
  CHECK(DraftSource::argmax_chain().branching(9) == 1);
}

TEST_CASE("draft sets: bad parameters are refused") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"r", "add K=2, or tree=2-1"},
      {"r(K=0)", "K=0 must be a whole number from 1"},
      {"r(K=2,tree=2-1,draw=top)", "K and tree are both given"},
      {"r(K=2,draw=top)", "draw is for a tree"},
      {"r(draw=top)", "draw is for a tree"},
      {"r(tree=2-1)", "the parameter draw is missing"},
      {"r(tree=2-1,draw=topp)", "did you mean 'top'?"},
      {"r(tree=2--1,draw=top)", "tree=2--1 is not a shape"},
      {"r(tree=-2,draw=top)", "is not a shape"},
      {"r(tree=2-,draw=top)", "is not a shape"},
      {"r(tree=0-1,draw=top)", "is not a shape"},
      {"r(tree=2-0,draw=top)", "is not a shape"},
      {"r(tree=02,draw=top)", "is not a shape"},
      {"r(tree=2x1,draw=top)", "is not a shape"},
      {"r(tree=+2,draw=top)", "is not a shape"},
      {"r(tree=3/2,draw=top)", "is not a shape"},
      {"r(tree=[2,1],draw=top)", "tree takes one value, not a list"},
      {"r(tree=99999999999,draw=top)", "is not a shape"},
      {"r(tree=1000-1000,draw=top)", "more than 10000 nodes"},
      {"r(tree=10000-10000-10000-10000-10000,draw=top)", "more than 10000 nodes"},
      {"r(tree=10001,draw=top)", "is not a shape"},
      {"r(K=10001)", "must be a whole number from 1 to 10000"},
  };
  for (const auto& [text, part] : cases) {
    CAPTURE(text);
    const std::string message = refusal(text);
    CHECK_THAT(message, Containing(part));
    CHECK(message.find('\n') == std::string::npos);
  }
  CHECK_THAT(refusal("r(tree=2-1,draw=top)", kWithout),
             Containing("draw=top is not one of without"));
  CHECK_THAT(refusal("r(tree=2-1)", kPaths), Containing("the parameter K is missing"));
}

TEST_CASE("draft sets: a window longer than the tree's depth is refused") {
  const DraftSource tree = parse("r(tree=2-1,draw=top)").source;
  CHECK_NOTHROW(tree.check_window(1));
  CHECK_NOTHROW(tree.check_window(2));
  CHECK_THROWS_AS(tree.check_window(3), InputError);
  CHECK_THROWS_WITH(tree.check_window(3),
                    Containing("tree=2-1 has depth 2 and the draft length is 3"));
  CHECK_THROWS_WITH(tree.check_window(kUnbounded), Containing("is without bound"));
  for (const int drafts : {1, 5, kUnbounded}) {
    CHECK_NOTHROW(parse("r(K=2)").source.check_window(drafts));
  }
}

TEST_CASE("a shape has at most 10,000 nodes") {
  CHECK(refusal("r(tree=1-9999,draw=top)").empty());
  CHECK(refusal("r(tree=1-10000,draw=top)").find("more than 10000 nodes") != std::string::npos);
}

}  // namespace
}  // namespace speclab::source_test
