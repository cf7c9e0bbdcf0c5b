// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

namespace semblance::calibrators {

/// A sample whose predicted class changes as one class's score increases, with all other scores
/// fixed.
struct Crossing {
  double shift = 0;    ///< added to the class's score: above it, the sample gets this class
  double before = 0;   ///< cost of the sample while it gets another class
  double after = 0;    ///< cost once it gets this one
  bool right = false;  ///< whether it is of this class
  double weight = 1;   ///< as how many rows it counts
};

/// The effect of a shift of one class's score.
struct Cut {
  double shift = 0;
  double cost = 0;
  double right = 0;  ///< samples of the class that get it
  double given = 0;  ///< rows that are given it
};

/// All distinct shifts, ascending: midway between two crossings, and one below and above all of
/// them. Samples that cross at the same shift do so together.
std::vector<Cut> all_cuts(std::vector<Crossing> rows);

/// The cut of least cost, of equal ones that nearest to no shift.
Cut cheapest(const std::vector<Cut>& cuts);

/// The cut of largest precision among those with at least this recall for the class; ties go to the
/// larger recall, then to the smallest shift. `positives` is the number of samples of the class, at
/// least 1.
Cut most_precise(const std::vector<Cut>& cuts, double recall, double positives);

}  // namespace semblance::calibrators
