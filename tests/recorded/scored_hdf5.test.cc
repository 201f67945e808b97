// Scored texts in HDF5, written by the library's own calls.
#ifdef SPECLAB_HDF5
#include <cmath>

#include "base/error.h"
#include "catch.h"
#include "recorded/scored/source.h"
#include "recorded/written_hdf5.h"
#include "scratch.h"

namespace speclab::scored_hdf5_test {
namespace {

using namespace written_hdf5;

/// A text of three tokens and one of two.
File texts(Shape drafts, std::vector<double> draft) {
  File file{.words = {}, .numbers = {}};
  file.data = {{"target_logprobs", {{2, 3}, {-1, -2, -3, -1, -2, NAN}, H5T_IEEE_F64LE}},
               {"draft_logprobs", {std::move(drafts), std::move(draft), H5T_IEEE_F64LE}}};
  return file;
}

TEST_CASE("scored texts in HDF5 end where the target's numbers do") {
  const Scratch scratch;
  const std::string path =
      texts({2, 3, 2}, {-1, -2, -3, -4, -5, -6, -7, -8, -9, 0, 0, 0}).write(scratch.file("x.h5"));
  const auto source = open_texts(path, {});
  ScoredText text;
  REQUIRE(source->next(text));
  CHECK(text.width == 2);
  CHECK(text.target == std::vector<double>{-1, -2, -3});
  CHECK(text.draft == std::vector<double>{-1, -2, -3, -4, -5, -6});
  REQUIRE(source->next(text));
  CHECK(text.target == std::vector<double>{-1, -2});
  CHECK(text.draft == std::vector<double>{-7, -8, -9, 0});
  CHECK_FALSE(source->next(text));
}

TEST_CASE("scored texts in HDF5 have a number a start, and not more than fit") {
  const Scratch scratch;
  CHECK_THROWS_WITH(open_texts(texts({2, 3, 0}, {}).write(scratch.file("none.h5")), {}),
                    Containing("none.h5 has draft_logprobs [2][3][0]; give 1 to 1048576"));
  const hsize_t wide = (1 << 20) + 1;
  File file = texts({2, 1, wide}, std::vector<double>(2 * wide, -1.0));
  file.data["target_logprobs"] = {{2, 1}, {-1, -1}, H5T_IEEE_F64LE};
  CHECK_THROWS_WITH(open_texts(file.write(scratch.file("wide.h5")), {}),
                    Containing("wide.h5 has draft_logprobs [2][1][1048577]; give 1 to 1048576"));
}

}  // namespace
}  // namespace speclab::scored_hdf5_test
#endif
