// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "runtime/rows/rearranged_rows.hpp"

namespace semblance {

/// Stratified k-fold cross-validation: within each class the training samples are put in random
/// order, the classes are concatenated, and every k-th sample is held out. So every class is spread
/// evenly over the folds, and the folds' sizes follow from the number of samples alone. Where a
/// fold would hold out the only sample of a class, a sample of the largest class is held out
/// instead, in addition to being held out by its own fold: solvers need a sample of each class.
/// Where the target is numbers, strata take the place of the classes: k samples that follow each
/// other in the order of the first target (target_strata()), one of which each fold holds out.

/// Where the data have groups (Dataset::groups()), all samples of a group are held out by the same
/// fold, unless Fold::by_row: see semblance/row_groups.hpp. The sizes of such folds follow from the
/// labels and groups.

/// Leave-one-out (Fold::each_row): all training samples in their order, followed by the same
/// samples again as test samples.

/// The name in messages of what makes the folds of a source.
const char* maker_of_folds(const PipelineNode& source);

/// The outline of one fold of data without groups: its test samples are those held out; the
/// source's own test samples are excluded. Throws Error where there are fewer training samples than
/// folds; `of` names what asks for the folds. Where a fold is one of another fold's, `all` is that
/// fold.
Outline folded(const Outline& all, const Fold& fold, const char* of = "select");

/// The outline of a fold of folds: `all` is the complete data.
Outline folded_within(Outline all, const Fold& fold, const char* of);

/// Throws Error where one of a calibrator's folds would learn from no sample of a class: the class
/// has fewer than two training samples (those of a class are held out by different folds, as far as
/// there are folds); with groups, all are of one group, or held out by one fold.
void check_class_sizes(const Dataset& all, const Fold& fold);

/// The classes whose only sample no fold holds out; empty where most classes have one sample.
std::vector<std::int32_t> classes_of_one_row(std::span<const std::int32_t> labels);

/// The training samples in the order of a fold.
struct FoldRows {
  std::vector<std::int64_t> rows;  ///< positions: first those to learn from, then those held out,
                                   ///< each in ascending order
  std::size_t train_rows = 0;      ///< how many are to learn from
};

/// What a fold is to be even over, for fold_rows(): the labels or, with `width` targets of each
/// training sample, strata of the first one. Whole groups are held out as they are: then all
/// samples are in one stratum. `any_class`: nothing learns from the classes, so that a fold may
/// hold out the only sample of one.
std::vector<std::int32_t> fold_strata(std::span<const std::int32_t> labels,
                                      std::span<const double> targets, std::size_t width,
                                      bool grouped, const Fold& fold, bool any_class = false);

/// `labels` are those of all training samples, or their strata, and `groups` may be empty. Throws
/// Error where there are fewer groups than folds; `of` names what asks for the folds.
FoldRows fold_rows(std::span<const std::int32_t> labels, std::span<const std::int32_t> groups,
                   const Fold& fold, const char* of = "select");

/// The name of a source in messages about its data: those of folds and variants are the same, or
/// the message names the file, so that it is said once ("table" for "table[fold=2]").
std::string name_of_data(const PipelineNode& source);

/// The samples of one fold of an opened data set.
class FoldedDataset final : public RearrangedRows {
 public:
  /// `any_class`: as for fold_strata().
  FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold,
                const char* of = "select", bool any_class = false);

 private:
  FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold, const FoldRows& rows);
};

/// The samples of a source that provides folds, where `all` is what they are folds of.
std::shared_ptr<const Dataset> folds_of_data(const PipelineNode& source,
                                             std::shared_ptr<const Dataset> all);

}  // namespace semblance
