// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

namespace semblance {

/// The content of a column of a table of results; it decides how the column is aligned, written and
/// sorted.
enum class Holds {
  text,
  metric,  ///< values of the metric, of which the best are marked
  number,
  p,  ///< of a test against the baseline; text where a remark replaces it
  flag
};

struct TableCell {
  std::string text = {};  ///< for people, not yet escaped
  double value =
      std::numeric_limits<double>::quiet_NaN();  ///< with all digits; NaN if there is none
  bool best = false;
  std::string hint = {};  ///< additional text of the page
};

struct TableColumn {
  std::string key;      ///< its name in table.csv; empty: the column is not in files
  std::string heading;  ///< for people; empty: the column is only in files
  Holds holds = Holds::text;
  bool higher_is_better = false;  ///< of values of a metric
  bool compared = false;          ///< a result of compare(), so it is under "comparison" in
                                  ///< study.json
  std::vector<TableCell> cells;   ///< one per method, in their order
};

/// A table of results before it is rendered as CSV, JSON, plain text, Markdown, LaTeX or HTML: a
/// column that is added here appears in all of them.
struct TableLayout {
  std::vector<TableColumn> columns;
  std::vector<std::string> notes;     ///< one sentence each, shown below
  std::vector<std::string> failures;  ///< "NAME: BLOCK: error; BLOCK: error"
};

/// The columns: the method's name, the slots, the blocks, the metric as mean and deviation (shares
/// in percent), the number of blocks if some are missing, the average rank, the difference to the
/// baseline, the p-values of the tests, and the errors. For people, the name appears only if no
/// slot varies, and the blocks only if methods are compared over them.
TableLayout table_layout(const ResultTable& table, const Comparison& comparison);

/// A layout for people: without the columns of files, and with the failures as notes. `columns`
/// names those to keep, by heading or key, in their order; empty: all. Throws Error, with the names
/// to choose from, where there is no such column.
TableLayout shown_layout(TableLayout layout, const std::vector<std::string>& columns = {});

/// The blocks in a sentence: "5 blocks", "the 3 choices of 'data'".
std::string blocks_text(const ResultTable& table);

}  // namespace semblance
