// SPDX-License-Identifier: Apache-2.0
// Checks an implementation of speculative sampling against a file of conformance vectors. C++17,
// standard library alone; copy this file into your tests.
//
//   #include "check.hpp"
//   int main(int argc, char** argv) { return speclab::run(argc, argv, speclab::each(my_function)); }
//   std::vector<int> my_function(const speclab::Case& given);
//
//   ./tests token.json                                   0: all cases pass, 1: one does not, 2: wrong use
//   ./tests token.json --controls token.controls.json    the vectors themselves: wrong laws must fail
//
// my_function makes one iteration and returns the accepted tokens and the one after them. A function
// that makes many at once, (given, count) -> lists, goes to run() as it is; one that takes its random
// numbers, (given, coins, draws) -> tokens, to check_uniforms().
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace speclab {

using Tokens = std::vector<int>;
using Row = std::vector<double>;

// What one decision is made from. The outer index is that of the draft: there is one of most rules.
struct Case {
  int id = 0;
  std::string flag;                                       // what the case is for
  int vocabulary = 0;                                     // V
  int eos = -1;                                           // the end-of-sequence token, or -1
  std::vector<Tokens> drafts;                             // [K][gamma]
  std::vector<std::vector<Row>> draft_rows, target_rows;  // [K][gamma][V], [K][gamma + 1][V]
};
struct Failure {
  int id = 0;
  std::string flag, reason;  // the worst of what is wrong
};
using Verify = std::function<std::vector<Tokens>(const Case&, std::size_t count)>;
using Decide = std::function<Tokens(const Case&, const Row& coins, const Row& draws)>;

inline Verify each(std::function<Tokens(const Case&)> one) {
  return [one = std::move(one)](const Case& given, std::size_t count) {
    std::vector<Tokens> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(one(given));
    return all;
  };
}

namespace detail {

struct Json {
  std::string text;  // of a string, or a number as it is written
  std::vector<Json> list;
  std::map<std::string, Json> members;
  const Json& at(const std::string& key) const {
    const auto found = members.find(key);
    if (found == members.end()) throw std::runtime_error("no key \"" + key + "\"");
    return found->second;
  }
  double number() const { return std::strtod(text.c_str(), nullptr); }
  int integer() const { return static_cast<int>(number()); }
  std::size_t size() const { return static_cast<std::size_t>(number()); }
};

// Reads the JSON that speclab writes: of escapes only those of one character.
class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}
  Json value() {
    Json made;
    const char first = next();
    if (first == '{' || first == '[') {
      const char last = first == '{' ? '}' : ']';
      ++at_;
      while (next() != last) {
        if (next() == ',') ++at_;
        if (first == '[') {
          made.list.push_back(value());
        } else {
          const std::string key = string();
          if (next() != ':') fail();
          ++at_;
          made.members[key] = value();
        }
      }
      ++at_;
    } else if (first == '"') {
      made.text = string();
    } else {
      const std::size_t end = std::min(text_.find_first_of(",]} \n", at_), text_.size());
      if (end == at_) fail();
      made.text = text_.substr(at_, end - at_);
      at_ = end;
    }
    return made;
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error("no JSON at byte " + std::to_string(at_)); }
  char next() {
    at_ = std::min(text_.find_first_not_of(" \n\r\t", at_), text_.size());
    if (at_ == text_.size()) fail();
    return text_[at_];
  }
  std::string string() {
    if (next() != '"') fail();
    std::string made;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) made += text_[at_];
    }
    ++at_;
    return made;
  }
  std::string text_;
  std::size_t at_ = 0;
};

inline Json load(const std::string& path, const std::string& kind) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  Json made;
  try {
    made = Reader({std::istreambuf_iterator<char>(file), {}}).value();
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
  if (made.members.count("format") == 0 || made.at("format").text != "speclab conformance " + kind)
    throw std::runtime_error(path + " is no file of " + kind);
  return made;
}

