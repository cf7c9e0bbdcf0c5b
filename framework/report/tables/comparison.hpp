// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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
  /// Names the test rows by their content: only if it is the same, they can be paired row by row.
  /// Empty: unknown.
  std::string test_rows = {};
  std::size_t trained = 0;  ///< how many rows were learned from, and how many were tested
  std::size_t tested = 0;
  std::vector<std::string> drawn_from = {};  ///< as in RowsRecord; empty: unknown
};

/// One row of a table of results: a combination of a study, or a run.
struct Method {
  std::string name;
  std::vector<std::string> choices;       ///< one per slot; empty if there are no slots
  std::vector<Measurement> measurements;  ///< one per block
};

/// Methods measured on the same blocks (repeats, folds, data sets): what is compared.
struct ResultTable {
  std::string metric;  ///< "error_rate"
  bool higher_is_better = false;
  std::vector<std::string> slots;   ///< headings of Method::choices
  std::vector<std::string> blocks;  ///< at least one; the only one may be called ""
  std::vector<Method> methods;
  std::optional<std::size_t> baseline;  ///< index of the method that the others are tested against
  std::string over = {};  ///< the slot whose choices are the blocks, if each is shown: "data"
  FigureUnit unit = FigureUnit::plain;  ///< of the metric
};

/// How two blocks of a table are related: which tests may treat them as pairs.
enum class BlockRelation {
  unknown,      ///< not stated: assumed to be independent
  independent,  ///< no rows in common: data sets, or freshly drawn data
  overlapping,  ///< other test rows, but from the same data: random splits, folds
  same_rows     ///< retrained and tested on the same rows: only random choices vary
};

/// A paired test against the baseline, two-sided.
struct PairedTest {
  std::optional<double> p = {};       ///< nothing if it does not apply
  std::optional<double> p_holm = {};  ///< corrected over all methods that were tested
  std::string remark = {};  ///< why there is no p, in a few words, if one would be expected
};

/// The remarks shown instead of a p-value.
inline constexpr const char* too_few_blocks = "too few blocks";
inline constexpr const char* no_variation = "no variation";
inline constexpr const char* other_test_rows = "other test rows";
inline constexpr const char* test_rows_unknown = "test rows unknown";
inline constexpr const char* sizes_unknown = "sizes unknown";

/// What the table says about one method.
struct Standing {
  std::size_t measured = 0;  ///< blocks with a value
  double mean = 0;           ///< NaN if nothing was measured
  double deviation = 0;      ///< sample standard deviation; NaN below two blocks
  double standard_error = 0;
  std::optional<double> average_rank;  ///< over the blocks on which every method was measured
  std::optional<double> difference;    ///< mean of the paired differences, method minus baseline
  PairedTest t;                        ///< the one that matches how the blocks are related
  PairedTest wilcoxon;                 ///< not for blocks with rows in common
  PairedTest mcnemar;  ///< if all blocks give the same result and have the same test rows
  bool best = false;   ///< has the best mean of the methods with most blocks measured
};

/// The paired tests of a Standing, in the order of all tables.
struct NamedTest {
  const char* key;      ///< in files: "wilcoxon"
  const char* heading;  ///< for people: "Wilcoxon"
  PairedTest Standing::*test;
};
inline constexpr std::array named_tests = {NamedTest{"t", "t", &Standing::t},
                                           NamedTest{"wilcoxon", "Wilcoxon", &Standing::wilcoxon},
                                           NamedTest{"mcnemar", "McNemar", &Standing::mcnemar}};

struct Comparison {
  std::vector<Standing> standings;  ///< one per method, in their order
  BlockRelation relation = BlockRelation::unknown;
  bool by_rows = false;              ///< with same_rows: the test is over rows and blocks together
  std::size_t ranked_blocks = 0;     ///< blocks on which every method was measured
  std::optional<double> friedman_p;  ///< whether any method differs, by ranks
  std::optional<double> critical_difference;  ///< of average ranks (Nemenyi, 5 %)
};

/// Mean, spread, ranks and paired tests of a table of results. A value that is not finite counts as
/// missing; values that are equal up to rounding (same_figure()) are ties. Methods without any
/// value have no rank and do not affect those of the others. Paired tests are over the blocks that
/// both have; the baseline has none, nor a difference.
///
/// The blocks decide which test applies. Independent ones: Student's t and Wilcoxon's, plus
/// Friedman's and Nemenyi's over all methods. Blocks that share rows: resampled_t_test(). Several
/// trainings on the same test rows: crossed_t_test() if it is known which rows were right, else
/// tests over the trainings, which say nothing about other rows. If the trainings do not differ
/// either, there is one result, whose rows are the pairs (McNemar's test), as with a single block.
/// Depends only on the table. Throws Error if a method does not have one measurement per block, or
/// the baseline is not one of the methods.
Comparison compare(const ResultTable& table);

}  // namespace semblance
