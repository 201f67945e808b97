// Scored texts, scored(PATH), as JSON lines or CSV. Input: the file.
#include <cmath>

#include "fuzz.h"
#include "recorded/scored/decode.h"
#include "recorded/scored/source.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab;
  using namespace speclab::fuzz;
  const MemoryFile file(text_of(data, size));
  accepted([&] {
    const auto source = open_texts(file.path(), {"", true});
    ScoredText text;
    TextDecoder decoder;
    while (source->next(text)) {
      demand(text.size() >= 2, "a text has two tokens");
      for (const double log : text.target) {
        demand(std::isfinite(log) && log <= 0, "the target draws every token");
      }
      decoder.load(text);
      for (const TextRule rule : {TextRule::token, TextRule::block, TextRule::sample_match}) {
        double last = 0;
        for (const double calls : decoder.decode({rule}).calls) {
          demand(calls >= 1 - 1e-9 && calls <= static_cast<double>(text.size()) + 1e-9,
                 "a decode calls the target once a token at most");
          last = calls;
        }
        demand(std::isfinite(last), "a number is finite");
      }
    }
    return true;
  });
  return 0;
}
