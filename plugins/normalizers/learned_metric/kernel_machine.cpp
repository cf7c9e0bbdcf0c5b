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

double squared_length(const double* z, std::size_t cols) {
  return cblas_ddot(narrow(cols), z, 1, z, 1);
}

/// The median distance of some of the rows, evenly spaced; 1 if it is 0.
double median_distance(std::span<const double> z, std::size_t rows, std::size_t cols,
                       Profile profile) {
  const std::size_t used = std::min(rows, median_rows);
  std::vector<double> distances;
  for (std::size_t a = 0; a < used; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double *p = &z[a * rows / used * cols], *q = &z[b * rows / used * cols];
      double sum = 0;
      for (std::size_t c = 0; c < cols; ++c) {
        const double difference = std::abs(p[c] - q[c]);
        sum += profile == Profile::gaussian ? difference * difference : difference;
      }
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
      profile_(profile),
      rate_(width / median_distance(z_, data.rows, data.cols, profile)),
      kernel_(data.rows, data.rows),
      alpha_(data.outputs, data.rows) {
  for_blocks(z_, data.rows, context, [&](std::size_t row, const double* distances) {
    double* out = kernel_.row(row);
    for (std::size_t j = 0; j <= row; ++j) out[j] = j == row ? 1 : std::exp(-rate_ * distances[j]);
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

/// Of rows of z to all training rows.
void KernelMachine::distances_from(std::span<const double> z, std::size_t first, std::size_t count,
                                   double* distances) const {
  const std::size_t n = data_.rows, cols = data_.cols;
  if (profile_ == Profile::laplacian) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double *p = &z[(first + i) * cols], *q = &z_[j * cols];
        // Four sums side by side, as the order of one could not change.
        double sums[4] = {};
        std::size_t c = 0;
        for (; c + 4 <= cols; c += 4)
          for (std::size_t lane = 0; lane < 4; ++lane)
            sums[lane] += std::abs(p[c + lane] - q[c + lane]);
        for (; c < cols; ++c) sums[0] += std::abs(p[c] - q[c]);
        distances[i * n + j] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      }
    return;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(count), narrow(n), narrow(cols), -2,
              &z[first * cols], narrow(cols), z_.data(), narrow(cols), 0, distances, narrow(n));
  std::vector<double> norms(n);
  for (std::size_t j = 0; j < n; ++j) norms[j] = squared_length(&z_[j * cols], cols);
  for (std::size_t i = 0; i < count; ++i) {
    const double norm = squared_length(&z[(first + i) * cols], cols);
    for (std::size_t j = 0; j < n; ++j)
      distances[i * n + j] = std::max(0.0, distances[i * n + j] + norm + norms[j]);
  }
}

/// body(row, its distances to all training rows) for all rows of z, in parallel.
template <class Body>
void KernelMachine::for_blocks(std::span<const double> z, std::size_t rows, Context& context,
                               const Body& body) const {
  const std::size_t n = data_.rows;
  context.parallel_for((rows + block - 1) / block, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, rows - first);
    std::vector<double> distances(count * n);
    distances_from(z, first, count, distances.data());
    for (std::size_t i = 0; i < count; ++i) body(first + i, &distances[i * n]);
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
    for (std::size_t j = 0; j < data_.rows; ++j) distances[j] = std::exp(-rate_ * distances[j]);
    for (std::size_t k = 0; k < data_.outputs; ++k) {
      const double residual = cblas_ddot(narrow(data_.rows), distances, 1, alpha_.row(k), 1) -
                              other.y[row * data_.outputs + k];
      errors[row] += residual * residual;
    }
  });
  return errors;
}

/// Adds sum_j w_ij (the distance's derivative by z_i) for rows of z_; w is count x n.
void KernelMachine::add_gradients(std::span<const double> weights, std::size_t first,
                                  std::size_t count, std::span<double> gradients) const {
  const std::size_t n = data_.rows, d = data_.cols;
  if (profile_ == Profile::laplacian) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double *p = &z_[(first + i) * d], *q = &z_[j * d], w = weights[i * n + j];
        double* const gradient = &gradients[i * d];
        for (std::size_t c = 0; c < d; ++c)
          gradient[c] += (p[c] > q[c] ? w : 0) - (p[c] < q[c] ? w : 0);
      }
    return;
  }
  // 2 w_ij (z_i - z_j), of which the second part is a product of matrices.
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(count), narrow(d), narrow(n), -2,
              weights.data(), narrow(n), z_.data(), narrow(d), 1, gradients.data(), narrow(d));
  for (std::size_t i = 0; i < count; ++i) {
    double own = 0;
    for (std::size_t j = 0; j < n; ++j) own += weights[i * n + j];
    cblas_daxpy(narrow(d), 2 * own, &z_[(first + i) * d], 1, &gradients[i * d], 1);
  }
}

std::vector<double> KernelMachine::gradient_products(bool full, Context& context) const {
  const std::size_t n = data_.rows, d = data_.cols;
  const std::size_t blocks = (n + block - 1) / block, size = full ? d * d : d;
  std::vector<std::vector<double>> sums(blocks, std::vector<double>(size));
  context.parallel_for(blocks, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, n - first);
    std::vector<double> slopes(count * n), weights(count * n);
    distances_from(z_, first, count, slopes.data());
    for (double& value : slopes) value = -rate_ * std::exp(-rate_ * value);
    for (std::size_t k = 0; k < data_.outputs; ++k) {
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < n; ++j)
          weights[i * n + j] = alpha_.row(k)[j] * slopes[i * n + j];
      std::vector<double> gradient(count * d);
      add_gradients(weights, first, count, gradient);
      if (full)
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(d), narrow(d), narrow(count), 1,
                    gradient.data(), narrow(d), gradient.data(), narrow(d), 1, sums[b].data(),
                    narrow(d));
      else
        for (std::size_t i = 0; i < gradient.size(); ++i)
          sums[b][i % d] += gradient[i] * gradient[i];
    }
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
