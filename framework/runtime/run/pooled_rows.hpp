// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/run/study_session.hpp"

namespace semblance {

/// The held-out samples of a trial's folds, which its metric judges together as if they were the
/// test samples of one machine. A mean over folds would be another figure: the root of a mean is
/// not the mean of roots, and one sample has no correlation.
class PooledRows {
 public:
  /// Adds those of a fold: of variant `place` of the session, if its metric is one of the samples
  /// that a solver or calibrator gave. `reported`: the metric of the fold; nothing: undefined
  /// there.
  void add(const StudyVariant& variant, const Study& trials, const StudySession& open,
           std::size_t place, std::optional<double> reported);

  /// Whether the metric is known to follow from the samples of all folds.
  bool follows() const noexcept { return follows_ && folds_ > 0; }

  /// The metric of all samples added so far; nothing if it is undefined. Judged by the node of
  /// variant `place`.
  std::optional<double> figure(const StudyVariant& variant, const Study& trials,
                               const StudySession& open, std::size_t place) const;

 private:
  struct Rows {
    std::vector<float> scores;
    std::vector<std::int32_t> labels;
    std::vector<double> targets;
    std::vector<std::int32_t> groups;
    std::size_t columns = 0;
  };
  static std::optional<double> judge(const Rows& rows, const StudyVariant& variant,
                                     const Study& trials, const StudySession& open,
                                     std::size_t place, bool quiet);

  Rows rows_;
  std::size_t folds_ = 0;
  bool follows_ = true;
};

}  // namespace semblance
