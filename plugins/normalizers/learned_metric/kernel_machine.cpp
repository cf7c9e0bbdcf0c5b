// SPDX-License-Identifier: MIT
#include "learned_metric/kernel_machine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "learned_metric/metric_lanes.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/exponential.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::normalizers {

namespace {

namespace blas = numerics::blas;

using blas::narrow;

/// Rows whose distances to all bases, or gradients, are computed at a time.
constexpr std::size_t block = 128;

/// Rows among which the median distance is taken.
constexpr std::size_t median_rows = 200;

/// The mean of errors of half of so many rows hardly differs from that of all, and takes an eighth
/// of the time, as the last rows of an inverse factor are short.
constexpr std::size_t rows_to_halve = 200, most_judged = 1000;

/// The mean of gradients over so many rows is as good as that over all.
constexpr std::size_t most_gradients = 4000;

/// Penalties are powers of ten in this range: K has ones on its diagonal.
constexpr double least_penalty = 1e-6, most_penalty = 10;

/// What is added to the diagonal of the bases' kernel, as a share of its trace: normalizer/nystrom
/// drops smaller eigenvalues, so that the metric must not rely on them.
constexpr double addition_share = 1e-6;

double squared_length(const double* z, std::size_t cols) {
  return cblas_ddot(narrow(cols), z, 1, z, 1);
}

std::size_t judged_rows(std::size_t rows, bool exact) {
  const std::size_t some = rows < rows_to_halve ? rows : rows / 2;
  return exact ? some : std::min(some, most_judged);
}

}  // namespace

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

KernelMachine::KernelMachine(const MetricData& data, std::size_t bases, std::vector<double> root,
                             Profile profile, double width, const PenaltySearch& search,
                             Context& context)
    : data_(data),
      bases_(std::min(bases, data.rows)),
      judged_(judged_rows(data.rows, exact())),
      root_(std::move(root)),
      z_(mapped(data)),
      profile_(profile),
      columns_(columns_of_bases()),
      kernel_(data.rows, bases_),
      moments_(data.outputs, bases_),
      penalty_(search) {
  fill_kernel(width, context);
  if (exact()) {
    for (std::size_t i = 0; i < data.rows; ++i)
      for (std::size_t k = 0; k < data.outputs; ++k)
        moments_.row(k)[i] = data.y[i * data.outputs + k];
  } else {
    whiten(context);
    add_up_products(context);
  }
  choose_penalty(context);
}

std::vector<double> KernelMachine::mapped(const MetricData& data) const {
  std::vector<double> z(data.x.size() + lanes_behind);
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

/// The bases by columns, for distances that are no products.
numerics::Vectors<double> KernelMachine::columns_of_bases() const {
  if (profile_ != Profile::laplacian) return {};
  const std::size_t stride = (bases_ + distance_lanes - 1) / distance_lanes * distance_lanes;
  numerics::Vectors<double> columns(data_.cols, stride);
  for (std::size_t j = 0; j < bases_; ++j)
    for (std::size_t c = 0; c < data_.cols; ++c) columns.row(c)[j] = z_[j * data_.cols + c];
  return columns;
}

/// Of `count` rows to the first `bases` rows.
void KernelMachine::distances_from(const double* z, std::size_t count, std::size_t bases,
                                   double* distances, std::size_t stride) const {
  const std::size_t cols = data_.cols;
  if (profile_ == Profile::laplacian)
    return absolute_distances(z, count, columns_.row(0), columns_.stride(), bases, cols, distances,
                              stride);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(count), narrow(bases), narrow(cols),
              -2, z, narrow(cols), z_.data(), narrow(cols), 0, distances, narrow(stride));
  std::vector<double> norms(bases);
  for (std::size_t j = 0; j < bases; ++j) norms[j] = squared_length(&z_[j * cols], cols);
  for (std::size_t i = 0; i < count; ++i) {
    const double norm = squared_length(z + i * cols, cols);
    for (std::size_t j = 0; j < bases; ++j) {
      double& distance = distances[i * stride + j];
      distance = std::max(0.0, distance + norm + norms[j]);
    }
  }
}

