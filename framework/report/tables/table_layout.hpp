// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

namespace semblance {

/// A table of results as people read it: which columns there are and what stands in them, before
/// it is drawn as plain text, Markdown or LaTeX. Text is not yet escaped.
struct TableLayout {
  struct Column {
    std::string heading;
    bool number = false;  ///< to be aligned to the right
  };
  struct Cell {
    std::string text;
    bool best = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< one a method, in their order
  std::vector<std::string> notes;       ///< a sentence each, to stand below
};

/// The columns: the slots (or the method's name), the metric as mean and deviation (shares in
/// percent), the blocks measured where some are missing, the average rank, the difference to the
/// baseline and the p values, corrected, of the tests that could be made.
TableLayout table_layout(const ResultTable& table, const Comparison& comparison);

/// Whether every method has a choice for every slot, so that these say more than its name.
bool has_slot_columns(const ResultTable& table);

/// Why there is no value, of all blocks: "BLOCK: error; BLOCK: error".
std::string errors_of(const ResultTable& table, const Method& method);

}  // namespace semblance
