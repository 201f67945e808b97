// On a terminal: lines of progress that fit it, tables that fit it, and nothing left over after
// Ctrl-C.
#include <poll.h>
#include <pty.h>

#include <chrono>
#include <thread>

#include "apps/process.h"
#include "apps/progress.h"
#include "apps/screen.h"
#include "catch.h"
#include "system/interrupt.h"

namespace speclab::terminal_test {
namespace {

using Clock = std::chrono::steady_clock;

/// What a program left on a terminal.
struct Shown {
  int code = -1;
  std::string bytes;  ///< all that it wrote
  Screen screen;
};

/// Runs `child` in a process of its own on a pseudo-terminal of so many columns. Once its output
/// holds `awaited` a key is struck, the next one once it comes again after a pause.
Shown on_terminal(const std::function<void()>& child_runs, std::size_t columns,
                  const std::string& awaited = "", const std::string& keys = "",
                  std::chrono::milliseconds pause_between = std::chrono::milliseconds(0)) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("no pseudo-terminal");
  if (child == 0) {
    child_runs();
    _exit(127);
  }
  Shown shown{-1, "", Screen(columns)};
  const auto until = Clock::now() + std::chrono::seconds(120);
  std::size_t struck = 0, from = 0;
  auto next_key = Clock::now();
  for (char buffer[4096]; Clock::now() < until;) {
    pollfd readable{terminal, POLLIN, 0};
    if (poll(&readable, 1, 1000) == 0) continue;
    const ssize_t count = read(terminal, buffer, sizeof buffer);
    if (count <= 0) break;  // the other side is closed
    shown.bytes.append(buffer, static_cast<std::size_t>(count));
    const std::size_t at = awaited.empty() ? std::string::npos : shown.bytes.find(awaited, from);
    if (struck == keys.size() || at == std::string::npos || Clock::now() < next_key) continue;
    next_key = Clock::now() + pause_between;
    from = at + awaited.size();
    if (write(terminal, &keys[struck++], 1) != 1) throw std::runtime_error("no key");
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  shown.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  shown.screen.show(shown.bytes);
  return shown;
}

/// The program with these arguments.
Shown on_terminal(const std::vector<std::string>& arguments, std::size_t columns,
                  const std::string& awaited = "", const std::string& keys = "") {
  Words words = argv(std::string(SPECLAB_BINARY), arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return on_terminal([&] { execv(pointers[0], pointers.data()); }, columns, awaited, keys);
}

const std::string kCtrlC = "\x03";

/// The lines that speclab left, for messages.
std::string text_of(const Screen& screen) {
  std::string text;
  for (const std::string& line : screen.lines) text += "|" + line + "\n";
  return text;
}

/// A command that takes for ever, stopped by Ctrl-C once its line of progress says `awaited`; where
/// it reports it once more before it ends, by a second one.
void is_clean(const std::vector<std::string>& words, const std::string& awaited, int code = 130) {
  for (const std::size_t columns : {100UL, 42UL}) {
    const Shown shown = on_terminal(words, columns, awaited, kCtrlC + kCtrlC);
    INFO(words.front() << " in " << columns << " columns\n" << text_of(shown.screen));
    CHECK(shown.code == code);
    CHECK(shown.bytes.find(awaited) != std::string::npos);
    // Nothing of the line of progress is left, and the next prompt begins a line.
    CHECK(shown.screen.lines.back().empty());
    CHECK(text_of(shown.screen).find('%') == std::string::npos);
    CHECK(text_of(shown.screen).find("^C") == std::string::npos);
    // No line of progress wrapped.
    std::size_t at = 0;
    for (std::size_t end; (end = shown.bytes.find("\x1b[K", at)) != std::string::npos;
         at = end + 3) {
      const std::size_t begin = shown.bytes.rfind('\r', end) + 1;
      CHECK(end - begin < columns);
    }
  }
}

}  // namespace

TEST_CASE("a line of progress fits any terminal and says the most important things") {
  const ProgressState some{25, 100, 5, "trials", "yin2024-fig2: \x1b[2J law of a \xc3\xa4rger"};
  for (std::size_t columns = 0; columns <= 200; ++columns) {
    const std::string line = progress_line(some, columns);
    CHECK(line.size() <= columns);
    CHECK(line.find('\x1b') == std::string::npos);
    CHECK((columns < 6) == line.empty());
    if (columns >= 6) CHECK_THAT(line, Containing(" 25.0%"));
    if (columns >= 24) CHECK_THAT(line, Containing("00:15 left"));
  }
  CHECK(progress_line(some, 200) ==
        "[######..................]  25.0%  5 trials/s  00:15 left  yin2024-fig2: ?[2J law of a "
        "\xc3\xa4rger");
  CHECK(progress_line({0, 100, 5, "trials", ""}, 79) == "[........................]   0.0%");
  CHECK(progress_line({100, 100, 50, "trials", ""}, 79) ==
        "[########################] 100.0%  2 trials/s  00:00 left");
  CHECK(progress_line({0, 0, 61.5, "cells", "12 cells"}, 79) == "01:02  12 cells");
  // A letter of several bytes is never cut in two.
  std::string note = "aaaaaaaa";
  for (int i = 0; i < 8; ++i) note += "\xc3\xa4";
  for (std::size_t columns = 16; columns < 40; ++columns) {
    const std::string line = progress_line({0, 0, 1, "", note}, columns);
    CAPTURE(columns, line);
    // The time and a gap take 7 columns beside the note's 24 bytes.
    const std::size_t dots = line.find("...");
    CHECK((dots != std::string::npos) == (columns < 31));
    if (columns < 31) CHECK((line.at(dots - 1) == 'a' || line.at(dots - 1) == '\xa4'));
  }
}

TEST_CASE("the screen of the tests sees a line that wraps and one that stays") {
  Screen screen(5);
  screen.show("12345");
  CHECK(screen.wraps == 0);
  screen.show("6\r\n1234\r\x1b[Kx");
  CHECK(screen.wraps == 1);
  CHECK(screen.lines == std::vector<std::string>{"12345", "6", "x"});
  screen.show("yz\rq");
  CHECK(screen.lines.back() == "qyz");
}

TEST_CASE("every long command shows its progress and leaves a clean line after ctrl-c") {
  is_clean(argv("simulate --pair", kToyPair,
                "--verifier token --gamma 4 --trials 1e12 --output /dev/null"),
           "left");
  is_clean(argv("exact --pair", kToyPair, "--verifier slot-block(K=2) --gamma 24 --max-paths 1e15"),
           "slot-block(K=2), gamma 24");
  is_clean(argv("prove --verifier greedy-block --vocabulary 2 --gamma 2 --models tree "
                "--output /dev/null"),
           "/s, ");
  is_clean(argv("optimum --pair zipf(vocabulary=6,draft=1.2,target=1) --gamma 3 --drafts 3 "
                "--class plug-and-play"),
           "plug-and-play, gamma 3");
  is_clean(argv("audit --rule token -- sleep 1000"), "00:0");
}

TEST_CASE("results come after the line of progress is gone") {
  // 0.5 s or more, so that there is a line; on a faster machine the loop asks for more.
  for (std::uint64_t trials = 1'000'000; trials < 1'000'000'000; trials *= 4) {
    const Shown shown = on_terminal({"simulate", "--pair", kToyPair, "--verifier", "token",
                                     "--gamma", "4", "--trials", std::to_string(trials)},
                                    100);
    CHECK(shown.code == 0);
    CHECK(shown.screen.lines.front() == kToyPair);
    CHECK(text_of(shown.screen).find("trials/s") == std::string::npos);
    if (shown.bytes.find("left") != std::string::npos) return;
  }
  FAIL("no line of progress was seen");
}

TEST_CASE("a second ctrl-c a second later ends the process at once and leaves a clean line too") {
  const auto deaf = [] {
    install_interrupt_handler();
    const ProgressBar bar(0, "");
    for (;;) pause();
  };
  const auto a_second = std::chrono::milliseconds(1050);
  const auto began = Clock::now();
  const Shown shown = on_terminal(deaf, 80, "00:0", kCtrlC + kCtrlC, a_second);
  INFO(text_of(shown.screen));
  CHECK(Clock::now() - began > a_second);
  CHECK(shown.code == 130);
  CHECK(shown.screen.lines == std::vector<std::string>{""});
}

TEST_CASE("signals within a second of the first are the same request") {
  // What `timeout -s INT` sends: one to the process, one to its group.
  const auto patient = [] {
    install_interrupt_handler();
    const ProgressBar bar(0, "");
    while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(900));
    _exit(42);
  };
  CHECK(on_terminal(patient, 80, "00:0", kCtrlC + kCtrlC + kCtrlC).code == 42);
}

TEST_CASE("tables fit the terminal and a file gets the same bytes wherever it is made") {
  const Words ask =
      argv("exact --pair", kToyPair, "--verifier token --verifier block --gamma 1:3 --horizon 4");
  const std::string piped = speclab_run(ask).out;
  const auto widest = [](const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
  };
  CHECK(widest(piped) <= 80);
  for (const std::size_t columns : {50UL, 80UL, 200UL}) {
    const Shown shown = on_terminal(ask, columns);
    INFO(text_of(shown.screen));
    CHECK(shown.code == 0);
    CHECK(shown.screen.wraps == 0);
    // In 80 columns it is what a pipe gets.
    std::string text;
    for (const std::string& line : shown.screen.lines) text += line + "\n";
    CHECK((text == piped + "\n") == (columns == 80));
    const Scratch scratch;
    CHECK(on_terminal(argv(ask, "--output", scratch.file("table")), columns).code == 0);
    CHECK(slurp(scratch.file("table")) == piped);
  }
}

}  // namespace speclab::terminal_test
