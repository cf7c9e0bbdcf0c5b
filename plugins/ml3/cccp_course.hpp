// SPDX-License-Identifier: MIT
#pragma once

#include "cccp.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// The state of minimise(): everything that its further steps depend on, except its arguments.
struct CccpCourse {
  bool warm = false;                      ///< it started from given models
  std::size_t iteration = 0;              ///< and its epoch, and the next sample in its order
  std::size_t epoch = 0;                  ///< options.epochs: the descent is over
  std::size_t next = 0;                   ///< 0: the epoch's order is not drawn yet
  std::vector<CccpIteration> iterations;  ///< the finished ones
  ModelMatrix w;                          ///< before the present one
  DescentState descent;
};

void write(const CccpCourse& course, StateWriter& to);

/// Reads a course; throws Error if it does not fit.
CccpCourse read_course(const StateReader& from, const Problem& problem, const CccpOptions& options);

}  // namespace semblance::ml3
