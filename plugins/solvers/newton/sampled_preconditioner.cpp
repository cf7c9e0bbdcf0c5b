// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "newton/preconditioner.hpp"
#include "newton/shared_matrix.hpp"
#include "newton/shared_tiles.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::solvers {
namespace {

constexpr std::size_t product_tile = 256;
constexpr std::size_t rows_at_once = 512;  // that go from rank to rank

// Of a sampled row's mean square, its weight included: what takes the place of the rows that were
// left out. On similarity maps of images a third or three times as much takes a tenth more sweeps,
// and none at all twice as many.
constexpr double ridge_share = 0.25;

/// The inverse of mu I + A^T A as (I - A^T (mu I + A A^T)^-1 A) / mu (Woodbury).
class SampledPreconditioner final : public Preconditioner {
 public:
  SampledPreconditioner(Vectors<float> sampled, double ridge, std::unique_ptr<Preconditioner> small)
      : sampled_(std::move(sampled), SharedMatrix::Shape::full),
        ridge_(ridge),
        small_(std::move(small)) {}

  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context& context) const override {
    const std::size_t d = sampled_.cols(), n = live.size();
    const std::vector<double> back =
        sampled_.transposed_times(solve(rounded(r, live), context), n, context);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t j = 0; j < d; ++j)
        out.row(live[a])[j] = (r.row(live[a])[j] - back[j * n + a]) / ridge_;
  }

 private:
  /// (mu I + A A^T)^-1 A v, n values a row of A.
  std::vector<float> solve(const Vectors<float>& v, Context& context) const {
    const std::size_t rows = sampled_.rows(), n = v.count();
    std::vector<float> z = sampled_.times(v, context);
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

  SharedMatrix sampled_;  // A
  double ridge_;          // mu
  std::unique_ptr<Preconditioner> small_;
};

/// The sampled rows of all ranks, each multiplied with the root of its weight, on every rank; empty
/// when a stop was requested. Collective.
Vectors<float> gather_sample(const HessianSample& sample, Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<std::int64_t> own_rows;
  std::vector<double> own_weights;
  for (const WeightedRow& row : choose_rows(sample, context)) {
    own_rows.push_back(static_cast<std::int64_t>(row.row));
    own_weights.push_back(row.weight);
  }
  const std::vector<std::int64_t> chosen = ranks.gather(own_rows);
  const std::vector<double> weights = ranks.gather(own_weights);
  Vectors<float> gathered(chosen.size(), sample.dimension());
  const std::size_t cols = sample.rows.cols();
  for (std::size_t first = 0; first < chosen.size(); first += rows_at_once) {
    if (context.stop_requested() != StopReason::none) return {};
    const std::size_t count = std::min(rows_at_once, chosen.size() - first);
    const FloatMatrix part =
        gather_rows(sample.rows, std::span(chosen).subspan(first, count), context);
    for (std::size_t r = 0; r < count; ++r) {
      const auto root = static_cast<float>(std::sqrt(weights[first + r]));
      const float* from = part.view().row(r);
      float* to = gathered.row(first + r);
      for (std::size_t j = 0; j < cols; ++j) to[j] = root * from[j];
      if (sample.bias != 0) to[cols] = root * static_cast<float>(sample.bias);
    }
  }
  return gathered;
}

/// The lower triangle of A A^T; each rank computes some of the tiles. Empty when a stop was
/// requested. Collective.
Vectors<float> row_products(const Vectors<float>& a, Context& context) {
  const std::size_t n = a.count(), tiles = (n + product_tile - 1) / product_tile;
  Vectors<float> products(n, n);
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    if (context.stop_requested() != StopReason::none || !has_tile(task, context)) return;
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
  share_tiles(products, product_tile, context);
  if (context.stop_requested() != StopReason::none) return {};
  return products;
}

}  // namespace

std::size_t sampled_kept_bytes(std::size_t rows, std::size_t dimension) noexcept {
  return rows * padded(dimension) * sizeof(float) + cholesky_kept_bytes(rows);
}

std::size_t sampled_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept {
  return rows * padded(dimension) * sizeof(float) +
         std::max(2 * rows_at_once * padded(dimension) * sizeof(float),
                  2 * cholesky_kept_bytes(rows) + numerics::invert_factor_bytes(rows, threads));
}

std::unique_ptr<Preconditioner> sampled_preconditioner(const HessianSample& sample,
                                                       Context& context) {
  Vectors<float> sampled = gather_sample(sample, context);
  if (sampled.count() == 0) return nullptr;
  Vectors<float> products = row_products(sampled, context);
  if (products.count() == 0) return nullptr;
  double squares = 0;
  for (std::size_t i = 0; i < products.cols(); ++i) squares += products.row(i)[i];
  const double mean = squares / static_cast<double>(products.cols());
  const double ridge = sample.stretch > 0 ? 1 + ridge_share * mean : 1;
  for (std::size_t i = 0; i < products.cols(); ++i) products.row(i)[i] += static_cast<float>(ridge);
  auto small = inverse_preconditioner(products, {}, context);
  if (!small) return nullptr;
  return std::make_unique<SampledPreconditioner>(std::move(sampled), ridge, std::move(small));
}

}  // namespace semblance::solvers
