// SPDX-License-Identifier: MIT
#include "learned_metric/kernel_machine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/definite_factor.hpp"

namespace semblance::normalizers {

namespace {

using numerics::blas::narrow;

/// Rows whose distances to all others are computed at a time.
constexpr std::size_t block = 128;

/// Rows among which the median distance is taken.
constexpr std::size_t median_rows = 400;

/// Penalties are powers of ten in this range: K has ones on its diagonal.
constexpr double least_penalty = 1e-6, most_penalty = 10;

std::vector<double> squared_lengths(std::span<const double> z, std::size_t rows, std::size_t cols) {
  std::vector<double> lengths(rows);
  for (std::size_t i = 0; i < rows; ++i)
    lengths[i] = cblas_ddot(narrow(cols), &z[i * cols], 1, &z[i * cols], 1);
  return lengths;
}

/// The median squared distance of some of the rows, evenly spaced; 1 if it is 0.
double median_distance(std::span<const double> z, std::size_t rows, std::size_t cols) {
  const std::size_t used = std::min(rows, median_rows);
  std::vector<double> distances;
  for (std::size_t a = 0; a < used; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double *p = &z[a * rows / used * cols], *q = &z[b * rows / used * cols];
      double sum = 0;
      for (std::size_t c = 0; c < cols; ++c) sum += (p[c] - q[c]) * (p[c] - q[c]);
      distances.push_back(sum);
    }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle > 0 ? *middle : 1;
}

}  // namespace

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

KernelMachine::KernelMachine(const MetricData& data, std::vector<double> root, Profile profile,
                             double width, double first_penalty, Context& context)
    : data_(data),
      root_(std::move(root)),
      z_(mapped(data)),
      norms_(squared_lengths(z_, data.rows, data.cols)),
      profile_(profile),
      width_(width),
      scale_(median_distance(z_, data.rows, data.cols)),
      kernel_(data.rows, data.rows),
      alpha_(data.outputs, data.rows) {
  for_blocks(z_, data.rows, context, [&](std::size_t row, const double* distances) {
    double* out = kernel_.row(row);
    for (std::size_t j = 0; j <= row; ++j) out[j] = j == row ? 1 : kernel(distances[j]);
  });
  choose_penalty(first_penalty, context);
}

std::vector<double> KernelMachine::mapped(const MetricData& data) const {
  std::vector<double> z(data.x.size());
  if (one_length_per_column()) {
    for (std::size_t i = 0; i < data.rows; ++i)
      for (std::size_t c = 0; c < data.cols; ++c)
        z[i * data.cols + c] = root_[c] * data.x[i * data.cols + c];
  } else {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(data.rows), narrow(data.cols),
                narrow(data.cols), 1, data.x.data(), narrow(data.cols), root_.data(),
                narrow(data.cols), 0, z.data(), narrow(data.cols));
  }
  return z;
}

double KernelMachine::kernel(double squared) const noexcept {
  const double u = squared / scale_;
  return std::exp(-width_ * (profile_ == Profile::gaussian ? u : std::sqrt(u)));
}

/// The derivative of the kernel by the squared distance; 0 for a Laplacian at 0.
double KernelMachine::slope(double squared) const noexcept {
  const double u = squared / scale_;
  if (profile_ == Profile::gaussian) return -width_ / scale_ * std::exp(-width_ * u);
  // Distances below the rounding of their products have no direction.
  if (u < 1e-12) return 0;
  const double root = std::sqrt(u);
  return -width_ / (2 * scale_ * root) * std::exp(-width_ * root);
}

/// body(row, its squared distances to all training rows) for all rows of z, in parallel.
template <class Body>
void KernelMachine::for_blocks(std::span<const double> z, std::size_t rows, Context& context,
                               const Body& body) const {
  const std::size_t n = data_.rows, cols = data_.cols;
  const auto lengths = squared_lengths(z, rows, cols);
  context.parallel_for((rows + block - 1) / block, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, rows - first);
    std::vector<double> products(count * n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(count), narrow(n), narrow(cols), -2,
                &z[first * cols], narrow(cols), z_.data(), narrow(cols), 0, products.data(),
                narrow(n));
    for (std::size_t i = 0; i < count; ++i) {
      double* row = &products[i * n];
      for (std::size_t j = 0; j < n; ++j)
        row[j] = std::max(0.0, row[j] + lengths[first + i] + norms_[j]);
      body(first + i, row);
    }
  });
}

