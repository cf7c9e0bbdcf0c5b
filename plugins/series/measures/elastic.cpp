// SPDX-License-Identifier: MIT
#include "measures/elastic.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "measures/series_checks.hpp"
#include "need_sequence.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {

double ElasticDistance::operations() const noexcept {
  // About ten operations per cell, and three per channel.
  const double steps = static_cast<double>(layout().width);
  const double cells = std::min(1.0, 2 * window_ / 100) * steps * steps;
  return cells * (10 + 3 * static_cast<double>(layout().depth));
}

double ElasticDistance::finish(double accumulated, std::size_t, std::size_t, std::size_t) const {
  return accumulated;
}

void ElasticDistance::check_layout(const Layout& layout) const {
  need_sequence(layout, "a measure of series");
}

void ElasticDistance::prepare_bases(MatrixView bases, Context& context) {
  check_finite(bases, layout(), RowError::Of::bases);
  lanes_.set(*this, bases, layout(), dependent());
  move_to_device(bases, context);
}

namespace {

/// A part of the rows, all channels or one: prepare(series, steps) prepares a row.
template <class Prepare>
gpu::PreparedSeries part_of_rows(MatrixView rows, std::size_t depth, std::size_t parts,
                                 std::size_t part, const Prepare& prepare) {
  return {rows.rows, [=](std::size_t i) { return rows.size(i) / depth; },
          [=](std::size_t i, float* steps) {
            std::vector<float> values;
            prepare(channel_of(rows.row_span(i), parts, part, values), steps);
          }};
}

/// Whether no series is longer than the layout says, as new ones may be.
bool fit_the_layout(MatrixView rows, const Layout& layout) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (rows.size(i) > layout.size()) return false;
  return true;
}

}  // namespace

void ElasticDistance::move_to_device(MatrixView bases, Context& context) {
  on_gpu_.clear();
  Device* const device = context.device();
  const std::size_t depth = layout().depth, parts = lanes_.parts(), channels = depth / parts;
  std::optional<gpu::ElasticMeasure> measure = device ? on_device() : std::nullopt;
  const std::size_t longest = layout().width;
  if (!measure || longest > gpu::DeviceSeries::most_steps ||
      !gpu::worth_a_device_for_series(bases.rows, longest) || !fit_the_layout(bases, layout()))
    return;
  measure->planes = planes(channels);
  measure->window = window_;
  measure->channels = channels;
  const auto prepare = [&](std::span<const float> series, float* steps) {
    prepare_base(series, channels, steps);
  };
  for (std::size_t part = 0; part < parts; ++part)
    on_gpu_.push_back(std::make_shared<gpu::DeviceSeries>(
        *device, *measure, part_of_rows(bases, depth, parts, part, prepare), longest, context));
}

void ElasticDistance::sum_on_device(MatrixView in, std::size_t first, std::size_t count,
                                    double* sums, Context& context) const {
  const std::size_t depth = layout().depth, parts = on_gpu_.size();
  const auto prepare = [&](std::span<const float> series, float* steps) {
    prepare_sample(series, depth / parts, steps);
  };
  for (std::size_t part = 0; part < parts; ++part)
    on_gpu_[part]->compare(part_of_rows(in, depth, parts, part, prepare), first, count, sums,
                           context);
}

void ElasticDistance::sum_anywhere(MatrixView in, std::size_t first, std::size_t count,
                                   double* sums, Context& context) const {
  // The GPU's part of the work has room for the layout's lengths; longer series are few.
  for (std::size_t begin = 0, end = 0; begin < in.rows; begin = end) {
    const bool longer = in.size(begin) > layout().size();
    for (end = begin + 1; end < in.rows && (in.size(end) > layout().size()) == longer;) ++end;
    const MatrixView rows = in.rows_range(begin, end - begin);
    double* const out = sums + begin * count;
    if (on_gpu_.empty() || longer)
      lanes_.compare(*this, rows, first, count, window_, out, context);
    else
      sum_on_device(rows, first, count, out, context);
  }
}

void ElasticDistance::distances(MatrixView in, std::size_t first, MutableMatrixView out,
                                Context& context) const {
  check_finite(in, layout(), RowError::Of::block);
  std::vector<double> sums(in.rows * out.cols);
  sum_anywhere(in, first, out.cols, sums.data(), context);
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t j = 0; j < out.cols; ++j)
      out.row(i)[j] = static_cast<float>(finish(sums[i * out.cols + j], in.size(i) / layout().depth,
                                                lanes_.base_steps(first + j), lanes_.parts()));
}

ByTimeDifference::ByTimeDifference(std::size_t longest, std::function<double(double)> f)
    : longest_(longest), f_(std::move(f)), values_(made(longest)) {}

std::vector<float> ByTimeDifference::made(std::size_t longest) const {
  std::vector<float> values(2 * longest + 1);
  for (std::size_t k = 0; k <= longest; ++k)
    values[longest + k] = values[longest - k] = static_cast<float>(f_(static_cast<double>(k)));
  return values;
}

}  // namespace semblance::series
