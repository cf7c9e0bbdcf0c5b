// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

namespace semblance {

/// What a column of a table of results holds, which decides how it is aligned, written and sorted.
enum class Holds {
  text,
  metric,  ///< values of the metric, of which the best are marked
  number,
  p,  ///< of a test against the baseline; text where a remark stands in its place
  flag
};

struct TableCell {
  std::string text = {};  ///< as people read it, not yet escaped
  double value =
      std::numeric_limits<double>::quiet_NaN();  ///< with all digits; NaN if there is none
  bool best = false;
  std::string hint = {};  ///< what else the page says about it
};

struct TableColumn {
  std::string key;      ///< its name in table.csv; empty: it is only shown to people
  std::string heading;  ///< for people; empty: it is only in files
  Holds holds = Holds::text;
  bool compared = false;         ///< a result of compare(), and so under "comparison" in study.json
  std::vector<TableCell> cells;  ///< one per method, in their order
};

/// A table of results before it is rendered as CSV, JSON, plain text, Markdown, LaTeX or HTML: a
/// column that is added here is in all of them.
struct TableLayout {
  std::vector<TableColumn> columns;
  std::vector<std::string> notes;     ///< a sentence each, shown below
  std::vector<std::string> failures;  ///< "NAME: BLOCK: error; BLOCK: error"
};

/// The columns: the method's name, the slots, the blocks, the metric as mean and deviation (shares
/// in percent), the number of blocks if some are missing, the average rank, the difference to the
/// baseline, the p-values of the tests, and the errors. People see the name only if no slot
/// varies, and the blocks only if methods are compared over them.
TableLayout table_layout(const ResultTable& table, const Comparison& comparison);

/// The same as people see it: without the columns of files, and with the failures as notes.
TableLayout shown_layout(const ResultTable& table, const Comparison& comparison);

/// The blocks in a sentence: "5 blocks", "the 3 choices of 'data'".
std::string blocks_text(const ResultTable& table);

}  // namespace semblance
