#include <fmt/format.h>

#include <algorithm>

#include "audit/implementation.h"
#include "base/error.h"

namespace speclab {
namespace {

[[noreturn]] void refuse(std::uint64_t id, const std::string& what) {
  throw InputError(fmt::format("request {}: {}", id, what));
}

[[noreturn]] void refuse(std::uint64_t id, std::size_t decision, const std::string& what) {
  throw InputError(fmt::format("request {}, decision {}: {}", id, decision, what));
}

template <class A, class B>
void check_counts(std::uint64_t id, std::size_t count, const A& accepted, const B& tokens) {
  if (accepted.size() != count) {
    refuse(id, fmt::format("{} entries of accepted received; {} decisions were asked for",
                           accepted.size(), count));
  }
  if (tokens.size() != count) {
    refuse(id, fmt::format("{} lists of tokens received; {} decisions were asked for",
                           tokens.size(), count));
  }
}

void check_token(std::uint64_t id, std::size_t decision, Token token, Token vocabulary) {
  if (token < 0 || token >= vocabulary) {
    refuse(id, decision,
           fmt::format("token {} received; tokens are 0 to {}", token, vocabulary - 1));
  }
}

void check_accepted(std::uint64_t id, std::size_t decision, int accepted, int gamma) {
  if (accepted < 0 || accepted > gamma) {
    refuse(id, decision,
           fmt::format("accepted {} received; it is 0 to {}, the draft length", accepted, gamma));
  }
}

}  // namespace

void check_reply(const VerifyRequest& request, const VerifyReply& reply) {
  check_counts(request.id, request.count, reply.accepted, reply.tokens);
  const int gamma = static_cast<int>(request.drafts.front().size());
  for (std::size_t b = 0; b < request.count; ++b) {
    const int accepted = reply.accepted[b];
    const auto& tokens = reply.tokens[b];
    check_accepted(request.id, b, accepted, gamma);
    if (tokens.size() != static_cast<std::size_t>(accepted) + 1) {
      refuse(request.id, b,
             fmt::format("{} tokens received with accepted {}; give the accepted ones, then the "
                         "correction or the bonus",
                         tokens.size(), accepted));
    }
    for (const Token token : tokens) check_token(request.id, b, token, request.vocabulary);
    const auto begins_with_them = [&](const std::vector<Token>& draft) {
      return std::equal(draft.begin(), draft.begin() + accepted, tokens.begin());
    };
    if (std::none_of(request.drafts.begin(), request.drafts.end(), begins_with_them)) {
      refuse(request.id, b,
             fmt::format("tokens [{}] received with accepted {}; the accepted ones are those of no "
                         "draft",
                         fmt::join(tokens, ", "), accepted));
    }
  }
}

void check_reply(const GenerateRequest& request, const GenerateReply& reply) {
  check_counts(request.id, request.count, reply.accepted, reply.tokens);
  for (std::size_t b = 0; b < request.count; ++b) {
    const auto& tokens = reply.tokens[b];
    if (tokens.size() != static_cast<std::size_t>(request.horizon)) {
      refuse(request.id, b,
             fmt::format("{} tokens received; a decode has {}", tokens.size(), request.horizon));
    }
    for (const Token token : tokens) check_token(request.id, b, token, request.vocabulary);
    std::int64_t emitted = 0;
    for (const int accepted : reply.accepted[b]) {
      check_accepted(request.id, b, accepted, request.gamma);
      if (emitted >= request.horizon) {
        refuse(
            request.id, b,
            fmt::format("{} iterations received, but the first ones emit {} tokens already; stop "
                        "once there are {}",
                        reply.accepted[b].size(), emitted, request.horizon));
      }
      emitted += accepted + 1;
    }
    if (emitted < request.horizon) {
      refuse(request.id, b,
             fmt::format("{} iterations received, which emit {} tokens; a decode has {}",
                         reply.accepted[b].size(), emitted, request.horizon));
    }
  }
}

}  // namespace speclab
