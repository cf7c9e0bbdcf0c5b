// SPDX-License-Identifier: MIT
#include "indexed_product.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "semblance/error.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "products/indexed_product.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t vector_lanes = HWY_LANES(float);

// Four sums of one vector each hide most of the latency of a multiply-add. More samples at a time
// would not be faster, and their columns would be evicted from the caches sooner.
constexpr std::size_t sums_at_once = 4;
constexpr std::size_t samples_at_once = sums_at_once * vector_lanes;
// Results are written a cache line at a time; in registers, four bases are transposed at once.
constexpr std::size_t bases_at_once = 16;
constexpr std::size_t bases_a_piece = 4;

std::size_t group_size() { return samples_at_once; }

/// Some samples interleaved: the values of all samples for each column of the bases in which any
/// has an entry. Other columns share one range of zeros, so that a basis's entries need no test.
class Group {
 public:
  explicit Group(const OccurringColumns& columns) : columns_(columns), places_(columns.size()) {}

  void set(MatrixView samples) {
    for (const std::size_t column : used_) places_[column] = 0;
    used_.clear();
    found_.clear();
    const std::uint32_t* end = samples.columns + samples.offsets[samples.rows];
    for (const std::uint32_t* c = samples.columns + samples.offsets[0]; c != end; ++c) {
      const std::size_t column = columns_.place(*c);
      found_.push_back(column);
      if (column == OccurringColumns::none || places_[column] != 0) continue;
      used_.push_back(column);
      places_[column] = static_cast<std::uint32_t>(used_.size());
    }
    const std::size_t size = (used_.size() + 1) * samples_at_once;
    if (values_.size() < size) values_ = AlignedBuffer(size);
    std::fill_n(values_.data(), size, 0.0F);
    for (std::size_t i = 0, at = 0; i < samples.rows; ++i)
      for (const float value : samples.row_span(i)) {
        const std::size_t column = found_[at++];
        if (column != OccurringColumns::none)
          values_.data()[std::size_t{places_[column]} * samples_at_once + i] = value;
      }
  }

  /// samples_at_once values of the column at a place.
  HWY_INLINE const float* column(std::uint32_t c) const noexcept {
    return values_.data() + std::size_t{places_[c]} * samples_at_once;
  }

 private:
  const OccurringColumns& columns_;
  std::vector<std::uint32_t> places_;  // of a column's values; 0: zeros
  std::vector<std::size_t> used_;
  std::vector<std::size_t> found_;  // of the samples' entries
  AlignedBuffer values_;
};

/// The products of one basis with all samples of the group.
HWY_INLINE void base_products(MatrixView bases, std::size_t base, const Group& group,
                              float* HWY_RESTRICT products) {
  const Tag d;
  Vec s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  const std::size_t end = bases.offsets[base + 1];
  for (std::size_t k = bases.offsets[base]; k < end; ++k) {
    const float* x = group.column(bases.columns[k]);
    const Vec b = hn::Set(d, bases.data[k]);
    s0 = hn::MulAdd(b, hn::Load(d, x), s0);
    s1 = hn::MulAdd(b, hn::Load(d, x + vector_lanes), s1);
    s2 = hn::MulAdd(b, hn::Load(d, x + 2 * vector_lanes), s2);
    s3 = hn::MulAdd(b, hn::Load(d, x + 3 * vector_lanes), s3);
  }
  hn::Store(s0, d, products);
  hn::Store(s1, d, products + vector_lanes);
  hn::Store(s2, d, products + 2 * vector_lanes);
  hn::Store(s3, d, products + 3 * vector_lanes);
}

/// Transposes the products of a few bases from basis-major to sample-major, and copies those of the
/// first `count` bases to the columns from `column` on.
HWY_INLINE void store_products(const float* HWY_RESTRICT products, std::size_t column,
                               std::size_t count, MutableMatrixView c) {
  const Tag d;
  constexpr std::size_t piece = samples_at_once * bases_a_piece;
  HWY_ALIGN float of_samples[samples_at_once * bases_at_once];
  for (std::size_t at = 0; at < samples_at_once * bases_at_once; at += piece)
    for (std::size_t i = 0; i < samples_at_once; i += vector_lanes) {
      const float* from = products + at + i;
      hn::StoreInterleaved4(hn::Load(d, from), hn::Load(d, from + samples_at_once),
                            hn::Load(d, from + 2 * samples_at_once),
                            hn::Load(d, from + 3 * samples_at_once), d,
                            of_samples + at + i * bases_a_piece);
    }
  for (std::size_t i = 0; i < c.rows; ++i) {
    const float* from = of_samples + i * bases_a_piece;
    float* to = c.row(i) + column;
    std::size_t j = 0;
    for (; j + bases_a_piece <= count; j += bases_a_piece, from += piece)
      std::copy_n(from, bases_a_piece, to + j);
    std::copy_n(from, count - j, to + j);
  }
}

