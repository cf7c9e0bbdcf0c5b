// SPDX-License-Identifier: MIT
#include "coding/anchor_planes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::ml3 {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr double rank_threshold = 1e-10;
/// Columns of a tile of the moments, summed separately: 2 MiB per tile.
constexpr std::size_t tile = 512;

/// Columns of rows.
struct Columns {
  std::size_t first;
  std::size_t count;
  Eigen::Index size() const { return static_cast<Eigen::Index>(count); }
};

/// Some columns of some rows, minus their centre, transposed: one row per column of the result.
Matrix cut(const TrainingRows& rows, std::span<const std::uint32_t> samples, Columns columns) {
  Matrix block(columns.size(), static_cast<Eigen::Index>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i)
    std::copy_n(rows.row(samples[i]) + columns.first, columns.count,
                block.col(static_cast<Eigen::Index>(i)).data());
  if (!rows.centre.empty())
    block.colwise() -=
        Eigen::Map<const Eigen::VectorXd>(rows.centre.data() + columns.first, columns.size());
  return block;
}

/// The samples of a part.
std::span<const std::uint32_t> within(std::span<const std::uint32_t> samples, const RowParts& parts,
                                      std::size_t part) {
  const auto place = [&](std::size_t row) {
    return static_cast<std::size_t>(std::ranges::lower_bound(samples, row) - samples.begin());
  };
  const std::size_t first = place(parts.first_row(part));
  return samples.subspan(first, place(parts.first_row(part + 1)) - first);
}

/// sum a b^T for the values a and b of a row in two ranges of columns.
std::vector<double> moments_of(const TrainingRows& rows, std::span<const std::uint32_t> samples,
                               Columns a, Columns b, Context& context) {
  const RowParts parts(rows.rows);
  std::vector<double> total(a.count * b.count);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    Eigen::Map<Matrix> sum(sums.data(), a.size(), b.size());
    const auto own = within(samples, parts, part);
    for (std::size_t first = 0; first < own.size(); first += block_rows) {
      const auto block = own.subspan(first, std::min(block_rows, own.size() - first));
      const Matrix left = cut(rows, block, a);
      if (a.first == b.first)
        sum.selfadjointView<Eigen::Upper>().rankUpdate(left);
      else
        sum.noalias() += left * cut(rows, block, b).transpose();
    }
  });
  return total;
}

}  // namespace

std::vector<double> second_moments(const TrainingRows& rows, std::span<const std::uint32_t> samples,
                                   Context& context) {
  const std::size_t cols = rows.cols;
  std::vector<double> moments(cols * cols);
  for (std::size_t j = 0; j < cols; j += tile)
    for (std::size_t i = 0; i <= j; i += tile) {
      const Columns a{i, std::min(tile, cols - i)}, b{j, std::min(tile, cols - j)};
      const std::vector<double> part = moments_of(rows, samples, a, b, context);
      for (std::size_t k = 0; k < b.count; ++k)
        std::copy_n(part.data() + k * a.count, a.count, moments.data() + (j + k) * cols + i);
    }
  return moments;
}

FloatMatrix anchor_planes(std::vector<double> moments, std::size_t rows, std::size_t cols,
                          std::size_t count) {
  // A column-major upper triangle is a row-major lower one.
  const auto eigen = numerics::symmetric_eigen(std::move(moments), cols);
  const double least = rank_threshold * eigen.values.back();
  const auto rank = static_cast<std::size_t>(
      std::ranges::count_if(eigen.values, [&](double value) { return value > least; }));
  if (rank == 0)
    throw Error(std::to_string(rows) +
                " rows have no anchor planes, because all of their columns are constant");
  FloatMatrix planes(std::min(rank, count), cols);
  for (std::size_t j = 0; j < planes.rows; ++j) {
    const std::span vector(&eigen.vectors[(cols - 1 - j) * cols], cols);
    const double largest =
        *std::ranges::max_element(vector, {}, [](double x) { return std::abs(x); });
    const double sign = largest < 0 ? -1 : 1;
    std::ranges::transform(vector, &planes.values[j * cols],
                           [&](double x) { return static_cast<float>(sign * x); });
  }
  return planes;
}

std::size_t anchor_planes_bytes(std::size_t cols, std::size_t sets, std::size_t threads) noexcept {
  // Per set the moments, the matrix and LAPACK's work space; per tile the sums that wait for their
  // siblings in the tree, and per thread the blocks and the sum they are added to.
  constexpr std::size_t waiting = 12;
  const std::size_t width = std::min(cols, tile), sum = width * width * sizeof(double);
  const std::size_t blocks = 2 * width * block_rows * sizeof(double);
  return 3 * sets * cols * cols * sizeof(double) + (waiting + threads) * sum + threads * blocks;
}

void code_planes(PlaneCoding coding, std::span<float> products) {
  if (coding == PlaneCoding::signed_values) return;
  float most = 0;
  for (float& p : products) {
    p = std::abs(p);
    most = std::max(most, p);
  }
  if (!(most > 0)) return;
  // Divided first, so that no square leaves the range of float.
  float sum = 0;
  for (float& p : products) {
    p /= most;
    if (coding == PlaneCoding::squared) p *= p;
    sum += p;
  }
  for (float& p : products) p /= sum;
}

}  // namespace semblance::ml3
