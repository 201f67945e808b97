// A rank other than 0.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "base/error.h"
#include "system/crew.h"
#include "system/interrupt.h"
#include "system/interrupt_scope.h"
#include "system/letters.h"
#include "system/workers.h"

namespace speclab {
namespace {

using std::chrono::microseconds;

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

Letter letter_of_failure(std::size_t number, const std::exception_ptr& failure) {
  int code = 0;
  std::string message = "out of memory; ask for less, or for fewer threads";
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    code = static_cast<int>(error.code());
    message = error.what();
  } catch (const std::bad_alloc&) {
  } catch (const std::exception& error) {
    message = error.what();
  }
  return {0, LetterKind::failed, fmt::format("{} {}\n{}", number, code, message)};
}

}  // namespace

void serve(Mail& mail, std::span<const WorkKind> kinds) {
  const int own = own_threads(&mail);
  mail.send({0, LetterKind::hello, fmt::format("{}\n{}", own, host_name())});
  Crew crew;
  const auto begin = [&](const std::string& letter) {
    const auto [head, task] = split_head(letter);
    char* end = nullptr;
    const std::size_t number = std::strtoull(head.c_str(), &end, 10);
    const auto threads = static_cast<int>(std::strtol(end, &end, 10));
    const std::string name = end + 1;
    crew.start(number, threads > 0 ? threads : own, [&kinds, name, task = task] {
      for (const WorkKind& kind : kinds) {
        if (kind.name == name) return digest_of(task) + '\n' + kind.work(task);
      }
      throw InputError("no work is called '" + name + "' here; start one speclab on all ranks");
    });
  };
  Patience patience;
  bool told = false;
  for (;;) {
    if (const auto outcome = crew.collect()) {
      // First of all, so that nobody takes what is half done for whole.
      if (interrupted() && !std::exchange(told, true)) mail.send({0, LetterKind::stop, "\n"});
      const auto& [number, result, failure] = *outcome;
      mail.send(failure ? letter_of_failure(number, failure)
                        : Letter{0, LetterKind::result, fmt::format("{} {}", number, result)});
      patience.reset();
    } else if (const auto letter = mail.receive()) {
      if (letter->kind == LetterKind::end) break;
      if (letter->kind == LetterKind::stop) raise_interrupt();
      if (letter->kind == LetterKind::task) begin(letter->text);
      patience.reset();
    } else {
      crew.wait(patience.next(microseconds(crew.busy() > 0 ? 5000 : 500)));
    }
  }
  mail.send({0, LetterKind::bye, "\n"});
}

}  // namespace speclab
