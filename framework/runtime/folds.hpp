// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Stratified k-fold cross-validation: within each class the training rows are put in random
/// order, the classes are laid end to end, and each k-th row is held out. So every class is spread
/// evenly over the folds, and the folds' sizes follow from the number of rows alone.

/// The outline of one fold: what is held out are its test rows, the source's own test rows are
/// left out. Throws Error where there are fewer training rows than folds.
Outline folded(const Outline& all, const Fold& fold);

/// The numbers of the training rows in the order of the fold: first those to learn from, then
/// those held out, both ascending. `labels` are those of all training rows.
std::vector<std::int64_t> fold_rows(std::span<const std::int32_t> labels, const Fold& fold);

/// The rows of one fold of an opened data set.
class FoldedDataset final : public Dataset {
 public:
  FoldedDataset(std::shared_ptr<const Dataset> all, const Fold& fold);
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override { return all_->bytes(); }
  std::int64_t number(std::size_t row) const override { return all_->number(place(row)); }
  std::string name(std::size_t row) const override { return all_->name(place(row)); }

  /// Of each row its number among the training rows of the source.
  std::span<const std::int64_t> row_numbers() const noexcept { return rows_; }

 private:
  std::size_t place(std::size_t row) const { return static_cast<std::size_t>(rows_[row]); }

  std::shared_ptr<const Dataset> all_;
  Outline outline_;
  std::vector<std::int64_t> rows_;
  std::vector<std::int32_t> labels_;
};

}  // namespace semblance