template <class Made, class Make>
std::vector<Made> each_of(const Json& from, const Make& make) {
  std::vector<Made> all;
  for (const Json& one : from.list) all.push_back(make(one));
  return all;
}
inline Row numbers(const Json& from) {
  return each_of<double>(from, [](const Json& one) { return one.number(); });
}
inline Tokens tokens(const Json& from) {
  return each_of<int>(from, [](const Json& one) { return one.integer(); });
}
// A row as V numbers; that of a large vocabulary is written by token, without zeros.
inline Row dense(const Json& from, std::size_t size) {
  if (from.members.empty()) return numbers(from);
  Row made(size);
  for (const auto& [name, value] : from.members) {
    const auto x = static_cast<std::size_t>(std::strtoull(name.c_str(), nullptr, 10));
    if (x >= size) throw std::runtime_error("a row has token " + name + ", of " + std::to_string(size));
    made[x] = value.number();
  }
  return made;
}
inline Case case_of(const Json& from) {
  const std::size_t size = from.at("vocabulary").size();
  const auto row = [size](const Json& one) { return dense(one, size); };
  const auto rows = [&row](const Json& chain) { return each_of<Row>(chain, row); };
  return {from.at("id").integer(),
          from.at("flag").text,
          from.at("vocabulary").integer(),
          from.members.count("eos") ? from.at("eos").integer() : -1,
          each_of<Tokens>(from.at("drafts"), tokens),
          each_of<std::vector<Row>>(from.at("draft_rows"), rows),
          each_of<std::vector<Row>>(from.at("target_rows"), rows)};
}
inline std::string text(const Tokens& tokens) {
  std::string made;
  for (const int token : tokens) made += (made.empty() ? "" : ", ") + std::to_string(token);
  return "[" + made + "]";
}

// What was returned, without what follows the end of the sequence.
inline Tokens outcome(const Case& given, Tokens found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] < 0 || found[i] >= given.vocabulary)
      throw std::runtime_error("returned " + text(found) + ", where tokens from 0 to " +
                               std::to_string(given.vocabulary - 1) + " are due");
    if (found[i] == given.eos) found.resize(i + 1);
  }
  return found;
}

// What is wrong most with the counts of a case's outcomes; "" where they pass.
inline std::string judge(const Json& made, const std::map<Tokens, std::size_t>& counts,
                         const std::string& band) {
  std::map<Tokens, int> accepted;
  std::map<int, std::size_t> lengths;
  std::size_t total = 0, worst = 0;
  std::string reason;
  for (const Json& one : made.at("outcomes").list)
    accepted[tokens(one.at("tokens"))] = one.at("accepted").integer();
  for (const auto& [found, count] : counts) {
    if (accepted.count(found) == 0)
      return text(found) + " is impossible, and came " + std::to_string(count) + " times";
    lengths[accepted[found]] += count;
    total += count;
  }
  const auto look = [&](const std::string& name, std::size_t count, const Json& one) {
    const std::size_t least = one.at(band).list.at(0).size(), most = one.at(band).list.at(1).size();
    const std::size_t beyond = count < least ? least - count : count > most ? count - most : 0;
    if (beyond <= worst) return;
    worst = beyond;
    reason = name + " came " + std::to_string(count) + " times in " + std::to_string(total) + ", " +
             std::to_string(least) + " to " + std::to_string(most) + " pass";
  };
  for (const Json& one : made.at("lengths").list)
    look(one.at("accepted").text + " accepted", lengths[one.at("accepted").integer()], one);
  for (const Json& one : made.at("outcomes").list) {
    const auto found = counts.find(tokens(one.at("tokens")));
    look(text(tokens(one.at("tokens"))), found == counts.end() ? 0 : found->second, one);
  }
  return reason;
}

// Counts a case's outcomes in two parts, so that gross faults end early.
inline std::string sample(const Json& vectors, const Json& made, const Case& given, const Verify& verify) {
  const Json& sizes = made.members.count("samples") ? made : vectors;  // a case may have its own
  const std::size_t early = sizes.at("early").size(), all = sizes.at("samples").size();
  std::map<Tokens, std::size_t> counts;
  for (const bool first : {true, false}) {
    const std::size_t count = first ? early : all - early;
    const std::vector<Tokens> answers = verify(given, count);
    if (answers.size() != count)
      return "returned " + std::to_string(answers.size()) + " lists where " + std::to_string(count) +
             " were asked for";
    for (const Tokens& found : answers) ++counts[outcome(given, found)];
    if (std::string reason = judge(made, counts, first ? "early" : "count"); !reason.empty()) return reason;
  }
  return "";
}

