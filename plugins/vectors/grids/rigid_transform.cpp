// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "grids/rigid_methods.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grids/rigid_transform.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::vectors {
namespace HWY_NAMESPACE {

namespace tiles = numerics::HWY_NAMESPACE;
using tiles::tile_rows;
using tiles::tile_size;
using tiles::tile_width;
constexpr tiles::TileRows every_row;

HWY_NOINLINE void cell_products(const float* a, const float* b, std::size_t depth,
                                std::size_t count, float* products) {
  for (std::size_t p = 0; p < count; ++p) {
    tiles::Tile t;
    tiles::clear(t, every_row);
    tiles::add_products(a + p * depth * tile_rows, b + p * depth * tile_width, depth, t);
    tiles::store(t, products + p * tile_size, tile_width, every_row);
  }
}

HWY_INLINE void sum_terms(const std::vector<CorrelationPlan::Term>& terms, const float* workspace,
                          tiles::Tile& t) {
  tiles::clear(t, every_row);
  for (const auto& term : terms)
    tiles::multiply_add(workspace + term.tile * tile_size, term.factor, t, every_row);
}

HWY_NOINLINE void run(const CorrelationPlan::Step& step, float* workspace, float* spare) {
  tiles::Tile t;
  if (step.odd.empty()) {
    sum_terms(step.even, workspace, t);
    tiles::store(t, workspace + step.sum * tile_size, tile_width, every_row);
    return;
  }
  sum_terms(step.odd, workspace, t);
  tiles::store(t, spare, tile_width, every_row);
  sum_terms(step.even, workspace, t);
  tiles::store_sum_and_difference(t, spare, workspace + step.sum * tile_size,
                                  workspace + step.difference * tile_size, every_row);
}

HWY_NOINLINE void raise(const CorrelationPlan::Result& result, const float* workspace, float* spare,
                        float* best) {
  tiles::Tile t;
  sum_terms(result.odd, workspace, t);
  tiles::absolute(t, every_row);
  tiles::store(t, spare, tile_width, every_row);
  // The larger of E + O and E - O is E + |O|.
  sum_terms(result.even, workspace, t);
  tiles::add(spare, t, every_row);
  if (result.cost != 0) tiles::subtract(result.cost, t, every_row);
  tiles::maximum(best, 0, t, every_row);
  tiles::store(t, best, tile_width, every_row);
}

// A panel's values (290 KiB for 8x8x31 and displacements up to 2) stay in L2, the workspace nearly
// in L1. Measured on one Zen 3 core with 2500 bases, counting the operations of the direct
// method: 5.1 times sgemm for 8x8x31 and displacements up to 2, 1.9 times for 4x4x31 and up to 1.
void rigid_transform_panel(const CorrelationPlan& plan, float floor,
                           const numerics::PackedBlock& block, const numerics::PackedRows& bases,
                           std::size_t panel, MutableMatrixView out) {
  const std::size_t first = panel * tile_width, depth = plan.grid.depth;
  const std::size_t cols = std::min(tile_width, bases.rows() - first);
  numerics::AlignedBuffer workspace(plan.tiles * tile_size);
  float* spare = workspace.data() + (plan.tiles - 1) * tile_size;
  HWY_ALIGN float best[tile_size];
  for (std::size_t g = 0; g < block.groups(); ++g) {
    const float* a = block.group(g);
    const float* b = bases.panel(panel);
    for (const auto& column : plan.columns) {
      cell_products(a, b, depth, column.products, workspace.data());
      for (const auto& step : column.steps) run(step, workspace.data(), spare);
      a += column.products * depth * tile_rows;
      b += column.products * depth * tile_width;
    }
    std::fill_n(best, tile_size, floor);
    for (const auto& result : plan.results) raise(result, workspace.data(), spare, best);
    const std::size_t row = g * tile_rows;
    tiles::copy_part(best, std::min(tile_rows, block.rows() - row), cols, out.row(row) + first,
                     out.stride);
  }
}

// to += factor * from; by products and sums, so that the vector width does not matter.
HWY_INLINE void add_multiple(const float* HWY_RESTRICT from, float factor, std::size_t count,
                             float* HWY_RESTRICT to) {
  for (std::size_t j = 0; j < count; ++j) to[j] += factor * from[j];
}

// Factors cos and sin of -2 pi k z / size, for one k and all z.
struct Wave {
  std::vector<float> re, im;
  Wave(std::size_t k, std::size_t cells, std::size_t size) {
    for (std::size_t z = 0; z < cells; ++z) {
      const double angle =
          -2 * std::numbers::pi * static_cast<double>(k * z % size) / static_cast<double>(size);
      re.push_back(static_cast<float>(std::cos(angle)));
      im.push_back(static_cast<float>(std::sin(angle)));
    }
  }
};

// Writes the inputs of the three products for the value re + i im; the conjugate for bases.
HWY_INLINE void write_operands(CorrelationSide side, const float* HWY_RESTRICT re,
                               const float* HWY_RESTRICT im, float scale, std::size_t depth,
                               float* HWY_RESTRICT to) {
  if (side == CorrelationSide::bases) {
    for (std::size_t j = 0; j < depth; ++j) {
      to[j] = scale * (re[j] - im[j]);
      to[depth + j] = scale * re[j];
      to[2 * depth + j] = -scale * im[j];
    }
  } else {
    for (std::size_t j = 0; j < depth; ++j) {
      to[j] = re[j];
      to[depth + j] = im[j] - re[j];
      to[2 * depth + j] = re[j] + im[j];
    }
  }
}

class RowTransform {
 public:
  explicit RowTransform(const CorrelationPlan& plan)
      : plan_(plan),
        along_row_(2 * plan.grid.height * plan.grid.depth),
        value_(2 * plan.grid.depth) {
    for (std::size_t x = 0; x <= plan.width / 2; ++x)
      row_waves_.emplace_back(x, plan.grid.width, plan.width);
    for (std::size_t y = 0; y < plan.height; ++y)
      column_waves_.emplace_back(y, plan.grid.height, plan.height);
  }

