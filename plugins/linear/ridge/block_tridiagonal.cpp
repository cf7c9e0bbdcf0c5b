// SPDX-License-Identifier: MIT
#include "ridge/block_tridiagonal.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): LAPACK's names
void dgelqf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* work_size, int* info);
void dlarft_(const char* direct, const char* storev, const int* n, const int* k, double* v,
             const int* ldv, const double* tau, double* t, const int* ldt);
// NOLINTEND(readability-identifier-naming)
}

namespace semblance::linear {
namespace {

namespace blas = numerics::blas;

constexpr std::size_t update_tile = 256;
constexpr std::size_t slab_rows = 64;

std::size_t update_tiles(std::size_t n) { return (n + update_tile - 1) / update_tile; }

/// C = alpha A B + beta C for row-major matrices, A or B transposed.
void multiply(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k,
              double alpha, const double* a, std::size_t a_stride, const double* b,
              std::size_t b_stride, double beta, double* c, std::size_t c_stride) {
  if (m == 0 || n == 0 || k == 0) return;
  cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, blas::narrow(m), blas::narrow(n),
              blas::narrow(k), alpha, a, blas::narrow(a_stride), b, blas::narrow(b_stride), beta, c,
              blas::narrow(c_stride));
}

}  // namespace

BlockTridiagonal::BlockTridiagonal(Vectors<double> matrix, Context& context)
    : q_(std::move(matrix)) {
  openblas_set_num_threads(1);
  reduce(context);
}

/// Reduces the columns of the block before row `first`: V, with ones on its diagonal, in `panel`
/// and the rest of V in place; R goes to B. Returns T of I - V T V^T, row-major, block x block.
std::vector<double> BlockTridiagonal::reflect(std::size_t first, Vectors<double>& panel) {
  const std::size_t m = panel.count(), width = panel.cols(), count = std::min(m, width);
  for (std::size_t i = 0; i < m; ++i)
    std::copy_n(q_.row(first + i) + first - block, width, panel.row(i));
  // Row-major rows are LAPACK's columns: the LQ decomposition of the transposed panel.
  const int rows = blas::narrow(width), cols = blas::narrow(m), lda = blas::narrow(panel.stride()),
            reflectors = blas::narrow(count), ldt = blas::narrow(block);
  std::vector<double> tau(count), work(block * block), t(block * block), transposed(block * block);
  const int work_size = blas::narrow(work.size());
  int info = 0;
  dgelqf_(&rows, &cols, panel.row(0), &lda, tau.data(), work.data(), &work_size, &info);
  if (info != 0)
    throw Error("internal error: LAPACK's gelqf refused an argument: " + std::to_string(info));
  dlarft_("F", "R", &cols, &reflectors, panel.row(0), &lda, tau.data(), t.data(), &ldt);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j) transposed[i * block + j] = t[j * block + i];
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      if (i <= j) subdiagonal_.row(first + i)[j] = panel.row(i)[j];
      if (i <= j) panel.row(i)[j] = i == j ? 1 : 0;
      q_.row(first + i)[first - block + j] = panel.row(i)[j];
    }
  }
  return transposed;
}

