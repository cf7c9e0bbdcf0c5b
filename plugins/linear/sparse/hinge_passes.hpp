// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/random.hpp"
#include "sparse/sparse_task.hpp"

namespace semblance::linear {

/// Passes of dual coordinate descent on one problem of classes. Rows that stay at the bound 0 are
/// skipped (shrinking; Hsieh et al., ICML 2008).
class HingePasses {
 public:
  HingePasses(const SparseTask& task, std::size_t problem, double cost, Context& context);

  /// Continues from these variables and their weights and dual objective.
  void start(const std::vector<double>& variables, const LaneWeights& w, double dual);

  /// One step per variable, of all rows or of those that earlier passes did not put aside. False if
  /// a stop was requested.
  bool pass(bool all_rows, Random& random);

  /// The rows of the last pass; the gap as they met it, each before its step; the dual objective,
  /// without the rounding errors since the start.
  std::size_t visited() const noexcept { return visited_; }
  double gap() const noexcept { return gap_; }
  double dual() const noexcept { return dual_; }
  void copy_variables(std::vector<double>& to) const;

 private:
  /// A dual variable with the data of its row, in half a cache line.
  struct Variable {
    double value = 0;
    double curvature = 0;  ///< |x|^2 + 1 / 2Cu
    double diagonal = 0;   ///< 1 / 2Cu
    double weight = 0;     ///< Cu, with the sign of the row's class
  };

  void step(std::size_t row, const SparseRow& entries);

  const SparseTask& task_;
  Context& context_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> rows_;   ///< those with a weight
  std::vector<std::size_t> awake_;  ///< those that the next pass visits
  LaneWeights w_;
  std::size_t visited_ = 0;
  std::size_t kept_ = 0;  ///< of the rows visited so far, at the beginning of awake_
  double gap_ = 0;
  double dual_ = 0;
};

}  // namespace semblance::linear
