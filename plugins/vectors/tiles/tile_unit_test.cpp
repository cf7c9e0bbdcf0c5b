// SPDX-License-Identifier: MIT
#include "tiles/tile_unit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "tiles/tiled_product.hpp"

namespace semblance::vectors::tile_unit_test {
namespace {

FloatMatrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values) x = static_cast<float>(random.normal());
  return matrix;
}

// The instruction as its manual describes it, one element at a time.
float instruction(const float* a, const float* b, std::size_t count) {
  float sum = 0;
  for (std::size_t k = 0; k < count; k += 32) {
    float even = 0, odd = 0;
    for (std::size_t j = k; j < std::min(k + 32, count); ++j) {
      const float x = to_float(to_bf16(a[j])), y = to_float(to_bf16(b[j]));
      float& chain = j % 2 == 0 ? even : odd;
      chain = std::fma(x, y, chain);
    }
    sum += even + odd;
  }
  return sum;
}

FloatMatrix product(const FloatMatrix& a, const FloatMatrix& b, TileUnit::Kind kind) {
  const TiledRows left(a.view(), a.cols, TileSide::left);
  const TiledRows right(b.view(), b.cols, TileSide::right);
  const TileUnit unit(kind);
  FloatMatrix c(a.rows, b.rows);
  for (std::size_t g = 0; g < right.groups(); ++g) multiply_group(left, right, g, unit, c.view());
  return c;
}

std::size_t differences(const FloatMatrix& a, const FloatMatrix& b, const FloatMatrix& c) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.rows; ++j)
      if (c.view().row(i)[j] != instruction(a.view().row(i), b.view().row(j), a.cols)) ++wrong;
  return wrong;
}

TEST_CASE("emulated tile products have the bits of the instruction's description") {
  for (std::size_t n : {1u, 16u, 33u})
    for (std::size_t m : {1u, 17u, 70u})
      for (std::size_t k : {1u, 31u, 32u, 65u, 300u}) {
        const FloatMatrix a = random_matrix(n, k, n), b = random_matrix(m, k, 100 + m);
        CHECK(differences(a, b, product(a, b, TileUnit::Kind::emulated)) == 0);
      }
}

TEST_CASE("all SIMD targets emulate the same bits") {
  const FloatMatrix a = random_matrix(20, 200, 1), b = random_matrix(40, 200, 2);
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    CHECK(differences(a, b, product(a, b, TileUnit::Kind::emulated)) == 0);
  });
}

TEST_CASE("a run adds up blocks with strides between its rows") {
  // Three rows of four cells: cells 1 and 2 on the left, 0 and 1 on the right.
  const std::size_t cell = 5, cells = 12;
  const FloatMatrix a = random_matrix(32, cells * cell, 1), b = random_matrix(32, cells * cell, 2);
  const TiledRows left(a.view(), cell, TileSide::left), right(b.view(), cell, TileSide::right);
  alignas(64) float sums[block_sums];
  const TileUnit unit(TileUnit::Kind::emulated);
  unit.products(left.cell(0, 1), right.cell(0, 0),
                {3, 2, 4 * left.cell_size(), 4 * right.cell_size()}, sums);
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t j = 0; j < 32; ++j) {
      float expected = 0;
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t c = 0; c < 2; ++c)
          expected += instruction(a.view().row(i) + (4 * row + 1 + c) * cell,
                                  b.view().row(j) + (4 * row + c) * cell, cell);
      CHECK(sums[i * 32 + j] == expected);
    }
}

TEST_CASE("a squared norm has the bits of the rounded row's product with itself") {
  const FloatMatrix a = random_matrix(19, 77, 3);
  std::vector<float> norms(19);
  rounded_squared_norms(a.view(), norms.data());
  const FloatMatrix c = product(a, a, TileUnit::Kind::emulated);
  for (std::size_t i = 0; i < 19; ++i) CHECK(norms[i] == c.view().row(i)[i]);
}

TEST_CASE("tiny values do not make the units differ by denormals") {
  FloatMatrix a(1, 64), b(1, 64);
  for (std::size_t k = 0; k < 64; ++k) {
    a.values[k] = std::ldexp(1.25f, -50 - int(k % 10));
    b.values[k] = std::ldexp(k % 2 ? -1.5f : 1.5f, -50 - int(k % 7));
  }
  const float sum = product(a, b, TileUnit::Kind::emulated).values[0];
  CHECK((sum == 0.0f || std::isnormal(sum)));
}

TEST_CASE("AMX has the emulation's bits" * doctest::description("on a CPU with AMX")) {
  if (!amx_available()) {
    MESSAGE("skipped: this CPU has no AMX, or the kernel does not let the process use it");
    return;
  }
  const auto check = [] {
    for (std::size_t n : {1u, 33u, 100u})
      for (std::size_t k : {1u, 31u, 64u, 500u}) {
        const FloatMatrix a = random_matrix(n, k, n), b = random_matrix(70, k, 7);
        CHECK(product(a, b, TileUnit::Kind::amx).values ==
              product(a, b, TileUnit::Kind::emulated).values);
      }
  };
  check();
  std::jthread(check).join();  // another thread's registers
}

}  // namespace
}  // namespace semblance::vectors::tile_unit_test
