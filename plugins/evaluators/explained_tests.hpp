// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/explanation.hpp"
#include "semblance/report.hpp"
#include "semblance/source.hpp"

/// What the evaluators that explain test samples share.
namespace semblance::evaluators {

/// The parameters of these evaluators: which samples they explain, and how much they show. A
/// component derives from it besides its kind and declares them by with_explained().
class ExplainedChoice {
 protected:
  /// Throws Error if `rows` names a sample twice.
  void check_rows_differ() const;

  bool names_rows() const noexcept { return !rows_.empty(); }
  /// The test samples that `rows` names. Throws Error.
  std::vector<std::size_t> named_tests(const Dataset& data) const;
  std::size_t count() const noexcept { return static_cast<std::size_t>(count_); }
  std::size_t examples() const noexcept { return static_cast<std::size_t>(examples_); }
  std::size_t background() const noexcept { return static_cast<std::size_t>(background_); }

 private:
  template <class T>
  friend Declaration<T>& with_explained(Declaration<T>& declaration, const std::string& first,
                                        const std::string& sides);

  std::int64_t count_ = 4;
  std::vector<std::int64_t> rows_;
  std::int64_t examples_ = 5;
  std::int64_t background_ = 50;
};

/// Declares the parameters of ExplainedChoice, and the figure `explained`. `first` says which
/// samples come first: "misclassified ones"; `sides` says which examples are listed: "for a class
/// and against it".
template <class T>
Declaration<T>& with_explained(Declaration<T>& declaration, const std::string& first,
                               const std::string& sides) {
  return declaration
      .complexity(
          "of exact shares, at most examples x columns^2 x `background` per sample; of sampled "
          "ones, at least 100 x parts rows through the pipeline")
      .parameter("count", &ExplainedChoice::count_, "number of samples to explain", at_least(1),
                 at_most(100))
      .parameter("rows", &ExplainedChoice::rows_,
                 "numbers of the test samples to explain, in the data; empty: `count` samples, " +
                     first + " first")
      .parameter("examples", &ExplainedChoice::examples_, "the most examples to list " + sides,
                 at_least(1), at_most(50))
      .parameter("background", &ExplainedChoice::background_,
                 "the most training samples that shares compare with", at_least(1), at_most(1000))
      .reports({"explained", "number of samples explained", FigureUnit::count, Better::none, true});
}

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
