// SPDX-License-Identifier: MIT
#include "sparse_product.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "semblance/error.hpp"
#include "semblance_numerics/simd_targets.hpp"
#include "semblance_numerics/sparse_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "products/sparse_product.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics {
namespace HWY_NAMESPACE {

// Up to eight sums of one vector each hide the latency of the multiply-adds. The sums of a block
// (60 KiB with AVX2) and the panels stay in the second-level cache.
constexpr std::size_t most_panels = 4;
constexpr std::size_t row_block = 240;

/// Lists the differences between a row and the background in columns [begin, end) where they are
/// not 0. Returns their number.
HWY_INLINE std::size_t list_slice(const float* HWY_RESTRICT row, std::size_t begin, std::size_t end,
                                  const float* HWY_RESTRICT background,
                                  std::uint32_t* HWY_RESTRICT offsets, float* HWY_RESTRICT values) {
  const FloatTag d;
  std::size_t count = 0, k = begin;
  const auto list = [&](std::size_t column) HWY_ATTR {
    offsets[count] = static_cast<std::uint32_t>(column * tile_width);
    values[count++] = background == nullptr ? row[column] : row[column] - background[column];
  };
  // Tests many columns at once: the end of a loop over a few is hard to predict.
  while (k + lanes <= end) {
    const std::size_t first = k;
    std::uint64_t bits = 0;
    for (; k + lanes <= std::min(end, first + 64); k += lanes) {
      const FloatVec b = background == nullptr ? hn::Zero(d) : hn::LoadU(d, background + k);
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, row + k), b), bytes);
      std::uint64_t more = 0;
      std::memcpy(&more, bytes, sizeof more);
      bits |= more << (k - first);
    }
    for (; bits != 0; bits &= bits - 1)
      list(first + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  for (; k < end; ++k)
    if (row[k] != (background == nullptr ? 0 : background[k])) list(k);
  return count;
}

/// The same for a whole row and the values after it; starts[s] is the start of slice s.
void list_row(std::span<const float> row, const float* background, std::span<const float> more,
              std::uint32_t* starts, std::uint32_t* offsets, float* values) {
  const std::size_t cols = row.size() + more.size();
  std::size_t count = 0;
  for (std::size_t k = 0; k < cols; k += slice_columns) {
    *starts++ = static_cast<std::uint32_t>(count);
    const std::size_t end = std::min(k + slice_columns, cols), last = std::min(end, row.size());
    if (k < last)
      count += list_slice(row.data(), k, last, background, offsets + count, values + count);
    for (std::size_t j = std::max(k, row.size()); j < end; ++j) {
      offsets[count] = static_cast<std::uint32_t>(j * tile_width);
      values[count++] = more[j - row.size()];
    }
  }
  *starts = static_cast<std::uint32_t>(count);
}

/// The listed values of one row's slice.
struct Listed {
  const float* values;
  const std::uint32_t* offsets;
  std::size_t count;
};

