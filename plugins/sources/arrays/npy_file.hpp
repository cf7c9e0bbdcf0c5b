// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "column_precision.hpp"
#include "semblance/context.hpp"
#include "semblance/wanted_rows.hpp"
#include "series/series_precision.hpp"

namespace semblance {

/// What the header of a .npy file says.
struct NpyHeader {
  /// 'f' floating point, 'i' and 'u' integers, 'b' boolean; 'U' and 'S' texts,
  /// of labels.
  char kind = 'f';
  std::size_t bytes = 4;  ///< of one value: 1, 2, 4 or 8; of texts any number
  bool big_endian = false;
  bool by_columns = false;  ///< Fortran order: the rows' first values come first
  std::vector<std::size_t> shape;

  std::size_t rows() const { return shape[0]; }
  /// Values in a row.
  std::size_t row_size() const;
  /// Whether values are whole numbers in 0..255 that can stay bytes.
  bool is_bytes() const { return bytes == 1 && (kind == 'u' || kind == 'b'); }
  bool is_text() const { return kind == 'U' || kind == 'S'; }
  /// Whether float32 holds every value of the type.
  bool is_exact() const { return bytes <= 2 || (kind == 'f' && bytes == 4); }
  /// "float32", "uint8", ... for messages.
  std::string type() const;
};

/// A .npy file of NumPy (format versions 1 to 3).
class NpyReader {
 public:
  /// Reads and checks the header; throws DataError, also where the file is smaller than it claims
  /// (a compressed one shows that when it is read).
  explicit NpyReader(const std::string& path);

  const NpyHeader& header() const noexcept { return header_; }
  const std::string& path() const noexcept { return reader_.path(); }

  /// Of the values, from now on, only those of rows that are wanted are appended; the first row has
  /// the number `first`.
  void keep_only(const WantedRows& wanted, std::size_t first) {
    wanted_ = &wanted;
    first_ = static_cast<std::int64_t>(first);
  }

  /// From now on NaN is a missing value, and no error.
  void keep_missing() { keeps_missing_ = true; }

  /// Appends all values and checks that the file ends there. Floating-point
  /// values must be finite in float32. `precision` is told of values that are
  /// not float32: those of each column of a row, or of all together where it
  /// has one column.
  void read(std::vector<float>& out, ColumnPrecision& precision, Context& context);
  /// The same of only the first `sizes[i]` values of row i, a series: what stands behind them does
  /// not matter, not even whether it is a number. Throws DataError where a series loses what tells
  /// its values apart.
  void read(std::vector<float>& out, ColumnPrecision& precision, SeriesPrecision& series,
            std::span<const std::size_t> sizes, Context& context);
  /// The same for whole numbers, of labels; throws DataError where a value is not whole.
  void read(std::vector<std::int64_t>& out, Context& context);
  /// The same for numbers of weights, which must be finite.
  void read(std::vector<double>& out, Context& context);
  /// The same; only where header().is_bytes().
  void read(std::vector<std::uint8_t>& out, Context& context);
  /// Texts, as UTF-8; only where header().is_text().
  void read(std::vector<std::string>& out, Context& context);

 private:
  void check_size() const;
  [[noreturn]] void cut_off(std::uint64_t end) const;
  template <class T>
  void read_values(std::vector<T>& out, ColumnPrecision* precision, SeriesPrecision* series,
                   std::span<const std::size_t> sizes, Context& context);

  ByteReader reader_;
  NpyHeader header_;
  const WantedRows* wanted_ = nullptr;
  std::int64_t first_ = 0;
  bool keeps_missing_ = false;
};

/// Parses the Python dictionary of a header; returns what is wrong with it, or an empty text.
std::string parse_npy_header(std::string_view text, NpyHeader& header);

}  // namespace semblance
