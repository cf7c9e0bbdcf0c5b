// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance {

/// The result of one method on one block.
struct Measurement {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< of the metric; NaN: no value
  std::string error;                                        ///< why there is no value
  std::vector<std::uint8_t> correct;  ///< per test sample: 1 classified right, 0 wrong; may be
                                      ///< empty
  /// Identifies the test samples by content: only if it is equal, they can be paired one by one.
  /// Empty: unknown.
  std::string test_rows = {};
  std::size_t trained = 0;  ///< how many samples were learned from, and how many were tested
  std::size_t tested = 0;
  std::vector<std::string> drawn_from = {};  ///< as in RowsRecord; empty: unknown
  /// For estimates of numbers: per test sample the squared or absolute error whose mean gives the
  /// metric; may be empty.
  std::vector<double> losses = {};
  /// The group of each test sample, as in RowsRecord; empty: none, or unknown.
  std::vector<std::int32_t> groups = {};
  std::vector<double> further = {};  ///< values of ResultTable::further; NaN: no value
  /// The values that the variant chose for its parameters by cross-validation; several where this
  /// is a mean over repeats.
  std::map<std::string, std::vector<std::string>> chosen = {};
  /// The folders of the variants that were measured, relative to the study's.
  std::vector<std::string> folders = {};
};

/// The mean over repeats, measured on the data of all of them; which samples were right is not
/// known then.
Measurement mean_of(const std::vector<Measurement>& repeats);

/// A figure that a table shows beside the metric.
struct FurtherFigure {
  std::string node;    ///< "svm"
  std::string figure;  ///< "train_seconds"
  FigureUnit unit = FigureUnit::plain;
  Better better = Better::none;
};

/// One row of a table of results: a combination of a study, or a run.
struct Method {
  std::string name;
  std::vector<std::string> choices;       ///< one per slot; empty if there are no slots
  std::vector<Measurement> measurements;  ///< one per block
  /// Where blocks are folds: the metric of all held-out samples together, as of one test; with
  /// several cross-validations the mean over them.
  std::optional<double> pooled = {};
};

/// The numbers that choices round, by slot and choice: {"C": {"0.316": "0.316227766016838"}}.
using RoundedNumbers = std::map<std::string, std::map<std::string, std::string>>;

/// Methods measured on the same blocks (repeats, folds, data sets), to be compared.
struct ResultTable {
  std::string metric;  ///< "error_rate"
  bool higher_is_better = false;
  std::vector<std::string> slots;   ///< headings of Method::choices
  std::vector<std::string> blocks;  ///< at least one; "" is allowed as the only one
  std::vector<Method> methods;
  std::optional<std::size_t> baseline;  ///< index of the method against which the other methods are
                                        ///< tested
  std::string over = {};    ///< the slot whose choices are the blocks, if each is shown: "data"
  std::size_t repeats = 1;  ///< whose mean each measurement is
  FigureUnit unit = FigureUnit::plain;  ///< of the metric
  RoundedNumbers numbers = {};
  std::vector<FurtherFigure> further = {};
  std::string node = {};  ///< whose figure the metric is; empty: unknown, or several
};

/// How two blocks of a table are related: which tests may treat them as pairs.
enum class BlockRelation {
  unknown,      ///< not stated: assumed to be independent
  independent,  ///< no samples in common: data sets, or freshly drawn data
  overlapping,  ///< other test samples, but from the same data: random splits, folds
  same_rows     ///< retrained and tested on the same samples: only random choices vary
};

/// A paired test against the baseline, two-sided.
struct PairedTest {
  std::optional<double> p = {};       ///< nothing if the test does not apply
  std::optional<double> p_holm = {};  ///< corrected over all tested methods
  std::string remark = {};            ///< why there is no p, in a few words, if one is expected
};

/// The remarks that replace a p-value.
inline constexpr const char* too_few_blocks = "too few blocks";
inline constexpr const char* no_variation = "no variation";
inline constexpr const char* other_test_rows = "other test rows";
inline constexpr const char* test_rows_unknown = "test rows unknown";
inline constexpr const char* sizes_unknown = "sizes unknown";

