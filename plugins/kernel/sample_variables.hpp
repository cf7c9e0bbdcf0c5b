// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "class_problems.hpp"
#include "sorted_samples.hpp"

namespace semblance::kernel {

/// The variables of training samples.
class SampleVariables {
 public:
  SampleVariables(const TrainingSet& training, const SortedSamples& rows,
                  const ClassProblems& problems)
      : problems_(problems),
        pairs_(opponents(problems.classes(), problems.one_versus_one)),
        class_of_(training.labels),
        place_of_(rows.order.size()) {
    for (std::size_t place = 0; place < rows.order.size(); ++place)
      place_of_[rows.order[place]] = place;
  }

  /// The variable of a training sample, if the sample is part of the problem.
  std::optional<std::size_t> of(std::size_t problem, std::size_t row) const {
    const std::size_t place = place_of_[row];
    if (!problems_.one_versus_one || problems_.classes() == 2) return place;
    const Opponents& pair = pairs_[problem];
    const auto positive = problems_.rows(static_cast<std::size_t>(pair.positive));
    if (class_of_[row] == pair.positive) return place - positive.first;
    if (class_of_[row] != pair.negative) return {};
    return positive.count + place - problems_.rows(static_cast<std::size_t>(pair.negative)).first;
  }

  /// A training sample's coefficient in a solution of the problem; 0 if there is none.
  double coefficient(const numerics::DualSolution& solution, std::size_t problem,
                     std::size_t row) const {
    const auto found = of(problem, row);
    return found && !solution.coefficients.empty() ? solution.coefficients[*found] : 0;
  }

 private:
  const ClassProblems& problems_;
  std::vector<Opponents> pairs_;
  std::span<const std::int32_t> class_of_;
  std::vector<std::size_t> place_of_;  // of the training samples
};

}  // namespace semblance::kernel
