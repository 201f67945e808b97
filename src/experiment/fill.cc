#include "experiment/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "answer/asked.h"
#include "base/error.h"
#include "base/random.h"
#include "experiment/answer_text.h"
#include "experiment/check_stored.h"
#include "experiment/chunks.h"
#include "experiment/sweep.h"
#include "simulate/tally_text.h"
#include "system/interrupt.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

using nlohmann::json;

std::uint64_t hash_of(const std::string& task_key) { return task_hash("answer " + task_key); }

std::uint64_t hash_of(const std::string& task_key, TrialRangeDone range) {
  return task_hash(fmt::format("chunk {} {} {}", range.first, range.count, task_key));
}

/// How a task is answered but for its trials: exactly, or by closed forms, which a simulated task
/// has too.
AnswerKind kind_of(const TaskGroup& group) {
  return group.kind == TaskKind::exact ? AnswerKind::exact : AnswerKind::closed_form;
}

/// The text that the store keeps of a piece.
std::string make_piece(Bench& bench, const Question& question, const json& piece) {
  check_interrupted();
  const auto kind = static_cast<AnswerKind>(piece.at("kind").get<int>());
  if (kind == AnswerKind::simulate) {
    return tally_text(bench.sample(question, read_method(piece.at("method"))).tally);
  }
  const AnswerMethod method = kind == AnswerKind::exact
                                  ? AnswerMethod(ByEnumeration{piece.at("paths").get<double>(), 0})
                                  : ByClosedForm{};
  return answer_text(bench.answer(question, method));
}

/// All pieces of a task's text, each made by `make`; null for one that fails.
template <class Make>
std::string make_pieces(const std::string& task, const Make& make) {
  const Stopwatch watch;
  json made = json::array();
  for (const json& piece : json::parse(task)) {
    try {
      made.push_back(make(piece));
    } catch (const Error&) {
      made.push_back(nullptr);
    }
  }
  return json{{"made", std::move(made)}, {"seconds", watch.seconds()}}.dump();
}

}  // namespace

std::string do_pieces(const std::string& task) {
  return make_pieces(task, [](const json& piece) {
    const Asked asked(piece.at("question"));
    return make_piece(asked.bench(), asked.question(), piece);
  });
}

bool Fill::made(const std::string& task_key) { return made_.erase(hash_of(task_key)) > 0; }

bool Fill::made(const std::string& task_key, TrialRangeDone range) {
  return made_.erase(hash_of(task_key, range)) > 0;
}

bool Fill::run(const Experiment& experiment, const std::vector<SweepTask>& tasks, Bench& bench,
               const std::function<void(double trials)>& progress) {
  experiment_ = &experiment;
  tasks_ = &tasks;
  planned_ = 0;
  pieces_.clear();
  dealt_.clear();
  failed_ = false;
  trials_ = 0;
  Workers::Deal deal;
  deal.kind = kPiecesWork.name;
  deal.wide = true;
  deal.threads = options_.threads;
  deal.next = [this] { return next(); };
  deal.here = [&](std::size_t, const std::string& text) {
    return make_pieces(text, [&](const json& piece) {
      return make_piece(bench, *tasks[piece.at("at").get<std::size_t>()].question, piece);
    });
  };
  deal.take = [&](std::size_t number, const std::string& text) {
    take(number, text);
    progress(trials_);
  };
  return Workers::current().deal(deal);
}

std::optional<std::string> Fill::next() {
  json bundle = json::array();
  std::vector<Piece> dealt;
  while (static_cast<double>(dealt.size()) < bundle_) {
    const auto piece = next_piece();
    if (!piece) break;
    const SweepTask& task = (*tasks_)[piece->task];
    json text{{"question", question_json(*task.question)},
              {"kind", static_cast<int>(piece->kind)},
              {"at", piece->task}};
    if (piece->kind == AnswerKind::exact) text["paths"] = task.group->max_paths;
    if (piece->kind == AnswerKind::simulate) {
      text["method"] = method_json(
          {.first_trial = piece->range.first, .trials = piece->range.count, .seed = options_.seed});
    }
    bundle.push_back(std::move(text));
    dealt.push_back(*piece);
  }
  if (dealt.empty()) return std::nullopt;
  dealt_.push_back(std::move(dealt));
  return bundle.dump();
}

std::optional<Fill::Piece> Fill::next_piece() {
  while (pieces_.empty() && planned_ < tasks_->size() && !failed_) plan(planned_++);
  if (pieces_.empty() || failed_) return std::nullopt;
  const Piece piece = pieces_.front();
  pieces_.pop_front();
  return piece;
}

void Fill::plan(std::size_t at) {
  const SweepTask& task = (*tasks_)[at];
  if (!task.question) return;
  const AnswerKind kind = kind_of(*task.group);
  const std::string key = task_key(*task.question, kind);
  if (!made_.contains(hash_of(key)) && !store_.answer(key)) {
    made_.insert(hash_of(key));
    pieces_.push_back({at, kind, {}});
  }
  if (task.group->kind == TaskKind::simulate && !task.group->precision) plan_chunks(at);
}

void Fill::plan_chunks(std::size_t at) {
  const SweepTask& task = (*tasks_)[at];
  const std::string key = task_key(*task.question, AnswerKind::simulate);
  const std::vector<TrialRangeDone> known = store_.chunks(key, options_.seed);
  std::uint64_t done = 0;
  for (const std::uint64_t wanted : task.trials) {
    while (done < wanted) {
      const std::uint64_t end = chunk_end(done, experiment_->chunk, wanted);
      if (const TrialRangeDone* range = longest_known(known, done, end)) {
        done += range->count;
        continue;
      }
      const TrialRangeDone range{done, end - done};
      if (made_.insert(hash_of(key, range)).second) {
        pieces_.push_back({at, AnswerKind::simulate, range});
      }
      done = end;
    }
  }
}

void Fill::take(std::size_t number, const std::string& text) {
  const json node = json::parse(text);
  const std::vector<Piece> pieces = std::move(dealt_.at(number));
  const json& made = node.at("made");
  if (made.size() != pieces.size()) throw std::logic_error("pieces were lost or made twice");
  store_.together([&] {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!made[i].is_null()) keep(pieces[i], made[i].get<std::string>());
      failed_ = failed_ || made[i].is_null();
    }
  });
  constexpr double kAim = 0.1;  // seconds
  constexpr double kMost = 256;
  const double factor = kAim / std::max(node.at("seconds").get<double>(), 1e-6);
  bundle_ = std::clamp(static_cast<double>(pieces.size()) * std::min(factor, 8.0), 1.0, kMost);
}

void Fill::keep(const Piece& piece, const std::string& made) {
  const Question& question = *(*tasks_)[piece.task].question;
  const std::string key = task_key(question, piece.kind);
  if (piece.kind != AnswerKind::simulate) {
    check_answer(read_answer(question, piece.kind, made));
    return store_.put_answer(key, made);
  }
  const Tally tally = read_tally(made);
  TrialRangeDone range = piece.range;
  if (tally.trials == 0) return;
  range.count = std::min(range.count, tally.trials);  // fewer where a signal came
  check_tally(tally, range.count, question.lengths);
  store_.put_chunk(key, options_.seed, range, tally);
  trials_ += static_cast<double>(range.count);
}

}  // namespace speclab
