// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "newton/blocked_matrix.hpp"
#include "newton/preconditioner.hpp"
#include "problem/sweep.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::linear {
namespace {

constexpr std::size_t product_tile = 256;
constexpr std::size_t rows_at_once = 512;  // sent between ranks

// Replaces the omitted rows, as a share of a sampled row's mean square, including its weight. On
// similarity maps of images a third or three times this value takes a tenth more sweeps, and 0
// twice as many.
constexpr double ridge_share = 0.25;

/// Sampled rows and, separately, their weighted mean: without centring, maps are larger in its
/// direction than in all others by orders of magnitude.
struct Sampled {
  Vectors<float> rows;       ///< minus the mean, each multiplied by the root of its weight
  std::vector<double> mean;  ///< empty when a stop was requested
  double weight = 0;         ///< of all rows
};

/// The inverse of N + weight m m^T, where N = mu I + A^T A, as N^-1 = (I - A^T (mu I + A A^T)^-1 A)
/// / mu (Woodbury) and a change of rank one.
class SampledPreconditioner final : public Preconditioner {
 public:
  SampledPreconditioner(Sampled sampled, double ridge, std::unique_ptr<Preconditioner> small)
      : rows_(std::move(sampled.rows), BlockedMatrix::Shape::full),
        mean_(std::move(sampled.mean)),
        weight_(sampled.weight),
        ridge_(ridge),
        small_(std::move(small)) {}

  /// Call it before apply().
  void prepare(Context& context) {
    Vectors<double> mean(1, mean_.size());
    std::copy(mean_.begin(), mean_.end(), mean.row(0));
    const std::vector<std::size_t> all{0};
    Vectors<double> solved(1, mean_.size());
    apply_to_rows(mean, all, solved, context);
    solved_mean_.assign(solved.row(0), solved.row(0) + mean_.size());
    pivot_ = 1 / weight_ + dot(mean_.data(), solved_mean_.data(), mean_.size());
  }

  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context& context) const override {
    apply_to_rows(r, live, out, context);
    for (const std::size_t c : live) {
      double* z = out.row(c);
      const double along = dot(mean_.data(), z, mean_.size()) / pivot_;
      for (std::size_t j = 0; j < mean_.size(); ++j) z[j] -= along * solved_mean_[j];
    }
  }

 private:
  /// N^-1 r.
  void apply_to_rows(const Vectors<double>& r, std::span<const std::size_t> live,
                     Vectors<double>& out, Context& context) const {
    const std::size_t d = rows_.cols(), n = live.size();
    const std::vector<double> back =
        rows_.transposed_times(solve(rounded(r, live), context), n, context);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t j = 0; j < d; ++j)
        out.row(live[a])[j] = (r.row(live[a])[j] - back[j * n + a]) / ridge_;
  }

  /// (mu I + A A^T)^-1 A v, n values per row of A.
  std::vector<float> solve(const Vectors<float>& v, Context& context) const {
    const std::size_t rows = rows_.rows(), n = v.count();
    std::vector<float> z = rows_.times(v, context);
    Vectors<double> images(n, rows), solved(n, rows);
    std::vector<std::size_t> all(n);
    for (std::size_t a = 0; a < n; ++a) {
      all[a] = a;
      for (std::size_t i = 0; i < rows; ++i) images.row(a)[i] = z[i * n + a];
    }
    small_->apply(images, all, solved, context);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t i = 0; i < rows; ++i) z[i * n + a] = static_cast<float>(solved.row(a)[i]);
    return z;
  }

  BlockedMatrix rows_;  // A
  std::vector<double> mean_;
  double weight_;
  double ridge_;  // mu
  std::unique_ptr<Preconditioner> small_;
  std::vector<double> solved_mean_;  // N^-1 m
  double pivot_ = 0;
};

/// Subtracts the weighted mean from the rows and multiplies them by the roots of their weights.
void center(std::span<const double> weights, Sampled& sampled, Context& context) {
  Vectors<float>& rows = sampled.rows;
  for (const double weight : weights) sampled.weight += weight;
  sampled.mean.assign(rows.cols(), 0);
  context.parallel_for(block_count(rows.cols()), [&](std::size_t block) {
    const std::size_t first = block * block_rows, end = std::min(first + block_rows, rows.cols());
    for (std::size_t i = 0; i < rows.count(); ++i)
      for (std::size_t j = first; j < end; ++j)
        sampled.mean[j] += weights[i] / sampled.weight * rows.row(i)[j];
    for (std::size_t i = 0; i < rows.count(); ++i)
      for (std::size_t j = first; j < end; ++j)
        rows.row(i)[j] =
            static_cast<float>(std::sqrt(weights[i]) * (rows.row(i)[j] - sampled.mean[j]));
  });
}