void multiply_group(const Group& group, MatrixView bases, MutableMatrixView c) {
  HWY_ALIGN float products[bases_at_once * samples_at_once] = {};
  for (std::size_t j = 0; j < bases.rows; j += bases_at_once) {
    const std::size_t count = std::min(bases_at_once, bases.rows - j);
    for (std::size_t b = 0; b < count; ++b)
      base_products(bases, j + b, group, products + b * samples_at_once);
    store_products(products, j, count, c);
  }
}

void multiply_side_by_side(MatrixView a, const IndexedRows& b, std::size_t first,
                           MutableMatrixView c) {
  Group group(b.columns());
  const MatrixView bases = b.view_by_place().rows_range(first, c.cols);
  for (std::size_t row = 0; row < a.rows; row += samples_at_once) {
    const std::size_t count = std::min(samples_at_once, a.rows - row);
    group.set(a.rows_range(row, count));
    multiply_group(group, bases, c.rows_range(row, count));
  }
}

void multiply_by_columns(MatrixView a, const IndexedRows& b, std::size_t first,
                         MutableMatrixView c) {
  // One lane, but the same multiply-add as with many.
  const hn::CappedTag<float, 1> d;
  const auto end = static_cast<std::uint32_t>(first + c.cols);
  for (std::size_t i = 0; i < a.rows; ++i) {
    float* const sums = c.row(i);
    std::fill_n(sums, c.cols, 0.0F);
    const auto columns = a.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const IndexedRows::Column column = b.column(columns[k]);
      const auto x = hn::Set(d, a.row(i)[k]);
      std::size_t e = 0;
      if (first > 0)
        e = static_cast<std::size_t>(
            std::lower_bound(column.rows.begin(), column.rows.end(), first) - column.rows.begin());
      for (; e < column.rows.size() && column.rows[e] < end; ++e) {
        float* sum = sums + (column.rows[e] - first);
        hn::StoreU(hn::MulAdd(x, hn::LoadU(d, column.values + e), hn::LoadU(d, sum)), d, sum);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::numerics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(group_size);
HWY_EXPORT(multiply_side_by_side);
HWY_EXPORT(multiply_by_columns);

void multiply_by_columns(MatrixView a, const IndexedRows& b, std::size_t first,
                         MutableMatrixView c) {
  HWY_DYNAMIC_DISPATCH(multiply_by_columns)(a, b, first, c);
}

void multiply_side_by_side(MatrixView a, const IndexedRows& b, std::size_t first,
                           MutableMatrixView c) {
  HWY_DYNAMIC_DISPATCH(multiply_side_by_side)(a, b, first, c);
}

bool side_by_side_pays(MatrixView a, const IndexedRows& b, std::size_t first, std::size_t columns) {
  if (columns == 0 || b.entries(0, b.rows()) == 0) return false;
  // Nanoseconds, measured on one core of an AMD EPYC with AVX-512 at densities from 0.3 to 30 %:
  // per entry of a basis with a group, per result of a basis, per column search; per looked-up
  // entry, per list of entries.
  constexpr double entry = 2.2, result = 12, place = 0.2, looked_up = 0.65, list = 5;
  const auto entries = static_cast<double>(b.entries(first, columns));
  const std::size_t samples = HWY_DYNAMIC_DISPATCH(group_size)();
  const std::size_t groups = (a.rows + samples - 1) / samples;
  const double side_by_side =
      static_cast<double>(groups) * (entry * entries + result * static_cast<double>(columns)) +
      place * static_cast<double>(b.columns().size());
  std::size_t shared = 0;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (const std::uint32_t c : a.columns_of(i)) shared += b.column(c).rows.size();
  const double share = entries / static_cast<double>(b.entries(0, b.rows()));
  const double by_columns =
      looked_up * share * static_cast<double>(shared) + list * static_cast<double>(a.values());
  return side_by_side < by_columns;
}

void multiply(MatrixView a, const IndexedRows& b, MutableMatrixView c, std::size_t first) {
  if (c.rows != a.rows || a.cols != b.cols() || first > b.rows() || c.cols > b.rows() - first ||
      !a.sparse())
    throw Error("sparse rows of " + std::to_string(a.cols) + " columns times " +
                std::to_string(b.rows()) + " indexed rows of " + std::to_string(b.cols()) +
                " do not make " + std::to_string(c.rows) + " x " + std::to_string(c.cols) +
                " products from row " + std::to_string(first) + " on");
  if (c.rows == 0 || c.cols == 0) return;
  if (side_by_side_pays(a, b, first, c.cols))
    multiply_side_by_side(a, b, first, c);
  else
    multiply_by_columns(a, b, first, c);
}

}  // namespace semblance::numerics
#endif
