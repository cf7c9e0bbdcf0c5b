// SPDX-License-Identifier: MIT
#include "subspace.hpp"

#include <cmath>
#include <utility>

#include "semblance/random.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

constexpr std::size_t most_rows = 2048;  // for finding the directions
constexpr std::size_t turns = 3;         // of the power iteration
/// Values whose products are summed in one chain: rounding grows with its length.
constexpr std::size_t slice = 64;

FloatMatrix transposed(const FloatMatrix& a) {
  FloatMatrix result(a.cols, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      result.values[j * a.rows + i] = a.values[i * a.cols + j];
  return result;
}

MatrixView columns_of(MatrixView rows, std::size_t first, std::size_t count) {
  return {rows.data + first, rows.rows, count, rows.stride};
}

/// a b^T
FloatMatrix product(const FloatMatrix& a, const FloatMatrix& b) {
  FloatMatrix result(a.rows, b.rows);
  numerics::multiply(a.view(), numerics::PackedRows(b.view()), result.view());
  return result;
}

/// Gram-Schmidt, applied twice, makes rows orthogonal up to rounding; a row that depends on
/// previous ones becomes 0.
void orthonormalise(FloatMatrix& rows) {
  std::vector<std::vector<double>> done;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto values = std::as_const(rows).view().row_span(i);
    std::vector<double> x(values.begin(), values.end());
    const auto dot = [&](const std::vector<double>& a) {
      double sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sum += a[k] * x[k];
      return sum;
    };
    const double before = dot(x);
    for (int turn = 0; turn < 2; ++turn)
      for (const auto& other : done) {
        const double along = dot(other);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= along * other[k];
      }
    const double squared = dot(x);
    const double scale = squared > 1e-10 * before && before > 0 ? 1 / std::sqrt(squared) : 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      rows.values[i * rows.cols + k] = static_cast<float>(x[k] *= scale);
    done.push_back(std::move(x));
  }
}

/// |Q Q^T - I| of those rows of Q that are not 0.
double defect_of(const FloatMatrix& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const auto a = rows.view().row_span(i), b = rows.view().row_span(j);
      double dot = 0;
      for (std::size_t k = 0; k < a.size(); ++k) dot += double{a[k]} * double{b[k]};
      if (i == j && dot == 0) continue;
      const double wrong = dot - (i == j ? 1 : 0);
      sum += (i == j ? 1 : 2) * wrong * wrong;
    }
  return std::sqrt(sum) + 1e-9;
}

}  // namespace

Subspace::Subspace(const Problem& problem, std::size_t directions)
    : directions_(std::min(directions, problem.rows.cols), problem.rows.cols),
      bias_(problem.bias != 0) {
  const std::size_t count = std::min(problem.rows.rows, most_rows);
  FloatMatrix rows(count, problem.rows.cols);
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(problem.rows.row_span(i * problem.rows.rows / count),
                      rows.values.data() + i * rows.cols);
  const FloatMatrix columns = transposed(rows);
  Random random(1);
  for (float& value : directions_.values) value = static_cast<float>(random.normal());
  for (std::size_t turn = 0; turn < turns; ++turn) {
    directions_ = transposed(product(columns, transposed(product(rows, directions_))));
    orthonormalise(directions_);
  }
  defect_ = defect_of(directions_);
  for (std::size_t k = 0; k < directions_.cols; k += slice)
    slices_.emplace_back(
        columns_of(std::as_const(directions_).view(), k, std::min(slice, directions_.cols - k)));
}

void Subspace::project(MatrixView rows, ModelMatrix& coordinates) const {
  ModelMatrix part(rows.rows, directions_.rows);
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    numerics::multiply(columns_of(rows, s * slice, slices_[s].cols()), slices_[s], part.view());
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t j = 0; j < directions_.rows; ++j)
        coordinates.row(i)[j] = (s > 0 ? coordinates.row(i)[j] : 0) + part.row(i)[j];
  }
  if (!bias_) return;
  for (std::size_t i = 0; i < rows.rows; ++i)
    coordinates.row(i)[directions_.rows] = rows.row(i)[directions_.cols];
}

double Subspace::error() const noexcept {
  const std::size_t chain = slice + slices_.size() + 4;
  return std::sqrt(double(directions_.rows)) * double(chain) * 0x1p-24 * (1 + defect_);
}

}  // namespace semblance::ml3
