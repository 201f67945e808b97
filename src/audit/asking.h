#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "audit/audit.h"
#include "audit/implementation.h"

namespace speclab {

/// A request with the number of its case.
struct CaseRequest {
  std::size_t at_case = 0;
  VerifyRequest request;  ///< its count is that of the whole case
  bool asked = true;      ///< else it takes its numbers and seeds, and is not sent
};

/// Decisions in one request at most, and in the requests of one batch.
inline constexpr std::size_t kDecisionsOfARequest = 8'192;
inline constexpr std::size_t kDecisionsTogether = 65'536;

/// Sends all these requests: cut into requests of at most kDecisionsOfARequest decisions, those of
/// one shape together and mixed, so that a batch of an implementation has different rows. Every
/// request has its own seed and number. Calls answered(case, request, reply) for each reply after
/// it was checked.
/// @throws what the implementation throws, and check_reply
void ask_all(
    const std::vector<CaseRequest>& wanted, std::uint64_t seed, Implementation& implementation,
    const AuditProgress& progress,
    const std::function<void(std::size_t, const VerifyRequest&, const VerifyReply&)>& answered);

}  // namespace speclab
