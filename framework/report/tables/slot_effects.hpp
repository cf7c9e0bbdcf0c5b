// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/tables/comparison.hpp"
#include "report/tables/table_layout.hpp"

namespace semblance {

/// What the choice in one slot of a study changes, all else being equal.
struct SlotEffect {
  std::string slot;
  std::size_t combinations = 0;  ///< of the other slots' choices, each measured with every choice
  /// One method per choice. A measurement is the mean over these combinations, and so are the
  /// losses of its test samples; the baseline is the choice of the study's.
  ResultTable table;
  Comparison comparison;  ///< of the table, with Holm's correction for the slot's choices
};

/// The main effects of a table's slots that vary. A combination of the other slots counts only if
/// it was measured on all blocks with every choice, since means over different combinations cannot
/// be compared; choices that were never measured are left out. A slot is left out where fewer than
/// two combinations remain, as its effect is then what the table itself shows.
std::vector<SlotEffect> slot_effects(const ResultTable& table);

/// All effects in one table: slot, choice, mean, difference with its interval, p, combinations.
TableLayout effects_layout(const std::vector<SlotEffect>& effects);

}  // namespace semblance
