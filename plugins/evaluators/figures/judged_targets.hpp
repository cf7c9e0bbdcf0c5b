// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// The names of the figures of estimates, in the order used everywhere.
inline constexpr std::array estimate_figure_names = {
    "rmse", "mae", "median_absolute_error", "mean_error", "r2", "spearman", "c_index"};

inline constexpr std::size_t r2_figure = 4;  ///< the place of r2 among them

/// One figure for each name; NaN where it is undefined.
using EstimateFigures = std::array<double, estimate_figure_names.size()>;

/// True numbers and estimates of them, in double precision.
class ComparedNumbers {
 public:
  /// One estimate for each true number; all are finite, and there is at least one.
  ComparedNumbers(std::span<const double> truth, std::span<const double> estimates);

  std::size_t size() const noexcept { return truth_.size(); }

  /// The figures, where sample i counts `counts[i]` times. An error is the estimate minus the true
  /// number.
  ///
  /// rmse: the root of the mean squared error. mae, median_absolute_error: the mean and the median
  /// of the absolute errors. mean_error: the mean of the errors. r2: 1 - (sum of squared errors) /
  /// (sum of squared differences of the true numbers from their mean over these samples);
  /// undefined where the true numbers are equal. spearman: the correlation of the ranks, where
  /// equal numbers have the mean of their ranks; undefined where the true numbers or the estimates
  /// are equal. c_index: the share of the pairs with different true numbers whose estimates are in
  /// the same order, where equal estimates count half; undefined where the true numbers are equal.
  /// All are undefined if no sample counts.
  ///
  /// Takes n log n operations for n samples.
  EstimateFigures figures(std::span<const std::uint32_t> counts) const;
  EstimateFigures figures() const;

  /// The root of the mean squared difference of the true numbers from `number`.
  double rmse_of(double number) const;

  /// The errors, in the order of the samples.
  const std::vector<double>& errors() const noexcept { return errors_; }

 private:
  double r2(std::span<const std::uint32_t> counts, double rmse) const;
  double median_absolute_error(std::span<const std::uint32_t> counts, std::uint64_t all) const;
  double spearman(std::span<const std::uint32_t> counts, std::uint64_t all) const;
  double c_index(std::span<const std::uint32_t> counts) const;

  double centre_ = 0;          ///< the median true number
  std::vector<double> truth_;  ///< minus the centre, so that a common offset costs no digits
  std::vector<double> errors_;
  std::vector<std::uint32_t> by_error_;        ///< samples by the size of their error
  std::vector<std::uint32_t> by_truth_;        ///< samples by their true number
  std::vector<std::uint32_t> truth_place_;     ///< of each sample among the distinct true numbers
  std::vector<std::uint32_t> estimate_place_;  ///< of each sample among the distinct estimates
  std::size_t truths_ = 0, estimates_ = 0;     ///< distinct ones
};

/// The test samples whose number of one target is known.
struct JudgedTarget {
  std::size_t index = 0;
  std::string name;
  std::vector<std::size_t> rows;
  ComparedNumbers numbers;
  EstimateFigures figures;
  double baseline = 0;  ///< RMSE of the mean of the training samples; NaN: they are unknown
};

/// The targets of which a test sample has a known number, at least one. Warns about others. Throws
/// Error if there is none, or if estimates or numbers are unusable.
std::vector<JudgedTarget> judged_targets(const Results& test, Context& context);

/// The test samples with a known number of any target.
std::vector<std::size_t> known_samples(const std::vector<JudgedTarget>& targets, std::size_t rows);

/// The mean of each figure over the targets where it is defined; NaN if there are none.
EstimateFigures mean_over_targets(const std::vector<EstimateFigures>& all);

/// The largest error of a test sample.
struct LargestError {
  std::size_t row = 0;
  std::size_t target = 0;
  double error = 0;
  double size = 0;  ///< in units of the target's RMSE
};

/// The samples with errors by falling size of these; on ties, in their order.
std::vector<LargestError> largest_errors(const std::vector<JudgedTarget>& targets,
                                         std::size_t rows);

}  // namespace semblance::evaluators
