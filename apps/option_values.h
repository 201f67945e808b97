#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/cost_model.h"
#include "base/rational.h"
#include "command.h"
#include "model/lengths.h"
#include "report/report.h"

namespace speclab {

// Values of options, taken apart so that every message names the option and the fix.

/// The largest value of --trials.
inline constexpr std::uint64_t kTrialsLimit = 1'000'000'000'000;

/// A whole number; also written as 1e6.
/// @throws UsageError naming the option and the range
std::uint64_t read_count(const Arguments& arguments, std::string_view option, std::uint64_t low,
                         std::uint64_t high, std::uint64_t fallback);

/// The values of a repeated option that holds one thing each.
/// @throws UsageError for "token,block": a comma outside of brackets and quotes; it says to repeat
/// the option
const std::vector<std::string>& read_each(const Arguments& arguments, std::string_view option);

/// "rrs(K=2),block" as {"rrs(K=2)", "block"}: cut at commas outside of brackets and quotes.
std::vector<std::string> at_commas(const std::string& text);

/// @throws UsageError with the example where the option is not given
void require(const Arguments& arguments, std::string_view option, std::string_view example);

/// @throws UsageError with `message` about {} for the first of `options` that is given
void refuse_any(const Arguments& arguments, std::initializer_list<const char*> options,
                std::string_view message);

/// The same where the option `with` takes none of them.
void refuse_with(const Arguments& arguments, std::string_view with,
                 std::initializer_list<const char*> options);

/// The values of a repeated option, whole numbers in digits from 1 to `most`.
std::vector<int> read_numbers(const Arguments& arguments, std::string_view option, int most);

/// --latency, where it is given.
std::optional<CostModel> read_latency(const Arguments& arguments);

/// One of `names`; a near miss is named.
std::size_t read_choice(const Arguments& arguments, std::string_view option,
                        const std::vector<std::string>& names, std::size_t fallback);

/// The place of one value of an option among `names`. @throws UsageError as read_choice() does
std::size_t choice_of(std::string_view option, const std::string& text,
                      const std::vector<std::string>& names);

/// The draft lengths that a command takes.
struct GammaRange {
  int longest = kLargestLength;
  bool unbounded = true;  ///< whether inf is one of them
};

/// The draft lengths of --gamma: numbers, ranges such as 1:12 or 1:8:2, inf.
/// @throws UsageError naming those that are taken
std::vector<int> read_gammas(const Arguments& arguments, const GammaRange& taken = {});

/// The same, ascending and each once; 1 to `usual` where the option is not given.
std::vector<int> read_ascending_gammas(const Arguments& arguments, int usual,
                                       const GammaRange& taken = {});

/// --threads: 0 where it is not given, which stands for as many as the machine has.
int read_threads(const Arguments& arguments);

/// A decimal or a fraction, or nothing where the option is not given.
/// @param wanted  what the option takes, in words
/// @throws UsageError with them where it is no number or does not fit
std::optional<Rational> read_rational(const Arguments& arguments, std::string_view option,
                                      std::string_view wanted,
                                      const std::function<bool(const Rational&)>& fits);

/// A probability above 0 and below 1, a decimal or a fraction.
double read_probability(const Arguments& arguments, std::string_view option, double fallback);

/// --seed.
std::uint64_t read_seed(const Arguments& arguments);

// Options that several commands take.
inline constexpr Option kThreadsOption{
    "threads", "N", "default: as many as the machine has; the result is the same"};
inline constexpr Option kFormatOption{"format", "F", "table (default), json, csv or markdown"};
inline constexpr Option kTestFormatOption{"format", "F",
                                          "table (default), json, csv, junit or markdown"};
/// Of the commands that make rows and tables.
inline constexpr Option kMaxMemoryOption{
    "max-memory", "BYTES",
    "refuse rows and tables that may take more, also written as 500M or 2G (default: three "
    "quarters of what is free; exit code 4)"};

/// --output, the file that the command's results are written to.
Option output_option(
    std::string_view prose = "write there, replaced as a whole (default, and -: standard output)");

/// --max-memory in bytes: a number, or one of K, M, G or T (2^10, 2^20, ... bytes).
/// @throws UsageError
std::optional<std::uint64_t> read_max_memory(const Arguments& arguments);

/// --format: table, json, csv or markdown.
Format read_format(const Arguments& arguments);

/// --format of what is checked: junit too.
Format read_test_format(const Arguments& arguments);

}  // namespace speclab
