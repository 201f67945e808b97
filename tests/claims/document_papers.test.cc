// The pages of the papers: nothing is silently absent, and every name on them is known.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "catch.h"
#include "claims/document.h"
#include "claims/engine/measured.h"
#include "claims/engine/papers.h"
#include "claims/engine/registry.h"
#include "slurp.h"
#include "theory/predictions.h"
#include "verifiers/registry.h"

namespace speclab::paper_items_test {
namespace {

/// The rows of a document as text.
std::vector<std::vector<std::string>> cells_of(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  document.rows([&rows](const Cells& cells) {
    auto& row = rows.emplace_back();
    for (const Json& cell : cells) row.push_back(cell_text(cell));
  });
  return rows;
}

/// "Tables 6 to 8 (all)": "Table" with 6, 7, 8; "Lemma A.4": "A." with 4, as papers that number
/// within sections count statements of all kinds together.
struct Numbered {
  std::string kind;
  std::vector<int> numbers;
};

const std::set<std::string> kStatements{"Theorem", "Lemma",      "Corollary",  "Proposition",
                                        "Remark",  "Definition", "Assumption", "Claim"};

std::string singular(std::string word) {
  if (word == "Corollaries") return "Corollary";
  if (word.ends_with("s")) word.pop_back();
  return word;
}

/// Nothing of a text that has no number that is counted, such as "Section 3.2" or "Equation (7)".
Numbered read_number(const std::string& text) {
  std::istringstream words(text);
  Numbered read;
  std::string word;
  words >> word;
  read.kind = singular(word);
  const bool counted = kStatements.contains(read.kind) || read.kind == "Algorithm" ||
                       read.kind == "Figure" || read.kind == "Table";
  if (!counted) return {};
  bool range = false;
  while (words >> word && (std::isalnum(static_cast<unsigned char>(word.front())) != 0)) {
    if (word == "and") continue;
    if (word == "to") {
      range = true;
      continue;
    }
    const std::size_t dot = word.rfind('.', word.size() - 2);
    const bool dotted = dot != std::string::npos && dot + 1 < word.size();
    std::istringstream digits(dotted ? word.substr(dot + 1) : word);
    int number = 0;
    if (!(digits >> number)) break;
    if (dotted && kStatements.contains(read.kind)) read.kind = word.substr(0, dot + 1);
    while (range && !read.numbers.empty() && read.numbers.back() + 1 < number) {
      read.numbers.push_back(read.numbers.back() + 1);
    }
    read.numbers.push_back(number);
    range = false;
  }
  return read;
}

/// "Lemma 3", "4.1": what lies before the last of the numbers that are there. An appendix ("A.4")
/// may begin later than with 1: papers restate the theorems that they prove there.
std::vector<std::string> gaps(std::span<const PaperItem> items) {
  std::map<std::string, std::set<int>> seen;
  for (const PaperItem& item : items) {
    const Numbered read = read_number(std::string(item.number));
    if (!read.numbers.empty()) seen[read.kind].insert(read.numbers.begin(), read.numbers.end());
  }
  std::vector<std::string> missing;
  for (const auto& [kind, numbers] : seen) {
    const bool appendix =
        std::isupper(static_cast<unsigned char>(kind[0])) != 0 && kind.ends_with(".");
    for (int i = appendix ? *numbers.begin() : 1; i < *numbers.rbegin(); ++i) {
      if (!numbers.contains(i)) {
        missing.push_back(kind + (kind.ends_with(".") ? "" : " ") + std::to_string(i));
      }
    }
  }
  return missing;
}

std::vector<const Paper*> all() {
  std::vector<const Paper*> list;
  for (const Paper& paper : papers()) list.push_back(&paper);
  return list;
}

bool named(const Paper& paper, std::string_view id) {
  const auto& items = paper.items;
  return std::any_of(items.begin(), items.end(), [id](const PaperItem& item) {
    return std::find(item.by.begin(), item.by.end(), id) != item.by.end();
  });
}

const std::vector<PaperItem> kMadeUp{
    {"Theorem 1", "holds", "two claims", {"sun2025.theorem1", "yin2024.algorithm4"}},
    {"Theorem 2", "defines", "a claim and more", {"sun2025.lemma3", "block", "sun2025-fig3"}},
    {"Lemma 2", "holds", "a misspelt claim", {"sun2025.theorem99"}},
    {"Table 3", "measured", "nothing", {}, "of language models"}};

KnownIds others() {
  KnownIds known{{"verifier", {}}, {"experiment", {}}};
  for (const VerifierInfo& row : all_verifier_rows()) known[0].second.emplace_back(row.name);
  for (const auto& file : std::filesystem::directory_iterator(SPECLAB_SOURCE_DIR "/experiments")) {
    if (file.path().extension() == ".toml") known[1].second.push_back(file.path().stem());
  }
  return known;
}

}  // namespace

TEST_CASE("every paper has a key, a title and rows in one line of plain ASCII") {
  std::set<std::string_view> keys;
  for (const Paper& paper : papers()) {
    CAPTURE(paper.key);
    CHECK(keys.insert(paper.key).second);
    CHECK_FALSE(paper.title.empty());
    CHECK(find_paper(paper.key) == &paper);
    CHECK_FALSE(paper.items.empty());
    for (const PaperItem& item : paper.items) {
      CAPTURE(item.number);
      CHECK_FALSE(item.number.empty());
      CHECK_FALSE(item.says.empty());
      for (const std::string_view text : {item.number, item.says, item.lacking}) {
        for (const char c : text) CHECK((c >= ' ' && c <= '~'));
      }
    }
  }
  CHECK(find_paper("none") == nullptr);
  CHECK(paper_of("sun2025.theorem1").key == "sun2025");
  CHECK(paper_of("slot-block.lossless").key == "speclab");
}

TEST_CASE("what covers an item is known, and what nothing covers says why") {
  const auto rows = cells_of(papers_document(all(), others()));
  std::size_t row = 0;
  for (const Paper& paper : papers()) {
    for (const PaperItem& item : paper.items) {
      REQUIRE(row < rows.size());
      CAPTURE(paper.key, item.number, item.says);
      CHECK(rows[row][3].find("unknown") == std::string::npos);
      const bool covered = !item.by.empty();
      CHECK(covered != rows[row][3].empty());
      CHECK((covered || !item.lacking.empty()));
      ++row;
    }
  }
  CHECK(row == rows.size());
}

TEST_CASE("every claim and every closed form is named by an item of its paper") {
  std::set<std::string_view> ids;
  for (const ClaimRow& row : claim_rows()) ids.insert(row.id);
  for (const PredictionRow& row : prediction_rows()) ids.insert(row.claim);
  CHECK(ids.size() > 100);
  for (const std::string_view id : ids) {
    CAPTURE(id);
    CHECK(named(paper_of(id), id));
  }
  CHECK_FALSE(named(papers().front(), "sun2025.theorem99"));
}

TEST_CASE("no number of a statement, algorithm, figure or table is left out") {
  int whole = 0;
  for (const Paper& paper : papers()) {
    if (!paper.whole) continue;
    CAPTURE(paper.key);
    CHECK(gaps(paper.items) == std::vector<std::string>{});
    ++whole;
  }
  CHECK(whole >= 5);
  CHECK(gaps(kMadeUp) == std::vector<std::string>{"Lemma 1", "Table 1", "Table 2"});
  const std::vector<PaperItem> kSections{{"Lemma 4.2 (second half)", "", ""},
                                         {"Theorem 4.4", "", ""},
                                         {"Remark A.2", "", ""},
                                         {"Theorem A.4", "", ""},
                                         {"Lemmas 1 to 4, 6", "", ""},
                                         {"Section 7", "", ""},
                                         {"Figure 2 (a)", "", ""},
                                         {"Equation (9)", "", ""}};
  CHECK(gaps(kSections) == std::vector<std::string>{"4.1", "4.3", "A.3", "Figure 1", "Lemma 5"});
}

/// What is wrong with the verdict of a row; "" where it is one of its own. The verdict of a claim
/// must be that of a claim that the row names, where it names any, and a row says why it differs
/// from others of them; a statement that a paper leaves open names the claims that settle it.
std::string wrong_verdict(const PaperItem& item) {
  const auto verdicts = item_verdicts();
  const auto verdict = std::find_if(verdicts.begin(), verdicts.end(),
                                    [&](const auto& row) { return row.word == item.verdict; });
  if (verdict == verdicts.end()) return "no such verdict";
  std::set<std::string_view> of_claims;
  for (const ClaimRow& row : claim_rows()) {
    if (std::find(item.by.begin(), item.by.end(), row.id) != item.by.end()) {
      of_claims.insert(claim_verdict_name(row.recorded));
    }
  }
  if (verdict->word == "settled here") return of_claims.empty() ? "no claim settles it" : "";
  if (!verdict->of_claim) return "";
  if (item.by.empty()) return "nothing gives it";
  if (of_claims.empty()) return "";
  if (!of_claims.contains(item.verdict)) return "no claim of the row has it";
  return of_claims.size() > 1 && item.lacking.empty() ? "its claims differ, and it does not say why"
                                                      : "";
}

TEST_CASE("every row states its own verdict, and a claim that it names has it") {
  for (const Paper& paper : papers()) {
    for (const PaperItem& item : paper.items) {
      CAPTURE(paper.key, item.number, item.says, item.verdict);
      CHECK(wrong_verdict(item) == "");
    }
  }
  CHECK(wrong_verdict({"Lemma 1", "", "says", {"sun2025.lemma1"}}) == "no such verdict");
  CHECK(wrong_verdict({"Lemma 1", "refuted", "says", {"sun2025.lemma1"}}) ==
        "no claim of the row has it");
  CHECK(wrong_verdict({"Lemma 1", "holds", "says"}) == "nothing gives it");
  CHECK(wrong_verdict(kMadeUp.front()) == "its claims differ, and it does not say why");
  CHECK(wrong_verdict({"Section 1", "settled here", "says"}) == "no claim settles it");
  CHECK(wrong_verdict({"Section 1", "settled here", "says", {"sun2025.lemma1"}}) == "");
  CHECK(wrong_verdict({"Algorithm 1", "defines", "says", {"yin2024.algorithm4"}}) == "");
}

TEST_CASE("a claim that settles what a paper does not state speaks for no statement of it") {
  CHECK(unprinted("lin2026.growth") == "not printed: ");
  CHECK(unprinted("miao2023.above-block") == "asked here: ");
  CHECK(unprinted("lin2026.section1.growth").empty());
  std::set<std::string_view> judged;
  for (const ItemVerdict& verdict : item_verdicts()) {
    if (verdict.of_claim) judged.insert(verdict.word);
  }
  for (const Paper& paper : papers()) {
    for (const PaperItem& item : paper.items) {
      if (!judged.contains(item.verdict)) continue;
      for (const std::string_view id : item.by) {
        CAPTURE(paper.key, item.number, id);
        CHECK(unprinted(id).empty());
      }
    }
  }
  std::string page;
  for (const auto& block : paper_document(*find_paper("lin2026"), others()).page().blocks) {
    if (const auto* prose = std::get_if<Page::Prose>(&block)) page += prose->text;
  }
  CHECK(page.find("What does not hold:\n") != std::string::npos);
  CHECK(page.find("of Algorithm 1 along K): not printed: *E[tau]") != std::string::npos);
}

TEST_CASE("the words of a verdict are those of the claims and those of this table") {
  std::set<std::string_view> of_claims;
  for (const ItemVerdict& verdict : item_verdicts()) {
    if (verdict.of_claim) of_claims.insert(verdict.word);
  }
  std::set<std::string_view> names;
  for (const ClaimVerdict verdict :
       {ClaimVerdict::holds, ClaimVerdict::refuted, ClaimVerdict::holds_with_correction,
        ClaimVerdict::not_decidable}) {
    names.insert(claim_verdict_name(verdict));
  }
  CHECK(of_claims == names);
}

TEST_CASE("a row names what covers it, with its verdict and the counterexamples on record") {
  const Paper paper{"made-up", "made up", kMadeUp};
  const auto rows = cells_of(papers_document({&paper}, others()));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0][3] == "claim sun2025.theorem1, yin2024.algorithm4; closed form sun2025.theorem1");
  CHECK(rows[0][4] == "holds");
  const Measured* found = measured("yin2024.algorithm4");
  REQUIRE(found != nullptr);
  CHECK(rows[0][5].starts_with(std::string(found->pair) + ": " + std::string(found->detail)));
  CHECK(rows[1][3] ==
        "claim sun2025.lemma3; closed form sun2025.lemma3; verifier block; "
        "experiment sun2025-fig3");
  CHECK(rows[1][4] == "defines");
  CHECK(rows[1][5].empty());
  CHECK(rows[2][3] == "unknown sun2025.theorem99");
  CHECK(rows[3][6] == "of language models");
}

TEST_CASE("each paper has its page") {
  std::string pages;
  for (const auto& file : std::filesystem::directory_iterator(SPECLAB_SOURCE_DIR "/docs/papers")) {
    pages += slurp(file.path());
  }
  for (const Paper& paper : papers()) {
    CAPTURE(paper.key);
    CHECK(pages.find("speclab list papers --paper " + std::string(paper.key) +
                     " --format markdown) -->") != std::string::npos);
    CHECK(pages.find(paper.title) != std::string::npos);
  }
}

}  // namespace speclab::paper_items_test
