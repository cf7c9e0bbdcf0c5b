// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/byte_reader.hpp"
#include "rows/column_precision.hpp"
#include "semblance/context.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {

/// The header of a .npy file.
struct NpyHeader {
  /// 'f' floating point, 'i' and 'u' integers, 'b' boolean; 'U' and 'S' texts,
  /// of labels.
  char kind = 'f';
  std::size_t bytes = 4;  ///< of one value: 1, 2, 4 or 8; any number for texts
  bool big_endian = false;
  bool by_columns = false;  ///< Fortran order: the rows' first values come first
  std::vector<std::size_t> shape;

  std::size_t rows() const { return shape[0]; }
  /// Values in a row.
  std::size_t row_size() const;
  /// Whether values are integers in 0..255 that can stay bytes.
  bool is_bytes() const { return bytes == 1 && (kind == 'u' || kind == 'b'); }
  bool is_text() const { return kind == 'U' || kind == 'S'; }
  /// Whether float32 holds every value of the type.
  bool is_exact() const { return bytes <= 2 || (kind == 'f' && bytes == 4); }
  /// "float32", "uint8", ... for messages.
  std::string type() const;
};

/// How values that are not float32 are watched while they become so.
struct NpyWatch {
  ColumnPrecision* columns = nullptr;  ///< per column, or all together if it has one column
  /// Each row, a series; DataError if one loses the differences between its values.
  SeriesPrecision* series = nullptr;
  /// Only so many first values of each row are read: later ones need not be numbers. Empty: all.
  std::span<const std::size_t> sizes = {};
};

/// A .npy file of NumPy (format versions 1 to 3).
class NpyReader {
 public:
  /// Reads and checks the header. Throws DataError, also if the file is smaller than claimed (for
  /// compressed files this shows later, on reading).
  explicit NpyReader(const std::string& path);

  const NpyHeader& header() const noexcept { return header_; }
  const std::string& path() const noexcept { return reader_.path(); }

  /// From now on, only values of wanted rows are appended; the first row has the number `first`.
  void keep_only(const WantedRows& wanted, std::size_t first) {
    wanted_ = &wanted;
    first_ = static_cast<std::int64_t>(first);
  }

  /// From now on NaN is a missing value, not an error.
  void keep_missing() { keeps_missing_ = true; }

  /// Appends all values and checks that the file ends there. T is float (values must be finite in
  /// float32), double (finite), std::int64_t (whole numbers), or std::uint8_t, only where
  /// header().is_bytes().
  template <class T>
  void read(std::vector<T>& out, Context& context, const NpyWatch& watch = {});
  /// Texts, as UTF-8; only where header().is_text().
  void read(std::vector<std::string>& out, Context& context);

 private:
  void check_size() const;
  [[noreturn]] void cut_off(std::uint64_t end) const;

  ByteReader reader_;
  NpyHeader header_;
  const WantedRows* wanted_ = nullptr;
  std::int64_t first_ = 0;
  bool keeps_missing_ = false;
};

/// Parses the Python dictionary of a header; returns the problem, or an empty text.
std::string parse_npy_header(std::string_view text, NpyHeader& header);

}  // namespace semblance::sources
