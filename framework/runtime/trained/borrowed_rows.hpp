// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semblance/source.hpp"

namespace semblance {

/// Data in a program's memory that it hands over to `source/array` (HandedOver).
struct BorrowedData {
  Layout layout;
  MatrixView train;                       ///< the samples to learn from
  MatrixView test = {};                   ///< the samples to test on, if any
  std::vector<std::int32_t> labels = {};  ///< one per sample, training samples first; empty: none
                                          ///< known
  std::vector<std::string> classes = {};  ///< their names; empty: there are no labels
  std::vector<std::string> columns = {};  ///< names of a sample's values; empty: they have none
  std::shared_ptr<const void> owner = nullptr;  ///< keeps the values alive
  std::vector<double> weights = {};             ///< Dataset::weights(), one per sample; empty: 1
                                                ///< each
  std::vector<std::int32_t> groups = {};        ///< Dataset::groups(), one per sample; empty: none
  std::vector<double> targets = {};             ///< Dataset::targets(): samples x target_names
  std::vector<std::string> target_names = {};   ///< empty: the target is not numbers
};

/// These samples as a data set, without a copy. Throws Error where they do not fit together: a
/// sample that does not fit the layout, or a number of labels or targets other than that of
/// samples.
class BorrowedRows final : public Dataset {
 public:
  explicit BorrowedRows(BorrowedData data);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return data_.labels; }
  std::span<const double> targets() const noexcept override { return data_.targets; }
  std::span<const double> weights() const noexcept override { return data_.weights; }
  std::span<const std::int32_t> groups() const noexcept override { return data_.groups; }
  std::size_t values(std::size_t row) const override;
  void read(std::size_t first, MutableMatrixView out) const override;
  /// Does not count the values: they belong to the program.
  std::size_t bytes() const noexcept override;
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

 private:
  BorrowedData data_;
  Outline outline_;
};

/// Whether series, strings and sets may be larger than their layout says: those that a trained
/// model is applied to.
enum class Longest { as_layout_says, any };

/// Throws Error unless `rows`, called `what` in messages, are rows of this layout. Checks sizes
/// only.
void check_rows(MatrixView rows, const Layout& layout, const std::string& what, Longest longest);

}  // namespace semblance
