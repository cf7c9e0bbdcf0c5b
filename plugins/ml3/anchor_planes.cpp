// SPDX-License-Identifier: MIT
#include "anchor_planes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::ml3 {
namespace {

using Matrix = Eigen::MatrixXd;
/// A square matrix, column by column; of symmetric ones only the upper triangle is filled.
using Moments = std::vector<double>;

constexpr double rank_threshold = 1e-10;

/// How many parts the rows are summed in: by the width alone, so that the bits are the same
/// everywhere; fewer where a part is large.
std::size_t parts_of(std::size_t cols) {
  constexpr std::size_t most_values = std::size_t{1} << 23;
  return std::clamp<std::size_t>(most_values / (cols * cols), 1, 8);
}

/// sum x x^T
Moments second_moments(MatrixView rows, std::span<const std::uint32_t> samples) {
  const auto cols = static_cast<Eigen::Index>(rows.cols);
  Moments moments(rows.cols * rows.cols);
  Eigen::Map<Matrix> sum(moments.data(), cols, cols);
  Matrix block(cols, static_cast<Eigen::Index>(block_rows));
  for (std::size_t first = 0; first < samples.size(); first += block_rows) {
    const std::size_t count = std::min(block_rows, samples.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      const float* row = rows.row(samples[first + i]);
      std::copy_n(row, rows.cols, block.col(static_cast<Eigen::Index>(i)).data());
    }
    sum.selfadjointView<Eigen::Upper>().rankUpdate(
        block.leftCols(static_cast<Eigen::Index>(count)));
  }
  return moments;
}

Moments second_moments(MatrixView rows, std::span<const std::uint32_t> samples,
                       const Surroundings& surroundings) {
  std::vector<Moments> parts(parts_of(rows.cols));
  surroundings.parallel_for(parts.size(), [&](std::size_t p) {
    const std::size_t first = samples.size() * p / parts.size();
    const std::size_t end = samples.size() * (p + 1) / parts.size();
    parts[p] = second_moments(rows, samples.subspan(first, end - first));
  });
  for (std::size_t p = 1; p < parts.size(); ++p)
    std::ranges::transform(parts[0], parts[p], parts[0].begin(), std::plus<>());
  return std::move(parts[0]);
}

}  // namespace

FloatMatrix anchor_planes(MatrixView rows, std::span<const std::uint32_t> samples,
                          std::size_t count, const Surroundings& surroundings) {
  // A column-major upper triangle is a row-major lower one.
  const auto eigen =
      numerics::symmetric_eigen(second_moments(rows, samples, surroundings), rows.cols);
  const double least = rank_threshold * eigen.values.back();
  const auto rank = static_cast<std::size_t>(
      std::ranges::count_if(eigen.values, [&](double value) { return value > least; }));
  if (rank < count)
    throw Error(std::to_string(samples.size()) + " rows of rank " + std::to_string(rank) +
                " have no " + std::to_string(count) + " anchor planes; lower `models`");
  FloatMatrix planes(count, rows.cols);
  for (std::size_t j = 0; j < count; ++j) {
    const std::span vector(&eigen.vectors[(rows.cols - 1 - j) * rows.cols], rows.cols);
    const double largest =
        *std::ranges::max_element(vector, {}, [](double x) { return std::abs(x); });
    const double sign = largest < 0 ? -1 : 1;
    std::ranges::transform(vector, &planes.values[j * rows.cols],
                           [&](double x) { return static_cast<float>(sign * x); });
  }
  return planes;
}

std::size_t anchor_planes_bytes(std::size_t cols) noexcept {
  // The parts and the blocks they are made of; then the matrix and LAPACK's work space.
  const std::size_t square = cols * cols * sizeof(double);
  return parts_of(cols) * (square + block_rows * cols * sizeof(double)) + 2 * square;
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
