// SPDX-License-Identifier: MIT
#include "about_means.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "inner_context.hpp"
#include "problem/centred_rows.hpp"
#include "semblance/collectives.hpp"

namespace semblance::linear {
namespace {

/// A mean below this share of the column's deviation is a rounding error of a map or a normalizer
/// that has subtracted it.
constexpr double rounding = 1e-6;

/// A column of sparse rows whose mean is more than this number of deviations is shifted: at most an
/// eighth of the rows lack it, and all other rows are far from 0.
constexpr double far = 3;

/// Calls add(view, row of the view, weight, sums) for the rows with a weight.
template <class Add>
void sum_rows(const LinearTask& task, std::vector<double>& total, Context& context,
              const Add& add) {
  const Rows& rows = task.training.rows;
  const RowParts parts(rows.rows());
  const auto visit = [&](std::size_t part, double* sums) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end && !stopped(context);
         first += block_rows) {
      const MatrixView view = rows.view(first, std::min(block_rows, end - first));
      for (std::size_t i = 0; i < view.rows; ++i)
        if (const double weight = task.row_weight(first + i); weight > 0)
          add(view, i, weight, sums);
      rows.release(first, view.rows);
    }
  };
  // Sums of all columns for some parts at once may take more memory than sparse rows.
  for (std::size_t part = 0; task.sparse() && part < parts.count(); ++part)
    visit(part, total.data());
  if (!task.sparse())
    sum_over_parts(context, parts, total,
                   [&](std::size_t part, std::span<double> sums) { visit(part, sums.data()); });
}

/// Sparse rows whose `shifted` columns have these constants subtracted.
class ShiftedColumns {
 public:
  ShiftedColumns(const LinearTask& task, const std::vector<double>& constants)
      : task_(task), constants_(constants) {
    for (std::size_t j = 0; j < constants.size(); ++j)
      if (constants[j] != 0) shifted_.push_back(static_cast<std::uint32_t>(j));
  }
  bool any() const noexcept { return !shifted_.empty(); }

  /// Throws Error if they do not fit into memory.
  FloatMatrix rows(const Context& context) const {
    const Rows& rows = task_.training.rows;
    std::vector<std::size_t> sizes(rows.rows());
    std::size_t entries = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const MatrixView view = rows.view(i, 1);
      merge(view, [&](std::uint32_t, float) { ++sizes[i]; });
      rows.release(i, 1);
      entries += sizes[i];
    }
    const std::size_t needed = bytes(entries, sizes.size());
    if (needed > context.memory_budget())
      throw MemoryError(
          "columns far from 0 that most sparse rows have are shifted to their means; "
          "a copy of " +
          std::to_string(entries) + " values takes " + std::to_string((needed >> 20) + 1) +
          " MiB, but " + std::to_string(context.memory_budget() >> 20) +
          " MiB are left; raise --memory, or put feature/dense before it");
    FloatMatrix copy = FloatMatrix::sparse(rows.cols(), sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const MutableMatrixView all = copy.view();
      float* value = all.row(i);
      std::uint32_t* column = all.columns + all.offsets[i];
      merge(rows.view(i, 1), [&](std::uint32_t j, float x) {
        *column++ = j;
        *value++ = x;
      });
      rows.release(i, 1);
    }
    return copy;
  }

  static std::size_t bytes(std::size_t entries, std::size_t rows) noexcept {
    return entries * (sizeof(float) + sizeof(std::uint32_t)) + 2 * rows * sizeof(std::size_t);
  }

 private:
  /// Calls entry(column, value) for the entries of a row that are not 0, in order.
  template <class Entry>
  void merge(MatrixView row, const Entry& entry) const {
    const auto columns = row.columns_of(0);
    auto next = shifted_.begin();
    const auto shift = [&](std::uint32_t j, double x) {
      const auto moved = static_cast<float>(x - constants_[j]);
      if (moved != 0) entry(j, moved);
    };
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (; next != shifted_.end() && *next < columns[k]; ++next) shift(*next, 0);
      if (next != shifted_.end() && *next == columns[k]) ++next;
      shift(columns[k], row.row(0)[k]);
    }
    for (; next != shifted_.end(); ++next) shift(*next, 0);
  }

  const LinearTask& task_;
  const std::vector<double>& constants_;
  std::vector<std::uint32_t> shifted_;
};

