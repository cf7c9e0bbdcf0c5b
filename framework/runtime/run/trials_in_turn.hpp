// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

#include "registry/catalogue.hpp"
#include "study/study.hpp"

namespace semblance {

/// What distinguishes a trial from all others that run with it.
struct TrialPlace {
  std::size_t selection = 0;
  std::size_t repeat = 0;            ///< the fold
  std::vector<std::size_t> choices;  ///< the alternative for each parameter

  friend auto operator<=>(const TrialPlace&, const TrialPlace&) = default;
};

/// Trials that differ only in a parameter whose values can be solved in turn (SharesWork), such as
/// C, get the smaller values of the others to solve first, so that each starts from the solution
/// for the one before, and all share them. `places`: one per trial.
void solve_in_turn(std::vector<StudyVariant>& trials, const std::vector<TrialPlace>& places,
                   const Catalogue& catalogue);

/// The same for all trials of one selection.
void solve_in_turn(Study& trials, const Catalogue& catalogue);

}  // namespace semblance
