#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.h"
#include "audit/implementation.h"
#include "base/json.h"

namespace speclab {

// The line protocol of audits, version 1: one JSON object per line (docs/audit.md). Lines are
// passed without their line feed.

inline constexpr int kProtocol = 1;

/// The scale of the rows of a verify request.
enum class RowScale {
  probabilities,  ///< "draft_probs", "target_probs": each row sums to 1
  logits,         ///< "draft_logits", "target_logits": natural logarithms of the rows
};

/// The logarithm of 0 as it is sent: JSON has no infinity, and exp(-1e30) is 0 in every format.
inline constexpr double kLogitOfZero = -1e30;

/// A value of each draft, as requests and cases have it: alone where there is one draft, else a
/// list.
template <class T>
Json of_drafts(const std::vector<T>& values) {
  return values.size() == 1 ? Json(values.front()) : Json(values);
}

/// {"protocol":1,"rule":"block","mode":"verify"}
std::string opening_line(std::string_view rule, AuditMode mode);

/// {"id":..,"count":B,"vocabulary":V,"draft_tokens":..,"draft_probs":..,"target_probs":..,"seed":..}
/// and, in mode uniforms, "coins" and "draws". One draft: [gamma], [gamma][V], [gamma + 1][V];
/// several: [K] of them.
std::string request_line(const VerifyRequest& request, RowScale scale = RowScale::probabilities);

/// {"id":..,"pair":{..},"gamma":..,"drafts":..,"horizon":T,"count":B,"seed":..}; "drafts" only
/// where there are several.
std::string request_line(const GenerateRequest& request);

/// {"end":true}
std::string end_line();

/// An upper bound on the bytes of a correct answer, with 64 per number.
std::size_t longest_reply(const VerifyRequest& request);
std::size_t longest_reply(const GenerateRequest& request);
inline constexpr std::size_t kLongestOpening = 4096;

/// Reads {"protocol":1}.
/// @throws InputError naming what is wrong and quoting what was received
void read_opening(std::string_view line);

/// Reads an answer and checks it (see check_reply). Every key once, no other key, whole numbers
/// without a decimal point, no list longer or deeper than the request allows; reading stops at the
/// first error, so that its memory is bounded by the request.
/// @throws InputError naming the request and what is wrong, quoting what was received
VerifyReply read_reply(std::string_view line, const VerifyRequest& request);
GenerateReply read_reply(std::string_view line, const GenerateRequest& request);

/// At most 80 bytes of what came from outside, in quotes: everything but printable ASCII is '?', so
/// that no escape sequence reaches a terminal. `around` is an offset that it shows.
std::string excerpt(std::string_view received, std::size_t around = 0);

}  // namespace speclab
