#pragma once

#include "audit/implementation.h"

namespace speclab {

/// Two drafted tokens of three; rows that doubles hold exactly.
inline VerifyRequest small_request(std::uint64_t id = 1, std::size_t count = 3) {
  VerifyRequest request;
  request.id = id;
  request.count = count;
  request.vocabulary = 3;
  request.drafts = {{0, 2}};
  request.draft_rows = {{{0.5, 0.25, 0.25}, {0.25, 0.0, 0.75}}};
  request.target_rows = {{{0.25, 0.5, 0.25}, {0.0, 0.5, 0.5}, {1.0, 0.0, 0.0}}};
  request.seed = 7;
  return request;
}

/// Two drafts of one token.
inline VerifyRequest two_drafts() {
  VerifyRequest request;
  request.id = 2;
  request.count = 2;
  request.vocabulary = 2;
  request.drafts = {{0}, {1}};
  request.draft_rows = {{{0.75, 0.25}}, {{0.75, 0.25}}};
  request.target_rows = {{{0.5, 0.5}, {1.0, 0.0}}, {{0.5, 0.5}, {0.25, 0.75}}};
  request.seed = 8;
  return request;
}

/// As small_request(), with the numbers to be used.
inline VerifyRequest forced_request() {
  VerifyRequest request = small_request(3, 2);
  request.coins = {{0.25, 0.5, 0.5}, {0.25, 0.75, 0.5}};
  request.draws = {{0.125, 0.5, 0.5}, {0.875, 0.5, 0.5}};
  return request;
}

inline GenerateRequest small_decodes() {
  GenerateRequest request;
  request.id = 4;
  request.count = 2;
  request.pair =
      R"({"vocabulary":2,"kind":"iid","prompt":["1/2","1/2"],"draft":["2/3","1/3"],"target":["1/3","2/3"]})";
  request.vocabulary = 2;
  request.gamma = 2;
  request.horizon = 4;
  request.seed = 9;
  return request;
}

}  // namespace speclab
