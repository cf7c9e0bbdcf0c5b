// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/sample_set.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {

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
