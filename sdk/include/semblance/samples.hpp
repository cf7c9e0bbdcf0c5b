// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// Allocates samples of a layout with the given numbers of values.
FloatMatrix room_for(const Layout& layout, std::span<const std::size_t> sizes);

/// Copies the rows and columns that `out` has. Either both are sparse or neither is.
void copy_rows(MatrixView from, MutableMatrixView out);

/// Rows that the runtime holds in memory or in a memory-mapped file. All members are thread-safe.
class Rows {
 public:
  virtual ~Rows();
  virtual std::size_t rows() const noexcept = 0;
  virtual std::size_t cols() const noexcept = 0;

  /// Rows [first, first + count), valid as long as this object exists.
  virtual MatrixView view(std::size_t first, std::size_t count) const = 0;

  /// Marks the rows as not needed for now; under a tight memory budget their pages are dropped. A
  /// later view() loads them again.
  virtual void release(std::size_t first, std::size_t count) const = 0;
};

/// The rows of a matrix in memory.
class MatrixRows final : public Rows {
 public:
  /// `owner` keeps the values alive; without one, the caller does.
  explicit MatrixRows(MatrixView matrix, std::shared_ptr<const void> owner = nullptr)
      : matrix_(matrix), owner_(std::move(owner)) {}
  explicit MatrixRows(FloatMatrix values)
      : MatrixRows(std::make_shared<const FloatMatrix>(std::move(values))) {}
  std::size_t rows() const noexcept override { return matrix_.rows; }
  std::size_t cols() const noexcept override { return matrix_.cols; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return matrix_.rows_range(first, count);
  }
  void release(std::size_t, std::size_t) const override {}

 private:
  explicit MatrixRows(std::shared_ptr<const FloatMatrix> values)
      : MatrixRows(values->view(), values) {}

  MatrixView matrix_;
  std::shared_ptr<const void> owner_;
};

/// Rows are visited in blocks of this size, counted from row 0, wherever the order of summation
/// matters, so that results do not depend on the number of threads.
inline constexpr std::size_t block_rows = 256;

/// Number of blocks that `rows` rows make.
inline constexpr std::size_t block_count(std::size_t rows) noexcept {
  return (rows + block_rows - 1) / block_rows;
}

/// Calls body(block, first_row, view) for all blocks in parallel and releases each afterwards.
void for_each_block(
    const Rows& rows, Context& context,
    const std::function<void(std::size_t block, std::size_t first_row, MatrixView view)>& body);

/// The training data of a component: only the training samples, with their labels.
struct TrainingSet {
  const Rows& rows;
  Layout layout;
  std::span<const std::int32_t> labels;  ///< one per row, in [0, classes); -1 without classes
  std::span<const std::string> classes;  ///< names, in the order of the labels
  /// For the output of a similarity map: the training samples that are its bases, in the order of
  /// its columns. Empty otherwise.
  std::span<const std::int64_t> bases = {};
  /// For solvers: the number of columns of each input, in their order.
  std::span<const std::size_t> widths = {};
  /// For solvers: the names of the input nodes, for reports.
  std::span<const std::string> inputs = {};
  /// The names of the columns, if the source names them and all nodes in between are declared
  /// keeps_columns().
  std::span<const std::string> columns = {};
  /// The number that the source gives each row (Dataset::number()); empty: its position.
  /// Similarity::set_bases() takes these numbers.
  std::span<const std::int64_t> row_numbers = {};
  /// For solvers: the weight of each sample, finite and not negative. It multiplies the sample's
  /// loss, so that 2 is equivalent to the sample twice and 0 to no sample. Empty: 1 each; always
  /// empty for solvers that are not declared takes_weights().
  std::span<const double> weights = {};
  /// For solvers: the group of each sample (Dataset::groups()). Solvers that split the samples for
  /// an internal validation keep those of a group together. Empty: no groups.
  std::span<const std::int32_t> groups = {};
  /// If the target is numbers: rows x target_names.size(), row-major, all finite. Then there are no
  /// classes, and all labels are -1.
  std::span<const double> targets = {};
  std::span<const std::string> target_names = {};
};

/// The numbers of the rows at these positions.
std::vector<std::int64_t> row_numbers(const TrainingSet& training,
                                      std::span<const std::int64_t> positions);

}  // namespace semblance
