// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "report/tables/comparison.hpp"
#include "report/tables/table_layout.hpp"

namespace semblance {

/// The main effects of a table's slots that vary. A combination of the other slots counts only if
/// it was measured on all blocks with every choice, since means over different combinations cannot
/// be compared; choices that were never measured are left out. A slot is left out where fewer than
/// two combinations remain, as its effect is then what the table itself shows.
std::vector<SlotEffect> slot_effects(const ResultTable& table);

/// All effects in one table: slot, choice, mean, difference with its interval, p, combinations.
TableLayout effects_layout(const std::vector<SlotEffect>& effects);

}  // namespace semblance
