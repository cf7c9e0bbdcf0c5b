// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "semblance/calibrator.hpp"

namespace semblance::calibrators {

/// A value of a held-out sample.
struct HeldOutValue {
  double value = 0;         ///< not NaN
  double weight = 1;        ///< positive
  std::int32_t group = -1;  ///< of the sample; negative: samples have no groups
};

/// The held-out scores of usual samples, those of weight 0 omitted. Throws Error, with what cannot
/// be learned from it, if one is not finite.
std::vector<HeldOutValue> scores_of(const HeldOutNovelty& held_out, const std::string& learned);

/// How much held-out samples count as a basis for a guarantee.
struct Evidence {
  /// The number of groups if samples have some, else the effective number of samples, (sum w)^2 /
  /// sum w^2 for weights w: weights are relative, and equal ones give the number of samples.
  double number = 0;
  bool groups = false;
  bool weights = false;  ///< whether weights differ

  /// The largest coverage that can be promised: of `number` + 1 values, all but the largest.
  double most() const { return number / (number + 1); }
  bool supports(double coverage) const;
};

/// Scales the weights of values, at least one, so that their sum is the number of the evidence:
/// relative to each other, or, with groups, those of each group to the sum 1.
Evidence weigh(std::vector<HeldOutValue>& values);

struct CoverageThreshold {
  double value = std::numeric_limits<double>::infinity();
  double promised = 0;  ///< the coverage that it promises: as asked for, if its value is infinite
  Evidence evidence = {};

  /// Why the evidence does not support the coverage, such as "8 held-out rows promise at most 88.9
  /// %, less than the 90 % asked for"; empty if it does.
  std::string shortage(double coverage) const;
};

/// What several thresholds promise together.
struct Promise {
  double coverage = 1;                      ///< the least of all
  std::vector<std::string> shortages = {};  ///< of those that the evidence does not support

  /// `of` says which samples the threshold is for: "class 'a'"; empty: for all.
  void add(const CoverageThreshold& found, double asked, const std::string& of);
};

/// The documentation of the parameter HeldOutCalibrator::by_column.
inline constexpr const char* by_column_text =
    "a column of the source by whose values rows are calibrated apart, each by held-out rows with "
    "the same value: categories, or a number with few values; empty: all together";

/// Why a calibrator with `by_column` cannot be written as a formula.
inline constexpr const char* no_formula_by_column =
    "a formula has only the scores of a row, not its columns; omit 'by_column'";

/// The remedy for a shortage of groups.
inline constexpr const char* more_groups =
    "give more groups, lower the coverage, or set 'folds_by: row' if new rows belong to groups "
    "that are known";

/// The largest value at which less than `coverage` (1 + n) is below, where n is the evidence and
/// all values share it: by their weights, or one for each group, shared among the samples of the
/// group by their weights. For n values of weight 1 it is the k-th smallest, k = ceil(coverage (n +
/// 1)): with probability at least `coverage`, another value is not larger if all n + 1 are
/// exchangeable (Vovk, Gammerman, Shafer, Algorithmic learning in a random world, 2005, section 2).
/// With groups the same holds for a sample of another group, if groups are exchangeable (Lee,
/// Barber, Willett, Distribution-free inference with hierarchical data, 2023, theorem 1).
///
/// If the evidence does not support the coverage: the largest value if there are groups, else
/// infinite. `coverage` is a decimal number: 0.55 times 100 is 55.
CoverageThreshold coverage_threshold(std::vector<HeldOutValue> values, double coverage);

}  // namespace semblance::calibrators
