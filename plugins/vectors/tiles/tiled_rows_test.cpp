// SPDX-License-Identifier: MIT
#include "tiles/tiled_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "semblance/random.hpp"
#include "semblance/state.hpp"

namespace semblance::vectors::tiled_rows_test {
namespace {

TEST_CASE("rounding to bf16 takes the nearest value, halves to even") {
  CHECK(to_float(to_bf16(1.0f)) == 1.0f);
  CHECK(to_float(to_bf16(1.0f + 0x1p-8f)) == 1.0f);              // a half, down to even
  CHECK(to_float(to_bf16(1.0f + 0x1.8p-7f)) == 1.0f + 0x1p-6f);  // a half, up to even
  CHECK(to_float(to_bf16(1.0f + 0x1.02p-8f)) == 1.0f + 0x1p-7f);
  CHECK(to_float(to_bf16(-3.14159265f)) == -3.140625f);
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(random.normal());
    CHECK(std::abs(to_float(to_bf16(x)) - x) <= 0x1p-8f * std::abs(x));
  }
}

TEST_CASE("pixels are exact in bf16") {
  for (int x = -256; x <= 256; ++x) CHECK(to_float(to_bf16(float(x))) == float(x));
}

TEST_CASE("values at the ends of the range become what they should") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(to_float(to_bf16(infinity)) == infinity);
  CHECK(to_float(to_bf16(-infinity)) == -infinity);
  CHECK(to_float(to_bf16(std::numeric_limits<float>::max())) == infinity);
  CHECK(std::isnan(to_float(to_bf16(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(std::isnan(to_float(to_bf16(std::bit_cast<float>(0x7F800001u)))));
  CHECK(to_float(to_bf16(0x1p-56f)) == 0x1p-56f);
  CHECK(to_float(to_bf16(0x1.8p-57f)) == 0.0f);
}

// Every value is at its place in the layout, with zeros everywhere else.
TEST_CASE("rows are laid out in tiles") {
  const std::size_t rows = 37, cells = 3, cell = 40;
  FloatMatrix matrix(rows, cells * cell);
  for (std::size_t i = 0; i < matrix.values.size(); ++i)
    matrix.values[i] = static_cast<float>(1 + i % 251);
  for (const TileSide side : {TileSide::left, TileSide::right}) {
    const TiledRows tiled(matrix.view(), cell, side);
    CHECK(tiled.groups() == 2);
    CHECK(tiled.steps() == 2);
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < 64; ++row)
      for (std::size_t c = 0; c < cells; ++c)
        for (std::size_t k = 0; k < 64; ++k) {
          const std::size_t r = row % 32 % 16, j = k % 32;
          const std::size_t tile = k / 32 * 1024 + row % 32 / 16 * 512;
          const std::size_t place =
              tile + (side == TileSide::left ? r * 32 + j : j / 2 * 32 + 2 * r + j % 2);
          const float expected = row < rows && k < cell ? matrix.view().row(row)[c * cell + k] : 0;
          if (to_float(tiled.cell(row / 32, c)[place]) != expected) ++wrong;
        }
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace semblance::vectors::tiled_rows_test
