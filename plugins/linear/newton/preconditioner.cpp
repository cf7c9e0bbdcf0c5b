// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "newton/blocked_matrix.hpp"
#include "newton/gram.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::linear {
namespace {

OwnParts own_of(const HessianSample& sample, Context& context) {
  return context.collectives().own(RowParts(sample.rows.rows()));
}

/// |x|^2, in lanes that the compiler vectorises.
float square_of(const float* x, std::size_t count) noexcept {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes)
    for (std::size_t k = 0; k < lanes; ++k) sums[k] += x[j + k] * x[j + k];
  float total = 0;
  for (const float sum : sums) total += sum;
  for (; j < count; ++j) total += x[j] * x[j];
  return total;
}

/// The Cholesky factor of a matrix with about a unit diagonal in float32 precision: if rounding
/// makes it indefinite, the diagonal is raised. False if a stop was requested.
bool factorise_raised(const Vectors<float>& m, Vectors<float>& factor, Context& context) {
  for (float raise = 1e-6F; raise < 1; raise *= 10) {
    for (std::size_t i = 0; i < m.cols(); ++i) {
      std::copy_n(m.row(i), i + 1, factor.row(i));
      factor.row(i)[i] *= 1 + raise;
    }
    const numerics::Factorisation result = factorise(factor, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
  }
  throw Error("the preconditioner cannot be factorized; set preconditioner: diagonal");
}

class CholeskyPreconditioner final : public Preconditioner {
 public:
  explicit CholeskyPreconditioner(Vectors<float> inverse)
      : inverse_(std::move(inverse), BlockedMatrix::Shape::lower_triangular) {}

  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context& context) const override {
    const std::size_t d = inverse_.cols(), n = live.size();
    const Vectors<float> v = rounded(r, live);
    std::vector<Vectors<float>> sums(block_count(d));
    context.parallel_for(sums.size(), [&](std::size_t block) {
      // The caller also notices the stop request.
      sums[block] =
          context.stop_requested() == StopReason::none ? product(block, v) : Vectors<float>(n, 0);
    });
    for (std::size_t a = 0; a < n; ++a) {
      double* to = out.row(live[a]);
      std::fill_n(to, d, 0.0);
      for (const Vectors<float>& sum : sums)
        for (std::size_t j = 0; j < sum.cols(); ++j) to[j] += sum.row(a)[j];
    }
  }

 private:
  /// B_block^T B_block v for the rows of a block; B is triangular.
  Vectors<float> product(std::size_t block, const Vectors<float>& v) const {
    const std::size_t n = v.count();
    Vectors<float> sum(n, std::min((block + 1) * block_rows, inverse_.cols()));
    std::vector<float> partial, z;
    inverse_.for_groups(block, n, [&](const BlockedMatrix::Group& group, std::size_t cols) {
      partial.resize(common::multiply_scratch(group.rows.size(), n));
      z.resize(group.rows.size() * n);
      const common::TallBlock part{group.rows.data(), group.rows.size(), cols};
      common::multiply(part, v.row(0), v.stride(), n, partial.data(), z.data());
      common::multiply_transposed(part, std::as_const(z).data(), n, sum.row(0), sum.stride());
    });
    return sum;
  }

  BlockedMatrix inverse_;  // B with M^-1 = B^T B
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

std::vector<WeightedRow> choose_rows(const HessianSample& sample, Context& context) {
  const OwnParts own = own_of(sample, context);
  const std::span<const float> given =
      sample.importances.empty() ? sample.shares : sample.importances;
  const std::vector<float> importances =
      context.collectives().gather(std::vector<float>(given.begin(), given.end()));
  const double stretch = sample.stretch;
  // One random place in each stretch of the cumulated importances, from a fixed stream.
  Random random(1);
  double seen = 0, stretches = 0, place = stretch * random.uniform();
  std::vector<WeightedRow> chosen;
  for (std::size_t i = 0; i < importances.size(); ++i) {
    const double importance = importances[i];
    double places = 0;
    if (importance < stretch)
      for (seen += importance; place < seen; place = stretch * (++stretches + random.uniform()))
        ++places;
    if (i < own.first_row || i >= own.end_row()) continue;
    const double share = sample.shares[i - own.first_row];
    double stands_for = importance < stretch ? places * stretch : share;
    if (places > 0 && !sample.importances.empty()) stands_for *= share / importance;
    if (stands_for > 0) chosen.push_back({i, 2 * sample.cost * stands_for});
  }
  return chosen;
}

std::vector<float> row_importances(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<float> squares(own.rows);
  std::vector<double> sum(1);
  sum_over_parts(context, parts, sum, [&](std::size_t part, std::span<double> to) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      if (context.stop_requested() != StopReason::none) return;
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        float& square = squares[first + r - own.first_row];
        square = static_cast<float>(sample.bias * sample.bias) + square_of(x.row(r), x.cols);
        to[0] += double{square};
      }
      sample.rows.release(first, count);
    }
  });
  if (context.stop_requested() != StopReason::none) return {};
  const double mean = sum[0] / static_cast<double>(sample.rows.rows());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const double length = mean > 0 ? double{squares[i]} / mean : 1;
    squares[i] = static_cast<float>(sample.shares[i] * (1 + length) / 2);
  }
  return squares;
}

