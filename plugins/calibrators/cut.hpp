// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

namespace semblance::calibrators {

/// A row on the way of one class's score upwards, all other scores as they are.
struct Crossing {
  double shift = 0;    ///< added to the class's score: above it, the row is given this class
  double before = 0;   ///< what the row costs as long as it is given another class
  double after = 0;    ///< and what once it is given this one
  bool right = false;  ///< whether it is of this class
  double weight = 1;   ///< as how many rows it counts
};

/// What a shift of one class's score leads to.
struct Cut {
  double shift = 0;
  double cost = 0;
  double right = 0;  ///< rows of the class that are given it
  double given = 0;  ///< rows that are given it
};

/// All shifts that make a difference, by rising shift: midway between two crossings, and one below
/// and above all of them. Rows that cross at the same shift do so together.
std::vector<Cut> all_cuts(std::vector<Crossing> rows);

/// The cut of least cost, of equal ones that nearest to no shift.
Cut cheapest(const std::vector<Cut>& cuts);

/// Of the cuts that give at least this share of the rows of the class their class, the one of
/// largest precision; of equal ones the one that finds more, then that nearest to no shift.
/// `positives` is the number of rows of the class, at least 1.
Cut most_precise(const std::vector<Cut>& cuts, double recall, double positives);

}  // namespace semblance::calibrators
