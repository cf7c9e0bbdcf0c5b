// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semblance/source.hpp"

namespace semblance {

/// What a program has in memory and hands over to `source/array` (HandedOver).
struct BorrowedData {
  Layout layout;
  MatrixView train;                       ///< the rows to learn from
  MatrixView test = {};                   ///< and to test on, if there are any
  std::vector<std::int32_t> labels = {};  ///< one a row, training rows first; empty: none are known
  std::vector<std::string> classes = {};  ///< their names; none: there are no labels
  std::vector<std::string> columns = {};  ///< names of a row's values; none: they have none
  std::shared_ptr<const void> owner = nullptr;  ///< keeps the values alive
  std::vector<double> weights = {};             ///< Dataset::weights(), one a row; empty: 1 each
  std::vector<std::int32_t> groups = {};        ///< Dataset::groups(), one a row; empty: none
};

/// These rows as a data set, without a copy. Throws Error where they do not fit together: a row
/// that is none of its layout, another number of labels than rows.
class BorrowedRows final : public Dataset {
 public:
  explicit BorrowedRows(BorrowedData data);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return data_.labels; }
  std::span<const double> weights() const noexcept override { return data_.weights; }
  std::span<const std::int32_t> groups() const noexcept override { return data_.groups; }
  std::size_t values(std::size_t row) const override;
  void read(std::size_t first, MutableMatrixView out) const override;
  /// Of the values none: they are the program's.
  std::size_t bytes() const noexcept override;
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

 private:
  BorrowedData data_;
  Outline outline_;
};

/// Throws Error unless `rows`, which a message calls `what`, are rows of this layout. Looks at
/// sizes only.
void check_rows(MatrixView rows, const Layout& layout, const std::string& what);

}  // namespace semblance
