// SPDX-License-Identifier: MIT
#include "ridge/ridge_data.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::linear {

namespace blas = numerics::blas;

RidgeData::RidgeData(const Rows& rows, std::span<const double> targets, std::size_t outputs,
                     std::span<const double> weights, bool intercept, Context& context)
    : rows_(rows),
      given_targets_(targets),
      intercept_(intercept),
      centre_(rows.cols()),
      target_means_(outputs),
      squared_norms_(rows.cols()),
      target_squared_norms_(outputs) {
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const double weight = weights.empty() ? 1 : weights[row];
    if (weight == 0) continue;
    used_.push_back({row, weight});
    total_weight_ += weight;
  }
  if (used_.empty()) throw Error("all weights are 0; give some training sample a weight above 0");
  openblas_set_num_threads(1);
  if (intercept_) find_means(context);
  centre_targets();
  find_norms(context);
  products_ = combine_rows(targets_, context);
}

/// Rows of a block: fewer of wide rows, so that the blocks of all threads fit beside a small
/// budget.
std::size_t RidgeData::rows_at_once() const noexcept {
  constexpr std::size_t most_values = block_rows << 12, least = 16;
  return std::clamp(most_values / std::max<std::size_t>(cols(), 1), least, block_rows);
}

/// Sums over the rows, whose blocks `body` adds up.
void RidgeData::add_blocks(std::vector<double>& total, Context& context,
                           const AddBlock& body) const {
  const RowParts parts(rows());
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += rows_at_once()) {
      context.check_stop();
      body(first, std::min(rows_at_once(), end - first), sums);
    }
  });
}

/// Means of differences from the first sample, so that those of constant columns are exact.
void RidgeData::find_means(Context& context) {
  const std::size_t d = cols(), m = outputs();
  std::vector<float> origin(d);
  std::ranges::copy(rows_.view(used_.front().row, 1).row_span(0), origin.begin());
  const double* first_target = given_targets_.data() + used_.front().row * m;
  std::vector<double> total(d + m);
  add_blocks(total, context, [&](std::size_t first, std::size_t count, std::span<double> sums) {
    for (std::size_t i = first; i < first + count; ++i) {
      const auto& [row, weight] = used_[i];
      const float* x = rows_.view(row, 1).data;
      for (std::size_t j = 0; j < d; ++j) sums[j] += weight * (double{x[j]} - origin[j]);
      const double* y = given_targets_.data() + row * m;
      for (std::size_t k = 0; k < m; ++k) sums[d + k] += weight * (y[k] - first_target[k]);
    }
    release(first, count);
  });
  for (std::size_t j = 0; j < d; ++j) centre_[j] = origin[j] + total[j] / total_weight_;
  for (std::size_t k = 0; k < m; ++k)
    target_means_[k] = first_target[k] + total[d + k] / total_weight_;
}

void RidgeData::centre_targets() {
  const std::size_t m = outputs();
  targets_ = Vectors<double>(m, rows());
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t k = 0; k < m; ++k) {
      const double y = given_targets_[used_[i].row * m + k] - target_means_[k];
      targets_.row(k)[i] = std::sqrt(used_[i].weight) * y;
    }
  for (std::size_t k = 0; k < m; ++k)
    target_squared_norms_[k] = dot(targets_.row(k), targets_.row(k), rows());
}

void RidgeData::find_norms(Context& context) {
  const std::size_t d = cols();
  add_blocks(squared_norms_, context,
             [&](std::size_t first, std::size_t count, std::span<double> sums) {
               Vectors<double> z(count, d);
               fill(first, count, z);
               for (std::size_t r = 0; r < count; ++r)
                 for (std::size_t j = 0; j < d; ++j) sums[j] += z.row(r)[j] * z.row(r)[j];
             });
}

void RidgeData::release(std::size_t first, std::size_t count) const {
  rows_.release(used_[first].row, used_[first + count - 1].row + 1 - used_[first].row);
}

void RidgeData::fill(std::size_t first, std::size_t count, std::size_t column, std::size_t cols,
                     double* to, std::size_t stride) const {
  for (std::size_t r = 0; r < count; ++r) {
    const auto& [row, weight] = used_[first + r];
    const double root = std::sqrt(weight);
    const MatrixView view = rows_.view(row, 1);
    for (std::size_t j = 0; j < cols; ++j)
      to[r * stride + j] = root * (double{view.data[column + j]} - centre_[column + j]);
  }
  release(first, count);
}

Vectors<double> RidgeData::combine_rows(const Vectors<double>& factors, Context& context) const {
  const std::size_t d = cols(), m = outputs();
  std::vector<double> total(m * d);
  add_blocks(total, context, [&](std::size_t first, std::size_t count, std::span<double> sums) {
    Vectors<double> z(count, d);
    fill(first, count, z);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas::narrow(m), blas::narrow(d),
                blas::narrow(count), 1, factors.row(0) + first, blas::narrow(factors.stride()),
                z.row(0), blas::narrow(z.stride()), 1, sums.data(), blas::narrow(d));
  });
  Vectors<double> combined(m, d);
  for (std::size_t k = 0; k < m; ++k)
    std::copy_n(total.begin() + static_cast<std::ptrdiff_t>(k * d), d, combined.row(k));
  return combined;
}

Vectors<double> RidgeData::residuals(const Vectors<double>& weights, Context& context) const {
  const std::size_t d = cols(), m = outputs();
  Vectors<double> left(m, rows());
  const std::size_t size = rows_at_once();
  context.parallel_for((rows() + size - 1) / size, [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * size, count = std::min(size, rows() - first);
    Vectors<double> z(count, d);
    fill(first, count, z);
    for (std::size_t k = 0; k < m; ++k)
      std::copy_n(targets_.row(k) + first, count, left.row(k) + first);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas::narrow(m), blas::narrow(count),
                blas::narrow(d), -1, weights.row(0), blas::narrow(weights.stride()), z.row(0),
                blas::narrow(z.stride()), 1, left.row(0) + first, blas::narrow(left.stride()));
  });
  return left;
}

std::size_t RidgeData::scratch_bytes(std::size_t threads) const noexcept {
  const std::size_t block = rows_at_once() * padded(cols());
  // Sums over parts: a few per thread.
  const std::size_t sums = sums_at_once(rows(), threads) * outputs() * cols();
  return (threads * block + sums + 4 * outputs() * padded(rows())) * sizeof(double);
}

}  // namespace semblance::linear
