// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "report/page/study_methods.hpp"

namespace semblance {

/// The metric's values as texts with the same number of decimals, so that they stand under each
/// other: shares in percent, others with four significant digits of the greatest mean.
class StudyNumbers {
 public:
  explicit StudyNumbers(const StudyMethods& methods);

  /// Without the unit; "–" where there is no value.
  std::string text(double value) const;
  /// With a sign.
  std::string signed_text(double value) const;

  std::string_view unit() const { return share_ ? "%" : seconds_ ? " s" : bytes_ ? " B" : ""; }
  /// Of differences.
  std::string_view difference_unit() const { return share_ ? " points" : unit(); }

 private:
  bool share_, seconds_, bytes_;
  int decimals_ = 2;
  bool exponents_ = false;  ///< too large or too small to be written out
};

/// The metric as words: "error rate", "train time".
std::string metric_words(const ResultTable& results);

/// "0.012", "<0.001".
std::string p_text(double p);

/// "= 0.012", "< 0.001".
std::string p_relation_text(double p);

}  // namespace semblance
