// SPDX-License-Identifier: MIT
#include "semblance_numerics/product.hpp"

#include <algorithm>
#include <string>

#include "semblance/error.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/simd_targets.hpp"
#include "sparse_product.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "products/product.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics {
namespace HWY_NAMESPACE {

// A panel's slice (depth_block x tile_width, 16 KiB with AVX2) stays in L1 while the packed left
// rows (row_block x depth_block, 240 KiB) stream from L2. Measured on one Zen 3 core, 256 x 2500 x
// 1984: 0.97 of OpenBLAS's sgemm.
constexpr std::size_t depth_block = 256;
constexpr std::size_t row_block = 240;
static_assert(row_block % tile_rows == 0);

TileShape shape() { return {tile_rows, tile_width}; }

/// The part of a tile that is inside the result.
struct Window {
  std::size_t rows;
  std::size_t first;  ///< column of the tile
  std::size_t cols;
};

HWY_NOINLINE void add_tile(const float* a, const float* b, std::size_t depth, bool first,
                           Window window, float* c, std::size_t stride) {
  Tile t;
  if (window.rows == tile_rows && window.cols == tile_width) {
    if (first)
      clear(t, TileRows());
    else
      load(c, stride, t, TileRows());
    add_products(a, b, depth, t);
    store(t, c, stride, TileRows());
    return;
  }
  HWY_ALIGN float edge[tile_size] = {};
  if (!first)
    for (std::size_t r = 0; r < window.rows; ++r)
      std::copy_n(c + r * stride, window.cols, edge + r * tile_width + window.first);
  load(edge, tile_width, t, TileRows());
  add_products(a, b, depth, t);
  store(t, edge, tile_width, TileRows());
  copy_part(edge + window.first, window.rows, window.cols, c, stride);
}

// Prefetches this tile's share of the next panel's slice into L2.
HWY_INLINE void prefetch_slice(const float* slice, std::size_t size, std::size_t row,
                               std::size_t rows) {
  const std::size_t end = std::min(size, (row + tile_rows) * size / rows);
  for (std::size_t i = row * size / rows; i < end; i += 16) __builtin_prefetch(slice + i, 0, 2);
}

/// Rows of the left side, packed in groups of tile_rows, for a slice of their columns.
struct LeftSlice {
  const float* values;       ///< of the first group
  std::size_t group_stride;  ///< floats from one group to the next
  std::size_t rows;
  std::size_t first;  ///< column
  std::size_t depth;
};

// Adds the contribution of a slice to the columns of `c`, which are rows of `b` from `first` on.
// The first slice overwrites.
void add_slice(const LeftSlice& a, const PackedRows& b, std::size_t first, MutableMatrixView c) {
  const std::size_t end = first + c.cols, last_panel = (end - 1) / tile_width;
  const std::size_t offset = a.first * tile_width;
  for (std::size_t p = first / tile_width; p <= last_panel; ++p) {
    const std::size_t begin = std::max(first, p * tile_width);
    Window window{tile_rows, begin - p * tile_width, std::min(end, (p + 1) * tile_width) - begin};
    const float* next = p < last_panel ? b.panel(p + 1) + offset : b.panel(p);
    for (std::size_t r = 0; r < a.rows; r += tile_rows) {
      prefetch_slice(next, a.depth * tile_width, r, a.rows);
      window.rows = std::min(tile_rows, a.rows - r);
      add_tile(a.values + r / tile_rows * a.group_stride, b.panel(p) + offset, a.depth,
               a.first == 0, window, c.row(r) + (begin - first), c.stride);
    }
  }
}

void multiply_dense(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c) {
  const std::size_t groups = (std::min(row_block, a.rows) + tile_rows - 1) / tile_rows;
  AlignedBuffer packed(groups * tile_rows * std::min(depth_block, a.cols));
  for (std::size_t row = 0; row < a.rows; row += row_block) {
    const std::size_t rows = std::min(row_block, a.rows - row);
    for (std::size_t k = 0; k < a.cols; k += depth_block) {
      const std::size_t depth = std::min(depth_block, a.cols - k);
      pack_groups({a.row(row) + k, rows, depth, a.stride}, tile_rows, packed.data());
      add_slice({packed.data(), tile_rows * depth, rows, k, depth}, b, first,
                c.rows_range(row, rows));
    }
  }
}

void multiply_packed(const PackedBlock& a, const PackedRows& b, MutableMatrixView c) {
  for (std::size_t row = 0; row < a.rows(); row += row_block) {
    const std::size_t rows = std::min(row_block, a.rows() - row);
    const float* values = a.group(row / tile_rows);
    for (std::size_t k = 0; k < a.cols(); k += depth_block)
      add_slice({values + k * tile_rows, tile_rows * a.cols(), rows, k,
                 std::min(depth_block, a.cols() - k)},
                b, 0, c.rows_range(row, rows));
  }
}

/// Pointers to tile_rows rows and to their products. The last row is repeated to fill the tile; its
/// products are the same each time.
struct RowsAndProducts {
  const float* rows[tile_rows];
  float* products[tile_rows];
};

/// The contribution of each value of a row to its results.
struct Product {
  template <std::size_t R>
  static HWY_INLINE void add(float value, FloatVec low, FloatVec high, Tile& t) {
    add_row<R>(value, low, high, t);
  }
};
struct SquaredDifference {
  template <std::size_t R>
  static HWY_INLINE void add(float value, FloatVec low, FloatVec high, Tile& t) {
    const FloatVec x = hn::Set(FloatTag(), value);
    const FloatVec l = hn::Sub(low, x), h = hn::Sub(high, x);
    t.low[R] = hn::MulAdd(l, l, t.low[R]);
    t.high[R] = hn::MulAdd(h, h, t.high[R]);
  }
};

template <class Term, std::size_t... R>
HWY_INLINE void add_terms(const RowsAndProducts& group, std::size_t first, std::size_t count,
                          const float* HWY_RESTRICT b, Tile& t, std::index_sequence<R...>) {
  const float* const a[] = {group.rows[R] + first...};
  for (std::size_t k = 0; k < count; ++k, b += tile_width) {
    const FloatVec low = hn::Load(FloatTag(), b), high = hn::Load(FloatTag(), b + lanes);
    (Term::template add<R>(a[R][k], low, high, t), ...);
  }
}

template <std::size_t... R>
HWY_INLINE void load(float* const* from, std::size_t column, Tile& t, std::index_sequence<R...>) {
  ((t.low[R] = hn::LoadU(FloatTag(), from[R] + column),
    t.high[R] = hn::LoadU(FloatTag(), from[R] + column + lanes)),
   ...);
}

template <std::size_t... R>
HWY_INLINE void store(const Tile& t, float* const* to, std::size_t column,
                      std::index_sequence<R...>) {
  ((hn::StoreU(t.low[R], FloatTag(), to[R] + column),
    hn::StoreU(t.high[R], FloatTag(), to[R] + column + lanes)),
   ...);
}

// The slice of `depth` values from `first` on, and the panel's `columns` from `column` on.
template <class Term>
HWY_NOINLINE void add_tile(const RowsAndProducts& group, std::size_t first, std::size_t depth,
                           const float* b, std::size_t column, std::size_t columns) {
  Tile t;
  if (columns == tile_width) {
    if (first == 0)
      clear(t, TileRows());
    else
      load(group.products, column, t, TileRows());
    add_terms<Term>(group, first, depth, b, t, TileRows());
    store(t, group.products, column, TileRows());
    return;
  }
  HWY_ALIGN float edge[tile_size] = {};
  if (first != 0)
    for (std::size_t r = 0; r < tile_rows; ++r)
      for (std::size_t j = 0; j < columns; ++j)
        edge[r * tile_width + j] = group.products[r][column + j];
  load(edge, tile_width, t, TileRows());
  add_terms<Term>(group, first, depth, b, t, TileRows());
  store(t, edge, tile_width, TileRows());
  for (std::size_t r = 0; r < tile_rows; ++r)
    for (std::size_t j = 0; j < columns; ++j)
      group.products[r][column + j] = edge[r * tile_width + j];
}

/// For the panels [first, end) of b.
template <class Term>
HWY_INLINE void sum_terms(std::span<const float* const> rows, const PackedRows& b,
                          std::size_t first, std::size_t end, std::span<float* const> products) {
  for (std::size_t k = 0; k < b.cols(); k += depth_block) {
    const std::size_t depth = std::min(depth_block, b.cols() - k);
    for (std::size_t p = first; p < end; ++p) {
      const std::size_t columns = std::min(tile_width, b.rows() - p * tile_width);
      const float* slice = b.panel(p) + k * tile_width;
      const float* next = b.panel(p + 1 < end ? p + 1 : p) + k * tile_width;
      for (std::size_t r = 0; r < rows.size(); r += tile_rows) {
        prefetch_slice(next, depth * tile_width, r, rows.size());
        RowsAndProducts group;
        for (std::size_t i = 0; i < tile_rows; ++i) {
          const std::size_t row = std::min(r + i, rows.size() - 1);
          group.rows[i] = rows[row];
          group.products[i] = products[row];
        }
        add_tile<Term>(group, k, depth, slice, (p - first) * tile_width, columns);
      }
    }
  }
}

void multiply_rows(std::span<const float* const> rows, const PackedRows& b,
                   std::span<float* const> products) {
  sum_terms<Product>(rows, b, 0, b.panels(), products);
}

void square_differences(std::span<const float* const> rows, const PackedRows& b, std::size_t first,
                        std::size_t end, std::span<float* const> distances) {
  sum_terms<SquaredDifference>(rows, b, first, end, distances);
}

void squared_norms(MatrixView rows, float* norms) {
  const FloatTag d;
  AlignedBuffer packed(rows.cols * lanes);
  for (std::size_t first = 0; first < rows.rows; first += lanes) {
    const std::size_t used = std::min(lanes, rows.rows - first);
    pack_groups(rows.rows_range(first, used), lanes, packed.data());
    FloatVec sum = hn::Zero(d);
    for (std::size_t k = 0; k < rows.cols; ++k) {
      const FloatVec x = hn::Load(d, packed.data() + k * lanes);
      sum = hn::MulAdd(x, x, sum);
    }
    HWY_ALIGN float sums[lanes];
    hn::Store(sum, d, sums);
    std::copy_n(sums, used, norms + first);
  }
}

// One lane, but the same multiply-adds, without those of zeros.
void sparse_squared_norms(MatrixView rows, float* norms) {
  const hn::CappedTag<float, 1> d;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    auto sum = hn::Zero(d);
    for (const float value : rows.row_span(i)) {
      const auto x = hn::Set(d, value);
      sum = hn::MulAdd(x, x, sum);
    }
    norms[i] = hn::GetLane(sum);
  }
}

