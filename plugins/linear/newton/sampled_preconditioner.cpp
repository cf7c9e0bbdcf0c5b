// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "newton/preconditioner.hpp"
#include "problem/sweep.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::linear {
namespace {

/// A float32 matrix and its products with a few vectors, by blocks of rows. The bits do not depend
/// on the threads.
class BlockedMatrix {
 public:
  enum class Shape { full, lower_triangular };
  BlockedMatrix() = default;
  BlockedMatrix(Vectors<float> values, Shape shape) : values_(std::move(values)), shape_(shape) {}

  std::size_t rows() const noexcept { return values_.count(); }
  std::size_t cols() const noexcept { return values_.cols(); }

  /// z[i * n + a] = row i . v_a for all n vectors. Unusable after a stop request, like the next
  /// function's result; the caller also notices the request.
  std::vector<float> times(const Vectors<float>& v, Context& context) const {
    const std::size_t n = v.count();
    std::vector<float> z(rows() * n);
    context.parallel_for(block_count(rows()), [&](std::size_t block) {
      if (context.stop_requested() != StopReason::none) return;
      float* to = &z[block * block_rows * n];
      std::vector<float> partial;
      for_groups(block, n, [&](const Group& group, std::size_t columns) {
        partial.resize(common::multiply_scratch(group.rows.size(), n));
        common::multiply({group.rows.data(), group.rows.size(), columns}, v.row(0), v.stride(), n,
                         partial.data(), to);
        to += group.rows.size() * n;
      });
    });
    return z;
  }

  /// out[j * n + a] = sum_i z[i * n + a] x_ij, in float32 within a block of rows and in double
  /// across blocks.
  std::vector<double> transposed_times(std::span<const float> z, std::size_t n,
                                       Context& context) const {
    std::vector<double> out(cols() * n);
    context.parallel_for(block_count(cols()), [&](std::size_t columns) {
      if (context.stop_requested() == StopReason::none)
        slice(columns, z, n, &out[columns * block_rows * n]);
    });
    return out;
  }

  /// Some rows of a block that fit into the cache.
  struct Group {
    std::vector<const float*> rows;
    std::size_t first;  ///< row
  };

  /// Calls f with the groups of a block of rows, in order, and with its columns.
  template <class F>
  void for_groups(std::size_t block, std::size_t n, const F& f) const {
    const std::size_t end = std::min((block + 1) * block_rows, rows());
    const std::size_t columns = shape_ == Shape::full ? cols() : end;
    const std::size_t step = common::rows_in_cache(columns, n);
    Group group;
    for (group.first = block * block_rows; group.first < end; group.first += step) {
      group.rows.clear();
      for (std::size_t i = group.first; i < std::min(end, group.first + step); ++i)
        group.rows.push_back(values_.row(i));
      f(group, columns);
    }
  }

 private:
  /// A block of columns of the product.
  void slice(std::size_t columns, std::span<const float> z, std::size_t n, double* to) const {
    const std::size_t first = columns * block_rows;
    const std::size_t width = std::min(block_rows, cols() - first);
    Vectors<float> sum(n, width);
    const std::size_t begin = shape_ == Shape::full ? 0 : columns;
    for (std::size_t block = begin; block < block_count(rows()); ++block) {
      sum.fill(0);
      for_groups(block, n, [&](Group& group, std::size_t) {
        for (const float*& row : group.rows) row += first;
        common::multiply_transposed({group.rows.data(), group.rows.size(), width},
                                    &z[group.first * n], n, sum.row(0), sum.stride());
      });
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t j = 0; j < width; ++j) to[j * n + a] += double{sum.row(a)[j]};
    }
  }

  Vectors<float> values_;
  Shape shape_ = Shape::full;
};

constexpr std::size_t rows_at_once = 512;

// sent between ranks

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

/// The vectors of the live problems, one after the other, in float32.
Vectors<float> rounded(const Vectors<double>& r, std::span<const std::size_t> live) {
  Vectors<float> v(live.size(), r.cols());
  for (std::size_t a = 0; a < live.size(); ++a)
    std::transform(r.row(live[a]), r.row(live[a]) + r.cols(), v.row(a),
                   [](double x) { return static_cast<float>(x); });
  return v;
}

