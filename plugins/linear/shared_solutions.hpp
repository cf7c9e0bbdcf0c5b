// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "linear_cost_choice.hpp"
#include "problem/linear_task.hpp"
#include "semblance/shared_work.hpp"

namespace semblance::linear {

/// The solutions for several costs, which trainings of the same samples share: the first that needs
/// one solves for all of them, each from the optimum for the one before. A solution depends on
/// smaller costs only, so a training whose costs are the first of these gets the same bits alone.
/// Thread-safe; not for several ranks.
class SharedSolutions final : public SharedWork {
 public:
  explicit SharedSolutions(std::size_t bytes) : bytes_(bytes) {}

  std::size_t bytes() const noexcept override { return bytes_; }

  /// Announces the costs of a training, which increase.
  void announce(const std::vector<double>& costs);

  /// One solution per cost of the task, whose samples and parameters are those of all trainings.
  std::vector<Solution> solve(const LinearTask& task, const SolveCosts& solve, Context& context);

 private:
  bool covers(const std::vector<double>& costs) const;
  bool fits(const LinearTask& task) const noexcept;

  const std::size_t bytes_;
  std::mutex mutex_;
  std::vector<double> costs_;  // the longest list
  std::vector<Solution> solutions_;
  bool failed_ = false;
};

}  // namespace semblance::linear
