// Results on disk. Input: a line that says what the rest is, then the rest:
//   exact, closed    the text of an answer
//   tally GHN        the text of a tally of gamma G, horizon H and N iterations (0: none), digits
//   file             the bytes of results.sqlite
#include "experiment/store.h"

#include "fuzz.h"

namespace speclab::fuzz {
namespace {

constexpr std::uint64_t kSeed = 1;
const std::string kTask = "a task";

Store& in_memory() {
  static Store store(":memory:");
  return store;
}

/// What is found in a text reads back to itself; in the store too.
void read_answer_text(AnswerKind kind, const std::string& text) {
  const auto answer = accepted([&] {
    Answer read = read_answer({}, kind, text);
    check_answer(read);
    return read;
  });
  if (!answer) return;
  const std::string written = answer_text(*answer);
  const Answer again = read_answer({}, kind, written);
  check_answer(again);
  demand(answer_text(again) == written, "an answer reads back to itself");
  in_memory().put_answer(written, written);
  demand(in_memory().answer(written) == written, "the store keeps an answer");
}

void read_tally_text(const Lengths& lengths, const std::string& text) {
  const auto tally = accepted([&] {
    Tally read = read_tally(text);
    check_tally(read, read.trials, lengths);
    return read;
  });
  if (!tally) return;
  const std::string written = tally_text(*tally);
  demand(read_tally(written) == *tally, "a tally reads back to itself");
  constexpr auto kMost = std::uint64_t{1} << 40;
  if (tally->trials > kMost) return;
  const TrialRangeDone range{0, tally->trials};
  in_memory().put_chunk(written, kSeed, range, *tally);
  demand(in_memory().chunks(written, kSeed).size() == 1, "the store knows a range of trials");
  demand(in_memory().tally(written, kSeed, range, lengths) == *tally, "the store keeps a tally");
}

/// All that a file has of the task, as far as it is not refused.
void read_rows(Store& store) {
  const Lengths lengths{2, 3, 2};
  const auto body = accepted([&] { return store.answer(kTask); });
  if (body && *body) {
    accepted([&] { return check_answer(read_answer({}, AnswerKind::exact, **body)), true; });
  }
  const auto ranges = accepted([&] { return store.chunks(kTask, kSeed); });
  if (!ranges) return;
  for (const TrialRangeDone& range : *ranges) {
    demand(range.count > 0, "a range has a trial");
    const auto tally = accepted([&] { return store.tally(kTask, kSeed, range, lengths); });
    demand(!tally || tally->trials == range.count, "a tally is of its range");
  }
}

/// What is put into a file that is taken, and not refused there, is what it gives later.
void read_file_bytes(std::string_view bytes) {
  static const MemoryFolder folder;
  folder.clear();
  const std::string path = folder.write("results.sqlite", bytes);
  const std::string body = "what is put";
  const auto put = accepted([&] {
    Store store(path);
    read_rows(store);
    store.put_answer("another", body);
    store.end_session(store.begin_session("{}"), "{}");
    static_cast<void>(store.shard());
    MergedRows rows;
    Store(folder.write("sum.sqlite", "")).add(store, 1, rows);
    return true;
  });
  if (!put) return;
  const auto found = accepted([&] { return Store(path).answer("another"); });
  demand(!found || !*found || **found == body, "a store gives what was put there");
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab;
  using namespace speclab::fuzz;
  const std::string_view input = text_of(data, size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view what = input.substr(0, end);
  const std::string rest(input.substr(end + 1));
  if (what == "exact") read_answer_text(AnswerKind::exact, rest);
  if (what == "closed") read_answer_text(AnswerKind::closed_form, rest);
  if (what == "file") read_file_bytes(rest);
  if (what.starts_with("tally ") && what.size() == 9) {
    const auto digit = [&](std::size_t i) { return std::clamp(what[i] - '0', 0, 9); };
    Lengths lengths{std::max(digit(6), 1), std::nullopt, digit(8)};
    if (digit(7) > 0) lengths.horizon = digit(7);
    read_tally_text(lengths, rest);
  }
  return 0;
}
