// SPDX-License-Identifier: MIT
#include "elastic.hpp"

#include <algorithm>

#include "series_checks.hpp"

namespace semblance {

namespace {

// Channel `c` of a series.
std::span<const float> channel(std::span<const float> series, std::size_t channels, std::size_t c,
                               std::vector<float>& values) {
  if (channels == 1) return series;
  values.resize(series.size() / channels);
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = series[t * channels + c];
  return values;
}

}  // namespace

struct ElasticDistance::Workspace {
  numerics::LaneBand band;
  numerics::AlignedBuffer table;
  std::vector<float> series;    // a channel of the sample
  std::vector<float> steps;     // prepared
  std::vector<double> results;  // one a base
};

double ElasticDistance::operations() const noexcept {
  // Some ten operations a cell, and three a channel.
  const double steps = static_cast<double>(layout().width);
  const double cells = std::min(1.0, 2 * window_ / 100) * steps * steps;
  return cells * (10 + 3 * static_cast<double>(layout().depth));
}

void ElasticDistance::check_layout(const Layout& layout) const { check_sequence(layout); }

void ElasticDistance::prepare_base(std::span<const float> series, std::size_t, float* steps) const {
  std::ranges::copy(series, steps);
}

void ElasticDistance::prepare_sample(std::span<const float> series, std::size_t,
                                     float* steps) const {
  std::ranges::copy(series, steps);
}

std::vector<ElasticDistance::Lanes> ElasticDistance::pack(std::size_t first,
                                                          std::size_t count) const {
  const std::size_t depth = layout().depth;
  const std::size_t width = depth / parts();  // channels that are compared as one
  std::vector<std::uint32_t> lengths(count);
  for (std::size_t k = 0; k < count; ++k)
    lengths[k] = static_cast<std::uint32_t>(bases_.size(first + k) / depth);
  std::vector<Lanes> packed;
  std::vector<float> series, steps(layout().width * base_planes(width));
  for (std::size_t part = 0; part < parts(); ++part) {
    Lanes& lanes = packed.emplace_back(lengths, base_planes(width));
    for (std::size_t k = 0; k < count; ++k) {
      prepare_base(channel(bases_.row_span(first + k), parts(), part, series), width, steps.data());
      lanes.set(k, steps.data());
    }
  }
  return packed;
}

void ElasticDistance::prepare_bases(MatrixView bases, Context&) {
  check_finite(bases, layout(), "the bases");
  bases_ = bases;
  packed_ = pack(0, bases.rows);
}

void ElasticDistance::compare_row(std::span<const float> x, const std::vector<Lanes>& packed,
                                  Workspace& work, Context& context) const {
  const std::size_t width = layout().depth / parts();
  const std::size_t steps = x.size() / layout().depth;
  work.steps.resize(steps * sample_planes(width));
  std::ranges::fill(work.results, 0.0);
  for (std::size_t part = 0; part < parts(); ++part) {
    prepare_sample(channel(x, parts(), part, work.series), width, work.steps.data());
    for (const Lanes::Group& group : packed[part].groups()) {
      context.check_stop();
      work.band.update(steps, group.lengths, window_);
      float results[Lanes::width];
      run({group, packed[part].planes(), work.steps.data(), steps, width, work.band,
           work.table.data(), results});
      for (std::size_t lane = 0; lane < group.count; ++lane)
        work.results[group.sequences[lane]] += results[lane];
    }
  }
}

void ElasticDistance::distances(MatrixView in, std::size_t first, MutableMatrixView out,
                                Context& context) const {
  check_finite(in, layout(), "the block");
  if (out.cols == 0) return;
  // Part of the bases may be spread over all groups: those alone are packed again.
  const bool all = out.cols == bases_.rows;
  const std::vector<Lanes> range = all ? std::vector<Lanes>() : pack(first, out.cols);
  const std::vector<Lanes>& packed = all ? packed_ : range;
  Workspace work;
  work.table = numerics::AlignedBuffer(layout().width * table_planes() * Lanes::width);
  work.results.resize(out.cols);
  for (std::size_t i = 0; i < in.rows; ++i) {
    compare_row(in.row_span(i), packed, work, context);
    const std::size_t steps = in.size(i) / layout().depth;
    for (std::size_t j = 0; j < out.cols; ++j)
      out.row(i)[j] = static_cast<float>(
          finish(work.results[j], steps, bases_.size(first + j) / layout().depth, parts()));
  }
}

}  // namespace semblance
