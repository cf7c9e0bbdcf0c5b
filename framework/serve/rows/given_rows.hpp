// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"

namespace semblance::serving {

/// More than is taken at once.
class TooMuch : public Error {
 public:
  using Error::Error;
};

/// How much of it.
struct RowLimits {
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  std::size_t values = std::numeric_limits<std::size_t>::max();  ///< as they lie in memory
};

/// Throws Error where samples are of a layout whose rows nothing here reads.
void check_readable(const Layout& layout);

/// Rows as a model's source would give them, which come one after the other: vectors, images and
/// grids, or sparse vectors.
class GivenRows {
 public:
  /// Throws as check_readable() does.
  explicit GivenRows(const Layout& layout, const RowLimits& limits = {});

  std::size_t rows() const noexcept { return rows_; }
  /// Values of a row, zeros included.
  std::size_t width() const noexcept { return width_; }
  bool sparse() const noexcept { return sparse_; }

  /// A row with all its values. Throws Error where it has another number of them, TooMuch beyond
  /// the limits.
  void add(std::span<const float> values);
  /// A row of the values other than 0; their columns ascend and are below width().
  void add(std::span<const std::uint32_t> columns, std::span<const float> values);
  /// So many of the other's rows.
  void add(const GivenRows& other, std::size_t first, std::size_t count);

  /// Only the first ones stay.
  void keep(std::size_t count);
  void clear() { keep(0); }
  MatrixView view() const noexcept;

 private:
  void check_room(std::size_t values) const;

  std::size_t width_;
  bool sparse_;
  RowLimits limits_;
  std::size_t rows_ = 0;
  std::vector<float> values_;
  std::vector<std::size_t> offsets_ = {0};
  std::vector<std::uint32_t> columns_;
};

}  // namespace semblance::serving
