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

std::span<const float> importances_of(const HessianSample& sample) {
  return sample.importances.empty() ? sample.shares : sample.importances;
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

/// The cumulated importances below the stretch before each part, and at the end.
std::vector<double> sums_before_parts(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<double> sums(own.count);
  for (std::size_t p = 0; p < own.count; ++p) {
    const std::size_t first = parts.first_row(own.first + p) - own.first_row;
    for (const float x : importances_of(sample).subspan(first, parts.rows_of(own.first + p)))
      if (x < sample.stretch) sums[p] += x;
  }
  std::vector<double> before{0};
  for (const double sum : context.collectives().gather(sums)) before.push_back(before.back() + sum);
  return before;
}

/// One random place, from a fixed stream, in each stretch of the cumulated importances, restricted
/// to an interval of them.
class Places {
 public:
  Places(double stretch, double from, double to)
      : stretch_(stretch), first_(static_cast<std::size_t>(from / stretch)) {
    Random random(1);
    for (std::size_t i = 0; i < first_; ++i) random.uniform();
    for (double i = static_cast<double>(first_); i <= to / stretch + 1; ++i)
      places_.push_back(stretch * (i + random.uniform()));
  }
  /// The first place that is not before this one.
  std::size_t from(double cumulated) const {
    return static_cast<std::size_t>(std::lower_bound(places_.begin(), places_.end(), cumulated) -
                                    places_.begin());
  }
  bool is_before(std::size_t place, double cumulated) const {
    return place < places_.size() && places_[place] < cumulated;
  }

 private:
  double stretch_;
  std::size_t first_;
  std::vector<double> places_;
};

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

/// The Cholesky factor of a matrix with about a unit diagonal in float32 precision: if rounding
/// makes it indefinite, the diagonal is raised. False if a stop was requested.
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
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<WeightedRow> chosen;
  const double stretch = sample.stretch;
  if (stretch == 0) {
    for (std::size_t i = 0; i < own.rows; ++i)
      if (const double share = sample.shares[i]; share > 0)
        chosen.push_back({own.first_row + i, 2 * sample.cost * share});
    return chosen;
  }
  const std::vector<double> before = sums_before_parts(sample, context);
  const Places places(stretch, before[own.first], before[own.end()]);
  for (std::size_t part = own.first; part < own.end(); ++part) {
    double seen = before[part];
    std::size_t place = places.from(seen);
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const double share = sample.shares[i - own.first_row];
      const double importance = importances_of(sample)[i - own.first_row];
      if (importance >= stretch) {
        chosen.push_back({i, 2 * sample.cost * share});
        continue;
      }
      seen += importance;
      double stands_for = 0;
      for (; places.is_before(place, seen); ++place) stands_for += stretch;
      if (stands_for > 0)
        chosen.push_back(
            {i, 2 * sample.cost *
                    (sample.importances.empty() ? stands_for : stands_for * share / importance)});
    }
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
  if (!share_gram(sample.rows, choose_rows(sample, context),
                  {sample.bias, scale, {}, sample.centre}, m, context))
    return nullptr;
  // At least that of the sample, so that the sum stays positive semi-definite.
  for (std::size_t i = 0; i < d; ++i) {
    const double of_all = squares[i] * scale[i] * scale[i];
    m.row(i)[i] = static_cast<float>(std::max<double>(of_all, m.row(i)[i]) + scale[i] * scale[i]);
  }
  return inverse_preconditioner(m, scale, context);
}

std::unique_ptr<Preconditioner> inverse_preconditioner(Vectors<float>& m,
                                                       std::span<const double> scale,
                                                       Context& context) {
  const std::size_t d = m.cols();
  Vectors<float> inverse(d, d);
  if (!factorise_raised(m, context) || !invert_factor(m, inverse, context)) return nullptr;
  for (std::size_t i = 0; i < d && !scale.empty(); ++i)
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

}  // namespace semblance::linear
