// SPDX-License-Identifier: MIT
#include "serve/rows/npy_rows.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "serve/rows/row_columns.hpp"

namespace semblance::serving {
namespace {

[[noreturn]] void refuse_npy(const std::string& why) { throw Error("the npy file " + why); }

/// The dictionary `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 784), }`.
class NpyDictionary {
 public:
  explicit NpyDictionary(std::string_view text) : text_(text) {}

  std::size_t rows = 0, cols = 0, bytes = 0;  ///< bytes per value

  void parse() {
    expect('{');
    while (!take('}')) {
      const std::string_view key = word();
      expect(':');
      if (key == "descr" && bytes == 0)
        parse_type();
      else if (key == "fortran_order" && !ordered_)
        parse_order();
      else if (key == "shape" && !shaped_)
        parse_shape();
      else
        refuse_npy("has the entry " + in_quotes(key) +
                   " in its header, which is unknown or twice there");
      take(',');
    }
    blanks();
    if (!text_.empty() || bytes == 0 || !ordered_ || !shaped_)
      refuse_npy("has a damaged header; save it again with numpy.save");
  }

 private:
  void blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
  }
  bool take(char c) {
    blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse_npy("has a damaged header; save it again with numpy.save");
  }
  std::string_view word() {
    expect('\'');
    const std::size_t end = text_.find('\'');
    if (end == text_.npos) refuse_npy("has a damaged header; save it again with numpy.save");
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return found;
  }
  void parse_type() {
    blanks();
    const std::string_view type = text_.starts_with('\'') ? word() : "records";
    if (type != "<f4" && type != "<f8")
      refuse_npy("holds values of type " + in_quotes(type) +
                 "; send float32 or float64, little-endian: array.astype('<f4')");
    bytes = type == "<f4" ? 4 : 8;
  }
  void parse_order() {
    blanks();
    if (text_.starts_with("True"))
      refuse_npy("is stored column by column; save numpy.ascontiguousarray(array)");
    if (!text_.starts_with("False"))
      refuse_npy("has a damaged header; save it again with numpy.save");
    text_.remove_prefix(5);
    ordered_ = true;
  }
  void parse_shape() {
    std::vector<std::size_t> shape;
    expect('(');
    while (!take(')')) {
      blanks();
      std::size_t extent = 0;
      const auto [end, problem] =
          std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (problem != std::errc() || shape.size() > 8)
        refuse_npy("has a damaged header; save it again with numpy.save");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(extent);
      if (!take(',') && !text_.starts_with(')'))
        refuse_npy("has a damaged header; save it again with numpy.save");
    }
    if (shape.size() != 2)
      refuse_npy("has " + std::to_string(shape.size()) +
                 " dimensions; send rows, an array of 2: array.reshape(len(array), -1)");
    rows = shape[0];
    cols = shape[1];
    shaped_ = true;
  }

  std::string_view text_;
  bool ordered_ = false, shaped_ = false;
};

/// Removes the header from `bytes`.
std::string_view take_npy_header(std::string_view& bytes) {
  constexpr std::string_view magic = "\x93NUMPY";
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (!bytes.starts_with(magic) || bytes.size() < 12)
    refuse_npy("does not start like one; save the array with numpy.save");
  const unsigned major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    refuse_npy("is of version " + std::to_string(major) + "." + std::to_string(minor) +
               "; save it with numpy.save");
  std::size_t length = byte(8) | byte(9) << 8U, start = 10;
  if (major > 1) {
    length |= std::size_t{byte(10)} << 16U | std::size_t{byte(11)} << 24U;
    start = 12;
  }
  if (length > bytes.size() - start) refuse_npy("is cut off in its header; send all of it");
  const std::string_view header = bytes.substr(start, length);
  bytes.remove_prefix(start + length);
  return header;
}

template <class Value>
void add_row(const char* bytes, std::size_t i, const RowColumns& columns, std::vector<float>& row,
             GivenRows& rows) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    Value value;
    std::memcpy(&value, bytes + k * sizeof value, sizeof value);
    row[k] = static_cast<float>(value);
    if (std::isfinite(row[k]) || (std::isnan(value) && columns.may_lack(k))) continue;
    const char* const what = std::isnan(value)      ? "is missing (NaN)"
                             : std::isfinite(value) ? "is too large for float32"
                                                    : "is infinite";
    throw Error("row " + std::to_string(i + 1) + " (counted from 1): the value at position " +
                std::to_string(k + 1) + " " + what + "; replace it, or omit the row");
  }
  rows.add(row);
}

}  // namespace

void read_npy(std::string_view bytes, const RowColumns& columns, GivenRows& rows) {
  NpyDictionary array(take_npy_header(bytes));
  array.parse();
  if (array.cols != rows.width())
    refuse_npy("has rows of " + std::to_string(array.cols) +
               " values, but the model takes rows of " + std::to_string(rows.width()));
  const std::size_t row_bytes = array.cols * array.bytes;
  if (array.rows > bytes.size() / row_bytes || bytes.size() != array.rows * row_bytes)
    refuse_npy("has " + std::to_string(bytes.size()) + " bytes of values, but its header says " +
               std::to_string(array.rows) + " rows of " + std::to_string(row_bytes) +
               " bytes; send all of it");
  std::vector<float> row(array.cols);
  for (std::size_t i = 0; i < array.rows; ++i) {
    const char* const at = bytes.data() + i * row_bytes;
    if (array.bytes == 4)
      add_row<float>(at, i, columns, row, rows);
    else
      add_row<double>(at, i, columns, row, rows);
  }
}

}  // namespace semblance::serving