/// Of some of the bases, evenly spaced; 1 if it is 0. The kernel holds distances as yet.
double KernelMachine::median_distance() const {
  const std::size_t used = std::min(bases_, median_rows);
  std::vector<std::size_t> rows(used);
  for (std::size_t a = 0; a < used; ++a) rows[a] = a * bases_ / used;
  std::vector<double> distances;
  distances.reserve(used * used / 2);
  for (std::size_t a = 0; a < used; ++a)
    for (std::size_t b = 0; b < a; ++b) distances.push_back(kernel_.row(rows[a])[rows[b]]);
  if (distances.empty()) return 1;
  // Counted by exponent and four more bits, by which doubles are ordered, few are left to compare.
  const auto slot_of = [](double distance) {
    return std::bit_cast<std::uint64_t>(distance) >> 48 & 0x7fff;
  };
  std::vector<std::uint32_t> counts(0x8000);
  for (const double distance : distances) ++counts[slot_of(distance)];
  std::size_t place = distances.size() / 2, slot = 0;
  while (place >= counts[slot]) place -= counts[slot++];
  std::erase_if(distances, [&](double distance) { return slot_of(distance) != slot; });
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(distances, middle);
  return *middle > 0 ? *middle : 1;
}

/// Below the diagonal of the bases' part, then above it.
void KernelMachine::fill_kernel(double width, Context& context) {
  const std::size_t n = data_.rows, blocks = (n + block - 1) / block;
  context.parallel_for(blocks, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, n - first);
    distances_from(&z_[first * data_.cols], count, std::min(bases_, first + count),
                   kernel_.row(first), kernel_.stride());
  });
  rate_ = width / median_distance();
  context.parallel_for(blocks, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      double* row = kernel_.row(i);
      numerics::exponentiate(row, std::min(i, bases_), -rate_);
      if (i < bases_) row[i] = 1;
    }
  });
  // Few rows at a time: the places of many rows in one column share the same lines of the cache.
  constexpr std::size_t tile = 8;
  context.parallel_for((bases_ + tile - 1) / tile, [&](std::size_t t) {
    const std::size_t first = t * tile, end = std::min(bases_, first + tile);
    for (std::size_t j = first + 1; j < bases_; ++j)
      for (std::size_t i = first; i < std::min(end, j); ++i) kernel_.row(i)[j] = kernel_.row(j)[i];
  });
}

/// Turns K into features, in whose space the machine is ridge regression: F F^T = K L^-T L^-1 K^T.
void KernelMachine::whiten(Context& context) {
  numerics::Vectors<double> matrix(bases_, bases_);
  for (std::size_t i = 0; i < bases_; ++i) {
    std::copy_n(kernel_.row(i), i + 1, matrix.row(i));
    matrix.row(i)[i] += addition_share * static_cast<double>(bases_);
  }
  auto factor = numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
  if (!factor) throw Error("the rows cannot be learned from: their values are not finite");
  bases_factor_ = *std::move(factor);
  context.parallel_for((data_.rows + block - 1) / block, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, data_.rows - first);
    numerics::Vectors<double> rows(count, bases_);
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(kernel_.row(first + i), bases_, rows.row(i));
    std::vector<double> lengths(count);
    bases_factor_.quadratic_forms(rows, lengths);  // which leaves L^-1 times each row
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(rows.row(i), bases_, kernel_.row(first + i));
  });
}

