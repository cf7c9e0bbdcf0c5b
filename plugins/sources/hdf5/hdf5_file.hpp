// SPDX-License-Identifier: MIT
#pragma once

#include <hdf5.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rows/array_facts.hpp"
#include "rows/column_precision.hpp"
#include "semblance/context.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources::hdf5 {

/// An object of the HDF5 library, closed at the end of its life.
template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) noexcept : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) Close(id_);
  }

  hid_t id() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using FileHandle = Handle<H5Fclose>;
using DatasetHandle = Handle<H5Dclose>;
using SpaceHandle = Handle<H5Sclose>;
using TypeHandle = Handle<H5Tclose>;
using PropertiesHandle = Handle<H5Pclose>;
using AttributeHandle = Handle<H5Aclose>;

/// A data set of a file: a matrix with one sample per row, or a list of labels. All members throw
/// DataError naming file and data set.
class Matrix final : public FactArray {
 public:
  Matrix(const std::string& file, hid_t opened, std::string name);

  std::size_t rows() const noexcept override { return rows_; }
  /// Values per row; 1 for a list.
  std::size_t cols() const noexcept override { return cols_; }

  /// Throws unless it has numbers whose conversion to float32 can be watched.
  void check_numbers() const;

  /// Appends the values of wanted rows; the first row has the number `first`. A missing value (NaN,
  /// or the attribute _FillValue) is refused, or stored as NaN.
  void read(const WantedRows& wanted, std::size_t first, bool keeps_missing,
            ColumnPrecision& precision, std::vector<float>& values, Context& context) const;

  /// Integers, texts, or the names of an enumeration.
  void each_text(const std::string& what, const TakeText& take, Context& context) override;
  std::vector<double> numbers(const std::string& what, Context& context) override;

  [[noreturn]] void fail(const std::string& what) const override;
  [[noreturn]] void fail_row(std::size_t row, const std::string& what) const override;

 private:
  /// One row or more of values of one type.
  template <class T>
  void read_rows(std::size_t first, std::size_t count, hid_t type, std::vector<T>& buffer) const;
  template <class T>
  void read_as(hid_t type, const WantedRows& wanted, std::size_t first, bool keeps_missing,
               ColumnPrecision& precision, std::vector<float>& values, Context& context) const;
  template <class T>
  void each_number(hid_t type, const std::string& what, const TakeText& take,
                   Context& context) const;
  void each_string(const TakeText& take, Context& context) const;
  void each_name(const std::string& what, const TakeText& take, Context& context) const;
  void check_storage() const;
  hsize_t written_chunks() const;
  hsize_t all_chunks(hid_t created) const;
  void check_attributes();
  std::size_t rows_at_once() const noexcept;

  std::string file_, name_;
  DatasetHandle dataset_;
  TypeHandle type_;
  std::size_t rows_ = 0, cols_ = 1;
  /// Whether a value is NaN or equals the attribute _FillValue.
  template <class T>
  bool is_missing(T value) const {
    const auto number = static_cast<double>(value);
    return std::isnan(number) || (missing_mark_ && number == *missing_mark_);
  }

  std::optional<double> missing_mark_;  ///< the attribute _FillValue, if it is a number
};

/// An HDF5 file, open for reading. References to other files are not followed.
class File {
 public:
  /// Throws DataError if it is not an HDF5 file or damaged.
  explicit File(const std::string& path);

  /// A data set by its path in the file: "/X". Throws DataError if there is none.
  Matrix matrix(const std::string& name) const;

 private:
  std::string path_;
  FileHandle file_;
};

}  // namespace semblance::sources::hdf5
