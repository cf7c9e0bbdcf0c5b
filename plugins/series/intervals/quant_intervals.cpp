// SPDX-License-Identifier: MIT
#include "intervals/quant_intervals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "semblance/error.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {
namespace {

constexpr std::uint16_t no_interval = 65535;

/// The value's place in the order of all floats, then its place in the view.
std::uint64_t sort_key(float value, std::size_t place) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
  return std::uint64_t{order} << 32 | place;
}

/// Quantiles of sorted values by linear interpolation, at levels from 0 to 1; every second one
/// without the mean. A single one is the median.
void write_quantiles(std::span<const float> sorted, std::size_t count, float* out) {
  const std::size_t last = sorted.size() - 1;
  const auto between = [&](std::size_t way, std::size_t ways) {
    const std::size_t below = way / ways;
    const double low = sorted[below], high = sorted[std::min(below + 1, last)];
    return low + double(way % ways) / double(ways) * (high - low);
  };
  if (count == 1) {
    *out = static_cast<float>(between(last, 2));
    return;
  }
  double mean = 0;
  for (const float x : sorted) mean += x;
  mean /= double(sorted.size());
  for (std::size_t q = 0; q < count; ++q)
    out[q] = static_cast<float>(between(q * last, count - 1) - (q % 2 == 1 ? mean : 0.0));
}

const char* view_name(QuantView view) {
  switch (view) {
    case QuantView::slope:
      return "the smoothed differences";
    case QuantView::curvature:
      return "the second differences";
    case QuantView::spectrum:
      return "the Fourier magnitudes";
    default:
      return "the values";
  }
}

}  // namespace

std::size_t quant_view_length(QuantView view, std::size_t steps) noexcept {
  switch (view) {
    case QuantView::slope:
      return std::max<std::size_t>(steps, 2) - 1;
    case QuantView::curvature:
      return std::max<std::size_t>(steps, 3) - 2;
    case QuantView::spectrum:
      return steps / 2 + 1;
    default:
      return steps;
  }
}

QuantDivision::Interval QuantDivision::interval(std::size_t i, std::size_t length) const noexcept {
  const std::size_t shift = shifted ? (length + 2 * parts - 1) / (2 * parts) : 0;
  const std::size_t begin = std::min(length * i / parts + shift, length - 1);
  return {begin, std::clamp(length * (i + 1) / parts + shift, begin + 1, length)};
}

std::vector<QuantDivision> quant_divisions(std::size_t length, std::size_t depth,
                                           std::size_t divisor) {
  std::vector<QuantDivision> divisions;
  for (std::size_t level = 0; level < depth && (length >> level) > 0; ++level) {
    const std::size_t parts = std::size_t{1} << level;
    std::size_t longer = 0;
    for (const bool shifted : {false, true}) {
      if (shifted && (parts == 1 || 2 * longer <= parts)) break;
      QuantDivision division{parts, shifted, {}};
      for (std::size_t i = 0; i < parts - (shifted ? 1 : 0); ++i) {
        const auto [begin, end] = division.interval(i, length);
        division.quantiles.push_back(1 + (end - begin - 1) / divisor);
        if (!shifted && end - begin > 1) ++longer;
      }
      divisions.push_back(std::move(division));
    }
  }
  return divisions;
}

struct QuantFeatures::Room {
  std::vector<float> values;  ///< of a view
  std::vector<std::uint64_t> keys;
  std::vector<float> sorted;        ///< within each interval
  std::vector<std::size_t> filled;  ///< the end of what is sorted, per interval
  std::vector<float> steps;         ///< of a channel
  FourierRoom fourier;
};

QuantFeatures::QuantFeatures(std::size_t steps, std::size_t channels, std::size_t depth,
                             std::size_t divisor)
    : steps_(steps), channels_(channels) {
  for (std::size_t v = 0; v < quant_views; ++v) {
    divisions_.push_back(quant_divisions(quant_view_length(QuantView(v), steps), depth, divisor));
    for (const QuantDivision& division : divisions_.back())
      for (const std::size_t count : division.quantiles) columns_ += count * channels;
  }
  usual_ = std::make_shared<const Places>(places_of(steps));
}

