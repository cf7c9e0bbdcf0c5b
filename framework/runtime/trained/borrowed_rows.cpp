// SPDX-License-Identifier: MIT
#include "runtime/trained/borrowed_rows.hpp"

#include <algorithm>

#include "semblance/error.hpp"

namespace semblance {
namespace {

Outline outline_of(const BorrowedData& data) {
  Outline outline{data.layout, data.train.rows, data.test.rows, data.classes, data.columns};
  if (data.layout.ragged()) outline.values = data.train.values() + data.test.values();
  outline.rows_in_place = outline.train_rows;
  outline.targets = data.target_names;
  return outline;
}

/// Checks the columns: other code uses them as indices into vectors of `dimension` values.
void check_columns(MatrixView rows, std::size_t i, std::size_t dimension, const std::string& what) {
  if (!rows.sparse()) return;
  const auto columns = rows.columns_of(i);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] >= dimension || (k > 0 && columns[k] <= columns[k - 1]))
      throw Error(what + ": row " + std::to_string(i) + " (from 0) has a value in column " +
                  std::to_string(columns[k]) + "; columns must ascend and be below " +
                  std::to_string(dimension));
}

}  // namespace

void check_rows(MatrixView rows, const Layout& layout, const std::string& what, Longest longest) {
  if (rows.rows == 0) return;
  if (rows.ragged() != layout.ragged())
    throw Error(what + " must be rows that are each a " + describe(layout) + ", but they " +
                (rows.ragged() ? "differ in size" : "are all of one size"));
  if (!rows.ragged() && rows.cols == layout.size()) return;
  if (!rows.ragged())
    throw Error(what + " have " + std::to_string(rows.cols) + " values each, but a " +
                describe(layout) + " has " + std::to_string(layout.size()));
  if (rows.sparse() != (layout.kind == LayoutKind::sparse))
    throw Error(what + " must be rows that are each a " + describe(layout) + ", but they " +
                (rows.sparse() ? "are sparse" : "are not sparse"));
  for (std::size_t i = 0; i < rows.rows; ++i) {
    if (rows.offsets[i + 1] < rows.offsets[i])
      throw Error(what + " have offsets that descend at row " + std::to_string(i));
    const bool too_long = longest == Longest::as_layout_says && rows.size(i) > layout.size();
    if (too_long || rows.size(i) % layout.depth != 0)
      throw Error(what + ": row " + std::to_string(i) + " (from 0) has " +
                  std::to_string(rows.size(i)) + " values, which is no " + describe(layout));
    check_columns(rows, i, layout.size(), what);
  }
}

BorrowedRows::BorrowedRows(BorrowedData data)
    : data_(std::move(data)), outline_(outline_of(data_)) {
  if (data_.layout.ragged()) data_.train.cols = data_.test.cols = data_.layout.size();
  check_rows(data_.train, data_.layout, "the training rows", Longest::as_layout_says);
  check_rows(data_.test, data_.layout, "the test rows", Longest::as_layout_says);
  if (!data_.labels.empty() && data_.labels.size() != outline_.rows())
    throw Error("there are " + std::to_string(data_.labels.size()) + " labels for " +
                std::to_string(outline_.rows()) + " rows; give one label per row");
  if (data_.targets.size() != outline_.rows() * data_.target_names.size())
    throw Error("there are " + std::to_string(data_.targets.size()) + " targets for " +
                std::to_string(outline_.rows()) + " rows, each of which has " +
                std::to_string(data_.target_names.size()) +
                "; give each row as many targets as there are names of them");
  if (!data_.weights.empty() && data_.weights.size() != outline_.rows())
    throw Error("there are " + std::to_string(data_.weights.size()) + " weights for " +
                std::to_string(outline_.rows()) + " rows; give one weight per row");
  if (!data_.groups.empty() && data_.groups.size() != outline_.rows())
    throw Error("there are " + std::to_string(data_.groups.size()) + " groups for " +
                std::to_string(outline_.rows()) + " rows; give one group per row");
  if (!data_.columns.empty() && data_.columns.size() != data_.layout.size())
    throw Error("there are " + std::to_string(data_.columns.size()) + " names of columns for a " +
                describe(data_.layout));
}

std::size_t BorrowedRows::values(std::size_t row) const {
  return row < data_.train.rows ? data_.train.size(row) : data_.test.size(row - data_.train.rows);
}

void BorrowedRows::read(std::size_t first, MutableMatrixView out) const {
  const std::size_t of_train = std::clamp(data_.train.rows, first, first + out.rows) - first;
  if (of_train > 0) copy_rows(data_.train.rows_range(first, of_train), out.rows_range(0, of_train));
  const std::size_t rest = out.rows - of_train;
  if (rest > 0)
    copy_rows(data_.test.rows_range(first + of_train - data_.train.rows, rest),
              out.rows_range(of_train, rest));
}

std::size_t BorrowedRows::bytes() const noexcept {
  return sizeof *this + (data_.labels.size() + data_.groups.size()) * sizeof(std::int32_t) +
         (data_.targets.size() + data_.weights.size()) * sizeof(double);
}

MatrixView BorrowedRows::in_place(std::size_t first, std::size_t count) const noexcept {
  if (first + count <= data_.train.rows) return data_.train.rows_range(first, count);
  if (first >= data_.train.rows) return data_.test.rows_range(first - data_.train.rows, count);
  return {};
}

}  // namespace semblance
