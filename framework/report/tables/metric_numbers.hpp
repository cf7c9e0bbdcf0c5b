// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "report/tables/comparison.hpp"

namespace semblance {

/// Writes the metric's values with the same number of decimals, so that they align: shares in
/// percent; other values with at least four significant digits of the greatest mean and, if the
/// greatest needs at most seven for it, two of the least.
class MetricNumbers {
 public:
  MetricNumbers(const ResultTable& table, const Comparison& comparison);

  /// The number without the unit; "–" where there is no value.
  std::string text(double value) const;
  /// The number with a sign.
  std::string signed_text(double value) const;

  /// Whether the metric is a share of a whole and shown in percent.
  bool is_share() const { return share_; }
  /// "%", "s", "B" or nothing.
  std::string_view unit() const { return share_ ? "%" : seconds_ ? "s" : bytes_ ? "B" : ""; }

 private:
  bool share_, seconds_, bytes_;
  int decimals_ = 2;
  bool exponents_ = false;  ///< too large or too small for plain notation
};

/// Whether the figure of all held-out samples of folds differs visibly from the mean over the
/// folds.
bool shows_pooled(const ResultTable& table, const Comparison& comparison);

/// The metric as words: "error rate", "train time".
std::string metric_words(const ResultTable& table);

/// "0.012", "<0.001".
std::string p_text(double p);

/// "= 0.012", "< 0.001".
std::string p_relation_text(double p);

}  // namespace semblance
