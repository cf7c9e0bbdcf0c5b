// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "runtime/rows/rearranged_rows.hpp"

namespace semblance {

/// Stratified k-fold cross-validation: within each class the training rows are put in random
/// order, the classes are laid end to end, and each k-th row is held out. So every class is spread
/// evenly over the folds, and the folds' sizes follow from the number of rows alone. Where it would
/// hold out the only row of a class, a row of the largest class is held out instead, once more than
/// by its own fold: what learns from classes needs a row of each.

/// Where the data have groups (Dataset::groups()), all rows of a group are held out by the same
/// fold, unless Fold::by_row: see semblance/row_groups.hpp. The sizes of such folds follow from the
/// labels and groups.

/// Leave-one-out (Fold::each_row): all training rows, in their order, and behind them, as test
/// rows, the same again.

/// What messages say that makes the folds of a source.
const char* maker_of_folds(const PipelineNode& source);

/// The outline of one fold of data without groups: what is held out are its test rows, the source's
/// own test rows are left out. Throws Error where there are fewer training rows than folds, which
/// `of` asks for. Where a fold is one of another fold's, `all` is that fold.
Outline folded(const Outline& all, const Fold& fold, const char* of = "select");

/// The outline of a fold of folds: `all` is the whole.
Outline folded_within(Outline all, const Fold& fold, const char* of);

/// Throws Error where a class has fewer training rows than the folds in which a calibrator's rows
/// are held out: one of them would learn from fewer of them than it is thought to, or from none. By
/// group: where all rows of a class are of one group, or held out by one fold.
void check_class_sizes(const Dataset& all, const Fold& fold);

/// The classes whose only row no fold holds out; none where most classes have one row.
std::vector<std::int32_t> classes_of_one_row(std::span<const std::int32_t> labels);

/// The training rows in the order of a fold.
struct FoldRows {
  std::vector<std::int64_t> rows;  ///< positions: first those to learn from, both parts ascending
  std::size_t train_rows = 0;      ///< how many are to learn from
};

/// `labels` and `groups` are those of all training rows; `groups` may be empty. Throws Error where
/// there are fewer groups than folds, which `of` asks for.
FoldRows fold_rows(std::span<const std::int32_t> labels, std::span<const std::int32_t> groups,
                   const Fold& fold, const char* of = "select");

/// What messages about its data call a source: folds are of the same data, so that what is said of
/// one is said of all ("table" for "table[fold=2]").
std::string name_of_data(const PipelineNode& source);

/// The rows of one fold of an opened data set.
class FoldedDataset final : public RearrangedRows {
 public:
  FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold,
                const char* of = "select");

 private:
  FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold, const FoldRows& rows);
};

/// The rows of a source that gives folds, where `all` is what they are folds of.
std::shared_ptr<const Dataset> folds_of_data(const PipelineNode& source,
                                             std::shared_ptr<const Dataset> all);

}  // namespace semblance