// One lane, but the same multiply-adds, without those of two zeros.
float sparse_squared_distance(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
  const hn::CappedTag<float, 1> d;
  const auto of_a = a.columns_of(i), of_b = b.columns_of(j);
  const float *x = a.row(i), *y = b.row(j);
  auto sum = hn::Zero(d);
  for (std::size_t k = 0, l = 0; k < of_a.size() || l < of_b.size();) {
    const bool in_a = l == of_b.size() || (k < of_a.size() && of_a[k] <= of_b[l]);
    const bool in_b = k == of_a.size() || (l < of_b.size() && of_b[l] <= of_a[k]);
    const auto difference = hn::Set(d, (in_b ? y[l++] : 0.0F) - (in_a ? x[k++] : 0.0F));
    sum = hn::MulAdd(difference, difference, sum);
  }
  return hn::GetLane(sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::numerics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(shape);
HWY_EXPORT(multiply_dense);
HWY_EXPORT(multiply_packed);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(squared_norms);
HWY_EXPORT(sparse_squared_norms);
HWY_EXPORT(square_differences);
HWY_EXPORT(sparse_squared_distance);

TileShape tile_shape() { return HWY_DYNAMIC_DISPATCH(shape)(); }

namespace {

void check_shapes(std::size_t rows, std::size_t cols, const PackedRows& b, std::size_t first,
                  MutableMatrixView c) {
  if (c.rows == rows && (c.cols == 0 || cols == b.cols()) && first <= b.rows() &&
      c.cols <= b.rows() - first)
    return;
  const auto shape = [](std::size_t rows, std::size_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
  };
  throw Error("rows of " + shape(rows, cols) + " values times packed rows of " +
              shape(b.rows(), b.cols()) + " do not make " + shape(c.rows, c.cols) +
              " products from packed row " + std::to_string(first) +
              " on; give rows of one length, and a result as wide as the packed rows it is for");
}

void fill_zeros(MutableMatrixView c) {
  for (std::size_t i = 0; i < c.rows; ++i) std::fill_n(c.row(i), c.cols, 0.0F);
}

}  // namespace

void multiply(MatrixView a, const PackedRows& b, MutableMatrixView c, std::size_t first) {
  check_shapes(a.rows, a.cols, b, first, c);
  if (c.cols == 0) return;
  if (a.cols == 0)
    fill_zeros(c);
  else if (sparse_pays(a, b, c.cols))
    multiply_sparse(a, b, first, c);
  else
    HWY_DYNAMIC_DISPATCH(multiply_dense)(a, b, first, c);
}

void multiply(const PackedBlock& a, const PackedRows& b, MutableMatrixView c) {
  check_shapes(a.rows(), a.cols(), b, 0, c);
  if (c.cols == 0) return;
  if (a.cols() == 0)
    fill_zeros(c);
  else
    HWY_DYNAMIC_DISPATCH(multiply_packed)(a, b, c);
}

void multiply(std::span<const float* const> rows, const PackedRows& b,
              std::span<float* const> products) {
  if (rows.size() != products.size())
    throw Error(std::to_string(rows.size()) + " rows do not make " +
                std::to_string(products.size()) + " rows of products");
  if (rows.empty()) return;
  if (b.cols() == 0)
    for (float* row : products) std::fill_n(row, b.rows(), 0.0f);
  else
    HWY_DYNAMIC_DISPATCH(multiply_rows)(rows, b, products);
}

void squared_differences(std::span<const float* const> rows, const PackedRows& b, std::size_t first,
                         std::size_t end, std::span<float* const> distances) {
  if (rows.empty()) return;
  HWY_DYNAMIC_DISPATCH(square_differences)(rows, b, first, end, distances);
}

float squared_differences(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
  return HWY_DYNAMIC_DISPATCH(sparse_squared_distance)(a, i, b, j);
}

void squared_norms(MatrixView rows, float* norms) {
  if (rows.sparse())
    HWY_DYNAMIC_DISPATCH(sparse_squared_norms)(rows, norms);
  else
    HWY_DYNAMIC_DISPATCH(squared_norms)(rows, norms);
}

}  // namespace semblance::numerics
#endif
