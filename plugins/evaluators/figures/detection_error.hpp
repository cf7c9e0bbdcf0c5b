// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/report.hpp"

namespace semblance::evaluators {

/// One operating point: pairs are taken for the same class where their score is at least the
/// threshold.
struct OperatingPoint {
  double threshold = 0;
  double false_match_rate = 0;      ///< share of the negative pairs that are taken
  double false_non_match_rate = 0;  ///< share of the positive pairs that are not
};

/// The detection error trade-off of scores (Martin, Doddington, Kamm, Ordowski, Przybocki, The DET
/// curve in assessment of detection task performance, 1997): all operating points, from a threshold
/// above all scores (first) to the least score (last).
class DetectionError {
 public:
  /// `labels` are +1 and -1, one per score. Throws Error if one of the two does not occur, if a
  /// label is unknown, or if a score is NaN.
  DetectionError(std::span<const float> scores, std::span<const std::int32_t> labels);

  const std::vector<OperatingPoint>& points() const noexcept { return points_; }

  /// The rate at which both error rates are equal, interpolated between the two adjacent operating
  /// points.
  double equal_error_rate() const noexcept { return equal_error_rate_; }
  double equal_error_threshold() const noexcept { return equal_error_threshold_; }

  /// The least false non-match rate of all operating points whose false match rate is at most
  /// `level`.
  double false_non_match_rate_at(double level) const noexcept;

  /// Share of the pairs whose score has the wrong sign.
  double error_at_zero() const noexcept { return error_at_zero_; }

  /// The curve for normal-deviate axes, without points that are close together on them.
  Curve curve(const std::string& name) const;

  std::size_t negative_pairs() const noexcept { return negative_; }

 private:
  void find_equal_error();

  std::vector<OperatingPoint> points_;
  std::size_t negative_ = 0;
  double equal_error_rate_ = 0;
  double equal_error_threshold_ = 0;
  double error_at_zero_ = 0;
};

}  // namespace semblance::evaluators
