#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recorded/scored/decode.h"
#include "recorded/scored/source.h"
#include "recorded/scored/tests.h"

namespace speclab {

/// Clusters that are kept of the texts that sums are taken over: where there are more texts, 2, 4,
/// 8 .. texts in a row are one.
inline constexpr std::size_t kMostTextClusters = 8192;

/// The sums over one cluster of texts.
struct TextCluster {
  double texts = 0;
  double tokens = 0;
  ByGamma optimum{};                ///< TextDecoder::optimum
  std::vector<TextDecode> decodes;  ///< by verifier

  TextCluster& operator+=(const TextCluster& other);
};

/// The texts that have one value of the field that parts them, or all texts.
struct TextGroup {
  std::string name;
  std::int64_t texts = 0;
  std::int64_t tokens = 0;
  std::int64_t per_cluster = 1;  ///< texts
  std::vector<TextCluster> clusters;

  /// @param most  clusters that are kept
  void add(TextCluster text, std::size_t most);
  /// A number of every cluster, the last of which may have fewer texts.
  template <class Number>
  [[nodiscard]] std::vector<double> each(const Number& number) const {
    std::vector<double> all;
    for (const TextCluster& cluster : clusters) all.push_back(number(cluster));
    return all;
  }
};

/// A text with what becomes of its tokens.
struct ShadedText {
  std::string id;
  std::vector<std::string> tokens;
  std::vector<TokenFate> fates;
};

/// What one token costs over all texts.
struct TokenCost {
  double count = 0;
  double corrections = 0;  ///< expected target calls that end with it as a correction
};

/// Texts to be shown: those first read, up to kMostShaded tokens.
struct Shading {
  TextVerifier verifier;
  int gamma = 1;  ///< that of ScoreResult::longest where the texts answer for shorter drafts alone
};
inline constexpr std::size_t kMostShaded = 20'000;

struct ScoreRequest {
  std::vector<TextVerifier> verifiers;
  TextFields fields;
  std::optional<Shading> shading;                 ///< of files that have tokens
  bool drawn = true;                              ///< whether the target drew the texts
  std::size_t most_clusters = kMostTextClusters;  ///< even
  int threads = 0;  ///< 0: as many as the machine gives; the same bits
};

struct ScoreResult {
  std::int64_t texts = 0;
  std::int64_t tokens = 0;
  int longest = kMostScored;      ///< the longest draft that all texts answer for
  std::vector<TextGroup> groups;  ///< in the order in which they were met; one without a field
  std::vector<TextCheck> checks;
  std::int64_t never_drafted = 0;
  std::vector<ShadedText> shaded;
  std::map<std::string, TokenCost> costs;  ///< by token, where texts are shaded
  double seconds = 0;
};

/// Opens one source after another; null at the end.
using NextSource = std::function<std::unique_ptr<TextSource>()>;

/// Scores all texts of the sources, one after another.
/// @param progress  called now and then with the number of tokens done
/// @throws InputError as the sources do; Error when interrupted
ScoreResult score_texts(const NextSource& next, const ScoreRequest& request,
                        const std::function<void(std::int64_t)>& progress = {});
ScoreResult score_texts(const std::vector<std::string>& files, const ScoreRequest& request,
                        const std::function<void(std::int64_t)>& progress = {});

}  // namespace speclab
