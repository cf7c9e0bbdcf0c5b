// SPDX-License-Identifier: MIT
#pragma once

#include "tiles/tiled_rows.hpp"

namespace semblance::vectors {

/// Blocks whose pairwise products are summed: `rows` runs of `steps` adjacent blocks. The starts of
/// successive runs are `left_stride` and `right_stride` values apart.
struct TileRun {
  std::size_t rows = 1;
  std::size_t steps = 1;
  std::size_t left_stride = 0;
  std::size_t right_stride = 0;
};

/// sums(i, j) = <left row i, right row j> over all blocks of the run; block_sums values, row-major.
///
/// Each block is added as by the instruction TDPBF16PS: from zero, a chain of multiply-adds over
/// the even values and one over the odd ones; their sum is added to the sum so far. Rounding is to
/// nearest even. (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.)
using TileProducts = void (*)(const Bf16* left, const Bf16* right, const TileRun& run, float* sums);

/// Whether the CPU has AMX with bf16 and the kernel lets this process use it.
bool amx_available();

/// The calling thread's access to tile products, valid during the object's lifetime. Both kinds
/// give the same bits; the emulation is portable, and slower than float32 products.
class TileUnit {
 public:
  enum class Kind { emulated, amx };

  /// Uses AMX if it is available.
  TileUnit();
  /// `kind` must be available.
  explicit TileUnit(Kind kind);
  ~TileUnit();
  TileUnit(const TileUnit&) = delete;
  TileUnit& operator=(const TileUnit&) = delete;

  void products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums) const {
    products_(left, right, run, sums);
  }

 private:
  Kind kind_;
  TileProducts products_;
};

}  // namespace semblance::vectors