/// The inverse of N + weight m m^T, where N = mu I + A^T A, as N^-1 = (I - A^T (mu I + A A^T)^-1 A)
/// / mu (Woodbury) and a change of rank one.
class SampledPreconditioner final : public Preconditioner {
 public:
  /// `inverse`: L^-1 of the factor L L^T = mu I + A A^T.
  SampledPreconditioner(Sampled sampled, double ridge, Vectors<float> inverse, Context& context)
      : rows_(std::move(sampled.rows), BlockedMatrix::Shape::full),
        inverse_(std::move(inverse), BlockedMatrix::Shape::lower_triangular),
        mean_(std::move(sampled.mean)),
        ridge_(ridge) {
    Vectors<double> mean(1, mean_.size()), solved(1, mean_.size());
    std::ranges::copy(mean_, mean.row(0));
    const std::vector<std::size_t> all{0};
    apply_to_rows(mean, all, solved, context);
    solved_mean_.assign(solved.row(0), solved.row(0) + mean_.size());
    pivot_ = 1 / sampled.weight + dot(mean_.data(), solved_mean_.data(), mean_.size());
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
    const std::size_t n = live.size(), d = rows_.cols(), rows = rows_.rows();
    // A r, by problem, then (L L^T)^-1 A r.
    const std::vector<float> z = rows_.times(rounded(r, live), context);
    Vectors<float> images(n, rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t a = 0; a < n; ++a) images.row(a)[i] = z[i * n + a];
    const std::vector<double> solved =
        inverse_.transposed_times(inverse_.times(images, context), n, context);
    const std::vector<double> back =
        rows_.transposed_times(std::vector<float>(solved.begin(), solved.end()), n, context);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t j = 0; j < d; ++j)
        out.row(live[a])[j] = (r.row(live[a])[j] - back[j * n + a]) / ridge_;
  }

  BlockedMatrix rows_, inverse_;  // A, L^-1
  std::vector<double> mean_;
  double ridge_;                     // mu
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
Sampled gather_sample(const HessianSample& sample, const ChosenRows& own, Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<std::int64_t> own_rows;
  std::vector<double> own_weights;
  for (const WeightedRow& row : own.rows) {
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

/// L^-1 for the Cholesky factor L of the matrix with lower triangle `m`, whose diagonal is raised
/// if rounding makes it indefinite. Empty if a stop was requested.
Vectors<float> inverse_factor(Vectors<float> m, Context& context) {
  Vectors<float> factor(m.cols(), m.cols());
  for (float raise = 1e-6F; raise < 1; raise *= 10) {
    for (std::size_t i = 0; i < m.cols(); ++i) {
      std::copy_n(m.row(i), i + 1, factor.row(i));
      factor.row(i)[i] *= 1 + raise;
    }
    const numerics::Factorisation result = factorise(factor, context);
    if (result == numerics::Factorisation::indefinite) continue;
    if (result == numerics::Factorisation::stopped || !invert_factor(factor, m, context)) return {};
    return m;
  }
  throw Error("the preconditioner cannot be factorized; scale the columns alike");
}

std::size_t square_bytes_of_floats(std::size_t n) noexcept { return n * padded(n) * sizeof(float); }

}  // namespace

std::size_t sampled_retained_bytes(std::size_t rows, std::size_t dimension) noexcept {
  return rows * padded(dimension) * sizeof(float) + square_bytes_of_floats(rows);
}

std::size_t sampled_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept {
  return rows * padded(dimension) * sizeof(float) +
         std::max(2 * std::min(rows, rows_at_once) * padded(dimension) * sizeof(float),
                  2 * square_bytes_of_floats(rows) + numerics::invert_factor_bytes(rows, threads));
}

std::unique_ptr<Preconditioner> sampled_preconditioner(const HessianSample& sample,
                                                       std::size_t wanted, Context& context) {
  const ChosenRows chosen = choose_rows(sample, wanted, context);
  Sampled sampled = gather_sample(sample, chosen, context);
  const Vectors<float>& a = sampled.rows;
  Vectors<float> products = row_products<float>(
      a.count(), a.cols(),
      [&](std::size_t first, std::size_t count, std::size_t column, std::size_t width, float* to,
          std::size_t stride) {
        for (std::size_t i = 0; i < count; ++i)
          std::copy_n(a.row(first + i) + column, width, to + i * stride);
      },
      context);
  if (context.stop_requested() != StopReason::none) return nullptr;
  double squares = 0;
  for (std::size_t i = 0; i < products.cols(); ++i) squares += products.row(i)[i];
  const double mean = squares / static_cast<double>(std::max<std::size_t>(products.cols(), 1));
  const double ridge = chosen.all ? 1 : 1 + ridge_share * mean;
  for (std::size_t i = 0; i < products.cols(); ++i) products.row(i)[i] += static_cast<float>(ridge);
  Vectors<float> inverse = inverse_factor(std::move(products), context);
  if (context.stop_requested() != StopReason::none) return nullptr;
  return std::make_unique<SampledPreconditioner>(std::move(sampled), ridge, std::move(inverse),
                                                 context);
}

}  // namespace semblance::linear