/// Sets -w.m.
std::vector<Solution> with_offsets(std::vector<Solution> solutions,
                                   const std::vector<double>& means) {
  for (Solution& solution : solutions)
    for (std::size_t c = 0; c < solution.weights.count(); ++c)
      solution.offsets.push_back(-dot(solution.weights.row(c), means.data(), means.size()));
  return solutions;
}

std::vector<Solution> train_dense(const LinearTask& task, const SolveCosts& method,
                                  Context& context) {
  const ColumnMoments moments = column_moments(task, context);
  const auto at_zero = [&](std::size_t j) {
    return std::abs(moments.means[j]) <= rounding * std::sqrt(moments.variances[j]);
  };
  std::size_t j = 0;
  while (j < moments.means.size() && at_zero(j)) ++j;
  CentredRows rows;
  if (stopped(context) || j == moments.means.size() ||
      !rows.fill(task.training.rows, moments.means, context))
    return method(task, context);
  const TrainingSet training = with_rows(task.training, rows, task.training.layout);
  LinearTask centred = task.on(training);
  centred.about_means = false;
  common::WithMemory rest(context, common::left_of(context.memory_budget(), rows.bytes()));
  return with_offsets(method(centred, rest), moments.means);
}

std::vector<Solution> train_sparse(const LinearTask& task, const SolveCosts& method,
                                   Context& context) {
  const ColumnMoments moments = column_moments(task, context);
  if (stopped(context)) return method(task, context);
  std::vector<double> shifts(moments.means.size()), centre = moments.means;
  for (std::size_t j = 0; j < centre.size(); ++j)
    if (centre[j] * centre[j] > far * far * moments.variances[j])
      std::swap(shifts[j], centre[j]), centre[j] = 0;
  const ShiftedColumns shifted(task, shifts);
  std::size_t held = 0;
  std::optional<MatrixRows> copy;
  if (shifted.any()) {
    FloatMatrix values = shifted.rows(context);
    held = ShiftedColumns::bytes(values.values.size(), values.rows);
    copy.emplace(std::move(values));
  }
  const TrainingSet training =
      with_rows(task.training, copy ? *copy : task.training.rows, task.training.layout);
  LinearTask centred = task.on(training);
  centred.about_means = false;
  centred.centre = centre;
  common::WithMemory rest(context, common::left_of(context.memory_budget(), held));
  return with_offsets(method(centred, rest), moments.means);
}

}  // namespace

ColumnMoments column_moments(const LinearTask& task, Context& context) {
  const std::size_t d = task.training.rows.cols();
  ColumnMoments moments{std::vector<double>(d), std::vector<double>(d)};
  // For sparse rows, the second sums are the weights of the rows that have the column.
  std::vector<double> total(d + 1), squares(task.sparse() ? 2 * d : d);
  sum_rows(task, total, context,
           [&](const MatrixView& view, std::size_t i, double weight, double* sums) {
             const float* x = view.row(i);
             sums[d] += weight;
             if (view.sparse())
               for (std::size_t k = 0; k < view.size(i); ++k)
                 sums[view.columns_of(i)[k]] += weight * double{x[k]};
             else
               for (std::size_t j = 0; j < d; ++j) sums[j] += weight * double{x[j]};
           });
  for (std::size_t j = 0; j < d && total[d] > 0; ++j) moments.means[j] = total[j] / total[d];
  const std::vector<double>& means = moments.means;
  sum_rows(task, squares, context,
           [&](const MatrixView& view, std::size_t i, double weight, double* sums) {
             const float* x = view.row(i);
             for (std::size_t k = 0; k < view.size(i); ++k) {
               const std::size_t j = view.sparse() ? view.columns_of(i)[k] : k;
               sums[j] += weight * (double{x[k]} - means[j]) * (double{x[k]} - means[j]);
               if (view.sparse()) sums[d + j] += weight;
             }
           });
  for (std::size_t j = 0; j < d && total[d] > 0; ++j) {
    const double lacking = task.sparse() ? total[d] - squares[d + j] : 0;
    moments.variances[j] = (squares[j] + lacking * means[j] * means[j]) / total[d];
  }
  return moments;
}

std::vector<Solution> train_about_means(const LinearTask& task, const SolveCosts& method,
                                        Context& context) {
  if (!task.about_means) return method(task, context);
  return task.sparse() ? train_sparse(task, method, context) : train_dense(task, method, context);
}

}  // namespace semblance::linear
