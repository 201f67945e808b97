#include "audit/asking.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/random.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

using Shape = std::tuple<std::size_t, std::size_t, Token>;

Shape shape_of(const VerifyRequest& request) {
  return {request.drafts.size(), request.drafts.front().size(), request.vocabulary};
}

/// The requests of cases of one shape: the first of every case, then the second ones, and so on.
std::vector<CaseRequest> pieces_of(std::vector<const CaseRequest*> cases) {
  std::vector<CaseRequest> pieces;
  for (std::size_t from = 0; !cases.empty(); from += kDecisionsOfARequest) {
    for (const CaseRequest* each : cases) {
      pieces.push_back(*each);
      VerifyRequest& piece = pieces.back().request;
      piece.count = std::min(kDecisionsOfARequest, each->request.count - from);
      const auto cut = [&](std::vector<std::vector<double>>& numbers) {
        if (numbers.empty()) return;
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(from);
        numbers = {begin, begin + static_cast<std::ptrdiff_t>(piece.count)};
      };
      cut(piece.coins);
      cut(piece.draws);
    }
    std::erase_if(cases, [&](const CaseRequest* each) {
      return each->request.count <= from + kDecisionsOfARequest;
    });
  }
  return pieces;
}

}  // namespace

void ask_all(
    const std::vector<CaseRequest>& wanted, std::uint64_t seed, Implementation& implementation,
    const AuditProgress& progress,
    const std::function<void(std::size_t, const VerifyRequest&, const VerifyReply&)>& answered) {
  std::map<Shape, std::vector<const CaseRequest*>> by_shape;
  std::uint64_t all = 0;
  for (const CaseRequest& each : wanted) {
    if (each.request.count > 0) by_shape[shape_of(each.request)].push_back(&each);
    if (each.asked) all += each.request.count;
  }
  Stream seeds(stream_key(seed, task_hash("audit requests")), 0, 0, Purpose::draft);
  std::uint64_t number = 0;
  std::uint64_t done = 0;
  for (auto& [shape, cases] : by_shape) {
    std::vector<CaseRequest> pieces = pieces_of(std::move(cases));
    for (std::size_t from = 0; from < pieces.size();) {
      check_interrupted();
      std::vector<VerifyRequest> together;
      std::vector<std::size_t> of_case;
      std::size_t decisions = 0;
      for (; from < pieces.size() &&
             (together.empty() || decisions + pieces[from].request.count <= kDecisionsTogether);
           ++from) {
        const std::uint64_t id = number++;
        const std::uint64_t own = seeds() >> 11;  // below 2^53: every JSON reader reads it exactly
        if (!pieces[from].asked) continue;
        decisions += pieces[from].request.count;
        of_case.push_back(pieces[from].at_case);
        together.push_back(std::move(pieces[from].request));
        together.back().id = id;
        together.back().seed = own;
      }
      if (together.empty()) continue;
      const auto replies = implementation.verify(together);
      if (replies.size() != together.size()) {
        throw InputError("the implementation gave " + std::to_string(replies.size()) +
                         " replies to " + std::to_string(together.size()) + " requests");
      }
      for (std::size_t i = 0; i < together.size(); ++i) {
        check_reply(together[i], replies[i]);
        answered(of_case[i], together[i], replies[i]);
      }
      done += decisions;
      if (progress) progress(done, all);
    }
  }
}

}  // namespace speclab
