// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "projections/projection.hpp"
#include "row_kernels.hpp"
#include "semblance/collectives.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::normalizers {

namespace {

using numerics::blas::narrow;

/// Covariances of labelled rows, row-major and symmetric.
struct ClassScatter {
  std::vector<double> mean;    ///< of all rows
  std::vector<double> within;  ///< of classes with at least two rows, see class_scatter()
  std::vector<double> total;   ///< of all rows, divided by their number
  std::size_t paired = 0;      ///< rows whose class has another row
};

void check_memory(std::size_t classes, std::size_t cols, const RowParts& parts,
                  const Context& context) {
  const std::size_t sums = context.threads() + std::bit_width(parts.count()) + 3;
  const std::size_t needed = sums * cols * cols * sizeof(double) + classes * cols * sizeof(double) +
                             context.threads() * block_rows * cols * sizeof(double);
  check_budget(needed, context,
               "the covariances of " + std::to_string(classes) + " classes of rows of " +
                   std::to_string(cols) + " values",
               "put normalizer/pca before it");
}

struct ClassMeans {
  std::vector<double> values;       ///< by (class, column)
  std::vector<std::size_t> counts;  ///< rows
};

/// Summed in the order of the rows.
ClassMeans class_means(const TrainingSet& training, Context& context) {
  const std::size_t cols = training.rows.cols(), rows = training.rows.rows();
  ClassMeans means{std::vector<double>(training.classes.size() * cols),
                   std::vector<std::size_t>(training.classes.size())};
  for (std::size_t row = 0; row < rows; row += block_rows) {
    context.check_stop();
    const std::size_t count = std::min(block_rows, rows - row);
    const MatrixView view = training.rows.view(row, count);
    for (std::size_t i = 0; i < count; ++i) {
      check_finite(view.row(i), cols, row + i, RowError::Of::training);
      const auto label = static_cast<std::size_t>(training.labels[row + i]);
      ++means.counts[label];
      for (std::size_t c = 0; c < cols; ++c)
        means.values[label * cols + c] += double{view.row(i)[c]};
    }
    training.rows.release(row, count);
  }
  for (std::size_t k = 0; k < means.counts.size(); ++k)
    for (std::size_t c = 0; c < cols && means.counts[k] > 0; ++c)
      means.values[k * cols + c] /= static_cast<double>(means.counts[k]);
  return means;
}

/// `within` is the mean over the rows whose class has n >= 2 rows of n / (n - 1) (x - m_c)(x -
/// m_c)^T, m_c being the mean of the class: it does not shrink for small classes. 0 if there are no
/// such rows. The same bits for any number of threads. Throws Error if the budget is too small or a
/// value is not finite.
ClassScatter class_scatter(const TrainingSet& training, Context& context) {
  const Rows& rows = training.rows;
  const std::size_t cols = rows.cols();
  check_memory(training.classes.size(), cols, RowParts(rows.rows()), context);
  ClassScatter result;
  const ClassMeans means = class_means(training, context);
  result.mean = column_means(rows, context);
  for (const std::size_t count : means.counts)
    if (count > 1) result.paired += count;
  const auto share = [](double factor, std::size_t count) {
    return count > 0 ? factor / static_cast<double>(count) : 0.0;
  };
  result.within = scatter(rows, context, [&](const float* x, std::size_t number, double* out) {
    const auto label = static_cast<std::size_t>(training.labels[number]);
    const std::size_t count = means.counts[label];
    if (count < 2) return false;
    const double weight = std::sqrt(static_cast<double>(count) / static_cast<double>(count - 1));
    for (std::size_t c = 0; c < cols; ++c)
      out[c] = weight * (double{x[c]} - means.values[label * cols + c]);
    return true;
  });
  result.total = scatter(rows, context, [&](const float* x, std::size_t, double* out) {
    for (std::size_t c = 0; c < cols; ++c) out[c] = double{x[c]} - result.mean[c];
    return true;
  });
  for (double& value : result.within) value *= share(1, result.paired);
  for (double& value : result.total) value *= share(1, rows.rows());
  return result;
}

/// within := (1 - share) within + share (its mean variance) I.
void regularize(std::vector<double>& within, std::size_t n, double share) {
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += within[i * n + i];
  for (double& value : within) value *= 1 - share;
  for (std::size_t i = 0; i < n; ++i) within[i * n + i] += share * trace / static_cast<double>(n);
}

/// Rows u_k / sqrt(lambda_k) of the eigenvectors: the map to unit covariance.
std::vector<double> whitening(std::vector<double> covariance, std::size_t n) {
  auto eigen = numerics::symmetric_eigen(std::move(covariance), n);
  if (!(eigen.values.front() > 1e-12 * eigen.values.back()))
    throw Error(
        "the covariance within the classes is singular: there are directions in which rows of a "
        "class never differ; raise 'regularization', or put normalizer/pca before it");
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t j = 0; j < n; ++j) eigen.vectors[e * n + j] /= std::sqrt(eigen.values[e]);
  return std::move(eigen.vectors);
}

