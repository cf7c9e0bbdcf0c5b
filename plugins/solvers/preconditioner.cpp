// SPDX-License-Identifier: MIT
#include "preconditioner.hpp"

#include <cblas.h>

#include <atomic>
#include <cmath>
#include <string>

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda,
             int* info);
}

namespace semblance::solvers {
namespace {

constexpr std::size_t chunk_rows = 1024;
constexpr std::size_t tile_cols = 512;

std::size_t dimension_of(const HessianSample& sample) {
  return sample.rows.cols() + (sample.bias != 0 ? 1 : 0);
}

struct ChosenRow {
  std::size_t row;
  float weight;
};

/// Rows of a large share as they are; of the others a stratified sample, one row out of each
/// stretch of the cumulated shares at a place that a fixed random stream gives.
std::vector<ChosenRow> choose_rows(const HessianSample& sample) {
  std::vector<ChosenRow> chosen;
  Random random(1);
  const double stretch = sample.stretch;
  double seen = 0, next = stretch * random.uniform();
  std::size_t index = 0;
  for (std::size_t i = 0; i < sample.shares.size(); ++i) {
    const float share = sample.shares[i];
    if (share >= stretch) {
      if (share > 0) chosen.push_back({i, share});
      continue;
    }
    seen += share;
    if (next >= seen) continue;
    chosen.push_back({i, static_cast<float>(stretch)});
    next = stretch * (static_cast<double>(++index) + random.uniform());
  }
  return chosen;
}

/// Calls f with chunks of the chosen rows, each scaled by the root of 2C times its weight. False
/// when a stop was requested.
template <class F>
bool for_chunks(const HessianSample& sample, Context& context, const F& f) {
  const std::vector<ChosenRow> chosen = choose_rows(sample);
  const std::size_t cols = sample.rows.cols();
  const std::size_t dimension = cols + (sample.bias != 0 ? 1 : 0);
  Vectors<float> chunk(std::min(chunk_rows, chosen.size()), dimension);
  for (std::size_t first = 0; first < chosen.size(); first += chunk_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const std::size_t count = std::min(chunk_rows, chosen.size() - first);
    for (std::size_t r = 0; r < count; ++r) {
      const ChosenRow& from = chosen[first + r];
      const float scale = static_cast<float>(std::sqrt(2 * sample.cost * double{from.weight}));
      const float* x = sample.rows.view(from.row, 1).data;
      float* to = chunk.row(r);
      for (std::size_t j = 0; j < cols; ++j) to[j] = scale * x[j];
      if (sample.bias != 0) to[cols] = scale * static_cast<float>(sample.bias);
    }
    const std::size_t begin = chosen[first].row;
    sample.rows.release(begin, chosen[first + count - 1].row + 1 - begin);
    f(static_cast<const Vectors<float>&>(chunk), count);
  }
  return true;
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

/// Lower triangle, row-major, += chunk^T chunk, tile by tile.
void add_products(const Vectors<float>& chunk, std::size_t count, std::vector<double>& m,
                  Context& context) {
  const std::size_t d = chunk.cols();
  const std::size_t tiles = (d + tile_cols - 1) / tile_cols;
  context.parallel_for(tiles * (tiles + 1) / 2, [&](std::size_t task) {
    std::size_t i = 0;
    while (task > i) task -= ++i;
    const std::size_t row = i * tile_cols, col = task * tile_cols;
    const std::size_t height = std::min(tile_cols, d - row), width = std::min(tile_cols, d - col);
    std::vector<float> product(height * width);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(height),
                static_cast<int>(width), static_cast<int>(count), 1, chunk.row(0) + row,
                static_cast<int>(chunk.stride()), chunk.row(0) + col,
                static_cast<int>(chunk.stride()), 0, product.data(), static_cast<int>(width));
    for (std::size_t r = 0; r < height; ++r)
      for (std::size_t c = 0; c < width; ++c) m[(row + r) * d + col + c] += product[r * width + c];
  });
}

/// Replaces the lower triangle by the inverse of its Cholesky factor. The matrix has a unit
/// diagonal, and is known to float32 precision only: where that makes it indefinite, a little is
/// added to the diagonal.
void invert_factor(std::vector<double>& m, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < i; ++j) m[j * d + i] = m[i * d + j];
  const int n = static_cast<int>(d);
  for (double shift = 1e-7;; shift *= 10) {
    for (std::size_t i = 0; i < d; ++i) {
      m[i * d + i] = 1 + shift;
      for (std::size_t j = 0; j < i; ++j) m[i * d + j] = m[j * d + i];
    }
    int info = 0;
    dpotrf_("U", &n, m.data(), &n, &info);  // column-major upper is row-major lower
    if (info == 0) break;
    if (shift > 1)
      throw Error("the preconditioner cannot be factorised; set preconditioner: diagonal");
  }
  int info = 0;
  dtrtri_("U", "N", &n, m.data(), &n, &info);
  if (info != 0) throw Error("the preconditioner cannot be inverted; set preconditioner: diagonal");
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
    context.parallel_for(sums.size(),
                         [&](std::size_t block) { sums[block] = product(block, v, n); });
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
  return dimension * dimension * (sizeof(double) + sizeof(float)) +
         dimension * padded(dimension) * sizeof(float) + chunk_rows * padded(dimension) * 4 +
         threads * tile_cols * tile_cols * sizeof(float);
}

std::size_t cholesky_kept_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(float);
}

double cholesky_cost(double rows, std::size_t dimension) noexcept {
  const double d = static_cast<double>(dimension);
  return rows * d * d / 2 + d * d * d / 3;
}

std::vector<double> hessian_sum(const HessianSample& sample, Context& context) {
  openblas_set_num_threads(1);  // the threads are the context's
  const std::size_t d = dimension_of(sample);
  const std::vector<double> squares = column_squares(sample, context);
  std::vector<double> sum(d * d);
  const bool done =
      !squares.empty() &&
      for_chunks(sample, context, [&](const Vectors<float>& chunk, std::size_t count) {
        add_products(chunk, count, sum, context);
      });
  if (!done) return {};
  // At least that of the sample, which keeps the sum positive semi-definite.
  for (std::size_t i = 0; i < d; ++i) sum[i * d + i] = std::max(squares[i], sum[i * d + i]);
  return sum;
}

std::unique_ptr<Preconditioner> cholesky_preconditioner(std::vector<double> m, std::size_t d) {
  openblas_set_num_threads(1);
  // Scaled to a unit diagonal before it is factorised; the factor's columns afterwards.
  std::vector<double> scale(d);
  for (std::size_t i = 0; i < d; ++i) scale[i] = 1 / std::sqrt(1 + m[i * d + i]);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < i; ++j) m[i * d + j] *= scale[i] * scale[j];
  invert_factor(m, d);
  Vectors<float> inverse(d, d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      inverse.row(i)[j] = static_cast<float>(m[i * d + j] * scale[j]);
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
