// SPDX-License-Identifier: MIT
#include "report/judged_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace semblance {

std::optional<double> figure_by_rows(std::string_view figure,
                                     const std::vector<std::uint8_t>& correct) {
  if (correct.empty() || (figure != "accuracy" && figure != "error_rate")) return std::nullopt;
  const auto right = static_cast<double>(std::ranges::count(correct, 1));
  const auto all = static_cast<double>(correct.size());
  return figure == "accuracy" ? right / all : (all - right) / all;
}

std::optional<RowLosses> row_losses(std::string_view figure, std::span<const double> estimates,
                                    std::span<const double> targets, std::size_t numbers) {
  const bool squared = (figure == "rmse" || figure == "r2") && numbers == 1;
  if ((!squared && figure != "mae") || numbers == 0 || targets.empty() ||
      estimates.size() != targets.size())
    return std::nullopt;
  RowLosses result;
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); i += numbers) {
    double loss = 0;
    for (std::size_t t = i; t < i + numbers; ++t) {
      const double error = std::abs(estimates[t] - targets[t]);
      loss += squared ? error * error : error;
    }
    if (std::isnan(loss)) return std::nullopt;
    result.losses.push_back(loss / static_cast<double>(numbers));
    sum += result.losses.back();
  }
  const double mean = sum / static_cast<double>(result.losses.size());
  result.figure = squared ? std::sqrt(mean) : mean;
  if (figure == "r2") {
    const double centre =
        std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(targets.size());
    double spread = 0;
    for (const double target : targets) spread += (target - centre) * (target - centre);
    if (spread == 0) return std::nullopt;
    result.figure = 1 - sum / spread;
  }
  return result;
}

bool adds_up(double by_rows, const Measurement& measurement) {
  return std::abs(by_rows - measurement.value) <= 1e-9 * std::max(1.0, std::abs(measurement.value));
}

void add_rows(const RowsRecord& rows, Measurement& measurement) {
  measurement.trained += rows.train;
  measurement.tested += rows.test;
  measurement.groups = rows.groups;
  if (!rows.tested.empty())
    measurement.test_rows += (measurement.test_rows.empty() ? "" : "+") + rows.tested;
  for (const auto& name : rows.drawn_from)
    if (std::ranges::find(measurement.drawn_from, name) == measurement.drawn_from.end())
      measurement.drawn_from.push_back(name);
}

}  // namespace semblance
