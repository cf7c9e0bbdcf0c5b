// SPDX-License-Identifier: MIT
#include "sparse_product.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sparse_product.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics {
namespace HWY_NAMESPACE {

// Eight sums of a vector each hide the latency of the multiply-adds. Slices of four panels
// (24 KiB) stay in the first-level cache while the rows of a block pass by; the sums of a block
// (60 KiB with AVX2) and the panels stay in the second.
constexpr std::size_t most_panels = 4;
constexpr std::size_t depth_block = 96 * 8 / lanes;
constexpr std::size_t row_block = 240;

/// The values of a block of rows that are not zero, slice of columns after slice, inside it row
/// after row.
struct Entries {
  std::vector<std::uint32_t> starts;   // slices x rows + 1
  std::vector<std::uint32_t> offsets;  // of the value's packed row from the start of the slice
  std::vector<float> values;

  void list(MatrixView a) {
    starts.clear(), offsets.clear(), values.clear();
    for (std::size_t k = 0; k < a.cols; k += depth_block) {
      const std::size_t depth = std::min(depth_block, a.cols - k);
      for (std::size_t r = 0; r < a.rows; ++r) {
        starts.push_back(static_cast<std::uint32_t>(values.size()));
        const float* row = a.row(r) + k;
        for (std::size_t j = 0; j < depth; ++j) {
          if (row[j] == 0) continue;
          offsets.push_back(static_cast<std::uint32_t>(j * tile_width));
          values.push_back(row[j]);
        }
      }
    }
    starts.push_back(static_cast<std::uint32_t>(values.size()));
  }
};

/// Adds the products of one row's slice with `Panels` panels to its sums.
template <std::size_t Panels>
HWY_INLINE void add_row_slice(const Entries& e, std::size_t slot, const float* HWY_RESTRICT b,
                              std::size_t panel_stride, bool first, float* HWY_RESTRICT sums) {
  const FloatTag d;
  FloatVec low[Panels], high[Panels];
  HWY_UNROLL(4)
  for (std::size_t p = 0; p < Panels; ++p) {
    low[p] = first ? hn::Zero(d) : hn::Load(d, sums + p * tile_width);
    high[p] = first ? hn::Zero(d) : hn::Load(d, sums + p * tile_width + lanes);
  }
  for (std::size_t t = e.starts[slot]; t < e.starts[slot + 1]; ++t) {
    const FloatVec x = hn::Set(d, e.values[t]);
    const float* HWY_RESTRICT at = b + e.offsets[t];
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < Panels; ++p) {
      low[p] = hn::MulAdd(x, hn::Load(d, at + p * panel_stride), low[p]);
      high[p] = hn::MulAdd(x, hn::Load(d, at + p * panel_stride + lanes), high[p]);
    }
  }
  HWY_UNROLL(4)
  for (std::size_t p = 0; p < Panels; ++p) {
    hn::Store(low[p], d, sums + p * tile_width);
    hn::Store(high[p], d, sums + p * tile_width + lanes);
  }
}

/// Brings row r's share of the next panels' slice into the caches: few rows would wait
/// for memory.
HWY_INLINE void prefetch_share(const PackedRows& b, std::size_t panel, std::size_t k, std::size_t r,
                               std::size_t rows) {
  constexpr std::size_t line = AlignedBuffer::alignment / sizeof(float);
  const std::size_t size = std::min(depth_block, b.cols() - k) * tile_width;
  const std::size_t from = size * r / rows / line * line, end = size * (r + 1) / rows;
  const std::size_t end_panel = std::min(panel + most_panels, b.panels());
  for (std::size_t p = panel; p < end_panel; ++p) {
    const float* slice = b.panel(p) + k * tile_width;
    for (std::size_t i = from; i < end; i += line) __builtin_prefetch(slice + i, 0, 3);
  }
}

template <std::size_t Panels>
void add_panels(const Entries& e, std::size_t rows, const PackedRows& b, std::size_t panel,
                float* sums) {
  const std::size_t stride = b.cols() * tile_width;
  for (std::size_t slice = 0, k = 0; k < b.cols(); ++slice, k += depth_block)
    for (std::size_t r = 0; r < rows; ++r) {
      prefetch_share(b, panel + Panels, k, r, rows);
      add_row_slice<Panels>(e, slice * rows + r, b.panel(panel) + k * tile_width, stride, k == 0,
                            sums + r * Panels * tile_width);
    }
}

void add_any(const Entries& e, std::size_t rows, const PackedRows& b, std::size_t panel,
             std::size_t panels, float* sums) {
  switch (panels) {
    case 1:
      return add_panels<1>(e, rows, b, panel, sums);
    case 2:
      return add_panels<2>(e, rows, b, panel, sums);
    case 3:
      return add_panels<3>(e, rows, b, panel, sums);
    default:
      return add_panels<4>(e, rows, b, panel, sums);
  }
}

void multiply_sparse(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c) {
  const std::size_t end = first + c.cols, end_panel = (end - 1) / tile_width + 1;
  AlignedBuffer sums(std::min(row_block, a.rows) * most_panels * tile_width);
  Entries entries;
  for (std::size_t r = 0; r < a.rows; r += row_block) {
    const MatrixView block = a.rows_range(r, std::min(row_block, a.rows - r));
    entries.list(block);
    for (std::size_t p = first / tile_width; p < end_panel; p += most_panels) {
      const std::size_t panels = std::min(most_panels, end_panel - p);
      add_any(entries, block.rows, b, p, panels, sums.data());
      const std::size_t from = std::max(first, p * tile_width);
      const std::size_t cols = std::min(end, (p + panels) * tile_width) - from;
      for (std::size_t i = 0; i < block.rows; ++i)
        std::copy_n(sums.data() + i * panels * tile_width + (from - p * tile_width), cols,
                    c.row(r + i) + (from - first));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::numerics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(multiply_sparse);

bool sparse_pays(MatrixView a, const PackedRows& b, std::size_t columns) {
  constexpr std::size_t few_columns = 64;
  return columns >= few_columns && b.finite() && mostly_zeros(a);
}

bool mostly_zeros(MatrixView a) {
  constexpr std::size_t few_values = 32;
  if (a.cols < few_values) return false;
  std::size_t zeros = 0;
  for (std::size_t r = 0; r < a.rows; ++r)
    zeros += static_cast<std::size_t>(std::count(a.row(r), a.row(r) + a.cols, 0.0F));
  return 2 * zeros > a.rows * a.cols;
}

void multiply_sparse(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c) {
  HWY_DYNAMIC_DISPATCH(multiply_sparse)(a, b, first, c);
}

}  // namespace semblance::numerics
#endif
