// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/study_record.hpp"
#include "report/tables/metric_numbers.hpp"

namespace semblance {

/// How the parts of a study's record relate, for its page.
class StudyMethods {
 public:
  /// Throws Error if the comparison does not match the results.
  explicit StudyMethods(const StudyRecord& study);

  const StudyRecord& study() const { return study_; }
  std::size_t size() const { return study_.results.methods.size(); }
  const Method& method(std::size_t i) const { return study_.results.methods[i]; }
  const Standing& standing(std::size_t i) const { return study_.comparison.standings[i]; }
  bool is_baseline(std::size_t i) const { return study_.results.baseline == i; }

  /// The name that distinguishes a method: its choices in the slots with several alternatives ("rbf
  /// · C = 100"), otherwise its own name.
  std::string name(std::size_t i) const;

  /// Its variants, by repeat.
  const std::vector<const VariantRecord*>& variants(std::size_t i) const { return variants_[i]; }

  /// Methods in descending quality, ties in their order: first those measured on most blocks, whose
  /// means can be compared, then the others; methods without a mean come last.
  std::vector<std::size_t> by_quality() const;

  /// The formatter of the metric's values.
  const MetricNumbers& numbers() const { return numbers_; }

  /// The index of the choice among the alternatives of the slot; nothing if it is none of them.
  std::optional<std::size_t> choice(std::size_t method, std::size_t slot) const;

 private:
  const StudyRecord& study_;
  std::vector<std::vector<const VariantRecord*>> variants_;
  MetricNumbers numbers_;
};

}  // namespace semblance
