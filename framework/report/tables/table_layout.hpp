// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

namespace semblance {

/// A table of results as people read it: its columns and their cells, before it is rendered as
/// plain text, Markdown or LaTeX. Text is not yet escaped.
struct TableLayout {
  struct Column {
    std::string heading;
    bool number = false;  ///< right-aligned
  };
  struct Cell {
    std::string text;
    bool best = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< one per method, in their order
  std::vector<std::string> notes;       ///< a sentence each, shown below
};

/// The columns: the slots (or the method's name), the metric as mean and deviation (shares in
/// percent), the blocks measured if some are missing, the average rank, the difference to the
/// baseline and the corrected p-values of the tests that apply.
TableLayout table_layout(const ResultTable& table, const Comparison& comparison);

/// Whether every method has a choice for every slot, so that these say more than its name.
bool has_slot_columns(const ResultTable& table);

/// Why values are missing, for all blocks: "BLOCK: error; BLOCK: error".
std::string errors_of(const ResultTable& table, const Method& method);

}  // namespace semblance