// The first decision on given numbers that differs.
inline std::string decisions(const Json& made, const Case& given, const Decide& decide) {
  for (const Json& one : made.at("uniforms").list) {
    const Row coins = numbers(one.at("coins")), draws = numbers(one.at("draws"));
    const Tokens found = outcome(given, decide(given, coins, draws)), right = tokens(one.at("tokens"));
    if (found == right) continue;
    std::string drawn = "coins";
    for (const double u : coins) drawn += " " + std::to_string(u);
    return drawn + ": " + text(found) + " where the rule has " + text(right);
  }
  return "";
}

template <class Test>
std::vector<Failure> failures(const Json& vectors, const Test& test) {
  std::vector<Failure> all;
  for (const Json& made : vectors.at("cases").list) {
    const Case given = case_of(made);
    std::string reason;
    try {
      reason = test(made, given);
    } catch (const std::exception& error) {  // whatever the implementation throws is a finding
      reason = error.what();
    } catch (...) {
      reason = "threw what is no std::exception";
    }
    if (!reason.empty()) all.push_back({given.id, given.flag, reason});
  }
  return all;
}

}  // namespace detail

// Throws std::runtime_error where the file cannot be read.
inline std::vector<Failure> check(const std::string& path, const Verify& verify) {
  const detail::Json vectors = detail::load(path, "vectors");
  return detail::failures(vectors, [&](const detail::Json& made, const Case& given) {
    return detail::sample(vectors, made, given, verify);
  });
}

inline std::vector<Failure> check_uniforms(const std::string& path, const Decide& decide) {
  return detail::failures(detail::load(path, "vectors"), [&](const detail::Json& made, const Case& given) {
    return detail::decisions(made, given, decide);
  });
}

// The controls, wrong laws, that the vectors do not reject: none, of files that belong together.
inline std::vector<Failure> missed_controls(const std::string& path, const std::string& controls) {
  const detail::Json vectors = detail::load(path, "vectors"), wrong = detail::load(controls, "controls");
  std::mt19937_64 random(1);
  std::vector<Failure> missed;
  for (const detail::Json& control : wrong.at("controls").list) {
    const detail::Json& made = vectors.at("cases").list.at(control.at("case").size() - 1);
    const Case given = detail::case_of(made);
    std::string reason;
    if (control.members.count("decisions")) {
      std::size_t at = 0;
      reason = detail::decisions(made, given, [&](const Case&, const Row&, const Row&) {
        return detail::tokens(control.at("decisions").list.at(at++));
      });
    } else {
      std::vector<Tokens> outcomes;
      Row weights;
      for (const detail::Json& one : control.at("law").list) {
        outcomes.push_back(detail::tokens(one.at("tokens")));
        weights.push_back(one.at("probability").number());
      }
      std::discrete_distribution<std::size_t> law(weights.begin(), weights.end());
      reason = detail::sample(vectors, made, given, each([&](const Case&) { return outcomes[law(random)]; }));
    }
    if (reason.empty())
      missed.push_back({given.id, given.flag, control.at("fault").text + " was not rejected"});
  }
  return missed;
}

inline int run(int argc, char** argv, const Verify& verify) {
  const bool controls = argc == 4 && std::string(argv[2]) == "--controls";
  if (argc != 2 && !controls) {
    std::cerr << "usage: " << argv[0] << " VECTORS.json [--controls CONTROLS.json]\n";
    return 2;
  }
  try {
    const auto all = controls ? missed_controls(argv[1], argv[3]) : check(argv[1], verify);
    for (const Failure& one : all)
      std::cout << "FAIL case " << one.id << " (" << one.flag << "): " << one.reason << "\n";
    std::cout << argv[1] << ": " << (all.empty() ? "pass" : "fail") << "\n";
    return all.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << "\n";
    return 2;
  }
}

}  // namespace speclab
