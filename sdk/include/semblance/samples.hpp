// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// Room for samples of a layout, so many values each.
FloatMatrix room_for(const Layout& layout, std::span<const std::size_t> sizes);

/// Copies as many rows and columns as `out` has; both are sparse, or neither is.
void copy_rows(MatrixView from, MutableMatrixView out);

/// Rows that the runtime keeps in memory or in a memory-mapped file. All members are thread-safe.
class Rows {
 public:
  virtual ~Rows();
  virtual std::size_t rows() const noexcept = 0;
  virtual std::size_t cols() const noexcept = 0;

  /// Rows [first, first + count), valid as long as this object.
  virtual MatrixView view(std::size_t first, std::size_t count) const = 0;

  /// Says that the rows are not needed for now: under a tight memory budget their pages go. A
  /// later view() brings them back.
  virtual void release(std::size_t first, std::size_t count) const = 0;
};

/// Rows are visited in blocks of this size, counted from row 0, wherever an order of summation
/// matters: so results do not depend on the number of threads.
inline constexpr std::size_t block_rows = 256;

/// Number of blocks that `rows` rows make.
inline constexpr std::size_t block_count(std::size_t rows) noexcept {
  return (rows + block_rows - 1) / block_rows;
}

/// Calls body(block, first_row, view) for all blocks in parallel and releases each afterwards.
void for_each_block(
    const Rows& rows, Context& context,
    const std::function<void(std::size_t block, std::size_t first_row, MatrixView view)>& body);

/// What a component learns from: the training rows only, with their labels.
struct TrainingSet {
  const Rows& rows;
  Layout layout;
  std::span<const std::int32_t> labels;  ///< one a row, in [0, classes)
  std::span<const std::string> classes;  ///< names, in the order of the labels
  /// Of the rows of a similarity map: the training rows that its columns compare with, in their
  /// order. Empty for other rows.
  std::span<const std::int64_t> bases = {};
  /// Of a solver's rows: how many columns each of its inputs gave, in their order.
  std::span<const std::size_t> widths = {};
  /// And the names of the nodes that are these inputs, for reports.
  std::span<const std::string> inputs = {};
  /// Of a solver's rows: the names of their columns, where the source has names for its own and all
  /// that lies between keeps_columns().
  std::span<const std::string> columns = {};
  /// The number that the source gives each row (Dataset::number()); empty: its position.
  /// Similarity::set_bases() wants these numbers.
  std::span<const std::int64_t> row_numbers = {};
  /// Of a solver's rows: how much each counts, finite and not negative; its loss is multiplied with
  /// it, so that 2 is as good as the row twice and 0 as no row. Empty: 1 each, and always so for
  /// what is not declared takes_weights().
  std::span<const double> weights = {};
};

/// The numbers of some of the rows, given by their positions.
std::vector<std::int64_t> row_numbers(const TrainingSet& training,
                                      std::span<const std::int64_t> positions);

}  // namespace semblance
