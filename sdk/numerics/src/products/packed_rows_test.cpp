// SPDX-License-Identifier: MIT
#include "semblance_numerics/packed_rows.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace semblance::numerics::packed_rows_test {
namespace {

TEST_CASE("packed rows give back what was packed, and zeros after the last row") {
  for (std::size_t rows : {1u, 7u, 16u, 33u, 64u}) {
    FloatMatrix matrix(rows, 5);
    std::iota(matrix.values.begin(), matrix.values.end(), 1.0f);
    const PackedRows packed(matrix.view());
    CHECK(packed.unpack().values == matrix.values);
    const std::size_t width = packed.width();
    for (std::size_t i = rows; i < packed.panels() * width; ++i)
      for (std::size_t k = 0; k < 5; ++k)
        CHECK(packed.panel(i / width)[k * width + i % width] == 0.0f);
  }
}

TEST_CASE("an empty packing has no panels") {
  CHECK(PackedRows().panels() == 0);
  CHECK(PackedRows(MatrixView{nullptr, 0, 4, 4}).panels() == 0);
}

TEST_CASE("groups interleave their rows") {
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6};  // three rows of two
  std::vector<float> packed(8, -1.0f);
  pack_groups({rows.data(), 3, 2, 2}, 2, packed.data());
  CHECK(packed == std::vector<float>{1, 3, 2, 4, 5, 0, 6, 0});
}

TEST_CASE("groups of any shape are filled, from rows wherever they lie") {
  // Numbers of rows and columns that are not multiples of squares, groups and blocks.
  const std::size_t count = 43, cols = 135;
  std::vector<float> values(2 * count * cols);
  std::iota(values.begin(), values.end(), 1.0f);
  std::vector<std::size_t> offsets(count + 1);
  for (std::size_t i = 0; i <= count; ++i) offsets[i] = i * cols;
  const MatrixView apart{values.data(), count, cols, 2 * cols};
  const MatrixView listed{values.data(), count, cols, 0, offsets.data()};
  for (const MatrixView rows : {apart, listed})
    for (const std::size_t height : {1, 3, 4, 8, 14, 32, 64}) {
      const std::size_t groups = (count + height - 1) / height;
      std::vector<float> packed(groups * height * cols, -1.0f);
      pack_groups(rows, height, packed.data());
      bool right = true;
      for (std::size_t i = 0; i < groups * height; ++i)
        for (std::size_t k = 0; k < cols; ++k)
          right = right && packed[(i / height * cols + k) * height + i % height] ==
                               (i < count ? rows.row(i)[k] : 0.0f);
      CHECK(right);
    }
}

}  // namespace
}  // namespace semblance::numerics::packed_rows_test