std::vector<double> column_squares(const HessianSample& sample, Context& context) {
  if (context.stop_requested() != StopReason::none) return {};
  const std::size_t cols = sample.rows.cols();
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::atomic<bool> complete{true};
  // The last is the sum of the shares.
  std::vector<double> total(sample.dimension() + 1);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sum) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      if (context.stop_requested() != StopReason::none) {
        complete = false;
        return;
      }
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        const float share = sample.shares[first + r - own.first_row];
        if (share == 0) continue;
        const float* values = x.row(r);
        for (std::size_t k = 0; k < x.size(r); ++k) {
          const std::size_t j = x.sparse() ? x.columns_of(r)[k] : k;
          const double twice = sample.centre.empty() ? 0 : 2 * sample.centre[j];
          sum[j] += double{share} * (double{values[k]} * (double{values[k]} - twice));
        }
        if (sample.bias != 0) sum[cols] += share * sample.bias * sample.bias;
        sum.back() += share;
      }
      sample.rows.release(first, count);
    }
  });
  if (!complete) return {};
  for (std::size_t j = 0; j < sample.centre.size(); ++j)
    total[j] += total.back() * sample.centre[j] * sample.centre[j];
  total.pop_back();
  for (double& sum : total) sum *= 2 * sample.cost;
  return total;
}

Vectors<float> rounded(const Vectors<double>& r, std::span<const std::size_t> live) {
  Vectors<float> v(live.size(), r.cols());
  for (std::size_t a = 0; a < live.size(); ++a)
    std::transform(r.row(live[a]), r.row(live[a]) + r.cols(), v.row(a),
                   [](double x) { return static_cast<float>(x); });
  return v;
}

std::size_t cholesky_bytes(std::size_t dimension, std::size_t threads) noexcept {
  return 2 * cholesky_retained_bytes(dimension) +
         std::max(gram_bytes(dimension, sizeof(float)),
                  numerics::invert_factor_bytes(dimension, threads));
}

std::size_t cholesky_retained_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(float);
}

double cholesky_cost(double rows, std::size_t dimension) noexcept {
  const double d = static_cast<double>(dimension);
  return rows * d * d / 2 + d * d * d / 3;
}

std::unique_ptr<Preconditioner> cholesky_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  const std::size_t d = sample.dimension();
  const std::vector<double> squares = column_squares(sample, context);
  if (squares.empty()) return nullptr;
  // Scaled to a unit diagonal before it is factorised; the factor's columns afterwards.
  std::vector<double> scale(d);
  for (std::size_t i = 0; i < d; ++i) scale[i] = 1 / std::sqrt(1 + squares[i]);
  Vectors<float> m(d, d);
  if (!add_gram(sample.rows, choose_rows(sample, context), {sample.bias, scale, {}, sample.centre},
                m, context))
    return nullptr;
  // At least that of the sample, so that the sum stays positive semi-definite.
  for (std::size_t i = 0; i < d; ++i) {
    const double of_all = squares[i] * scale[i] * scale[i];
    m.row(i)[i] = static_cast<float>(std::max<double>(of_all, m.row(i)[i]) + scale[i] * scale[i]);
  }
  return inverse_preconditioner(std::move(m), scale, context);
}

std::unique_ptr<Preconditioner> inverse_preconditioner(Vectors<float> m,
                                                       std::span<const double> scale,
                                                       Context& context) {
  const std::size_t d = m.cols();
  Vectors<float> factor(d, d);
  if (!factorise_raised(m, factor, context) || !invert_factor(factor, m, context)) return nullptr;
  for (std::size_t i = 0; i < d && !scale.empty(); ++i)
    for (std::size_t j = 0; j <= i; ++j) m.row(i)[j] *= static_cast<float>(scale[j]);
  return std::make_unique<CholeskyPreconditioner>(std::move(m));
}

std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  std::vector<double> inverse = column_squares(sample, context);
  if (inverse.empty()) return nullptr;
  for (double& x : inverse) x = 1 / (1 + x);
  return std::make_unique<DiagonalPreconditioner>(std::move(inverse));
}

}  // namespace semblance::linear