/// False if K + penalty I is not definite in double.
bool KernelMachine::solve(double penalty, Context& context) {
  const std::size_t n = data_.rows, outputs = data_.outputs;
  numerics::Vectors<double> matrix(n, n);
  context.parallel_for(n, [&](std::size_t i) {
    std::copy_n(kernel_.row(i), i + 1, matrix.row(i));
    matrix.row(i)[i] += penalty;
  });
  const auto factor = numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
  if (!factor) return false;
  numerics::Vectors<double> alpha(outputs, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < outputs; ++k) alpha.row(k)[i] = data_.y[i * outputs + k];
  factor->solve(alpha);
  const std::vector<double> inverse = factor->inverse_diagonal(context);
  std::vector<double> errors(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < outputs; ++k) {
      const double residual = alpha.row(k)[i] / inverse[i];
      errors[i] += residual * residual;
    }
  if (!std::isfinite(mean_of(errors))) return false;
  if (!errors_.empty() && mean_of(errors) >= mean_of(errors_)) return false;
  alpha_ = std::move(alpha);
  errors_ = std::move(errors);
  penalty_ = penalty;
  return true;
}

/// Goes by factors of ten in the direction that lowers the error, until it no longer falls.
void KernelMachine::choose_penalty(double first, Context& context) {
  double start = first;
  while (!solve(start, context)) {
    start *= 10;
    if (start > 1e6) throw Error("the rows cannot be learned from: their values are not finite");
  }
  bool lower = false;
  for (double p = start / 10; p >= 0.9 * least_penalty && solve(p, context); p /= 10) lower = true;
  if (lower) return;
  for (double p = start * 10; p <= 1.1 * most_penalty && solve(p, context);) p *= 10;
}

std::vector<double> KernelMachine::errors_on(const MetricData& other, Context& context) const {
  const std::vector<double> z = mapped(other);
  std::vector<double> errors(other.rows);
  for_blocks(z, other.rows, context, [&](std::size_t row, double* distances) {
    for (std::size_t j = 0; j < data_.rows; ++j) distances[j] = kernel(distances[j]);
    for (std::size_t k = 0; k < data_.outputs; ++k) {
      const double residual = cblas_ddot(narrow(data_.rows), distances, 1, alpha_.row(k), 1) -
                              other.y[row * data_.outputs + k];
      errors[row] += residual * residual;
    }
  });
  return errors;
}

std::vector<double> KernelMachine::gradient_products(bool full, Context& context) const {
  const std::size_t n = data_.rows, d = data_.cols, outputs = data_.outputs;
  const std::size_t blocks = (n + block - 1) / block, size = full ? d * d : d;
  // sum_j alpha_j slope_ij 2 (z_i - z_j), of which the second part is a product of matrices.
  std::vector<double> weighted(outputs * n * d);
  for (std::size_t k = 0; k < outputs; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t c = 0; c < d; ++c)
        weighted[(k * n + j) * d + c] = alpha_.row(k)[j] * z_[j * d + c];
  std::vector<std::vector<double>> sums(blocks, std::vector<double>(size));
  std::vector<std::vector<double>> slopes(blocks);
  for_blocks(z_, n, context, [&](std::size_t row, double* distances) {
    const std::size_t b = row / block, count = std::min(block, n - b * block);
    slopes[b].resize(count * n);
    double* out = &slopes[b][(row - b * block) * n];
    for (std::size_t j = 0; j < n; ++j) out[j] = j == row ? 0 : 2 * slope(distances[j]);
    if (row + 1 < b * block + count) return;
    std::vector<double> gradient(count * d);
    for (std::size_t k = 0; k < outputs; ++k) {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(count), narrow(d), narrow(n),
                  -1, slopes[b].data(), narrow(n), &weighted[k * n * d], narrow(d), 0,
                  gradient.data(), narrow(d));
      for (std::size_t i = 0; i < count; ++i) {
        const double own = cblas_ddot(narrow(n), &slopes[b][i * n], 1, alpha_.row(k), 1);
        cblas_daxpy(narrow(d), own, &z_[(b * block + i) * d], 1, &gradient[i * d], 1);
        if (!full)
          for (std::size_t c = 0; c < d; ++c)
            sums[b][c] += gradient[i * d + c] * gradient[i * d + c];
      }
      if (full)
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(d), narrow(d), narrow(count), 1,
                    gradient.data(), narrow(d), gradient.data(), narrow(d), 1, sums[b].data(),
                    narrow(d));
    }
    slopes[b] = {};
  });
  std::vector<double> mean(size);
  for (const auto& sum : sums)
    for (std::size_t i = 0; i < size; ++i) mean[i] += sum[i] / static_cast<double>(n);
  return by_x(std::move(mean));
}

/// R G R, or its diagonal.
std::vector<double> KernelMachine::by_x(std::vector<double> by_z) const {
  const std::size_t d = data_.cols;
  const bool full = by_z.size() > d || d == 1;
  if (one_length_per_column()) {
    for (std::size_t i = 0; i < by_z.size(); ++i)
      by_z[i] *= full ? root_[i / d] * root_[i % d] : root_[i] * root_[i];
    return by_z;
  }
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> c(d * d);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(d), narrow(d), narrow(d), 1,
                a.data(), narrow(d), b.data(), narrow(d), 0, c.data(), narrow(d));
    return c;
  };
  return product(product(root_, by_z), root_);
}

}  // namespace semblance::normalizers
