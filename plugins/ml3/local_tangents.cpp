// SPDX-License-Identifier: MIT
#include "local_tangents.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

/// Anchors whose distances to all rows are computed together.
constexpr std::size_t group = 16;
/// Variances under this share of the largest are taken for 0.
constexpr double least_variance = 1e-10;

float dot(std::span<const float> a, const float* b) {
  constexpr std::size_t lanes = 8;
  float sums[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= a.size(); k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[k + l] * b[k + l];
  for (; k < a.size(); ++k) sums[0] += a[k] * b[k];
  return std::accumulate(sums, sums + lanes, 0.0f);
}

/// The rows with the smallest |x|^2 - 2 v . x, the first of equal ones.
std::vector<std::uint32_t> nearest_rows(const FloatMatrix& products, std::size_t column,
                                        const std::vector<float>& squares, std::size_t count) {
  std::vector<std::pair<float, std::uint32_t>> distances(squares.size());
  for (std::size_t i = 0; i < squares.size(); ++i)
    distances[i] = {squares[i] - 2 * products.values[i * products.cols + column],
                    static_cast<std::uint32_t>(i)};
  std::partial_sort(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(count),
                    distances.end());
  std::vector<std::uint32_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = distances[i].second;
  return rows;
}

/// With Z the centred rows, Z' a / |Z' a| for the first eigenvectors a of Z Z'.
void principal_directions(MatrixView rows, std::span<const std::uint32_t> chosen,
                          MutableMatrixView directions) {
  const auto k = static_cast<Eigen::Index>(chosen.size());
  Eigen::MatrixXd z(static_cast<Eigen::Index>(rows.cols), k);
  for (Eigen::Index i = 0; i < k; ++i)
    std::copy_n(rows.row(chosen[static_cast<std::size_t>(i)]), rows.cols, z.col(i).data());
  z.colwise() -= z.rowwise().mean().eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(z.transpose() * z);
  const double most = solver.eigenvalues()[k - 1];
  for (std::size_t t = 0; t < directions.rows; ++t) {
    const Eigen::Index place = k - 1 - static_cast<Eigen::Index>(t);
    const auto out = directions.row_span(t);
    std::fill(out.begin(), out.end(), 0.0f);
    if (!(solver.eigenvalues()[place] > least_variance * most)) continue;
    Eigen::VectorXd u = (z * solver.eigenvectors().col(place)).normalized();
    Eigen::Index largest = 0;
    u.cwiseAbs().maxCoeff(&largest);
    if (u[largest] < 0) u = -u;
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = static_cast<float>(u[static_cast<Eigen::Index>(j)]);
  }
}

}  // namespace

FloatMatrix local_tangents(MatrixView rows, const FloatMatrix& anchors, std::size_t count,
                           std::size_t nearest, const Surroundings& surroundings) {
  FloatMatrix tangents(anchors.rows * count, rows.cols);
  std::vector<float> squares(rows.rows);
  numerics::squared_norms(rows, squares.data());
  surroundings.parallel_for((anchors.rows + group - 1) / group, [&](std::size_t g) {
    if (surroundings.stop()) return;
    const std::size_t first = g * group, size = std::min(group, anchors.rows - first);
    FloatMatrix products(rows.rows, size);
    numerics::multiply(rows, numerics::PackedRows(anchors.view().rows_range(first, size)),
                       products.view());
    for (std::size_t a = 0; a < size; ++a)
      principal_directions(rows, nearest_rows(products, a, squares, nearest),
                           tangents.view().rows_range((first + a) * count, count));
  });
  return tangents;
}

TangentFeatures::TangentFeatures(const FloatMatrix& anchors, FloatMatrix tangents, double scale)
    : tangents_(std::move(tangents)), count_(tangents_.rows / anchors.rows), scale_(scale) {
  for (std::size_t t = 0; t < tangents_.rows; ++t)
    offsets_.push_back(
        dot(std::as_const(tangents_).view().row_span(t), anchors.view().row(t / count_)));
}

void TangentFeatures::extend(std::span<const float> row, std::span<const Entry> codes,
                             std::vector<Entry>& features) const {
  for (const auto& [anchor, gamma] : codes) {
    const auto column = static_cast<std::uint32_t>(anchor * (1 + count_));
    features.push_back({column, static_cast<float>(scale_ * double{gamma})});
    for (std::size_t t = 0; t < count_; ++t) {
      const std::size_t u = anchor * count_ + t;
      const float along = dot(row, tangents_.values.data() + u * tangents_.cols) - offsets_[u];
      features.push_back({static_cast<std::uint32_t>(column + 1 + t), gamma * along});
    }
  }
}

}  // namespace semblance::ml3