QuantFeatures::Places QuantFeatures::places_of(std::size_t steps) const {
  Places places{FourierMagnitudes(steps), {}};
  for (std::size_t v = 0; v < quant_views; ++v) {
    const std::size_t length = quant_view_length(QuantView(v), steps);
    for (const QuantDivision& division : divisions_[v]) {
      auto& of = places.intervals.emplace_back(length, no_interval);
      for (std::size_t i = 0; i < division.quantiles.size(); ++i) {
        const auto [begin, end] = division.interval(i, length);
        std::fill(of.begin() + std::ptrdiff_t(begin), of.begin() + std::ptrdiff_t(end),
                  static_cast<std::uint16_t>(i));
      }
    }
  }
  return places;
}

void QuantFeatures::view_of(const SeriesView& series, std::size_t channel, QuantView view,
                            const Places& places, Room& room) const {
  const std::size_t steps = series.steps();
  auto& x = room.steps;
  x.resize(steps);
  for (std::size_t t = 0; t < steps; ++t) x[t] = series.values[t * channels_ + channel];
  auto& values = room.values;
  values.assign(quant_view_length(view, steps), 0.0f);
  const auto difference = [&](std::size_t t) { return double(x[t + 1]) - double(x[t]); };
  if (view == QuantView::series) values = x;
  if (view == QuantView::slope && steps > 1)
    for (std::size_t t = 0; t < values.size(); ++t) {
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k)
        sum += difference(std::min(std::max(t + k, std::size_t{2}) - 2, values.size() - 1));
      values[t] = static_cast<float>(sum / 5);
    }
  if (view == QuantView::curvature && steps > 2)
    for (std::size_t t = 0; t < values.size(); ++t)
      values[t] = static_cast<float>(difference(t + 1) - difference(t));
  if (view == QuantView::spectrum) places.spectrum(x, values, room.fourier);
  if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
    throw Error(std::string(view_name(view)) +
                " of the series are larger than float32 can hold; divide the series by a constant");
}

void QuantFeatures::write(const SeriesView& series, const Places& places, Room& room,
                          float* out) const {
  std::size_t first_division = 0;
  for (std::size_t v = 0; v < quant_views; ++v) {
    const std::size_t length = quant_view_length(QuantView(v), series.steps());
    std::size_t view_columns = 0;
    for (std::size_t channel = 0; channel < channels_; ++channel) {
      view_of(series, channel, QuantView(v), places, room);
      room.keys.resize(length);
      for (std::size_t t = 0; t < length; ++t) room.keys[t] = sort_key(room.values[t], t);
      std::sort(room.keys.begin(), room.keys.end());
      room.sorted.resize(length);
      float* to = out;
      for (std::size_t d = 0; d < divisions_[v].size(); ++d) {
        const QuantDivision& division = divisions_[v][d];
        const std::size_t count = division.quantiles.size();
        const auto& intervals = places.intervals[first_division + d];
        // Values in ascending order, each to its interval: all intervals are sorted.
        room.filled.resize(count);
        for (std::size_t i = 0; i < count; ++i) room.filled[i] = division.interval(i, length).begin;
        if (length >= division.parts)
          for (const std::uint64_t key : room.keys) {
            const auto place = static_cast<std::uint32_t>(key);
            const std::uint16_t i = intervals[place];
            if (i != no_interval) room.sorted[room.filled[i]++] = room.values[place];
          }
        const auto& values = length >= division.parts ? room.sorted : room.values;
        for (std::size_t i = 0; i < count; ++i) {
          const auto [begin, end] = division.interval(i, length);
          write_quantiles({values.data() + begin, end - begin}, division.quantiles[i],
                          to + channel * division.quantiles[i]);
          to += division.quantiles[i] * channels_;
        }
      }
      view_columns = static_cast<std::size_t>(to - out);
    }
    out += view_columns;
    first_division += divisions_[v].size();
  }
}

void QuantFeatures::operator()(std::span<const SeriesView> series, MutableMatrixView out,
                               const std::function<void()>& poll) const {
  Room room;
  std::map<std::size_t, Places> others;  // by length
  for (std::size_t i = 0; i < series.size(); ++i) {
    poll();
    const std::size_t steps = series[i].steps();
    const Places* places = usual_.get();
    if (steps != steps_) {
      auto at = others.find(steps);
      if (at == others.end()) at = others.emplace(steps, places_of(steps)).first;
      places = &at->second;
    }
    in_row(i, [&] { write(series[i], *places, room, out.row(i)); });
  }
}

}  // namespace semblance::series
