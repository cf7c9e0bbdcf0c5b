// SPDX-License-Identifier: MIT
#include "class_scatter.hpp"

#include <bit>
#include <cmath>

#include "block_statistics.hpp"
#include "row_kernels.hpp"
#include "semblance/collectives.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::normalizers {
namespace {

void check_memory(std::size_t classes, std::size_t cols, const RowParts& parts,
                  const Context& context) {
  const std::size_t sums = context.threads() + std::bit_width(parts.count()) + 3;
  const std::size_t needed = sums * cols * cols * sizeof(double) + classes * cols * sizeof(double) +
                             context.threads() * block_rows * cols * sizeof(double);
  if (needed > context.memory_budget())
    throw MemoryError("the covariances of " + std::to_string(classes) + " classes of rows of " +
                      std::to_string(cols) + " values take " + std::to_string(needed) +
                      " bytes, but the memory budget is " +
                      std::to_string(context.memory_budget()) +
                      " bytes; raise --memory, or put normalizer/pca before it");
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

/// The sum of d d^T over all rows; write(row, number, d) sets d or returns false to skip the row.
template <class Write>
std::vector<double> scatter(const Rows& rows, Context& context, const Write& write) {
  const std::size_t cols = rows.cols();
  const RowParts parts(rows.rows());
  std::vector<double> total(cols * cols);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    std::vector<double> differences(block_rows * cols);
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t row = parts.first_row(part); row < end; row += block_rows) {
      context.check_stop();
      const std::size_t count = std::min(block_rows, end - row);
      const MatrixView view = rows.view(row, count);
      std::size_t used = 0;
      for (std::size_t i = 0; i < count; ++i)
        if (write(view.row(i), row + i, &differences[used * cols])) ++used;
      rows.release(row, count);
      if (used > 0)
        numerics::blas::add_transposed_square(cols, used, 1.0, differences.data(), cols,
                                              sums.data(), cols);
    }
  });
  for (std::size_t i = 0; i < cols; ++i)
    for (std::size_t j = 0; j < i; ++j) total[j * cols + i] = total[i * cols + j];
  return total;
}

}  // namespace

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

}  // namespace semblance::normalizers
