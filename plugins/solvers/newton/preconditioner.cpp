// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "newton/gram.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::solvers {
namespace {

std::size_t dimension_of(const HessianSample& sample) {
  return sample.rows.cols() + (sample.bias != 0 ? 1 : 0);
}

/// Rows of a large share as they are; of the others a stratified sample, one row out of each
/// stretch of the cumulated shares at a place that a fixed random stream gives. Weights are 2C
/// times the share that a row stands for.
std::vector<WeightedRow> choose_rows(const HessianSample& sample) {
  std::vector<WeightedRow> chosen;
  Random random(1);
  const double stretch = sample.stretch;
  double seen = 0, next = stretch * random.uniform();
  std::size_t index = 0;
  for (std::size_t i = 0; i < sample.shares.size(); ++i) {
    const double share = sample.shares[i];
    if (share >= stretch) {
      if (share > 0) chosen.push_back({i, 2 * sample.cost * share});
      continue;
    }
    seen += share;
    if (next >= seen) continue;
    chosen.push_back({i, 2 * sample.cost * stretch});
    next = stretch * (static_cast<double>(++index) + random.uniform());
  }
  return chosen;
}

/// 2C times the weighted squares of each column, from all rows. Empty when a stop was requested.
std::vector<double> column_squares(const HessianSample& sample, Context& context) {
  const std::size_t cols = sample.rows.cols();
  const Grouping grouping(sample.rows.rows(), cols);
  std::vector<std::vector<double>> sums(grouping.groups);
  context.parallel_for(grouping.groups, [&](std::size_t group) {
    std::vector<double> sum(dimension_of(sample));
    const std::size_t end = grouping.first_row(group + 1);
    for (std::size_t first = grouping.first_row(group); first < end; first += block_rows) {
      if (context.stop_requested() != StopReason::none) return;
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        const float share = sample.shares[first + r];
        if (share == 0) continue;
        const float* values = x.row(r);
        for (std::size_t j = 0; j < cols; ++j)
          sum[j] += double{share} * (double{values[j]} * double{values[j]});
        if (sample.bias != 0) sum[cols] += share * sample.bias * sample.bias;
      }
      sample.rows.release(first, count);
    }
    sums[group] = std::move(sum);
  });
  std::vector<double> total(dimension_of(sample));
  for (const auto& sum : sums) {
    if (sum.empty()) return {};
    for (std::size_t j = 0; j < total.size(); ++j) total[j] += 2 * sample.cost * sum[j];
  }
  return total;
}

/// Copies the lower triangle to the upper one, or back.
void mirror(Vectors<float>& m, bool back, Context& context) {
  constexpr std::size_t tile = 64;
  const std::size_t d = m.cols();
  context.parallel_for((d + tile - 1) / tile, [&](std::size_t block) {
    if (context.stop_requested() != StopReason::none) return;
    const std::size_t end = std::min(d, (block + 1) * tile);
    for (std::size_t first = 0; first <= block * tile; first += tile)
      for (std::size_t i = block * tile; i < end; ++i)
        for (std::size_t j = first; j < std::min(first + tile, i); ++j)
          (back ? m.row(i)[j] : m.row(j)[i]) = back ? m.row(j)[i] : m.row(i)[j];
  });
}

