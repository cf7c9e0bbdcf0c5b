// SPDX-License-Identifier: MIT
#include "batch_samples.hpp"

#include <algorithm>
#include <utility>

#include "listed_rows.hpp"
#include "panel_update.hpp"
#include "row_panels.hpp"

namespace semblance::ml3 {
void ModelProducts::multiply(std::span<const std::uint32_t> samples, MutableMatrixView z) const {
  const TrainingRows& rows = problem_->rows;
  if (rows.background.empty()) {
    ModelMatrix x(samples.size(), problem_->inputs());
    for (std::size_t i = 0; i < samples.size(); ++i)
      copy_with_bias(rows.row(samples[i]), rows.cols, problem_->bias, x.row(i));
    return numerics::multiply(std::as_const(x).view(), models_, z);
  }
  numerics::SparseBlock block(models_.cols());
  std::vector<numerics::SparseRow> listed;
  if (problem_->listed != nullptr) {
    for (const std::uint32_t i : samples) listed.push_back(problem_->listed->row(i));
  } else {
    for (const std::uint32_t i : samples) list_row(*problem_, rows.row(i), i, block);
    for (std::size_t i = 0; i < samples.size(); ++i) listed.push_back(block.row(i));
  }
  numerics::multiply(listed, models_, z);
}

BatchSamples::BatchSamples(const Problem& problem, std::size_t most)
    : problem_(problem),
      listed_(!problem.rows.background.empty()),
      block_(listed_ ? problem.stored_inputs() : 0) {
  if (listed_)
    changes_.resize(most);
  else
    x_ = ModelMatrix(most, problem.inputs());
}

void BatchSamples::clear() {
  count_ = 0;
  left_.reset();
  block_.clear();
  rows_.clear();
  along_.clear();
}

void BatchSamples::add(const float* row, std::size_t number) {
  const std::size_t position = count_++;
  if (!listed_) return copy_with_bias(row, problem_.rows.cols, problem_.bias, x_.row(position));
  if (problem_.listed != nullptr)
    block_.add(problem_.listed->row(number));
  else
    list_row(problem_, row, number, block_);
  along_.push_back(problem_.rows.background.along[number]);
}

void BatchSamples::prepare(bool multiply) {
  for (std::size_t i = 0; i < block_.rows(); ++i) rows_.push_back(block_.row(i));
  if (listed_) return;
  const MatrixView rows = std::as_const(x_).view().rows_range(0, count_);
  if (multiply) left_.emplace(rows);
  packed_.emplace(rows);
}

void BatchSamples::multiply(const numerics::PackedRows& models, MutableMatrixView z) const {
  if (listed_)
    numerics::multiply(rows_, models, z);
  else
    numerics::multiply(*left_, models, z);
}

numerics::PackedRows BatchSamples::room(const Problem& problem, std::size_t most) {
  if (problem.rows.background.empty()) return {};
  return numerics::PackedRows(ModelMatrix(most, problem.stored_inputs()).view());
}

/// Writes the listed values, times 1 or 0, to their places among packed rows.
void BatchSamples::scatter(float factor, numerics::PackedRows& room) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    float* to = room.panel(i / room.width()) + i % room.width();
    for (std::size_t t = 0; t < rows_[i].values.size(); ++t)
      to[rows_[i].offsets[t]] = factor * rows_[i].values[t];
  }
}

void BatchSamples::leave(numerics::PackedRows& room) {
  if (std::exchange(scattered_, false)) scatter(0, room);
}

void BatchSamples::multiply_with_batch(std::size_t position, float* products,
                                       numerics::PackedRows& room) {
  if (listed_ && !std::exchange(scattered_, true)) scatter(1, room);
  const numerics::PackedRows& packed = listed_ ? room : *packed_;
  const std::size_t first = position / packed.width();
  const std::size_t end = (count_ + packed.width() - 1) / packed.width();
  float* const out = products + first * packed.width();
  if (!listed_) return multiply_row(x_.row(position), packed, first, end, out);
  std::vector<float>& values = changes_[position];
  values.assign(rows_[position].values.begin(), rows_[position].values.end());
  values[values.size() - 2] = 1;
  values[values.size() - 1] = along_[position];
  numerics::multiply(change(position), packed, first, end, out);
}

numerics::SparseRow BatchSamples::change(std::size_t position) const noexcept {
  return {changes_[position], rows_[position].offsets, rows_[position].starts};
}

void BatchSamples::add_to(float* panel, std::size_t cols, std::span<const std::size_t> positions,
                          const float* factors) const {
  if (listed_) {
    std::vector<numerics::SparseRow> rows;
    for (const std::size_t i : positions) rows.push_back(change(i));
    return numerics::add_rows(rows, factors, panel);
  }
  std::vector<const float*> rows;
  for (const std::size_t i : positions) rows.push_back(x_.row(i));
  update_panel(rows.data(), factors, rows.size(), cols, panel);
}

}  // namespace semblance::ml3