/// Adds their products with `Panels` panels to the row's sums, which begin with the first slice.
template <std::size_t Panels>
HWY_INLINE void add_row_slice(const Listed& listed, bool first, const float* HWY_RESTRICT b,
                              std::size_t panel_stride, float* HWY_RESTRICT sums) {
  const FloatTag d;
  FloatVec low[Panels], high[Panels];
  HWY_UNROLL(4)
  for (std::size_t p = 0; p < Panels; ++p) {
    low[p] = first ? hn::Zero(d) : hn::Load(d, sums + p * tile_width);
    high[p] = first ? hn::Zero(d) : hn::Load(d, sums + p * tile_width + lanes);
  }
  const float* HWY_RESTRICT values = listed.values;
  const std::uint32_t* HWY_RESTRICT offsets = listed.offsets;
  for (std::size_t t = 0; t < listed.count; ++t) {
    const FloatVec x = hn::Set(d, values[t]);
    const float* HWY_RESTRICT at = b + offsets[t];
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

/// Prefetches row r's share of the next panels' slice; with few rows, products would wait for
/// memory.
HWY_INLINE void prefetch_share(const PackedRows& b, std::size_t panel, std::size_t k, std::size_t r,
                               std::size_t rows) {
  constexpr std::size_t line = AlignedBuffer::alignment / sizeof(float);
  const std::size_t size = std::min(slice_columns, b.cols() - k) * tile_width;
  const std::size_t from = size * r / rows / line * line, end = size * (r + 1) / rows;
  const std::size_t end_panel = std::min(panel + most_panels, b.panels());
  for (std::size_t p = panel; p < end_panel; ++p) {
    const float* slice = b.panel(p) + k * tile_width;
    for (std::size_t i = from; i < end; i += line) __builtin_prefetch(slice + i, 0, 3);
  }
}

template <std::size_t Panels>
void add_panels(std::span<const SparseRow> rows, const PackedRows& b, std::size_t panel,
                float* sums) {
  const std::size_t stride = b.cols() * tile_width;
  for (std::size_t slice = 0, k = 0; k < b.cols(); ++slice, k += slice_columns)
    for (std::size_t r = 0; r < rows.size(); ++r) {
      prefetch_share(b, panel + Panels, k, r, rows.size());
      const std::uint32_t start = rows[r].starts[slice], end = rows[r].starts[slice + 1];
      add_row_slice<Panels>({rows[r].values.data() + start, rows[r].offsets + start, end - start},
                            slice == 0, b.panel(panel), stride, sums + r * Panels * tile_width);
    }
}

template <std::size_t Panels>
void add_panels(const SparseBatch& batch, const PackedRows& b, std::size_t panel, float* sums) {
  const std::size_t stride = b.cols() * tile_width;
  const std::uint32_t* count = batch.counts().data();
  Listed listed{batch.values().data(), batch.offsets().data(), 0};
  for (std::size_t k = 0; k < b.cols(); k += slice_columns)
    for (std::size_t r = 0; r < batch.rows(); ++r) {
      prefetch_share(b, panel + Panels, k, r, batch.rows());
      listed.count = *count++;
      add_row_slice<Panels>(listed, k == 0, b.panel(panel), stride, sums + r * Panels * tile_width);
      listed.values += listed.count;
      listed.offsets += listed.count;
    }
}

/// The products of rows with up to most_panels panels: panels x tile_width per row.
template <class Rows>
void add_any(const Rows& rows, const PackedRows& b, std::size_t panel, std::size_t panels,
             float* sums) {
  switch (panels) {
    case 1:
      return add_panels<1>(rows, b, panel, sums);
    case 2:
      return add_panels<2>(rows, b, panel, sums);
    case 3:
      return add_panels<3>(rows, b, panel, sums);
    default:
      return add_panels<4>(rows, b, panel, sums);
  }
}

/// Products with the panels from p on, of which those with the packed rows [first, end) are copied.
template <class Rows>
void multiply_some(const Rows& rows, const PackedRows& b, std::size_t p, std::size_t first,
                   MutableMatrixView c, float* sums) {
  const std::size_t end = first + c.cols;
  const std::size_t panels = std::min(most_panels, (end - 1) / tile_width + 1 - p);
  add_any(rows, b, p, panels, sums);
  const std::size_t from = std::max(first, p * tile_width);
  const std::size_t cols = std::min(end, (p + panels) * tile_width) - from;
  for (std::size_t i = 0; i < c.rows; ++i)
    std::copy_n(sums + i * panels * tile_width + (from - p * tile_width), cols,
                c.row(i) + (from - first));
}

void multiply_sparse(std::span<const SparseRow> a, const PackedRows& b, std::size_t first,
                     MutableMatrixView c) {
  AlignedBuffer sums(std::min(row_block, a.size()) * most_panels * tile_width);
  for (std::size_t r = 0; r < a.size(); r += row_block) {
    const auto block = a.subspan(r, std::min(row_block, a.size() - r));
    for (std::size_t p = first / tile_width; p * tile_width < first + c.cols; p += most_panels)
      multiply_some(block, b, p, first, c.rows_range(r, block.size()), sums.data());
  }
}

void multiply_batch(const SparseBatch& a, const PackedRows& b, MutableMatrixView c) {
  AlignedBuffer sums(a.rows() * most_panels * tile_width);
  for (std::size_t p = 0; p < b.panels(); p += most_panels)
    multiply_some(a, b, p, 0, c, sums.data());
}

void multiply_panels(const SparseRow& row, const PackedRows& b, std::size_t first, std::size_t end,
                     float* out) {
  for (std::size_t p = first; p < end; p += most_panels) {
    const std::size_t panels = std::min(most_panels, end - p);
    add_any(std::span(&row, 1), b, p, panels, out + (p - first) * tile_width);
  }
}

void add_rows(std::span<const SparseRow> rows, const float* factors, float* HWY_RESTRICT panel) {
  const FloatTag d;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FloatVec low = hn::Load(d, factors + i * tile_width);
    const FloatVec high = hn::Load(d, factors + i * tile_width + lanes);
    const std::span<const float> values = rows[i].values;
    for (std::size_t t = 0; t < values.size(); ++t) {
      const FloatVec x = hn::Set(d, values[t]);
      float* at = panel + rows[i].offsets[t];
      hn::Store(hn::MulAdd(x, low, hn::Load(d, at)), d, at);
      hn::Store(hn::MulAdd(x, high, hn::Load(d, at + lanes)), d, at + lanes);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::numerics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(list_row);
HWY_EXPORT(multiply_sparse);
HWY_EXPORT(multiply_batch);
HWY_EXPORT(multiply_panels);
HWY_EXPORT(add_rows);

SparseBlock::SparseBlock(std::size_t cols, std::size_t expected)
    : cols_(cols),
      slices_((cols + slice_columns - 1) / slice_columns),
      row_offsets_(cols),
      row_values_(cols) {
  offsets_.reserve(expected);
  values_.reserve(expected);
}

void SparseBlock::add(std::span<const float> row, std::span<const float> background,
                      std::span<const float> more) {
  if (row.size() + more.size() != cols_ || (!background.empty() && background.size() != row.size()))
    throw Error("a row of " + std::to_string(row.size()) + " and " + std::to_string(more.size()) +
                " more values, with a background of " + std::to_string(background.size()) +
                ", does not fit among rows of " + std::to_string(cols_) +
                "; give rows, and a background, of one length");
  const std::size_t first = starts_.size();
  starts_.resize(first + slices_ + 1);
  HWY_DYNAMIC_DISPATCH(list_row)
  (row, background.empty() ? nullptr : background.data(), more, starts_.data() + first,
   row_offsets_.data(), row_values_.data());
  const std::uint32_t count = starts_.back();
  offsets_.insert(offsets_.end(), row_offsets_.data(), row_offsets_.data() + count);
  values_.insert(values_.end(), row_values_.data(), row_values_.data() + count);
  ends_.push_back(values_.size());
}

void SparseBlock::shrink_to_fit() {
  starts_.shrink_to_fit();
  offsets_.shrink_to_fit();
  values_.shrink_to_fit();
  ends_.shrink_to_fit();
}

double SparseBlock::bytes(std::size_t rows, std::size_t cols, std::size_t values) noexcept {
  constexpr std::size_t listed = sizeof(std::uint32_t) + sizeof(float);
  const std::size_t slices = (cols + slice_columns - 1) / slice_columns;
  return double(values + cols) * double(listed) +
         double(rows) * double((slices + 1) * sizeof(std::uint32_t) + sizeof(std::size_t));
}

void SparseBlock::clear() noexcept {
  starts_.clear();
  offsets_.clear();
  values_.clear();
  ends_.clear();
}

SparseRow SparseBlock::row(std::size_t i) const noexcept {
  const std::size_t first = i > 0 ? ends_[i - 1] : 0;
  return {std::span(values_).subspan(first, ends_[i] - first), offsets_.data() + first,
          starts_.data() + i * (slices_ + 1)};
}

void SparseBatch::assign(std::span<const SparseRow> rows, std::size_t cols) {
  rows_ = rows.size();
  cols_ = cols;
  const std::size_t slices = (cols + slice_columns - 1) / slice_columns;
  counts_.resize(slices * rows_);
  for (std::size_t r = 0; r < rows_; ++r)
    for (std::size_t s = 0; s < slices; ++s)
      counts_[s * rows_ + r] = rows[r].starts[s + 1] - rows[r].starts[s];
  const std::size_t count = std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
  offsets_.resize(count);
  values_.resize(count);
  std::size_t to = 0;
  for (std::size_t s = 0; s < slices; ++s)
    for (std::size_t r = 0; r < rows_; ++r) {
      const std::size_t from = rows[r].starts[s], some = counts_[s * rows_ + r];
      std::copy_n(rows[r].offsets + from, some, offsets_.data() + to);
      std::copy_n(rows[r].values.data() + from, some, values_.data() + to);
      to += some;
    }
}

bool sparse_pays(MatrixView a, const PackedRows& b, std::size_t columns) {
  constexpr std::size_t few_values = 32, few_columns = 64;
  if (a.cols < few_values || columns < few_columns || !b.finite()) return false;
  std::size_t zeros = 0;
  for (std::size_t r = 0; r < a.rows; ++r)
    zeros += static_cast<std::size_t>(std::count(a.row(r), a.row(r) + a.cols, 0.0F));
  return 2 * zeros > a.rows * a.cols;
}

void multiply_sparse(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c) {
  constexpr std::size_t rows_a_list = 240;  // whose entries stay in the second-level cache
  SparseBlock listed(a.cols);
  std::vector<SparseRow> rows;
  for (std::size_t r = 0; r < a.rows; r += rows_a_list) {
    const MatrixView block = a.rows_range(r, std::min(rows_a_list, a.rows - r));
    listed.clear();
    rows.clear();
    for (std::size_t i = 0; i < block.rows; ++i) listed.add(block.row_span(i));
    for (std::size_t i = 0; i < block.rows; ++i) rows.push_back(listed.row(i));
    HWY_DYNAMIC_DISPATCH(multiply_sparse)(rows, b, first, c.rows_range(r, block.rows));
  }
}

namespace {

void check_products(std::size_t rows, const PackedRows& b, MutableMatrixView c) {
  if (c.rows != rows || c.cols != b.rows())
    throw Error(std::to_string(rows) + " listed rows times " + std::to_string(b.rows()) +
                " packed rows do not make " + std::to_string(c.rows) + " x " +
                std::to_string(c.cols) + " products");
}

}  // namespace

void multiply(std::span<const SparseRow> a, const PackedRows& b, MutableMatrixView c) {
  check_products(a.size(), b, c);
  if (!a.empty() && c.cols > 0) HWY_DYNAMIC_DISPATCH(multiply_sparse)(a, b, 0, c);
}

void multiply(const SparseBatch& a, const PackedRows& b, MutableMatrixView c) {
  check_products(a.rows(), b, c);
  if (a.cols() != b.cols())
    throw Error("listed rows of " + std::to_string(a.cols()) + " values and packed rows of " +
                std::to_string(b.cols()) + " have no products; give rows of one length");
  if (a.rows() > 0 && c.cols > 0) HWY_DYNAMIC_DISPATCH(multiply_batch)(a, b, c);
}

void multiply(const SparseRow& row, const PackedRows& b, std::size_t first, std::size_t end,
              float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_panels)(row, b, first, end, out);
}

void add_rows(std::span<const SparseRow> rows, const float* factors, float* panel) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, factors, panel);
}

}  // namespace semblance::numerics
#endif