/// The Cholesky factor of a matrix with about a unit diagonal that is known to float32 precision
/// only: where that makes it indefinite, more is added to the diagonal. False when a stop was
/// requested.
bool factorise_raised(Vectors<float>& m, Context& context) {
  const std::size_t d = m.cols();
  std::vector<float> diagonal(d);
  for (std::size_t i = 0; i < d; ++i) diagonal[i] = m.row(i)[i];
  mirror(m, false, context);
  for (float raise = 1e-6F; raise < 1; raise *= 10) {
    for (std::size_t i = 0; i < d; ++i) m.row(i)[i] = diagonal[i] * (1 + raise);
    const numerics::Factorisation result = factorise(m, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
    mirror(m, true, context);
  }
  throw Error("the preconditioner cannot be factorized; set preconditioner: diagonal");
}

class CholeskyPreconditioner final : public Preconditioner {
 public:
  explicit CholeskyPreconditioner(Vectors<float> inverse) : inverse_(std::move(inverse)) {}

  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context& context) const override {
    const std::size_t d = inverse_.cols(), n = live.size();
    Vectors<float> v(n, d);
    for (std::size_t a = 0; a < n; ++a)
      std::transform(r.row(live[a]), r.row(live[a]) + d, v.row(a),
                     [](double x) { return static_cast<float>(x); });
    std::vector<Vectors<float>> sums(block_count(d));
    context.parallel_for(sums.size(), [&](std::size_t block) {
      // Who asked for the product sees the stop request, too.
      sums[block] = context.stop_requested() == StopReason::none ? product(block, v, n)
                                                                 : Vectors<float>(n, 0);
    });
    for (std::size_t a = 0; a < n; ++a) {
      double* to = out.row(live[a]);
      std::fill_n(to, d, 0.0);
      for (std::size_t block = 0; block < sums.size(); ++block)
        for (std::size_t j = 0; j < sums[block].cols(); ++j) to[j] += sums[block].row(a)[j];
    }
  }

 private:
  /// B_block^T B_block v for the rows of a block; B is triangular.
  Vectors<float> product(std::size_t block, const Vectors<float>& v, std::size_t n) const {
    const std::size_t first = block * block_rows;
    const std::size_t end = std::min(first + block_rows, inverse_.cols());
    const std::size_t step = rows_in_cache(end, n);
    Vectors<float> sum(n, end), partial(1, multiply_scratch(step, n)), z(1, step * n);
    std::vector<const float*> rows(step);
    for (std::size_t i = first; i < end; i += step) {
      const std::size_t count = std::min(step, end - i);
      for (std::size_t r = 0; r < count; ++r) rows[r] = inverse_.row(i + r);
      const TallBlock part{rows.data(), count, end};
      multiply(part, v.row(0), v.stride(), n, partial.row(0), z.row(0));
      multiply_transposed(part, static_cast<const float*>(z.row(0)), n, sum.row(0), sum.stride());
    }
    return sum;
  }

  Vectors<float> inverse_;  // lower triangular B with M^-1 = B^T B
};

class DiagonalPreconditioner final : public Preconditioner {
 public:
  explicit DiagonalPreconditioner(std::vector<double> inverse) : inverse_(std::move(inverse)) {}
  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context&) const override {
    for (const std::size_t c : live)
      for (std::size_t j = 0; j < inverse_.size(); ++j) out.row(c)[j] = inverse_[j] * r.row(c)[j];
  }

 private:
  std::vector<double> inverse_;
};

}  // namespace

std::size_t cholesky_bytes(std::size_t dimension, std::size_t threads) noexcept {
  return 2 * cholesky_kept_bytes(dimension) +
         std::max(gram_bytes(dimension, sizeof(float)),
                  numerics::invert_factor_bytes(dimension, threads));
}

std::size_t cholesky_kept_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(float);
}

double cholesky_cost(double rows, std::size_t dimension) noexcept {
  const double d = static_cast<double>(dimension);
  return rows * d * d / 2 + d * d * d / 3;
}

std::unique_ptr<Preconditioner> cholesky_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  const std::size_t d = dimension_of(sample);
  const std::vector<double> squares = column_squares(sample, context);
  if (squares.empty()) return nullptr;
  // Scaled to a unit diagonal before it is factorised; the factor's columns afterwards.
  std::vector<double> scale(d);
  for (std::size_t i = 0; i < d; ++i) scale[i] = 1 / std::sqrt(1 + squares[i]);
  Vectors<float> m(d, d);
  if (!add_gram(sample.rows, choose_rows(sample), {sample.bias, scale}, m, context)) return nullptr;
  // At least that of the sample, which keeps the sum positive semi-definite.
  for (std::size_t i = 0; i < d; ++i) {
    const double of_all = squares[i] * scale[i] * scale[i];
    m.row(i)[i] = static_cast<float>(std::max<double>(of_all, m.row(i)[i]) + scale[i] * scale[i]);
  }
  Vectors<float> inverse(d, d);
  if (!factorise_raised(m, context) || !invert_factor(m, inverse, context)) return nullptr;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) inverse.row(i)[j] *= static_cast<float>(scale[j]);
  return std::make_unique<CholeskyPreconditioner>(std::move(inverse));
}

std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  std::vector<double> inverse = column_squares(sample, context);
  if (inverse.empty()) return nullptr;
  for (double& x : inverse) x = 1 / (1 + x);
  return std::make_unique<DiagonalPreconditioner>(std::move(inverse));
}

}  // namespace semblance::solvers