  void operator()(CorrelationSide side, const float* row, float* out) {
    const std::size_t depth = plan_.grid.depth;
    // The inverse transform's division, taken over by the bases.
    const float scale =
        side == CorrelationSide::samples ? 1 : 1 / static_cast<float>(plan_.width * plan_.height);
    std::size_t transformed = CorrelationPlan::none;
    for (const auto& frequency : plan_.frequencies) {
      if (frequency.x != transformed) transform_along_rows(row, frequency.x);
      transformed = frequency.x;
      transform_along_column(frequency.y);
      if (frequency.real) {
        for (std::size_t j = 0; j < depth; ++j) out[j] = scale * value_[j];
        out += depth;
      } else {
        write_operands(side, value_.data(), value_.data() + depth, scale, depth, out);
        out += 3 * depth;
      }
    }
  }

 private:
  void transform_along_rows(const float* row, std::size_t x) {
    const auto [height, width, depth] = shape();
    std::fill(along_row_.begin(), along_row_.end(), 0.0f);
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t c = 0; c < width; ++c) {
        const float* cell = row + (y * width + c) * depth;
        float* to = along_row_.data() + 2 * y * depth;
        add_multiple(cell, row_waves_[x].re[c], depth, to);
        add_multiple(cell, row_waves_[x].im[c], depth, to + depth);
      }
  }

  void transform_along_column(std::size_t k) {
    const auto [height, width, depth] = shape();
    std::fill(value_.begin(), value_.end(), 0.0f);
    for (std::size_t y = 0; y < height; ++y) {
      const float* re = along_row_.data() + 2 * y * depth;
      const float* im = re + depth;
      add_multiple(re, column_waves_[k].re[y], depth, value_.data());
      add_multiple(im, -column_waves_[k].im[y], depth, value_.data());
      add_multiple(re, column_waves_[k].im[y], depth, value_.data() + depth);
      add_multiple(im, column_waves_[k].re[y], depth, value_.data() + depth);
    }
  }

  struct Shape {
    std::size_t height, width, depth;
  };
  Shape shape() const { return {plan_.grid.height, plan_.grid.width, plan_.grid.depth}; }

  const CorrelationPlan& plan_;
  std::vector<Wave> row_waves_, column_waves_;
  std::vector<float> along_row_;  // real and imaginary part of each row of cells
  std::vector<float> value_;      // of one frequency
};

void transform_rows(const CorrelationPlan& plan, CorrelationSide side, MatrixView rows,
                    MutableMatrixView out) {
  RowTransform transform(plan);
  for (std::size_t i = 0; i < rows.rows; ++i) transform(side, rows.row(i), out.row(i));
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::vectors {

HWY_EXPORT(transform_rows);
HWY_EXPORT(rigid_transform_panel);

void transform_rows(const CorrelationPlan& plan, CorrelationSide side, MatrixView rows,
                    MutableMatrixView out) {
  HWY_DYNAMIC_DISPATCH(transform_rows)(plan, side, rows, out);
}

void rigid_transform_panel(const CorrelationPlan& plan, float floor,
                           const numerics::PackedBlock& block, const numerics::PackedRows& bases,
                           std::size_t panel, MutableMatrixView out) {
  HWY_DYNAMIC_DISPATCH(rigid_transform_panel)(plan, floor, block, bases, panel, out);
}

}  // namespace semblance::vectors
#endif
