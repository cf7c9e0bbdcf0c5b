// SPDX-License-Identifier: MIT
// Runs the instructions of amx.cpp on a software model of the tile registers, so that its loads,
// products and stores are tested on any machine.
#include <doctest/doctest.h>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/state.hpp"
#include "tiles/tile_products.hpp"

namespace {

/// Eight registers with the shapes of a palette 1 configuration.
class TileRegisters {
 public:
  void configure(const void* config) {
    const auto* bytes = static_cast<const unsigned char*>(config);
    REQUIRE(bytes[0] == 1);
    for (std::size_t i = 1; i < 16; ++i) REQUIRE(bytes[i] == 0);
    for (std::size_t t = 0; t < 8; ++t) {
      std::memcpy(&row_bytes_[t], bytes + 16 + 2 * t, 2);
      rows_[t] = bytes[48 + t];
      REQUIRE((row_bytes_[t] <= 64 && rows_[t] <= 16));
    }
    for (std::size_t i = 32; i < 64; ++i)
      if (i < 48 || i >= 56) REQUIRE(bytes[i] == 0);
  }
  void release() { std::memset(rows_, 0, sizeof rows_); }
  void zero(std::size_t t) { std::memset(values_[t], 0, sizeof values_[t]); }
  void load(std::size_t t, const void* base, std::size_t stride) {
    zero(t);
    for (std::size_t r = 0; r < rows_[t]; ++r)
      std::memcpy(values_[t][r], static_cast<const char*>(base) + r * stride, row_bytes_[t]);
  }
  void store(std::size_t t, void* base, std::size_t stride) const {
    for (std::size_t r = 0; r < rows_[t]; ++r)
      std::memcpy(static_cast<char*>(base) + r * stride, values_[t][r], row_bytes_[t]);
  }
  /// TDPBF16PS, as in the manual's operation section.
  void multiply(std::size_t to, std::size_t a, std::size_t b) {
    REQUIRE((rows_[to] == rows_[a] && row_bytes_[to] == row_bytes_[b]));
    REQUIRE(row_bytes_[a] / 4 == rows_[b]);
    for (std::size_t m = 0; m < rows_[to]; ++m)
      for (std::size_t n = 0; n < row_bytes_[to] / 4; ++n) {
        float chains[2] = {0, 0};
        for (std::size_t k = 0; k < row_bytes_[a] / 4; ++k)
          for (int half = 0; half < 2; ++half)
            chains[half] += half_of(a, m, k, half) * half_of(b, k, n, half);
        float sum = 0;
        std::memcpy(&sum, values_[to][m] + 4 * n, 4);
        sum += chains[0] + chains[1];
        std::memcpy(values_[to][m] + 4 * n, &sum, 4);
      }
  }

 private:
  float half_of(std::size_t t, std::size_t row, std::size_t pair, std::size_t half) const {
    semblance::vectors::Bf16 value = 0;
    std::memcpy(&value, values_[t][row] + 4 * pair + 2 * half, 2);
    return semblance::vectors::to_float(value);
  }

  unsigned char values_[8][16][64] = {};
  std::uint16_t row_bytes_[8] = {};
  std::uint8_t rows_[8] = {};
};

TileRegisters registers;

}  // namespace

// The model replaces the intrinsics of these names.
// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-suspicious-include)
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbf16ps
#define _tile_loadconfig(config) registers.configure(config)
#define _tile_release() registers.release()
#define _tile_zero(t) registers.zero(t)
#define _tile_loadd(t, base, stride) registers.load(t, base, stride)
#define _tile_stored(t, base, stride) registers.store(t, base, stride)
#define _tile_dpbf16ps(to, a, b) registers.multiply(to, a, b)
#define request_amx modelled_request_amx
#define configure_amx modelled_configure_amx
#define release_amx modelled_release_amx
#define amx_products modelled_amx_products
#ifndef __AMX_TILE__
#define __AMX_TILE__ 1
#define __AMX_BF16__ 1
#endif
namespace semblance::vectors {
bool request_amx();
void configure_amx();
void release_amx();
void amx_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums);
}  // namespace semblance::vectors
#include "amx.cpp"
// NOLINTEND(bugprone-reserved-identifier,bugprone-suspicious-include)

namespace semblance::vectors {
namespace {

TEST_CASE("AMX's sequence of instructions computes what the emulation does") {
  Random random(1);
  FloatMatrix a(32, 480), b(32, 480);  // 12 cells

  for (FloatMatrix* m : {&a, &b})
    for (float& x : m->values) x = static_cast<float>(random.normal());
  const TiledRows left(a.view(), 40, TileSide::left), right(b.view(), 40, TileSide::right);
  const std::size_t cell = left.cell_size();
  modelled_configure_amx();
  for (const TileRun& run : {TileRun{}, TileRun{1, 22, 0, 0}, TileRun{3, 4, 4 * cell, 3 * cell}}) {
    std::vector<float> expected(block_sums), sums(block_sums);
    emulated_products(left.cell(0, 0), right.cell(0, 1), run, expected.data());
    modelled_amx_products(left.cell(0, 0), right.cell(0, 1), run, sums.data());
    CHECK(sums == expected);
  }
  modelled_release_amx();
}

}  // namespace
}  // namespace semblance::vectors
#endif
