// SPDX-License-Identifier: MIT
#include "anchor_planes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/samples.hpp"

namespace semblance::ml3 {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr double rank_threshold = 1e-10;

/// How many parts the rows are summed in: by the width alone, so that the bits are the same
/// everywhere; fewer where a part is large.
std::size_t parts_of(std::size_t cols) {
  constexpr std::size_t most_values = std::size_t{1} << 23;
  return std::clamp<std::size_t>(most_values / (cols * cols), 1, 8);
}

/// sum x x^T, the lower triangle.
Matrix second_moments(MatrixView rows, std::span<const std::uint32_t> samples) {
  const auto cols = static_cast<Eigen::Index>(rows.cols);
  Matrix sum = Matrix::Zero(cols, cols), block(cols, static_cast<Eigen::Index>(block_rows));
  for (std::size_t first = 0; first < samples.size(); first += block_rows) {
    const std::size_t count = std::min(block_rows, samples.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      const float* row = rows.row(samples[first + i]);
      std::copy_n(row, rows.cols, block.col(static_cast<Eigen::Index>(i)).data());
    }
    sum.selfadjointView<Eigen::Lower>().rankUpdate(
        block.leftCols(static_cast<Eigen::Index>(count)));
  }
  return sum;
}

Matrix second_moments(MatrixView rows, std::span<const std::uint32_t> samples,
                      const Surroundings& surroundings) {
  std::vector<Matrix> parts(parts_of(rows.cols));
  surroundings.parallel_for(parts.size(), [&](std::size_t p) {
    const std::size_t first = samples.size() * p / parts.size();
    const std::size_t end = samples.size() * (p + 1) / parts.size();
    parts[p] = second_moments(rows, samples.subspan(first, end - first));
  });
  for (std::size_t p = 1; p < parts.size(); ++p) parts[0] += parts[p];
  return std::move(parts[0]);
}

}  // namespace

FloatMatrix anchor_planes(MatrixView rows, std::span<const std::uint32_t> samples,
                          std::size_t count, const Surroundings& surroundings) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(second_moments(rows, samples, surroundings));
  if (solver.info() != Eigen::Success)
    throw Error("the singular vectors of the training rows were not found");
  const auto& values = solver.eigenvalues();
  const auto rank = static_cast<std::size_t>(
      (values.array() > rank_threshold * values[values.size() - 1]).count());
  if (rank < count)
    throw Error(std::to_string(samples.size()) + " rows of rank " + std::to_string(rank) +
                " have no " + std::to_string(count) + " anchor planes; lower `models`");
  FloatMatrix planes(count, rows.cols);
  for (std::size_t j = 0; j < count; ++j) {
    const auto vector = solver.eigenvectors().col(values.size() - 1 - static_cast<Eigen::Index>(j));
    Eigen::Index place = 0;
    vector.cwiseAbs().maxCoeff(&place);
    const double sign = vector[place] < 0 ? -1 : 1;
    for (std::size_t k = 0; k < rows.cols; ++k)
      planes.values[j * rows.cols + k] =
          static_cast<float>(sign * vector[static_cast<Eigen::Index>(k)]);
  }
  return planes;
}

std::size_t anchor_planes_bytes(std::size_t cols) noexcept {
  // The parts and the blocks they are made of; then the matrix, its factors and its vectors.
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
