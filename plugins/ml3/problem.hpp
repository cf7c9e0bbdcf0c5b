// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "column_centre.hpp"
#include "listed_rows.hpp"
#include "model_matrix.hpp"
#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/samples.hpp"

namespace semblance::ml3 {

using common::about;
using common::Centre;
using common::column_means;
using common::copy_about;

/// The training samples, used in place.
struct TrainingRows : MatrixView {
  Centre centre = {};  ///< what methods subtract from every row

  TrainingRows() = default;
  TrainingRows(MatrixView all, Centre about = {}) : MatrixView(all), centre(std::move(about)) {}
  /// With `center` about the means of their columns, with the weights of the samples.
  TrainingRows(const Rows& all, Context& context, bool center = false,
               std::span<const double> weights = {});

  /// Lets the pages of these rows go, where memory is tight.
  void release(std::size_t first, std::size_t count) const {
    if (source_ != nullptr) source_->release(first, count);
  }
  /// Those of all rows, after every few of those that a caller reads here and there; `read` is
  /// their number so far, or 0 at the end. The system may load two mebibytes for each of them.
  void release_after(std::size_t read) const {
    constexpr std::size_t few = 8;
    if (read % few == 0) release(0, rows);
  }

  /// Copies a row, minus the centre.
  void copy(std::size_t i, float* out) const { copy_about(centre, row(i), cols, out); }

 private:
  const Rows* source_ = nullptr;
};

/// The training problem.
struct Problem {
  TrainingRows rows;
  std::span<const std::int32_t> labels;  ///< in [0, classes)
  std::size_t classes = 0;
  std::size_t models = 1;  ///< of each class: m
  double bias = 1;         ///< constant appended to every row; 0: none
  /// The factor of each sample's loss, 1 on average; empty: 1.
  std::span<const double> weights = {};
  std::shared_ptr<const ListedRows> listed = {};  ///< null: the rows are dense

  double weight(std::size_t row) const noexcept { return weights.empty() ? 1 : weights[row]; }
  /// Values of a row with its constant: d.
  std::size_t inputs() const noexcept { return rows.cols + (bias != 0 ? 1 : 0); }
  /// Values of a model in stored form.
  std::size_t stored_inputs() const noexcept {
    return inputs() + (listed ? ListedRows::more_columns : 0);
  }
  std::size_t model_rows() const noexcept { return classes * models; }
};

/// Convert models to their stored form and back.
ModelMatrix stored_models(const Problem& problem, const ModelMatrix& w);
ModelMatrix plain_models(const Problem& problem, ModelMatrix stored);

/// Sample weights scaled to 1 on average: the mean of the weighted losses is then that of samples
/// repeated by their weights.
std::vector<double> mean_one(std::vector<double> weights);

/// The services that the methods need from their context.
struct Surroundings {
  Context& context;
  /// Told the share of the work that is done, in [0, 1].
  std::function<void(double)> progress = [](double) {};

  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const {
    context.parallel_for(count, body);
  }
  bool stop() const noexcept { return context.stop_requested() != StopReason::none; }
};

/// Copies a row, minus the centre, and appends its constant; `out`, of padded(inputs()) values, is
/// padded with 0.
inline void copy_with_bias(const float* row, std::size_t cols, std::span<const double> centre,
                           double bias, float* out) {
  copy_about(centre, row, cols, out);
  std::fill(out + cols, out + padded(cols + (bias != 0 ? 1 : 0)), 0.0f);
  if (bias != 0) out[cols] = static_cast<float>(bias);
}

}  // namespace semblance::ml3
