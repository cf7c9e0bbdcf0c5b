// SPDX-License-Identifier: MIT
// Compiled with the flags that enable AMX, if the compiler has them; nothing else belongs here.
#include "tiles/tile_products.hpp"

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace semblance::vectors {
namespace {

bool cpu_has_amx() {
  constexpr unsigned osxsave = 1u << 27, amx_bf16 = 1u << 22, amx_tile = 1u << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & osxsave) == 0) return false;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  return (d & amx_bf16) != 0 && (d & amx_tile) != 0;
}

// Operand of LDTILECFG: all eight registers hold 16 rows of 64 bytes.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileShapes) == 64);

}  // namespace

bool request_amx() {
  constexpr long request_permission = 0x1023, tile_data = 18;  // asm/prctl.h, ARCH_REQ_XCOMP_PERM
  return cpu_has_amx() && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

void configure_amx() {
  // Static, to be in memory entirely: the intrinsic exposes only its first bytes to the compiler.
  static constexpr TileShapes shapes;
  _tile_loadconfig(&shapes);
}

void release_amx() { _tile_release(); }

// Registers 0 to 3 hold the sums, 4 and 5 the left tiles, 6 and 7 the right ones: four products
// for four loads.
void amx_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums) {
  constexpr std::size_t tile = block_values / 2;
  constexpr long tile_row = tile_depth * sizeof(Bf16), sums_row = block_side * sizeof(float);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t row = 0; row < run.rows; ++row) {
    const Bf16* a = left + row * run.left_stride;
    const Bf16* b = right + row * run.right_stride;
    for (std::size_t step = 0; step < run.steps; ++step, a += block_values, b += block_values) {
      _tile_loadd(4, a, tile_row);
      _tile_loadd(6, b, tile_row);
      _tile_loadd(7, b + tile, tile_row);
      _tile_loadd(5, a + tile, tile_row);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, sums, sums_row);
  _tile_stored(1, sums + tile_side, sums_row);
  _tile_stored(2, sums + tile_side * block_side, sums_row);
  _tile_stored(3, sums + tile_side * block_side + tile_side, sums_row);
}

}  // namespace semblance::vectors

#else
#include <cstdlib>

namespace semblance::vectors {

// Built for a machine without AMX, or by a compiler without support for it.
bool request_amx() { return false; }
void configure_amx() { std::abort(); }
void release_amx() { std::abort(); }
void amx_products(const Bf16*, const Bf16*, const TileRun&, float*) { std::abort(); }

}  // namespace semblance::vectors
#endif
