// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/matrix.hpp"

namespace semblance {

/// Where a component writes what it has learned. Arrays become .npy files, scalars and texts JSON;
/// both are read back bit for bit. A name is written once, made of letters, digits and underscores.
class StateWriter {
 public:
  virtual ~StateWriter();
  virtual void integer(std::string_view name, std::int64_t value) = 0;
  virtual void number(std::string_view name, double value) = 0;
  virtual void text(std::string_view name, std::string_view value) = 0;
  /// Rows of equal size, rows that differ in size, or sparse rows; all are restored exactly.
  virtual void floats(std::string_view name, MatrixView values) = 0;
  virtual void doubles(std::string_view name, std::span<const double> values) = 0;
  virtual void integers(std::string_view name, std::span<const std::int64_t> values) = 0;
};

/// Rows that own their values, as read back from a state.
struct FloatMatrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<float> values;
  std::vector<std::size_t> offsets = {};    ///< as in MatrixView; empty: rows of equal size
  std::vector<std::uint32_t> columns = {};  ///< as in MatrixView, for sparse rows only
  bool is_sparse = false;

  FloatMatrix() = default;
  FloatMatrix(std::size_t r, std::size_t c) : rows(r), cols(c), values(r * c) {}
  /// A copy, without gaps.
  explicit FloatMatrix(MatrixView view);
  /// Rows of zeros that differ in size; `largest` becomes `cols`.
  static FloatMatrix ragged(std::size_t largest, std::span<const std::size_t> sizes);

  /// Sparse rows with `sizes[i]` entries, all 0 and in column 0 until they are written.
  static FloatMatrix sparse(std::size_t dimension, std::span<const std::size_t> sizes);
  /// Makes rows that differ in size sparse; call it again when `values` has grown.
  void make_sparse();

  MatrixView view() const noexcept {
    const std::uint32_t* const places = columns.empty() ? &no_column_ : columns.data();
    return {values.data(), rows, cols, cols, ends(), is_sparse ? places : nullptr};
  }
  MutableMatrixView view() noexcept {
    std::uint32_t* const places = columns.empty() ? &no_column_ : columns.data();
    return {values.data(), rows, cols, cols, ends(), is_sparse ? places : nullptr};
  }

 private:
  const std::size_t* ends() const noexcept { return offsets.empty() ? nullptr : offsets.data(); }

  // Target of `columns` for sparse rows without entries: with a null pointer they would not be
  // sparse.
  inline static std::uint32_t no_column_ = 0;
};

/// Reads what a StateWriter wrote. Every member throws Error naming the entry when it is missing
/// or of another type; sizes must be checked by the component.
class StateReader {
 public:
  virtual ~StateReader();
  /// Whether an entry of this name was written: states of earlier versions may lack some.
  virtual bool has(std::string_view name) const = 0;
  virtual std::int64_t integer(std::string_view name) const = 0;
  virtual double number(std::string_view name) const = 0;
  virtual std::string text(std::string_view name) const = 0;
  virtual FloatMatrix floats(std::string_view name) const = 0;
  virtual std::vector<double> doubles(std::string_view name) const = 0;
  virtual std::vector<std::int64_t> integers(std::string_view name) const = 0;
};

}  // namespace semblance
