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

/// More rows or values than the limits allow.
class TooMuch : public Error {
 public:
  using Error::Error;
};

/// The limits of one request.
struct RowLimits {
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  std::size_t values = std::numeric_limits<std::size_t>::max();  ///< as stored in memory
};

/// Throws Error for a layout whose rows cannot be read here.
void check_readable(const Layout& layout);

/// Rows as a model's source would output them, in sequence: vectors, images and grids, or sparse
/// vectors.
class GivenRows {
 public:
  /// Throws as check_readable() does.
  explicit GivenRows(const Layout& layout, const RowLimits& limits = {});

  std::size_t rows() const noexcept { return rows_; }
  /// Values per row, zeros included.
  std::size_t width() const noexcept { return width_; }
  bool sparse() const noexcept { return sparse_; }

  /// Adds a row with all its values. Throws Error where their number is wrong, TooMuch beyond the
  /// limits.
  void add(std::span<const float> values);
  /// Adds a row of non-zero values; their columns ascend and are below width().
  void add(std::span<const std::uint32_t> columns, std::span<const float> values);
  /// Adds some of the other object's rows.
  void add(const GivenRows& other, std::size_t first, std::size_t count);

  /// Retains only the first rows.
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