/// `normalizer/lda`: the separating coordinates in which classes have unit covariance.
class Lda final : public Projection {
 public:
  static Declaration<Lda> declare() {
    return Declaration<Lda>("normalizer/lda",
                            "Linear discriminant analysis: classes get unit covariance, and the "
                            "directions that separate them are kept")
        .parameter(
            "components", &Lda::components_,
            "how many directions to keep, those in which all rows vary most once classes have unit "
            "covariance; 0: all, which is within-class covariance normalization (WCCN)",
            at_least(0), at_most(32000), unit("values"))
        .parameter("regularization", &Lda::regularization_,
                   "share of the covariance within classes that is replaced by its mean variance "
                   "in all directions",
                   at_least(0), at_most(1))
        .learns_from({TargetKind::classes})
        .accepts({LayoutKind::vector, LayoutKind::grid})
        .gives(LayoutKind::vector)
        .documentation(
            "z = W (x - m), where m is the mean of the training rows and W diagonalizes both "
            "covariances: W S_w W^T = I and W S_t W^T is diagonal and descending. S_w is the "
            "covariance within classes, from those with at least two training rows (a class of n "
            "rows counts n / (n - 1) times, so that small classes do not make it too small), S_t "
            "that of all rows. With few rows per class S_w is known poorly: 'regularization' mixes "
            "it with a multiple of the identity.\n\nMade for classes that were never seen: pairs "
            "of faces are compared along directions in which a person's own pictures differ "
            "little. Class labels of training rows are used, test rows' never. Put normalizer/pca "
            "before it if rows have more than a few thousand values, and normalizer/unit_length "
            "after it. The value of largest magnitude of each direction is positive.")
        .reference(
            "Fisher, The use of multiple measurements in taxonomic problems, 1936; Friedman, "
            "Regularized discriminant analysis, 1989; Hatch, Kajarekar, Stolcke, Within-class "
            "covariance normalization for SVM-based speaker recognition, 2006")
        .complexity(
            "fit: 2 n d^2 + 30 d^3 operations for n rows of d values, and about 100 d^2 bytes; "
            "apply: 2 d m per row for m components")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 8, from: glyphs}
        x:      {is: normalizer/lda, components: 16, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols(), training.rows.cols());
    context.check_stop();
    check_any(training.rows);
    if (training.classes.empty())
      throw Error("it learns from classes, but the training rows have none; give labels");
    ClassScatter scatter = class_scatter(training, context);
    if (scatter.paired == 0)
      throw Error(
          "no class has two training rows, so nothing is known about how rows of a class differ; "
          "give more examples per class");
    const std::size_t n = cols();
    regularize(scatter.within, n, regularization_);
    const std::vector<double> to_unit = whitening(std::move(scatter.within), n);
    const std::vector<double> half =
        product(to_unit, scatter.total, n, n, n);  // the total covariance is symmetric
    const auto eigen = numerics::symmetric_eigen(product(half, to_unit, n, n, n, CblasTrans), n);
    std::vector<double> best(directions() * n);
    for (std::size_t k = 0; k < directions(); ++k)
      std::copy_n(&eigen.vectors[(n - 1 - k) * n], n, &best[k * n]);
    context.log(LogLevel::info, "covariance within classes from " + std::to_string(scatter.paired) +
                                    " of " + std::to_string(training.rows.rows()) +
                                    " rows, whose classes have two or more");
    set(product(best, to_unit, directions(), n, n), scatter.mean);
  }

 protected:
  std::size_t directions_for(std::size_t values) const override {
    const auto count = static_cast<std::size_t>(components_);
    if (count > values)
      throw Error("rows of " + std::to_string(values) + " values have no " + std::to_string(count) +
                  " discriminant directions; lower 'components'");
    return count == 0 ? values : count;
  }

 private:
  std::int64_t components_ = 0;
  double regularization_ = 0.03;
};

}  // namespace

ComponentEntry declare_lda() { return Lda::declare().entry(); }

}  // namespace semblance::normalizers
