// SPDX-License-Identifier: MIT
#include "reliability.hpp"

#include <algorithm>
#include <cmath>

#include "semblance_numerics/probability_bins.hpp"

namespace semblance::evaluators {
namespace {

/// The mean of forecasts [first, end), all of one bin.
ReliabilityBin bin_of(const std::vector<Forecast>& sorted, std::size_t first, std::size_t end) {
  ReliabilityBin bin{sorted[first].probability, sorted[end - 1].probability,
                     static_cast<double>(end - first)};
  for (std::size_t i = first; i < end; ++i) {
    bin.probability += sorted[i].probability;
    bin.happened += sorted[i].happened;
  }
  bin.probability /= bin.rows;
  bin.happened /= bin.rows;
  return bin;
}

std::vector<ReliabilityBin> of_equal_width(const std::vector<Forecast>& sorted, std::size_t bins) {
  std::vector<ReliabilityBin> found;
  const auto bin_at = [&](std::size_t i) {
    return probability_bin(static_cast<float>(sorted[i].probability), bins);
  };
  for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
    const std::size_t at = bin_at(first);
    while (end < sorted.size() && bin_at(end) == at) ++end;
    ReliabilityBin bin = bin_of(sorted, first, end);
    bin.low = static_cast<double>(at) / static_cast<double>(bins);
    bin.high = static_cast<double>(at + 1) / static_cast<double>(bins);
    found.push_back(bin);
  }
  return found;
}

std::vector<ReliabilityBin> of_equal_count(const std::vector<Forecast>& sorted, std::size_t bins) {
  std::vector<ReliabilityBin> found;
  std::size_t first = 0;
  for (std::size_t k = 1; k <= bins; ++k) {
    std::size_t end = k * sorted.size() / bins;
    if (end <= first) continue;
    while (end < sorted.size() && sorted[end].probability == sorted[end - 1].probability) ++end;
    found.push_back(bin_of(sorted, first, end));
    first = end;
  }
  return found;
}

double rows_of(const std::vector<ReliabilityBin>& bins) {
  double rows = 0;
  for (const ReliabilityBin& bin : bins) rows += bin.rows;
  return rows;
}

}  // namespace

std::vector<ReliabilityBin> reliability_bins(std::vector<Forecast> forecasts,
                                             const Binning& binning) {
  std::ranges::sort(forecasts, {}, &Forecast::probability);
  return binning.equal == Binning::Equal::width ? of_equal_width(forecasts, binning.bins)
                                                : of_equal_count(forecasts, binning.bins);
}

double expected_calibration_error(const std::vector<ReliabilityBin>& bins) {
  double sum = 0;
  for (const ReliabilityBin& bin : bins) sum += bin.rows * std::abs(bin.gap());
  return sum / rows_of(bins);
}

double maximum_calibration_error(const std::vector<ReliabilityBin>& bins) {
  double largest = 0;
  for (const ReliabilityBin& bin : bins) largest = std::max(largest, std::abs(bin.gap()));
  return largest;
}

BrierParts brier_parts(const std::vector<ReliabilityBin>& bins) {
  const double rows = rows_of(bins);
  double all = 0;
  for (const ReliabilityBin& bin : bins) all += bin.rows * bin.happened / rows;
  BrierParts parts{0, 0, all * (1 - all)};
  for (const ReliabilityBin& bin : bins) {
    parts.reliability += bin.rows / rows * bin.gap() * bin.gap();
    parts.resolution += bin.rows / rows * (bin.happened - all) * (bin.happened - all);
  }
  return parts;
}

}  // namespace semblance::evaluators
