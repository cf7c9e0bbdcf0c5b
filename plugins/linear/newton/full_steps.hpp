// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace semblance::linear {

/// Which problems take Newton steps of full length, without a line search. If 2C |x|^2 is large, a
/// line search keeps a step short: a few rows with large losses stop it long before the active rows
/// are found. Full steps are block principal pivoting on the dual problem (Judice and Pires,
/// Computers and Operations Research 21, 1994): each solves for the active rows, and the rows that
/// then violate their conditions change sides. The objective may rise meanwhile. Since the number
/// of these rows has to fall, there are finitely many such steps.
class FullSteps {
 public:
  explicit FullSteps(std::size_t problems) : states_(problems) {}

  /// Makes the problems take full steps.
  void begin(std::span<const std::size_t> problems);

  /// Whether the problem takes full steps.
  bool takes(std::size_t problem) const noexcept { return states_[problem].takes; }

  /// Takes the number of rows that a full step has made active or inactive. Without such a row the
  /// active rows are found, and a line search ends at the optimum. False if the number has not
  /// fallen for several steps: the problem takes no more of them.
  bool continues(std::size_t problem, double changes);

  /// Whether full steps have not found the problem's active rows.
  bool failed(std::size_t problem) const noexcept { return states_[problem].later > patience; }

 private:
  // Steps that may pass until the number of changing rows falls. On similarity maps it falls with
  // nearly every step; where it cycles, it does so within two or three steps.
  static constexpr std::size_t patience = 3;

  struct State {
    bool takes = false;
    double least = std::numeric_limits<double>::infinity();  // changes by one of the steps
    std::size_t later = 0;                                   // steps since then
  };
  std::vector<State> states_;
};

}  // namespace semblance::linear