/// The rows and columns from `first` on become H^T A H for H = I - V T V^T: A - V W^T - W V^T, with
/// W = X - V (T^T V^T X) / 2 and X = A V T.
void BlockTridiagonal::update(std::size_t first, const Vectors<double>& panel,
                              const std::vector<double>& t, Context& context) {
  const std::size_t m = panel.count(), k = std::min(m, panel.cols()), tiles = update_tiles(m);
  const auto height = [&](std::size_t tile_row) {
    return std::min(update_tile, m - tile_row * update_tile);
  };
  Vectors<double> product(m, k), x(m, k);
  context.parallel_for(tiles, [&](std::size_t r) {
    context.check_stop();
    const std::size_t at = r * update_tile, rows = height(r), end = at + rows;
    const double* a = q_.row(first + at) + first;
    multiply(false, false, rows, k, at, 1, a, q_.stride(), panel.row(0), panel.stride(), 0,
             product.row(at), product.stride());
    cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, blas::narrow(rows), blas::narrow(k), 1,
                a + at, blas::narrow(q_.stride()), panel.row(at), blas::narrow(panel.stride()),
                at == 0 ? 0 : 1, product.row(at), blas::narrow(product.stride()));
    if (end < m)
      multiply(true, false, rows, k, m - end, 1, q_.row(first + end) + first + at, q_.stride(),
               panel.row(end), panel.stride(), 1, product.row(at), product.stride());
    multiply(false, false, rows, k, k, 1, product.row(at), product.stride(), t.data(), block, 0,
             x.row(at), x.stride());
  });
  std::vector<double> inner(block * block), scaled(block * block);
  multiply(true, false, k, k, m, 1, panel.row(0), panel.stride(), x.row(0), x.stride(), 0,
           inner.data(), block);
  multiply(true, false, k, k, k, 1, t.data(), block, inner.data(), block, 0, scaled.data(), block);
  multiply(false, false, m, k, k, -0.5, panel.row(0), panel.stride(), scaled.data(), block, 1,
           x.row(0), x.stride());
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    context.check_stop();
    const auto [row, col] = numerics::triangle_place(task);
    const std::size_t i = row * update_tile, j = col * update_tile;
    double* to = q_.row(first + i) + first + j;
    multiply(false, true, height(row), height(col), k, -1, panel.row(i), panel.stride(), x.row(j),
             x.stride(), 1, to, q_.stride());
    multiply(false, true, height(row), height(col), k, -1, x.row(i), x.stride(), panel.row(j),
             panel.stride(), 1, to, q_.stride());
  });
}

void BlockTridiagonal::reduce(Context& context) {
  const std::size_t n = size();
  diagonal_ = Vectors<double>(n, block);
  subdiagonal_ = Vectors<double>(n, block);
  std::vector<std::vector<double>> factors;  // T of each block
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t width = std::min(block, n - first), next = first + width;
    for (std::size_t i = first; i < next; ++i)
      std::copy_n(q_.row(i) + first, i - first + 1, diagonal_.row(i));
    if (next == n) break;
    Vectors<double> panel(n - next, block);
    factors.push_back(reflect(next, panel));
    update(next, panel, factors.back(), context);
  }
  make_orthogonal(factors, context);
}

/// Q = H_1 H_2 ..., from the last to the first, in the place of the reflections.
void BlockTridiagonal::make_orthogonal(const std::vector<std::vector<double>>& factors,
                                       Context& context) {
  const std::size_t n = size();
  const auto set_identity = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < n; ++i)
      std::fill(q_.row(i) + from, q_.row(i) + (i < to ? n : to), 0.0);
    for (std::size_t i = from; i < to; ++i) q_.row(i)[i] = 1;
  };
  for (std::size_t b = factors.size(); b-- > 0;) {
    const std::size_t first = (b + 1) * block, m = n - first, k = std::min(m, block);
    Vectors<double> panel(m, k);
    for (std::size_t i = 0; i < m; ++i)
      std::copy_n(q_.row(first + i) + first - block, k, panel.row(i));
    set_identity(first, first + k);
    context.parallel_for(update_tiles(m), [&](std::size_t t) {
      context.check_stop();
      const std::size_t at = t * update_tile, cols = std::min(update_tile, m - at);
      Vectors<double> products(k, cols), scaled(k, cols);
      double* a = q_.row(first) + first + at;
      multiply(true, false, k, cols, m, 1, panel.row(0), panel.stride(), a, q_.stride(), 0,
               products.row(0), products.stride());
      multiply(false, false, k, cols, k, 1, factors[b].data(), block, products.row(0),
               products.stride(), 0, scaled.row(0), scaled.stride());
      multiply(false, false, m, cols, k, -1, panel.row(0), panel.stride(), scaled.row(0),
               scaled.stride(), 1, a, q_.stride());
    });
  }
  set_identity(0, std::min(block, n));
}

/// The Cholesky factor of B + p I, which has blocks on and below its diagonal.
class BlockTridiagonal::Factor {
 public:
  Factor(const BlockTridiagonal& form, double p);

  double least_pivot() const noexcept { return least_pivot_; }
  /// Rows become L^-1 v.
  void forward(Vectors<double>& rows) const;
  /// Rows become L^-T v.
  void backward(Vectors<double>& rows) const;

