// SPDX-License-Identifier: MIT
#include "coding/local_tangents.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <utility>

#include "coding/centres.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/far_column.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

/// Anchors whose distances to all rows are computed together.
constexpr std::size_t group = 16;
/// Variances under this share of the largest are taken for 0.
constexpr double least_variance = 1e-10;

/// Distances by products may be wrong by this share of the least.
constexpr float most_share = 1e-3F;
/// The largest allowed float32 error of products, relative to the differences of anchors.
constexpr double most_lost = 1e-4;

template <class Sum>
Sum dot(std::span<const float> a, const float* b) {
  constexpr std::size_t lanes = 8;
  Sum sums[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= a.size(); k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += Sum{a[k + l]} * Sum{b[k + l]};
  for (; k < a.size(); ++k) sums[0] += Sum{a[k]} * Sum{b[k]};
  return std::accumulate(sums, sums + lanes, Sum{0});
}

/// The rows with the smallest distances, the first of equal ones.
std::vector<std::uint32_t> nearest_rows(std::span<const float> near, std::size_t count) {
  std::vector<std::pair<float, std::uint32_t>> distances(near.size());
  for (std::size_t i = 0; i < near.size(); ++i)
    distances[i] = {near[i], static_cast<std::uint32_t>(i)};
  std::partial_sort(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(count),
                    distances.end());
  std::vector<std::uint32_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = distances[i].second;
  return rows;
}

/// Squared distances of all rows to one anchor: by products, without the anchor's own length, if
/// these are exact enough, else by differences.
class AnchorDistances {
 public:
  explicit AnchorDistances(const TrainingRows& rows) : rows_(rows), squares_(rows.rows) {
    std::vector<float> row(rows.cols);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      rows.copy(i, row.data());
      squares_[i] = dot<float>(row, row.data());
    }
    most_ = *std::ranges::max_element(squares_);
  }

  std::vector<float> to(std::span<const float> anchor, const FloatMatrix& products,
                        std::size_t column) const {
    std::vector<float> near(rows_.rows);
    for (std::size_t i = 0; i < rows_.rows; ++i)
      near[i] = squares_[i] - 2 * products.values[i * products.cols + column];
    const float square = dot<float>(anchor, anchor.data());
    const float least = *std::ranges::min_element(near) + square;
    if (numerics::product_error(rows_.cols) * (square + most_) <= most_share * least) return near;
    std::vector<float> row(rows_.cols);
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      rows_.copy(i, row.data());
      near[i] = squared_distance(anchor, row.data());
    }
    return near;
  }

 private:
  const TrainingRows& rows_;
  std::vector<float> squares_;
  float most_ = 0;
};

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

FloatMatrix local_tangents(const TrainingRows& rows, const FloatMatrix& anchors, std::size_t count,
                           std::size_t nearest, const Surroundings& surroundings) {
  FloatMatrix tangents(anchors.rows * count, rows.cols);
  const AnchorDistances distances(rows);
  surroundings.parallel_for((anchors.rows + group - 1) / group, [&](std::size_t g) {
    if (surroundings.stop()) return;
    const std::size_t first = g * group, size = std::min(group, anchors.rows - first);
    FloatMatrix products(rows.rows, size);
    const numerics::PackedRows packed(anchors.view().rows_range(first, size));
    for (std::size_t b = 0; b < rows.rows; b += block_rows) {
      const std::size_t height = std::min(block_rows, rows.rows - b);
      numerics::multiply(about(rows.centre, rows.rows_range(b, height)).view(), packed,
                         products.view().rows_range(b, height));
    }
    for (std::size_t a = 0; a < size; ++a) {
      const auto near = distances.to(anchors.view().row_span(first + a), products, a);
      principal_directions(rows, nearest_rows(near, nearest),
                           tangents.view().rows_range((first + a) * count, count));
    }
  });
  return tangents;
}

TangentFeatures::TangentFeatures(const FloatMatrix& anchors, FloatMatrix tangents, double scale)
    : tangents_(std::move(tangents)), count_(tangents_.rows / anchors.rows), scale_(scale) {
  const double lost = numerics::lost_by_products(anchors.view());
  // Equal anchors say nothing about the distances of rows.
  in_double_ = !(lost > 0 && lost <= most_lost);
  for (std::size_t t = 0; t < tangents_.rows; ++t) {
    const auto tangent = std::as_const(tangents_).view().row_span(t);
    const float* anchor = anchors.view().row(t / count_);
    offsets_.push_back(in_double_ ? dot<double>(tangent, anchor)
                                  : double{dot<float>(tangent, anchor)});
  }
}

float TangentFeatures::along(std::span<const float> row, std::size_t t) const {
  const float* tangent = tangents_.view().row(t);
  if (in_double_) return static_cast<float>(dot<double>(row, tangent) - offsets_[t]);
  return dot<float>(row, tangent) - static_cast<float>(offsets_[t]);
}

void TangentFeatures::extend(std::span<const float> row, std::span<const Entry> codes,
                             std::vector<Entry>& features) const {
  for (const auto& [anchor, gamma] : codes) {
    const auto column = static_cast<std::uint32_t>(anchor * (1 + count_));
    features.push_back({column, static_cast<float>(scale_ * double{gamma})});
    for (std::size_t t = 0; t < count_; ++t)
      features.push_back(
          {static_cast<std::uint32_t>(column + 1 + t), gamma * along(row, anchor * count_ + t)});
  }
}

}  // namespace semblance::ml3