/// The statistics of one method.
struct Standing {
  std::size_t measured = 0;   ///< blocks with a value
  double mean = 0;            ///< NaN if nothing was measured
  double deviation = 0;       ///< sample standard deviation; NaN below two blocks
  double standard_error = 0;  ///< of the mean, as the tests take it where blocks share data
  std::optional<double> average_rank;  ///< over the blocks on which every method was measured
  std::optional<double> difference;    ///< mean of the paired differences, method minus baseline
  /// Half the width of the difference's 95 % confidence interval, by the t-test, not corrected for
  /// the number of methods; nothing if that test does not apply, or is over losses in another unit
  /// than the metric's.
  std::optional<double> difference_reach;
  PairedTest t;         ///< the test that matches the relation of the blocks
  PairedTest wilcoxon;  ///< not for blocks with samples in common
  /// If all blocks give the same result and have the same test samples, which are the pairs: of
  /// samples that are right or wrong. With losses, these are tested by t and Wilcoxon instead.
  PairedTest mcnemar;
  bool best = false;  ///< has the best mean of the methods with most blocks measured
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

struct SlotEffect;

struct Comparison {
  std::vector<Standing> standings;  ///< one per method, in their order
  BlockRelation relation = BlockRelation::unknown;
  bool by_rows = false;  ///< t is over test samples, and over blocks if these differ
  /// Groups of dependent test samples, which tests over samples take as a whole; 0: none.
  std::size_t row_groups = 0;
  /// Groups of blocks that share data, independent of each other; ranks and tests are over the
  /// means of groups then. 0: blocks are all independent or all related.
  std::size_t groups = 0;
  std::size_t ranked_blocks = 0;     ///< blocks (or groups) on which every method was measured
  std::optional<double> friedman_p;  ///< whether any method differs, by ranks
  std::optional<double> critical_difference;  ///< of average ranks (Nemenyi, 5 %)
  std::vector<SlotEffect> effects;            ///< of the slots that vary (slot_effects())
};

/// What the choice in one slot of a study changes, all else being equal.
struct SlotEffect {
  std::string slot;
  std::size_t combinations = 0;  ///< of the other slots' choices, each measured with every choice
  /// One method per choice. A measurement is the mean over these combinations, and so are the
  /// losses of its test samples; the baseline is the choice of the study's.
  ResultTable table;
  Comparison comparison;  ///< of the table, with Holm's correction for the slot's choices
};

/// Mean, spread, ranks and paired tests of a table of results. A value that is not finite counts as
/// missing; values that are equal up to rounding (same_figure()) are ties. Methods without any
/// value have no rank and do not affect other ranks. Paired tests use the blocks that both methods
/// have, on the same rows: a block of other data, or of another split, is no pair, and ranks are
/// over blocks whose rows are the same for all methods. The baseline has neither tests nor a
/// difference.
///
/// Some blocks may share data among themselves and not with others: folds of data that are drawn
/// anew for every seed. Their means are then the blocks of ranks and tests, since the correction
/// for overlapping blocks knows nothing of what differs from one draw to the next.
///
/// The blocks decide which test applies. For independent ones: Student's t and Wilcoxon's, plus
/// Friedman's and Nemenyi's over all methods. For blocks that share samples: resampled_t_test().
/// For several trainings on the same test samples: crossed_t_test() if it is known which samples
/// were right, or what their losses are; otherwise tests over the trainings, which say nothing
/// about other samples. If the trainings do not differ either, there is one result, whose samples
/// are the pairs, as with a single block: McNemar's test for right and wrong, t and Wilcoxon for
/// losses. Where test samples have groups, all of these are over groups: McNemar's becomes
/// sign_flip_test(), t is over group_values(). Depends only on the table. Throws Error if a method
/// does not have one measurement per block, or the baseline is not one of the methods.
Comparison compare(const ResultTable& table);

/// The same without the effects of slots.
Comparison compare_methods(const ResultTable& table);

}  // namespace semblance
