// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "projections/projection.hpp"
#include "row_kernels.hpp"
#include "semblance/collectives.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::normalizers {

namespace {

/// The directions of largest variance.
struct PrincipalAxes {
  std::vector<double> axes;       ///< orthonormal, one after the other, of descending variance
  std::vector<double> variances;  ///< of the rows along them, divided by n; 0 where none is left
  bool all = false;               ///< of all that there are, in double
};

/// How principal_axes() looks for them.
struct AxesSearch {
  std::size_t count = 0;       ///< axes wanted
  std::size_t width = 0;       ///< of the subspace, at least `count` and at most the columns
  std::size_t iterations = 0;  ///< products of the subspace with the covariance matrix, at least 1
};

using numerics::blas::narrow;

/// A basis of a subspace: row-major, with one row per column of the data.
struct Subspace {
  std::size_t cols = 0;   ///< of the data
  std::size_t width = 0;  ///< vectors
  std::vector<double> values;
};

/// The eigenvectors of S^T S as columns, each divided by the root of its eigenvalue, without those
/// due to rounding. S times this matrix has orthonormal columns.
std::vector<double> orthonormalizer(const Subspace& s, std::size_t& kept) {
  std::vector<double> gram(s.width * s.width);
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, narrow(s.width), narrow(s.cols), 1,
              s.values.data(), narrow(s.width), 0, gram.data(), narrow(s.width));
  const auto eigen = numerics::symmetric_eigen(std::move(gram), s.width);
  const double least = 1e-13 * std::max(eigen.values.back(), 0.0);
  const auto first = static_cast<std::size_t>(
      std::upper_bound(eigen.values.begin(), eigen.values.end(), least) - eigen.values.begin());
  kept = s.width - first;
  std::vector<double> map(s.width * kept);
  for (std::size_t e = 0; e < kept; ++e)
    for (std::size_t j = 0; j < s.width; ++j)
      map[j * kept + e] =
          eigen.vectors[(first + e) * s.width + j] / std::sqrt(eigen.values[first + e]);
  return map;
}

/// Twice, so that the second pass corrects errors of the first for nearly dependent vectors.
void orthonormalize(Subspace& s) {
  for (int pass = 0; pass < 2 && s.width > 0; ++pass) {
    std::size_t kept = 0;
    const std::vector<double> map = orthonormalizer(s, kept);
    s.values = product(s.values, map, s.cols, s.width, kept);
    s.width = kept;
  }
}

/// Calls body(centred, projected, count) for the blocks of a part: the rows minus the means, and
/// their products with the subspace.
class CentredProducts {
 public:
  CentredProducts(const Rows& rows, std::span<const double> means, const Subspace& s)
      : rows_(rows), means_(means), width_(s.width), basis_(s.values.begin(), s.values.end()) {}

  template <class Body>
  void visit(const RowParts& parts, std::size_t part, Context& context, const Body& body) const {
    const std::size_t cols = means_.size();
    std::vector<float> centred(block_rows * cols), projected(block_rows * width_);
    visit_blocks(rows_, parts, part, context, [&](MatrixView view, std::size_t) {
      for (std::size_t i = 0; i < view.rows; ++i)
        for (std::size_t c = 0; c < cols; ++c)
          centred[i * cols + c] = static_cast<float>(double{view.row(i)[c]} - means_[c]);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(view.rows), narrow(width_),
                  narrow(cols), 1, centred.data(), narrow(cols), basis_.data(), narrow(width_), 0,
                  projected.data(), narrow(width_));
      body(centred.data(), projected.data(), view.rows);
    });
  }

 private:
  const Rows& rows_;
  std::span<const double> means_;
  std::size_t width_;
  std::vector<float> basis_;
};

void add(std::span<double> sums, const std::vector<float>& values) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += double{values[k]};
}

/// A^T A S for the centred rows A.
std::vector<double> covariance_product(const Rows& rows, std::span<const double> means,
                                       const Subspace& s, Context& context) {
  const CentredProducts products(rows, means, s);
  const RowParts parts(rows.rows());
  std::vector<double> total(s.cols * s.width);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    std::vector<float> own(sums.size());
    products.visit(parts, part, context, [&](const float* a, const float* y, std::size_t count) {
      cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(s.cols), narrow(s.width),
                  narrow(count), 1, a, narrow(s.cols), y, narrow(s.width), 0, own.data(),
                  narrow(s.width));
      add(sums, own);
    });
  });
  return total;
}

/// (A S)^T (A S): the lower triangle.
std::vector<double> projected_scatter(const Rows& rows, std::span<const double> means,
                                      const Subspace& s, Context& context) {
  const CentredProducts products(rows, means, s);
  const RowParts parts(rows.rows());
  std::vector<double> total(s.width * s.width);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    products.visit(parts, part, context, [&](const float*, const float* y, std::size_t count) {
      const std::vector<double> wide(y, y + count * s.width);
      numerics::blas::add_transposed_square(s.width, count, 1.0, wide.data(), s.width, sums.data(),
                                            s.width);
    });
  });
  return total;
}