/// Gathers the rows chosen by all ranks on every rank. Collective.
Sampled gather_sample(const HessianSample& sample, Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<std::int64_t> own_rows;
  std::vector<double> own_weights;
  for (const WeightedRow& row : choose_rows(sample, context)) {
    own_rows.push_back(static_cast<std::int64_t>(row.row));
    own_weights.push_back(row.weight);
  }
  const std::vector<std::int64_t> chosen = ranks.gather(own_rows);
  const std::vector<double> weights = ranks.gather(own_weights);
  Sampled sampled{Vectors<float>(chosen.size(), sample.dimension()), {}, 0};
  const std::size_t cols = sample.rows.cols();
  for (std::size_t first = 0; first < chosen.size(); first += rows_at_once) {
    if (context.stop_requested() != StopReason::none) return {};
    const std::size_t count = std::min(rows_at_once, chosen.size() - first);
    const FloatMatrix part =
        gather_rows(sample.rows, std::span(chosen).subspan(first, count), context);
    for (std::size_t r = 0; r < count; ++r) {
      float* to = sampled.rows.row(first + r);
      std::copy_n(part.view().row(r), cols, to);
      if (sample.bias != 0) to[cols] = static_cast<float>(sample.bias);
    }
  }
  center(weights, sampled, context);
  return sampled;
}

/// The lower triangle of A A^T. Empty if a stop was requested.
Vectors<float> row_products(const Vectors<float>& a, Context& context) {
  const std::size_t n = a.count(), tiles = (n + product_tile - 1) / product_tile;
  Vectors<float> products(n, n);
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    if (context.stop_requested() != StopReason::none) return;
    const numerics::TrianglePlace place = numerics::triangle_place(task);
    const std::size_t row = place.row * product_tile, col = place.col * product_tile;
    const std::size_t height = std::min(product_tile, n - row);
    float* to = products.row(row) + col;
    if (row == col)
      numerics::blas::add_square(height, a.cols(), a.row(row), a.stride(), to, products.stride());
    else
      numerics::blas::add_product(height, product_tile, a.cols(), a.row(row), a.row(col),
                                  a.stride(), to, products.stride());
  });
  if (context.stop_requested() != StopReason::none) return {};
  return products;
}

}  // namespace

std::size_t sampled_retained_bytes(std::size_t rows, std::size_t dimension) noexcept {
  return rows * padded(dimension) * sizeof(float) + cholesky_retained_bytes(rows);
}

std::size_t sampled_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept {
  return rows * padded(dimension) * sizeof(float) +
         std::max(2 * rows_at_once * padded(dimension) * sizeof(float),
                  2 * cholesky_retained_bytes(rows) + numerics::invert_factor_bytes(rows, threads));
}

std::unique_ptr<Preconditioner> sampled_preconditioner(const HessianSample& sample,
                                                       Context& context) {
  Sampled sampled = gather_sample(sample, context);
  if (sampled.mean.empty()) return nullptr;
  // No row has a curvature, as when all losses are linear: the Hessian is the identity.
  if (sampled.rows.count() == 0) return diagonal_preconditioner(sample, context);
  Vectors<float> products = row_products(sampled.rows, context);
  if (products.count() == 0) return nullptr;
  double squares = 0;
  for (std::size_t i = 0; i < products.cols(); ++i) squares += products.row(i)[i];
  const double mean = squares / static_cast<double>(products.cols());
  const double ridge = sample.stretch > 0 ? 1 + ridge_share * mean : 1;
  for (std::size_t i = 0; i < products.cols(); ++i) products.row(i)[i] += static_cast<float>(ridge);
  auto small = inverse_preconditioner(std::move(products), {}, context);
  if (!small) return nullptr;
  auto made = std::make_unique<SampledPreconditioner>(std::move(sampled), ridge, std::move(small));
  made->prepare(context);
  if (context.stop_requested() != StopReason::none) return nullptr;
  return made;
}

}  // namespace semblance::linear