/// The lower triangle of F^T F, in tiles, and F^T y.
void KernelMachine::add_up_products(Context& context) {
  products_ = numerics::Vectors<double>(bases_, bases_);
  const std::size_t tiles = (bases_ + block - 1) / block;
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    context.check_stop();
    const numerics::TrianglePlace place = numerics::triangle_place(task);
    const std::size_t row = place.row * block, col = place.col * block;
    blas::add_transposed_product(std::min(block, bases_ - row), std::min(block, bases_ - col),
                                 data_.rows, 1.0, kernel_.row(0) + row, kernel_.row(0) + col,
                                 kernel_.stride(), products_.row(row) + col, products_.stride());
  });
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(data_.outputs), narrow(bases_),
              narrow(data_.rows), 1, data_.y.data(), narrow(data_.outputs), kernel_.row(0),
              narrow(kernel_.stride()), 0, moments_.row(0), narrow(moments_.stride()));
}

/// alpha = (K + penalty I)^-1 y or, through bases, L^-T (F^T F + penalty I)^-1 F^T y. False if the
/// matrix is not definite in double, or the errors are not lower than before.
bool KernelMachine::solve(double penalty, Context& context) {
  numerics::Vectors<double> matrix(bases_, bases_);
  context.parallel_for((bases_ + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(bases_, (b + 1) * block); ++i) {
      double* row = matrix.row(i);
      std::copy_n(exact() ? kernel_.row(i) : products_.row(i), i + 1, row);
      row[i] += penalty;
    }
  });
  const auto factor = numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
  if (!factor) return false;
  numerics::Vectors<double> alpha(data_.outputs, bases_);
  for (std::size_t k = 0; k < data_.outputs; ++k)
    std::copy_n(moments_.row(k), bases_, alpha.row(k));
  factor->solve(alpha);
  std::vector<double> errors = judged_errors(*factor, alpha, context);
  if (!std::isfinite(mean_of(errors))) return false;
  if (!errors_.empty() && mean_of(errors) >= mean_of(errors_)) return false;
  if (!exact()) bases_factor_.solve_transposed(alpha);
  alpha_ = std::move(alpha);
  errors_ = std::move(errors);
  penalty_.first = penalty;
  return true;
}

std::vector<double> KernelMachine::judged_errors(const numerics::DefiniteFactor& factor,
                                                 const numerics::Vectors<double>& weights,
                                                 Context& context) const {
  const std::size_t outputs = data_.outputs, first = data_.rows - judged_;
  std::vector<double> errors(judged_);
  if (exact()) {
    const std::vector<double> inverse = factor.inverse_diagonal(context, first);
    for (std::size_t i = 0; i < judged_; ++i)
      for (std::size_t k = 0; k < outputs; ++k) {
        const double residual = weights.row(k)[first + i] / inverse[i];
        errors[i] += residual * residual;
      }
    return errors;
  }
  context.parallel_for((judged_ + block - 1) / block, [&](std::size_t b) {
    context.check_stop();
    const std::size_t begin = b * block, count = std::min(block, judged_ - begin);
    numerics::Vectors<double> rows(count, bases_);
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(kernel_.row(first + begin + i), bases_, rows.row(i));
    std::vector<double> leverages(count);
    factor.quadratic_forms(rows, leverages);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < outputs; ++k) {
        const std::size_t row = first + begin + i;
        const double fitted = cblas_ddot(narrow(bases_), kernel_.row(row), 1, weights.row(k), 1);
        const double residual = (data_.y[row * outputs + k] - fitted) / (1 - leverages[i]);
        errors[begin + i] += residual * residual;
      }
  });
  return errors;
}

/// Goes by factors of ten in the direction that lowers the error, until it no longer falls.
void KernelMachine::choose_penalty(Context& context) {
  double start = penalty_.first;
  while (!solve(start, context)) {
    start *= 10;
    if (start > 1e6) throw Error("the rows cannot be learned from: their values are not finite");
  }
  const auto go = [&](bool down) {
    const double factor = down ? 0.1 : 10;
    double p = start * factor;
    while (p >= 0.9 * least_penalty && p <= 1.1 * most_penalty && solve(p, context)) p *= factor;
    return penalty_.first != start;
  };
  if (go(penalty_.down)) return;
  penalty_.down = !penalty_.down;
  if (penalty_.both_ways) go(penalty_.down);
}