 private:
  std::size_t width(std::size_t first) const { return std::min(block, n_ - first); }
  void divide(Vectors<double>& rows, std::size_t first, bool transposed) const;

  std::size_t n_;
  Vectors<double> diagonal_, below_;
  double least_pivot_ = 1;
};

BlockTridiagonal::Factor::Factor(const BlockTridiagonal& form, double p)
    : n_(form.size()), diagonal_(n_, block), below_(n_, block) {
  for (std::size_t first = 0; first < n_; first += block) {
    const std::size_t size = width(first);
    for (std::size_t i = first; i < first + size; ++i) {
      std::copy_n(form.diagonal_.row(i), block, diagonal_.row(i));
      diagonal_.row(i)[i - first] += p;
      std::copy_n(form.subdiagonal_.row(i), block, below_.row(i));
    }
    double* here = diagonal_.row(first);
    std::vector<double> whole(size);
    for (std::size_t i = 0; i < size; ++i) whole[i] = diagonal_.row(first + i)[i];
    if (first > 0) {
      blas::divide_right(size, block, diagonal_.row(first - block), below_.row(first),
                         below_.stride());
      blas::subtract_square(size, block, below_.row(first), here, diagonal_.stride());
    }
    if (!blas::factorise(size, here, diagonal_.stride())) {
      least_pivot_ = 0;
      return;
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double pivot = diagonal_.row(first + i)[i];
      const double share = pivot * pivot / whole[i];
      least_pivot_ = std::isfinite(share) ? std::min(least_pivot_, share) : 0;
    }
  }
}

void BlockTridiagonal::Factor::divide(Vectors<double>& rows, std::size_t first,
                                      bool transposed) const {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, transposed ? CblasNoTrans : CblasTrans,
              CblasNonUnit, blas::narrow(rows.count()), blas::narrow(width(first)), 1,
              diagonal_.row(first), blas::narrow(diagonal_.stride()), rows.row(0) + first,
              blas::narrow(rows.stride()));
}

void BlockTridiagonal::Factor::forward(Vectors<double>& rows) const {
  for (std::size_t first = 0; first < n_; first += block) {
    if (first > 0)
      multiply(false, true, rows.count(), width(first), block, -1, rows.row(0) + first - block,
               rows.stride(), below_.row(first), below_.stride(), 1, rows.row(0) + first,
               rows.stride());
    divide(rows, first, false);
  }
}

void BlockTridiagonal::Factor::backward(Vectors<double>& rows) const {
  for (std::size_t first = (n_ - 1) / block * block;; first -= block) {
    if (first + block < n_)
      multiply(false, false, rows.count(), block, width(first + block), -1,
               rows.row(0) + first + block, rows.stride(), below_.row(first + block),
               below_.stride(), 1, rows.row(0) + first, rows.stride());
    divide(rows, first, true);
    if (first == 0) break;
  }
}

double BlockTridiagonal::solve(double p, Vectors<double>& vectors,
                               std::span<double> inverse_diagonal, Context& context) const {
  openblas_set_num_threads(1);
  const std::size_t n = size(), m = vectors.count();
  const Factor factor(*this, p);
  if (factor.least_pivot() == 0) return 0;
  Vectors<double> turned(m, n);
  multiply(false, false, m, n, n, 1, vectors.row(0), vectors.stride(), q_.row(0), q_.stride(), 0,
           turned.row(0), turned.stride());
  factor.forward(turned);
  factor.backward(turned);
  multiply(false, true, m, n, n, 1, turned.row(0), turned.stride(), q_.row(0), q_.stride(), 0,
           vectors.row(0), vectors.stride());
  context.parallel_for((n + slab_rows - 1) / slab_rows, [&](std::size_t slab) {
    context.check_stop();
    const std::size_t first = slab * slab_rows, count = std::min(slab_rows, n - first);
    Vectors<double> rows(count, n);
    for (std::size_t r = 0; r < count; ++r) std::copy_n(q_.row(first + r), n, rows.row(r));
    factor.forward(rows);
    for (std::size_t r = 0; r < count; ++r) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += rows.row(r)[j] * rows.row(r)[j];
      inverse_diagonal[first + r] = sum;
    }
  });
  return factor.least_pivot();
}

}  // namespace semblance::linear
