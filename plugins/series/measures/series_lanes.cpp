// SPDX-License-Identifier: MIT
#include "measures/series_lanes.hpp"

#include <algorithm>

namespace semblance::series {

void StepProgramme::prepare_sample(std::span<const float> series, std::size_t, float* steps) const {
  std::ranges::copy(series, steps);
}

void StepProgramme::prepare_base(std::span<const float> series, std::size_t channels,
                                 float* steps) const {
  prepare_sample(series, channels, steps);
}

std::span<const float> channel_of(std::span<const float> series, std::size_t channels,
                                  std::size_t c, std::vector<float>& values) {
  if (channels == 1) return series;
  values.resize(series.size() / channels);
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = series[t * channels + c];
  return values;
}

struct SeriesLanes::Workspace {
  numerics::LaneBand band;
  numerics::AlignedBuffer table;
  std::vector<float> series;  // a channel of the sample
  std::vector<float> steps;   // prepared
};

void SeriesLanes::set(const StepProgramme& programme, MatrixView bases, const Layout& layout,
                      bool dependent) {
  bases_ = bases;
  depth_ = layout.depth;
  parts_ = dependent ? 1 : layout.depth;
  longest_ = layout.width;
  for (std::size_t k = 0; k < bases.rows; ++k) longest_ = std::max(longest_, base_steps(k));
  packed_ = pack(programme, 0, bases.rows);
}

std::vector<SeriesLanes::Lanes> SeriesLanes::pack(const StepProgramme& programme, std::size_t first,
                                                  std::size_t count) const {
  const std::size_t channels = depth_ / parts_;
  std::vector<std::uint32_t> lengths(count);
  for (std::size_t k = 0; k < count; ++k)
    lengths[k] = static_cast<std::uint32_t>(base_steps(first + k));
  std::vector<Lanes> packed;
  std::vector<float> series, steps;
  for (std::size_t part = 0; part < parts_; ++part) {
    Lanes& lanes = packed.emplace_back(lengths, programme.planes(channels));
    for (std::size_t k = 0; k < count; ++k) {
      steps.resize(base_steps(first + k) * programme.planes(channels));
      programme.prepare_base(channel_of(bases_.row_span(first + k), parts_, part, series), channels,
                             steps.data());
      lanes.set(k, steps.data());
    }
  }
  return packed;
}

namespace {

using Group = LanesJob::Group;

// Whether two groups can be compared with together.
bool same_band(const Group& group, const Group& next, double window) {
  if (window >= 100) return true;
  return group.equal() && next.equal() && group.steps == next.steps;
}

void add_results(const Group& group, const double* results, double* sums) {
  for (std::size_t lane = 0; lane < group.count; ++lane)
    sums[group.sequences[lane]] += results[lane];
}

}  // namespace

void SeriesLanes::compare_row(const StepProgramme& programme, std::span<const float> x,
                              const std::vector<Lanes>& packed, double window, Workspace& work,
                              double* sums, Context& context) const {
  const std::size_t channels = depth_ / parts_;
  const std::size_t steps = x.size() / depth_;
  work.steps.resize(steps * programme.planes(channels));
  for (std::size_t part = 0; part < parts_; ++part) {
    programme.prepare_sample(channel_of(x, parts_, part, work.series), channels, work.steps.data());
    const auto& groups = packed[part].groups();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      context.check_stop();
      const Lanes::Group& group = groups[g];
      const bool two = programme.takes_two_groups() && g + 1 < groups.size() &&
                       same_band(group, groups[g + 1], window);
      work.band.update(steps, two ? groups[g + 1].lengths : group.lengths, window);
      double results[2 * Lanes::width];
      programme.run({group, packed[part].planes(), work.steps.data(), steps, channels, work.band,
                     work.table.data(), results, two ? &groups[g + 1] : nullptr,
                     std::max(longest_, steps) > longest_in_float32});
      add_results(group, results, sums);
      if (two) add_results(groups[++g], results + Lanes::width, sums);
    }
  }
}

void SeriesLanes::compare(const StepProgramme& programme, MatrixView in, std::size_t first,
                          std::size_t count, double window, double* sums, Context& context) const {
  if (count == 0) return;
  // A range of bases may be spread over all groups: packs only these again.
  const bool all = count == bases_.rows;
  const std::vector<Lanes> range = all ? std::vector<Lanes>() : pack(programme, first, count);
  Workspace work;
  // A row of cells has one for each step of the longest basis.
  work.table = numerics::AlignedBuffer(longest_ * programme.table_planes() * Lanes::width);
  std::fill_n(sums, in.rows * count, 0.0);
  for (std::size_t i = 0; i < in.rows; ++i)
    compare_row(programme, in.row_span(i), all ? packed_ : range, window, work, sums + i * count,
                context);
}

}  // namespace semblance::series