Subspace drawn(std::size_t cols, std::size_t width, Random random) {
  Subspace s{cols, width, std::vector<double>(cols * width)};
  for (double& value : s.values) value = random.normal();
  orthonormalize(s);
  return s;
}

void check_memory(std::size_t rows, std::size_t cols, std::size_t width, const Context& context) {
  // Sums of the subspace's size: one per thread, one per level of the tree, and copies; per thread
  // a product in float32 and a block of rows.
  const std::size_t threads = context.threads();
  const std::size_t levels = std::bit_width(RowParts(rows).count());
  const std::size_t needed = (threads + levels + 4) * cols * width * sizeof(double) +
                             threads * (cols * width + block_rows * (cols + 3 * width)) * 4 +
                             4 * width * width * sizeof(double);
  check_budget(needed, context, "the principal axes of " + std::to_string(cols) + " columns",
               "lower 'components'");
}

/// All axes: the eigenvectors of the covariance matrix in double, so that one along which rows vary
/// far less than along others keeps its digits.
PrincipalAxes all_axes(const Rows& rows, std::span<const double> means, std::size_t count,
                       Context& context) {
  const std::size_t cols = means.size();
  const auto eigen =
      numerics::symmetric_eigen(scatter(rows, context,
                                        [&](const float* x, std::size_t, double* out) {
                                          for (std::size_t c = 0; c < cols; ++c)
                                            out[c] = double{x[c]} - means[c];
                                          return true;
                                        }),
                                cols);
  PrincipalAxes result{{}, {}, true};
  for (std::size_t e = cols; e-- > cols - count;) {
    const auto axis = std::span(eigen.vectors).subspan(e * cols, cols);
    result.axes.insert(result.axes.end(), axis.begin(), axis.end());
    result.variances.push_back(std::max(eigen.values[e], 0.0) / static_cast<double>(rows.rows()));
  }
  return result;
}

/// The principal axes of centred rows by randomized subspace iteration (Halko, Martinsson and
/// Tropp, Finding structure with randomness, 2011, algorithm 4.4), without the covariance matrix: a
/// subspace drawn at random is multiplied with it `iterations` times, orthonormalized each time,
/// and the axes are taken from the subspace at the end. They are exact up to rounding if the rank
/// of the centred rows is at most the width. Products are float32, sums over rows double; the same
/// bits for any number of threads. Throws Error if the budget is too small.
PrincipalAxes principal_axes(const Rows& rows, std::span<const double> means,
                             const AxesSearch& search, Random random, Context& context) {
  const std::size_t cols = means.size();
  check_memory(rows.rows(), cols, search.width, context);
  if (search.width == cols) return all_axes(rows, means, search.count, context);
  Subspace s = drawn(cols, search.width, random);
  for (std::size_t i = 0; i < search.iterations && s.width > 0; ++i) {
    s.values = covariance_product(rows, means, s, context);
    orthonormalize(s);
  }
  PrincipalAxes result{std::vector<double>(search.count * cols), std::vector<double>(search.count)};
  if (s.width == 0) return result;  // all rows are equal
  const auto eigen = numerics::symmetric_eigen(projected_scatter(rows, means, s, context), s.width);
  const std::size_t found = std::min(search.count, s.width);
  for (std::size_t k = 0; k < found; ++k) {
    const std::size_t e = s.width - 1 - k;
    result.variances[k] = std::max(eigen.values[e], 0.0) / static_cast<double>(rows.rows());
    cblas_dgemv(CblasRowMajor, CblasNoTrans, narrow(cols), narrow(s.width), 1, s.values.data(),
                narrow(s.width), &eigen.vectors[e * s.width], 1, 0, &result.axes[k * cols], 1);
  }
  return result;
}

/// Whether rows vary along an axis by more than rounding. Products in float32 leave 1e-10 of the
/// largest variance. Where all axes are known in double, less is real if it is more than rounding
/// the values to float32 makes, whose mean squares are `squares`: 2^-48 / 3 of them on average, and
/// at most three times that.
bool varies(const PrincipalAxes& axes, std::size_t k, std::span<const double> squares) {
  const double variance = axes.variances[k], largest = axes.variances.front();
  if (!axes.all || variance > 1e-10 * largest) return variance > 1e-10 * largest;
  double rounded = 0;
  for (std::size_t c = 0; c < squares.size(); ++c)
    rounded += std::pow(axes.axes[k * squares.size() + c], 2) * squares[c];
  return variance > std::max(0x1p-48 * 4 / 3 * rounded, 1e-13 * largest);
}

