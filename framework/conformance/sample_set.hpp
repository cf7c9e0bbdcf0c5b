// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/samples.hpp"
#include "semblance/state.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {

/// Samples of one layout and their target, for testing a component.
struct SampleSet {
  Layout layout;
  FloatMatrix values;
  std::vector<std::int32_t> labels;  ///< -1 without classes
  std::vector<std::string> classes;
  std::vector<std::int64_t> bases;   ///< for vectors, which are the rows of a similarity map
  std::vector<double> targets = {};  ///< as in TrainingSet
  std::vector<std::string> target_names = {};
};

/// More than one block of rows.
inline constexpr std::size_t sample_rows = 300;

inline constexpr std::size_t sample_classes = 3;

/// Samples of the given layouts; for an empty list, of all layouts with samples of one size.
/// Vectors are similarities in (0, 1] to the first 24 of the samples; grids have values in [0, 1);
/// images have one or three channels of values 0..255; sequences have one or two channels.
/// Sequences, strings and sets come first in differing sizes and then in one size. The classes are
/// well separated in each.
std::vector<SampleSet> sample_sets(const std::vector<LayoutKind>& layouts);

/// Scores of the classes, like a solver's scores of held-out samples: in most of them the right
/// class has the largest score.
SampleSet score_samples();

/// The same samples with `count` (1 or 2) numbers instead of classes as their target. A number is
/// near a value that depends on the class: the first near -1, 0 or 1, the second near 0, 10 or 20,
/// in another order of the classes.
SampleSet with_numbers(SampleSet samples, std::size_t count = 1);

/// Estimates of `count` numbers (1 or 2), like a regressor's estimates of held-out samples, with
/// these numbers as target.
SampleSet estimate_samples(std::size_t count);

/// Intervals around such estimates, some of which do not contain the number: for each number the
/// lower end, the estimate and the upper end.
SampleSet interval_samples(std::size_t count);

/// Novelty scores, most of which are at least 0, of samples without a target.
SampleSet novelty_samples();

/// The same samples without a target.
SampleSet without_target(SampleSet samples);

/// Each sample as many times as its weight, a whole number, says. The samples are no longer the
/// rows of a similarity map.
SampleSet repeated(const SampleSet& samples, std::span<const double> weights);

/// For tests where only labels matter: 500 samples per class in the vectors' layout.
SampleSet many_samples();

/// Samples as a training set for a component; the samples must outlive it.
class SampleTraining {
 public:
  explicit SampleTraining(const SampleSet& samples, std::span<const double> weights = {})
      : rows_(samples.values),
        widths_{samples.layout.size()},
        set_{rows_, samples.layout, samples.labels, samples.classes} {
    set_.bases = samples.bases;
    set_.widths = widths_;
    set_.inputs = inputs_;
    set_.weights = weights;
    set_.targets = samples.targets;
    set_.target_names = samples.target_names;
  }
  SampleTraining(const SampleTraining&) = delete;
  SampleTraining& operator=(const SampleTraining&) = delete;

  const TrainingSet& set() const noexcept { return set_; }

 private:
  testing::MemoryRows rows_;
  std::vector<std::size_t> widths_;
  std::vector<std::string> inputs_ = {"x"};
  TrainingSet set_;
};

}  // namespace semblance::conformance