void KernelMachine::similarities_of(const double* z, std::size_t count, double* out) const {
  distances_from(z, count, bases_, out, bases_);
  numerics::exponentiate(out, count * bases_, -rate_);
}

std::vector<double> KernelMachine::errors_on(const MetricData& other, Context& context) const {
  const std::vector<double> z = mapped(other);
  std::vector<double> errors(other.rows);
  context.parallel_for((other.rows + block - 1) / block, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, other.rows - first);
    std::vector<double> similarities(count * bases_);
    similarities_of(&z[first * data_.cols], count, similarities.data());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < data_.outputs; ++k) {
        const double residual =
            cblas_ddot(narrow(bases_), &similarities[i * bases_], 1, alpha_.row(k), 1) -
            other.y[(first + i) * data_.outputs + k];
        errors[first + i] += residual * residual;
      }
  });
  return errors;
}

/// The gradients of all outputs at rows of z_, (rows x outputs) x columns: sum_j w_j (the
/// distance's derivative by z_i), where w_j = -rate alpha_j k_ij.
std::vector<double> KernelMachine::gradients(std::size_t first, std::size_t count) const {
  const std::size_t d = data_.cols, m = data_.outputs;
  std::vector<double> found(count * m * d), weights(count * m * bases_), computed;
  if (!exact()) {
    computed.resize(count * bases_);
    similarities_of(&z_[first * d], count, computed.data());
  }
  for (std::size_t row = 0; row < count * m; ++row) {
    const double* const own = exact() ? kernel_.row(first + row / m) : &computed[row / m * bases_];
    for (std::size_t j = 0; j < bases_; ++j)
      weights[row * bases_ + j] = -rate_ * alpha_.row(row % m)[j] * own[j];
  }
  if (profile_ == Profile::laplacian) {
    for (std::size_t i = 0; i < count; ++i)
      add_signs(&weights[i * m * bases_], m, &z_[(first + i) * d], z_.data(), bases_, d,
                &found[i * m * d]);
    return found;
  }
  // 2 w_j (z_i - z_j), of which the second part is a product of matrices.
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(count * m), narrow(d),
              narrow(bases_), -2, weights.data(), narrow(bases_), z_.data(), narrow(d), 0,
              found.data(), narrow(d));
  for (std::size_t row = 0; row < count * m; ++row) {
    double own = 0;
    for (std::size_t j = 0; j < bases_; ++j) own += weights[row * bases_ + j];
    cblas_daxpy(narrow(d), 2 * own, &z_[(first + row / m) * d], 1, &found[row * d], 1);
  }
  return found;
}

std::vector<double> KernelMachine::gradient_products(bool full, Context& context) const {
  const std::size_t d = data_.cols, n = std::min(data_.rows, most_gradients);
  const std::size_t blocks = (n + block - 1) / block, size = full ? d * d : d;
  std::vector<std::vector<double>> sums(blocks, std::vector<double>(size));
  context.parallel_for(blocks, [&](std::size_t b) {
    for (std::size_t begin = b * block; begin < std::min(n, (b + 1) * block);) {
      context.check_stop();
      const std::size_t some = std::max(block / data_.outputs, std::size_t{1});
      const std::size_t count = std::min({some, n - begin, (b + 1) * block - begin});
      const std::vector<double> found = gradients(data_.rows - n + begin, count);
      begin += count;
      if (full)
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(d), narrow(d),
                    narrow(count * data_.outputs), 1, found.data(), narrow(d), found.data(),
                    narrow(d), 1, sums[b].data(), narrow(d));
      else
        for (std::size_t i = 0; i < found.size(); ++i) sums[b][i % d] += found[i] * found[i];
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
