// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "semblance/random.hpp"
#include "sparse/sparse_task.hpp"

namespace semblance::linear {

/// Passes of dual coordinate descent on one problem of classes. Rows that stay at the bound 0 are
/// skipped (shrinking; Hsieh et al., ICML 2008).
///
/// Two classes are one problem, which has two threads to itself. It takes many rows in windows, and
/// both halves of a window make their steps at the same time, from the same weights. Both changes
/// together are then a step whose length maximizes the dual objective, as far as 1 (after Jaggi et
/// al., NIPS 2014). Halves and windows do not depend on the number of threads.
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

  /// What steps of some rows in sequence have changed.
  struct Steps {
    struct Row {
      std::size_t row;
      double before;  ///< its variable
    };
    std::vector<Row> rows;  ///< those that the next pass visits
    double gap = 0;         ///< as the rows met it
    double gain = 0;        ///< of the dual objective, if only these rows have changed
    double quadratic = 0;   ///< sum of change^2 / 2Cu
  };

  // These return false if a stop was requested.
  bool step_halves(std::span<const std::size_t> rows);
  bool step_in_sequence(std::span<const std::size_t> rows);
  bool step_rows(std::span<const std::size_t> rows, LaneWeights& w, Steps& steps);

  void step(std::size_t row, const SparseRow& entries, LaneWeights& w, Steps& steps);
  double join(const std::array<Steps, 2>& halves);
  void keep(const Steps& steps);

  const SparseTask& task_;
  Context& context_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> rows_;   ///< those with a weight
  std::vector<std::size_t> awake_;  ///< those that the next pass visits
  LaneWeights w_;
  std::array<LaneWeights, 2> own_;  ///< weights in each half of a window
  std::size_t window_ = 0;          ///< its rows
  bool halves_ = false;
  double lengths_ = 0;  ///< of the last pass' steps along both halves, added up
  std::size_t visited_ = 0;
  std::size_t kept_ = 0;  ///< of the rows visited so far, at the beginning of awake_
  double gap_ = 0;
  double dual_ = 0;
};

}  // namespace semblance::linear
