// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance {

/// What one method reached on one block.
struct Measurement {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< of the metric; NaN: none
  std::string error;                                        ///< why there is none
  std::vector<std::uint8_t> correct;  ///< per test row: 1 classified right, 0 wrong; may be empty
  std::string test_rows;  ///< what identifies them: only equal ones can be paired row by row
};

/// One row of a table of results: a combination of a study, or a run.
struct Method {
  std::string name;
  std::vector<std::string> choices;       ///< one a slot; empty where there are no slots
  std::vector<Measurement> measurements;  ///< one a block
};

/// Methods measured on the same blocks (repeats, folds, data sets): what is compared.
struct ResultTable {
  std::string metric;  ///< "error_rate"
  bool higher_is_better = false;
  std::vector<std::string> slots;   ///< headings of Method::choices
  std::vector<std::string> blocks;  ///< at least one; the only one may be called ""
  std::vector<Method> methods;
  std::optional<std::size_t> baseline;  ///< index of the method that the others are tested against
  std::string blocks_are = {};  ///< what the blocks are, where each is shown: "data"; else repeats
  FigureUnit unit = FigureUnit::plain;  ///< of the metric
};

/// A paired test against the baseline, two-sided.
struct PairedTest {
  std::optional<double> p;       ///< nothing where it cannot be made
  std::optional<double> p_holm;  ///< corrected over all methods that were tested
};

/// What the table says of one method.
struct Standing {
  std::size_t measured = 0;  ///< blocks with a value
  double mean = 0;           ///< NaN where nothing was measured
  double deviation = 0;      ///< sample standard deviation; NaN below two blocks
  double standard_error = 0;
  std::optional<double> average_rank;  ///< over the blocks on which every method was measured
  std::optional<double> difference;    ///< mean of the paired differences, method minus baseline
  PairedTest t;
  PairedTest wilcoxon;
  PairedTest mcnemar;  ///< only with one block, whose test rows are the same
  bool best = false;   ///< has the best mean of the methods with most blocks measured
};

struct Comparison {
  std::vector<Standing> standings;            ///< one a method, in their order
  std::size_t ranked_blocks = 0;              ///< blocks on which every method was measured
  std::optional<double> friedman_p;           ///< whether any method differs, by ranks
  std::optional<double> critical_difference;  ///< of average ranks (Nemenyi, 5 %)
};

/// Mean, spread, ranks and paired tests of a table of results. A value that is not finite is none.
/// Methods without any value have no rank and take no part in those of the others. Paired tests
/// are over the blocks that both have, at least two; the baseline has none, nor a difference.
/// Depends on nothing but the table. Throws Error where a method does not have one measurement a
/// block, or the baseline is none of the methods.
Comparison compare(const ResultTable& table);

}  // namespace semblance
