// SPDX-License-Identifier: MIT
#include "measures/step_medians.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace semblance::series {

namespace {

constexpr std::size_t series_taken = 40;
constexpr std::size_t steps_taken = 1000;

struct TakenStep {
  const float* values;
  std::size_t series;
};

std::vector<TakenStep> take_steps(MatrixView series, std::size_t channels) {
  const std::size_t count = std::min(series.rows, series_taken);
  std::vector<TakenStep> taken;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = k * series.rows / count;
    const std::size_t steps = series.size(i) / channels;
    const std::size_t wanted = std::min(steps, steps_taken / count);
    for (std::size_t t = 0; t < wanted; ++t)
      taken.push_back({series.row(i) + t * steps / wanted * channels, i});
  }
  return taken;
}

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

double median_step_distance(MatrixView series, std::size_t channels) {
  const std::vector<TakenStep> taken = take_steps(series, channels);
  std::vector<double> distances;
  for (std::size_t a = 0; a < taken.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (series.rows > 1 && taken[a].series == taken[b].series) continue;
      double sum = 0;
      for (std::size_t c = 0; c < channels; ++c) {
        const double difference = double(taken[a].values[c]) - taken[b].values[c];
        sum += difference * difference;
      }
      distances.push_back(std::sqrt(sum));
    }
  return median(distances);
}

double median_length(MatrixView series, std::size_t channels) {
  std::vector<double> lengths;
  lengths.reserve(series.rows);
  for (std::size_t i = 0; i < series.rows; ++i) {
    const std::size_t steps = series.size(i) / channels;
    lengths.push_back(static_cast<double>(steps));
  }
  return median(lengths);
}

}  // namespace semblance::series
