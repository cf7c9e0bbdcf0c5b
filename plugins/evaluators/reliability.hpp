// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace semblance::evaluators {

/// A probability that something is so, and whether it was.
struct Forecast {
  double probability = 0;
  bool happened = false;
};

/// Forecasts of about the same probability.
struct ReliabilityBin {
  double low = 0;   ///< for equal width: its lower border; else the least probability in it
  double high = 0;  ///< its upper border, or the largest probability in it
  double rows = 0;
  double probability = 0;  ///< the mean of the forecasts
  double happened = 0;     ///< the share of them that were right
  double gap() const noexcept { return happened - probability; }
};

/// The assignment of forecasts to bins.
struct Binning {
  enum class Equal { width, count };
  Equal equal = Equal::width;
  std::size_t bins = 10;
};

/// The nonempty bins, by ascending probability. Equal width: those of probability_bin(). Equal
/// count: equal probabilities are in one bin, so that their order does not matter; there are fewer
/// bins if many are equal.
std::vector<ReliabilityBin> reliability_bins(std::vector<Forecast> forecasts,
                                             const Binning& binning);

/// The mean of |gap|, weighted by rows, and the largest (Naeini, Cooper, Hauskrecht, Obtaining well
/// calibrated probabilities using Bayesian binning, 2015).
double expected_calibration_error(const std::vector<ReliabilityBin>& bins);
double maximum_calibration_error(const std::vector<ReliabilityBin>& bins);

/// The parts of the Brier score of binned forecasts (Murphy, A new vector partition of the
/// probability score, 1973): score = reliability - resolution + uncertainty.
struct BrierParts {
  double reliability = 0;  ///< mean squared gap
  double resolution = 0;   ///< mean squared difference between a bin's share and the overall share
  double uncertainty = 0;  ///< p (1 - p) for the share of all
};
BrierParts brier_parts(const std::vector<ReliabilityBin>& bins);

}  // namespace semblance::evaluators
