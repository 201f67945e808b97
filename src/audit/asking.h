#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "audit/audit.h"
#include "audit/implementation.h"

namespace speclab {

/// A request with the number of the case that it is of.
struct CaseRequest {
  std::size_t at_case = 0;
  VerifyRequest request;  ///< its count is all that the case wants
};

/// Decisions in one request at most, and in the requests that are asked together.
inline constexpr std::size_t kDecisionsOfARequest = 8'192;
inline constexpr std::size_t kDecisionsTogether = 65'536;

/// Asks for all of these: cut into requests of at most kDecisionsOfARequest decisions, those of one
/// shape together and mixed, so that an implementation that takes them for one batch has different
/// rows in it. Every request has a seed and a number of its own. Calls answered(case, request,
/// reply) for each after its reply was checked.
/// @throws what the implementation throws, and check_reply
void ask_all(
    std::vector<CaseRequest> wanted, std::uint64_t seed, Implementation& implementation,
    const AuditProgress& progress,
    const std::function<void(std::size_t, const VerifyRequest&, const VerifyReply&)>& answered);

}  // namespace speclab
