// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/report.hpp"

namespace semblance::evaluators {

/// The points of the curves at which figures are read.
struct RankingLevels {
  double recall = 0.9;     ///< of precision_at_recall
  double precision = 0.9;  ///< of recall_at_precision
  double share = 0.1;      ///< of the rows, of lift
};

/// The names of ranking figures, in the order used everywhere.
inline constexpr std::array ranking_figure_names = {
    "auc", "average_precision", "precision_at_recall", "recall_at_precision", "lift"};
using RankingFigures = std::array<double, ranking_figure_names.size()>;

/// Rows in the order of falling scores, some of them positive. A row is retrieved where its score
/// is at least a threshold; rows with equal scores are retrieved together.
class RankedRows {
 public:
  /// One score per sample, none of them NaN, and whether the sample is positive.
  RankedRows(std::span<const double> scores, const std::vector<bool>& positive);

  std::size_t positives() const noexcept { return positives_; }
  std::size_t rows() const noexcept { return order_.size(); }

  /// Whether figures are defined: there are samples of both kinds, where sample i counts
  /// `counts[i]` times.
  bool defined(std::span<const std::uint32_t> counts) const;

  /// The figures, where sample i counts `counts[i]` times; only if defined().
  ///
  /// auc: the share of pairs of a positive and a negative sample in which the positive one has the
  /// larger score; ties count half. average_precision: the sum over the thresholds of the gain in
  /// recall times the precision. precision_at_recall: the largest precision of all thresholds whose
  /// recall is at least the level. recall_at_precision: the reverse; 0 if no threshold has that
  /// precision. lift: the share of positives among the first `share` of the samples, relative to
  /// that among all; samples that tie for the last places count on average over their orders.
  RankingFigures figures(std::span<const std::uint32_t> counts, const RankingLevels& levels) const;
  RankingFigures figures(const RankingLevels& levels) const;

  /// True positive rate over false positive rate, from (0, 0) to (1, 1).
  Curve roc(const std::string& name) const;

  /// Precision over recall, at each threshold that retrieves anything; from recall 0, with the
  /// precision of the first.
  Curve precision_recall(const std::string& name) const;

 private:
  struct Retrieved {
    double positives = 0;
    double negatives = 0;
    double rows() const noexcept { return positives + negatives; }
  };
  std::vector<Retrieved> thresholds() const;

  std::vector<std::uint32_t> order_;      ///< rows by falling score
  std::vector<std::uint32_t> group_end_;  ///< in `order_`, after the last of equal scores
  std::vector<char> positive_;            ///< in the order of `order_`
  std::size_t positives_ = 0;
};

}  // namespace semblance::evaluators
