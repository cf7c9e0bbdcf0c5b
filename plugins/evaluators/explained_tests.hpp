// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/explanation.hpp"
#include "semblance/report.hpp"
#include "semblance/source.hpp"

namespace semblance::evaluators {

/// The test samples with these numbers in the data. Throws Error.
std::vector<std::size_t> named_tests(std::span<const std::int64_t> numbers, const Dataset& data);

/// A test sample with its true and its predicted class or number as text.
struct JudgedTest {
  std::size_t row = 0;
  std::string label;  ///< empty: unknown
  std::string predicted;
};

/// Explains test samples in a report.
class ExplainedTests {
 public:
  /// `examples` are shown on each side.
  ExplainedTests(const Dataset& data, bool new_data, ExplainedSamples::Of of, std::size_t examples);

  /// A test sample, and the training samples of its examples with their labels.
  void add(const JudgedTest& test, Explanation made,
           const std::function<std::string(std::size_t row)>& label_of_training);
  void report(Report& report) const { report.explained_samples(list_); }

 private:
  const Dataset& data_;
  bool new_data_;
  ExplainedSamples list_;
};

/// What `explain` returns, and their number as `explained`. Where the machine cannot be explained,
/// a warning and `not_explained` say why, and there is nothing.
std::optional<std::vector<Explanation>> explained_or_not(
    const std::function<std::vector<Explanation>()>& explain, Report& report, Context& context);

}  // namespace semblance::evaluators