/// The axes divided by the root of their variance to the power `whiten`; 0 for axes without
/// variance.
std::vector<double> scaled_axes(PrincipalAxes axes, double whiten,
                                std::span<const double> squares) {
  const std::size_t cols = squares.size();
  for (std::size_t k = 0; k < axes.variances.size(); ++k) {
    const double scale = varies(axes, k, squares) ? std::pow(axes.variances[k], -whiten / 2) : 0;
    for (std::size_t c = 0; c < cols; ++c) axes.axes[k * cols + c] *= scale;
  }
  return std::move(axes.axes);
}

/// `normalizer/pca`: coordinates along the principal axes of the training samples.
class Pca final : public Projection {
 public:
  static Declaration<Pca> declare() {
    return Declaration<Pca>("normalizer/pca",
                            "Coordinates along the principal axes of the training rows")
        .parameter("components", &Pca::components_,
                   "number of axes, those of largest variance; 0: one per value of a row",
                   at_least(0), at_most(32000), unit("values"))
        .parameter("whiten", &Pca::whiten_,
                   "power of its standard deviation that each coordinate is divided by; 0: none, "
                   "1: all variances become 1",
                   at_least(0), at_most(1))
        .parameter("iterations", &Pca::iterations_,
                   "products of the random subspace with the covariance matrix: more are closer to "
                   "the axes",
                   at_least(1), at_most(100))
        .parameter("oversampling", &Pca::oversampling_,
                   "dimensions that the random subspace has beyond 'components'", at_least(0),
                   at_most(10000))
        .accepts({LayoutKind::vector, LayoutKind::grid, LayoutKind::image})
        .gives(LayoutKind::vector)
        .random()
        .documentation(
            "z_k = <v_k, x - m> / d_k^whiten, where m is the mean of the training rows, v_k the "
            "direction in which they vary k-th most, and d_k their standard deviation along it "
            "(divided by n). The axes are found by randomized subspace iteration, which never "
            "writes out the covariance matrix, so rows may have many thousands of values. With the "
            "default settings the leading axes are exact to a few digits and the last ones are "
            "approximate; all are exact, to rounding, where 'components' and 'oversampling' "
            "together are at least the rank of the centred rows. Where they are at least the "
            "number of values, the axes are computed in double, at once. On each axis, the value "
            "of largest magnitude is positive. Coordinates are 0 along axes whose variance is "
            "rounding: less than 1e-10 of the largest and, in double, no more than rounding the "
            "values to float32 makes. The log says how much of the variance is kept.\n\nWith "
            "'whiten' between 0 and 1, weak axes gain weight without becoming as strong as the "
            "others; descriptors of faces want 0.5 or more.")
        .reference(
            "Halko, Martinsson, Tropp, Finding structure with randomness: probabilistic algorithms "
            "for constructing approximate matrix decompositions, SIAM Review 2011")
        .complexity(
            "fit: for n rows of d values and m components with oversampling, (4 iterations + 2) n "
            "d m operations, n d^2 where m is d, and about 100 d m bytes; apply: 2 d m per row")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/pca, components: 32, whiten: 0.5, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols(), training.rows.cols());
    context.check_stop();
    const auto means = column_means(training.rows, context);
    const auto deviations = column_deviations(training.rows, means, context);
    const AxesSearch search{
        directions(), std::min(directions() + static_cast<std::size_t>(oversampling_), cols()),
        static_cast<std::size_t>(iterations_)};
    PrincipalAxes axes = principal_axes(training.rows, means, search, context.random(), context);
    const double kept = std::accumulate(axes.variances.begin(), axes.variances.end(), 0.0);
    double all = 0;
    std::vector<double> squares;
    for (std::size_t c = 0; c < cols(); ++c) {
      all += deviations[c] * deviations[c];
      squares.push_back(deviations[c] * deviations[c] + means[c] * means[c]);
    }
    char share[32];
    std::snprintf(share, sizeof share, "%.4g", all > 0 ? 100 * std::min(kept / all, 1.0) : 0.0);
    context.log(LogLevel::info, std::to_string(directions()) + " of " + std::to_string(cols()) +
                                    " components keep " + share + " % of the variance");
    set(scaled_axes(std::move(axes), whiten_, squares), means);
  }

 protected:
  std::size_t directions_for(std::size_t values) const override {
    const auto count = static_cast<std::size_t>(components_);
    if (count > values)
      throw Error("rows of " + std::to_string(values) + " values have no " + std::to_string(count) +
                  " principal components; lower 'components'");
    return count == 0 ? values : count;
  }

 private:
  std::int64_t components_ = 0;
  double whiten_ = 0;
  std::int64_t iterations_ = 2;
  std::int64_t oversampling_ = 40;
};

}  // namespace

ComponentEntry declare_pca() { return Pca::declare().entry(); }

}  // namespace semblance::normalizers
