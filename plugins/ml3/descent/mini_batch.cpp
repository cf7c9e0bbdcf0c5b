// SPDX-License-Identifier: MIT
#include "descent/mini_batch.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <utility>

#include "descent/panel_kernels.hpp"

namespace semblance::ml3 {
MiniBatchRows::MiniBatchRows(const Problem& problem, std::size_t most) : problem_(problem) {
  if (problem.listed)
    changes_.resize(most);
  else
    x_ = ModelMatrix(most, problem.inputs());
}

void MiniBatchRows::clear() {
  count_ = 0;
  left_.reset();
  rows_.clear();
  along_.clear();
}

void MiniBatchRows::add(std::size_t number) {
  const std::size_t position = count_++;
  if (!problem_.listed)
    return copy_with_bias(problem_.rows.row(number), problem_.rows.cols, problem_.rows.centre,
                          problem_.bias, x_.row(position));
  rows_.push_back(problem_.listed->row(number));
  along_.push_back(problem_.listed->along(number));
}

void MiniBatchRows::prepare() {
  if (problem_.listed) {
    in_slices_.assign(rows_, problem_.stored_inputs());
    return;
  }
  const MatrixView rows = std::as_const(x_).view().rows_range(0, count_);
  left_.emplace(rows);
  packed_.emplace(rows);
}

void MiniBatchRows::multiply(const numerics::PackedRows& models, MutableMatrixView z) const {
  if (problem_.listed)
    numerics::multiply(in_slices_, models, z);
  else
    numerics::multiply(*left_, models, z);
}

numerics::PackedRows MiniBatchRows::room(const Problem& problem, std::size_t most) {
  if (!problem.listed) return {};
  return numerics::PackedRows(ModelMatrix(most, problem.stored_inputs()).view());
}

/// Writes the listed values, times 1 or 0, to their places among packed rows.
void MiniBatchRows::scatter(float factor, numerics::PackedRows& room) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    float* to = room.panel(i / room.width()) + i % room.width();
    for (std::size_t t = 0; t < rows_[i].values.size(); ++t)
      to[rows_[i].offsets[t]] = factor * rows_[i].values[t];
  }
}

void MiniBatchRows::leave(numerics::PackedRows& room) {
  if (std::exchange(scattered_, false)) scatter(0, room);
}

void MiniBatchRows::multiply_with_batch(std::size_t position, float* products,
                                        numerics::PackedRows& room) {
  if (problem_.listed && !std::exchange(scattered_, true)) scatter(1, room);
  const numerics::PackedRows& packed = problem_.listed ? room : *packed_;
  const std::size_t first = position / packed.width();
  const std::size_t end = (count_ + packed.width() - 1) / packed.width();
  float* const out = products + first * packed.width();
  if (!problem_.listed) return multiply_row(x_.row(position), packed, first, end, out);
  std::vector<float>& values = changes_[position];
  values.assign(rows_[position].values.begin(), rows_[position].values.end());
  values[values.size() - 2] = 1;
  values[values.size() - 1] = along_[position];
  numerics::multiply(change(position), packed, first, end, out);
}

numerics::SparseRow MiniBatchRows::change(std::size_t position) const noexcept {
  return {changes_[position], rows_[position].offsets, rows_[position].starts};
}

void MiniBatchRows::add_to(float* panel, std::size_t cols, std::span<const std::size_t> positions,
                           const float* factors) const {
  if (problem_.listed) {
    std::vector<numerics::SparseRow> rows;
    for (const std::size_t i : positions) rows.push_back(change(i));
    return numerics::add_rows(rows, factors, panel);
  }
  std::vector<const float*> rows;
  for (const std::size_t i : positions) rows.push_back(x_.row(i));
  update_panel(rows.data(), factors, rows.size(), cols, panel);
}

MiniBatch::MiniBatch(const Problem& problem, const Weighting& weighting, std::size_t most)
    : problem_(problem),
      weighting_(weighting),
      rows_(problem, most),
      values_(most, weighting.values_per_sample()) {}

/// Prefetches a few samples after the i-th, since the order is random.
void MiniBatch::expect(std::span<const std::uint32_t> order, std::size_t i) const {
  constexpr std::size_t behind = 8;
  if (problem_.listed && i + 2 * behind < order.size())
    problem_.listed->expect_place(order[i + 2 * behind]);
  if (i + behind >= order.size()) return;
  const std::uint32_t sample = order[i + behind];
  hwy::Prefetch(&problem_.labels[sample]);
  if (problem_.listed)
    problem_.listed->expect(sample);
  else
    prefetch(problem_.rows.row_span(sample));
  prefetch(weighting_.values(sample));
}

void MiniBatch::take(std::span<const std::uint32_t> order, std::size_t first, std::size_t count) {
  rows_.clear();
  samples_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    expect(order, first + i);
    const std::uint32_t number = order[first + i];
    rows_.add(number);
    if (!problem_.listed) problem_.rows.release_after(i + 1 == count ? 0 : i + 1);
    const std::span<float> values = values_.view().row_span(i);
    std::ranges::copy(weighting_.values(number), values.begin());
    samples_.push_back({number, i, static_cast<std::size_t>(problem_.labels[number]), values});
  }
  rows_.prepare();
}

std::size_t MiniBatch::taken_ahead(const Problem& problem, std::size_t most,
                                   std::size_t values_per_sample) noexcept {
  constexpr std::size_t values = std::size_t{1} << 18;  // which L2 holds
  const std::size_t room = values / (most * (problem.inputs() + values_per_sample));
  const std::size_t all = (problem.rows.rows + most - 1) / most;
  return std::clamp<std::size_t>(std::min(room, all), 1, 16);
}

MiniBatches::MiniBatches(const Problem& problem, const Weighting& weighting, std::size_t batch,
                         std::size_t piece)
    : batch_(batch) {
  for (Piece& each : pieces_)
    for (std::size_t b = 0; b < piece; ++b) each.batches.emplace_back(problem, weighting, batch);
}

void MiniBatches::begin(std::span<const std::uint32_t> order, std::size_t first) {
  // Nothing is taken ahead beyond the end of an order.
  if (first > 0 && begins_at(present(), first)) return;
  pieces_[1 - turn_] = Piece{std::move(pieces_[1 - turn_].batches)};
  take(present(), order, first);
}

void MiniBatches::take_next(std::span<const std::uint32_t> order) {
  Piece& next = pieces_[1 - turn_];
  if (!begins_at(next, present().end)) take(next, order, present().end);
}

void MiniBatches::take(Piece& piece, std::span<const std::uint32_t> order, std::size_t first) {
  piece.next = piece.end = first;
  piece.used = piece.walked = 0;
  while (piece.used < piece.batches.size() && piece.end < order.size()) {
    const std::size_t count = std::min(batch_, order.size() - piece.end);
    piece.batches[piece.used++].take(order, piece.end, count);
    piece.end += count;
  }
}

}  // namespace semblance::ml3
