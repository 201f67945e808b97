// Letters by MPI, in a module of its own that open_mail() loads: the one file with calls of MPI.
#ifdef SPECLAB_MPI
#include <mpi.h>
#include <sched.h>

#include <cstring>
#include <deque>
#include <limits>
#include <stdexcept>
#include <vector>

#include "system/mail.h"

namespace speclab {
namespace {

class MpiMail final : public Mail {
 public:
  MpiMail() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    neighbours_ = count_neighbours();
  }

  ~MpiMail() override {
    for (OnItsWay& letter : sent_) MPI_Wait(&letter.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }
  [[nodiscard]] int neighbours() const override { return neighbours_; }

  void send(const Letter& letter) override {
    if (letter.text.size() > std::numeric_limits<int>::max()) {
      throw std::length_error("a letter between ranks is longer than 2 GB");
    }
    forget_arrived();
    // A deque does not move what it holds: MPI reads the text until it has arrived.
    OnItsWay& kept = sent_.emplace_back(OnItsWay{letter.text, {}});
    MPI_Isend(kept.text.data(), static_cast<int>(kept.text.size()), MPI_BYTE, letter.rank,
              static_cast<int>(letter.kind), MPI_COMM_WORLD, &kept.request);
  }

  std::optional<Letter> receive() override {
    forget_arrived();
    int there = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Letter letter{status.MPI_SOURCE, static_cast<LetterKind>(status.MPI_TAG), {}};
    letter.text.resize(static_cast<std::size_t>(size));
    MPI_Mrecv(letter.text.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return letter;
  }

  void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
  }

 private:
  struct OnItsWay {
    std::string text;
    MPI_Request request;
  };

  void forget_arrived() {
    while (!sent_.empty()) {
      int arrived = 0;
      MPI_Test(&sent_.front().request, &arrived, MPI_STATUS_IGNORE);
      if (arrived == 0) return;
      sent_.pop_front();
    }
  }

  /// Ranks of this machine that may run on the same set of processors.
  static int count_neighbours() {
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int size = 0;
    MPI_Comm_size(machine, &size);
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(size));
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, machine);
    MPI_Comm_free(&machine);
    int same = 0;
    for (const cpu_set_t& other : all) same += CPU_EQUAL(&mine, &other) ? 1 : 0;
    return same;
  }

  int rank_ = 0, ranks_ = 1, neighbours_ = 1;
  std::deque<OnItsWay> sent_;
};

}  // namespace
}  // namespace speclab

/// The module's one symbol.
extern "C" speclab::Mail* speclab_mail() { return new speclab::MpiMail(); }
#endif
