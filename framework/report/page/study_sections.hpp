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

  /// The method that the comparison calls best; nothing if none was measured.
  std::optional<std::size_t> best() const;

  /// The formatter of the metric's values.
  const MetricNumbers& numbers() const { return numbers_; }

  /// The index of the choice among the alternatives of the slot; nothing if it is none of them.
  std::optional<std::size_t> choice(std::size_t method, std::size_t slot) const;

 private:
  const StudyRecord& study_;
  std::vector<std::vector<const VariantRecord*>> variants_;
  MetricNumbers numbers_;
};

/// Slots with more than one alternative, which the study varies.
std::vector<std::size_t> varying_slots(const StudyRecord& study);

/// The alternatives as numbers if all are different numbers, bare ("0.1") or after the same words
/// ("C=0.1"); empty otherwise.
std::vector<double> slot_numbers(const SlotRecord& slot);

}  // namespace semblance

/// The sections of a study's page; each is empty if it has no content.
namespace semblance::study_sections {

/// The variants that did not finish, with their errors.
std::string failures(const StudyMethods& methods);

/// The best combination against the baseline, and the size of the study.
std::string headline(const StudyMethods& methods);

/// One row per combination: choices, mean, ranks, tests against the baseline, links to the
/// variants.
std::string results_table(const StudyMethods& methods);

/// What the choice in each slot changes, paired over all else; empty unless several slots vary.
std::string effects(const StudyMethods& methods);

/// Pictures of the results, and the data from which they are drawn.
std::string charts(const StudyMethods& methods);

/// The curves that nodes of the variants reported, overlaid.
std::string curves(const StudyMethods& methods);

}  // namespace semblance::study_sections
