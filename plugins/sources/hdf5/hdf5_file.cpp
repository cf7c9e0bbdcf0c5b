// SPDX-License-Identifier: MIT
#include "hdf5/hdf5_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources::hdf5 {
namespace {

/// Suppresses the library's error output during its lifetime.
class QuietErrors {
 public:
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

herr_t take_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& taken = *static_cast<std::string*>(text);
  if (taken.empty() && error->desc) taken = printable(error->desc);
  return 0;
}

/// The origin of the library's last failure, in its words.
std::string library_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
  return text.empty() ? "no reason given" : text;
}

/// A run does not know the files that a file refers to, so it must not depend on them.
herr_t refuse_other_file(const char*, const char*, const char*, const char*, unsigned*, hid_t,
                         void* met) {
  *static_cast<bool*>(met) = true;
  return -1;
}

std::string place(std::size_t row, std::size_t value) {
  return "row " + std::to_string(row) + ", value " + std::to_string(value) + " (both from 0)";
}

bool has_attribute(hid_t object, const char* name) { return H5Aexists(object, name) > 0; }

}  // namespace

File::File(const std::string& path) : path_(path) {
  const QuietErrors quiet;
  if (H5Fis_hdf5(path.c_str()) <= 0)
    throw DataError(path, "",
                    "is not an HDF5 file; check the name, and decompress it if it is packed");
  const PropertiesHandle access(H5Pcreate(H5P_FILE_ACCESS));
  // Nothing is written, and a lock would fail on file systems without locks.
  H5Pset_file_locking(access.id(), false, true);
  file_ = FileHandle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()));
  if (!file_)
    throw DataError(
        path, "", "cannot be opened: " + library_reason() + "; check that it is whole and closed");
}

Matrix File::matrix(const std::string& name) const {
  const QuietErrors quiet;
  const PropertiesHandle access(H5Pcreate(H5P_DATASET_ACCESS));
  bool elsewhere = false;
  H5Pset_elink_cb(access.id(), refuse_other_file, &elsewhere);
  const hid_t opened = H5Dopen2(file_.id(), name.c_str(), access.id());
  if (elsewhere)
    throw DataError(path_, in_quotes(name),
                    "is in another file, which this one links to; name that file");
  if (opened < 0)
    throw DataError(path_, in_quotes(name),
                    "there is no such data set; h5ls -r lists those that exist");
  return {path_, opened, name};
}

Matrix::Matrix(const std::string& file, hid_t opened, std::string name)
    : file_(file), name_(std::move(name)), dataset_(opened), type_(H5Dget_type(opened)) {
  const SpaceHandle space(H5Dget_space(opened));
  const int dimensions = H5Sget_simple_extent_ndims(space.id());
  if (dimensions != 1 && dimensions != 2)
    fail("has " + std::to_string(std::max(0, dimensions)) +
         " dimensions; store a matrix with one sample per row");
  std::array<hsize_t, 2> extents = {0, 1};
  H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  if (extents[0] == 0 || extents[1] == 0) fail("is empty; check that it is the right one");
  constexpr hsize_t most = std::numeric_limits<std::int32_t>::max();
  if (extents[1] > most || extents[0] > std::numeric_limits<std::size_t>::max() / 16 / extents[1])
    fail("claims " + std::to_string(extents[0]) + " x " + std::to_string(extents[1]) +
         " values; the file is damaged");
  rows_ = extents[0];
  cols_ = extents[1];
  check_storage();
  check_attributes();
}

void Matrix::fail(const std::string& what) const { throw DataError(file_, in_quotes(name_), what); }

void Matrix::fail_row(std::size_t row, const std::string& what) const {
  throw DataError(file_, in_quotes(name_) + ", row " + std::to_string(row) + " (from 0)", what);
}

/// All values must be stored in this file: values never written read as zeros.
void Matrix::check_storage() const {
  const PropertiesHandle created(H5Dget_create_plist(dataset_.id()));
  if (H5Pget_layout(created.id()) == H5D_VIRTUAL || H5Pget_external_count(created.id()) > 0)
    fail("has its values in other files; copy them into one file, as h5repack does");
  H5D_space_status_t status = H5D_SPACE_STATUS_ALLOCATED;
  const H5D_layout_t layout = H5Pget_layout(created.id());
  if (H5Dget_space_status(dataset_.id(), &status) < 0)
    fail("cannot be read: " + library_reason() + "; the file is damaged");
  if (status == H5D_SPACE_STATUS_NOT_ALLOCATED)
    fail("has no values: it was made and never written; write it again");
  if (layout == H5D_CHUNKED && written_chunks() < all_chunks(created.id()))
    fail("is not complete: parts of it were never written; write it again");
}

hsize_t Matrix::written_chunks() const {
  const SpaceHandle space(H5Dget_space(dataset_.id()));
  hsize_t count = 0;
  if (H5Dget_num_chunks(dataset_.id(), space.id(), &count) < 0)
    fail("cannot be read: " + library_reason() + "; the file is damaged");
  return count;
}

hsize_t Matrix::all_chunks(hid_t created) const {
  std::array<hsize_t, 2> chunk = {1, 1};
  if (H5Pget_chunk(created, 2, chunk.data()) < 1 || chunk[0] == 0 || chunk[1] == 0)
    fail("has chunks without a size; the file is damaged");
  return ((rows_ + chunk[0] - 1) / chunk[0]) * ((cols_ + chunk[1] - 1) / chunk[1]);
}

void Matrix::check_attributes() {
  if (has_attribute(dataset_.id(), "MATLAB_class"))
    fail(
        "is a matrix of MATLAB, whose rows and columns are exchanged here; store its transpose "
        "with h5create and h5write");
  for (const char* name : {"scale_factor", "add_offset"})
    if (has_attribute(dataset_.id(), name))
      fail(std::string("has the attribute '") + name +
           "', so its values stand for others; store the values themselves");
  if (!has_attribute(dataset_.id(), "_FillValue")) return;
  const AttributeHandle mark(H5Aopen(dataset_.id(), "_FillValue", H5P_DEFAULT));
  const SpaceHandle space(H5Aget_space(mark.id()));
  double value = 0;
  if (H5Sget_simple_extent_npoints(space.id()) != 1 ||
      H5Aread(mark.id(), H5T_NATIVE_DOUBLE, &value) < 0)
    fail("has an attribute '_FillValue' that is not one number; remove it");
  missing_mark_ = value;
}

std::size_t Matrix::rows_at_once() const noexcept {
  constexpr std::size_t values = std::size_t{1} << 18;
  return std::clamp<std::size_t>(values / cols_, 1, rows_);
}

template <class T>
void Matrix::read_rows(std::size_t first, std::size_t count, hid_t type,
                       std::vector<T>& buffer) const {
  const SpaceHandle space(H5Dget_space(dataset_.id()));
  const std::array<hsize_t, 2> start = {first, 0}, extent = {count, cols_};
  const hsize_t values = count * cols_;
  const SpaceHandle memory(H5Screate_simple(1, &values, nullptr));
  buffer.resize(values);
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
  if (H5Dread(dataset_.id(), type, memory.id(), space.id(), H5P_DEFAULT, buffer.data()) < 0)
    fail("cannot be read: " + library_reason() +
         "; the file is damaged, or packed with a filter that is not installed");
}

void Matrix::check_numbers() const {
  const H5T_class_t kind = H5Tget_class(type_.id());
  const std::size_t bytes = H5Tget_size(type_.id());
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER && kind != H5T_ENUM) || bytes > 8)
    fail(std::string("holds ") +
         (kind == H5T_STRING     ? "texts"
          : kind == H5T_COMPOUND ? "records of several fields"
          : bytes > 8            ? "numbers of more than 64 bits"
                                 : "no numbers") +
         "; store a matrix of numbers of at most 64 bits");
}

void Matrix::read(const WantedRows& wanted, std::size_t first, bool keeps_missing,
                  ColumnPrecision& precision, std::vector<float>& values, Context& context) const {
  check_numbers();
  const QuietErrors quiet;
  const auto as = [&]<class T>(T, hid_t type) {
    read_as<T>(type, wanted, first, keeps_missing, precision, values, context);
  };
  if (H5Tget_class(type_.id()) == H5T_FLOAT)
    return H5Tget_size(type_.id()) <= 4 ? as(float{}, H5T_NATIVE_FLOAT)
                                        : as(double{}, H5T_NATIVE_DOUBLE);
  const TypeHandle base(H5Tget_class(type_.id()) == H5T_ENUM ? H5Tget_super(type_.id())
                                                             : H5Tcopy(type_.id()));
  if (H5Tget_class(type_.id()) == H5T_ENUM && H5Tget_size(base.id()) > 1)
    fail("holds an enumeration, not numbers; store the numbers");
  // A boolean of NumPy: an enumeration of bytes, which no number type converts from.
  if (H5Tget_class(type_.id()) == H5T_ENUM) return as(std::int8_t{}, type_.id());
  return H5Tget_sign(base.id()) == H5T_SGN_NONE ? as(std::uint64_t{}, H5T_NATIVE_UINT64)
                                                : as(std::int64_t{}, H5T_NATIVE_INT64);
}

template <class T>
void Matrix::read_as(hid_t type, const WantedRows& wanted, std::size_t first, bool keeps_missing,
                     ColumnPrecision& precision, std::vector<float>& values,
                     Context& context) const {
  std::vector<T> buffer;
  const std::size_t step = rows_at_once();
  for (std::size_t row = 0; row < rows_; row += step) {
    context.check_stop();
    const std::size_t count = std::min(step, rows_ - row);
    read_rows(row, count, type, buffer);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t before = values.size();
      for (std::size_t c = 0; c < cols_; ++c) {
        const T exact = buffer[i * cols_ + c];
        auto value = static_cast<float>(exact);
        const bool missing = is_missing(exact);
        const auto refuse = [&](const std::string& what) {
          throw DataError(file_, in_quotes(name_), place(row + i, c) + " " + what);
        };
        if (missing && !keeps_missing)
          refuse(
              "has no value; fill in or remove rows with missing values, or set 'missing: keep' "
              "and put normalizer/impute after the source");
        if (missing)
          value = std::numeric_limits<float>::quiet_NaN();
        else if (!std::isfinite(value))
          refuse(std::isfinite(static_cast<double>(exact)) ? "is too large for float32; scale it"
                                                           : "is not finite; correct it");
        else if (sizeof(T) > sizeof(float))
          precision.add(c, exact);
        values.push_back(value);
      }
      if (!wanted.contains(static_cast<std::int64_t>(first + row + i))) values.resize(before);
    }
  }
}

template <class T>
void Matrix::each_number(hid_t type, const std::string& what, const TakeText& take,
                         Context& context) const {
  std::vector<T> buffer;
  const std::size_t step = rows_at_once();
  for (std::size_t row = 0; row < rows_; row += step) {
    context.check_stop();
    read_rows(row, std::min(step, rows_ - row), type, buffer);
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      if (is_missing(buffer[i]))
        take(row + i, "");
      else if constexpr (std::is_floating_point_v<T>)
        take(row + i, whole(buffer[i], row + i, what));
      else
        take(row + i, std::to_string(buffer[i]));
    }
  }
}

void Matrix::each_string(const TakeText& take, Context& context) const {
  const TypeHandle memory(H5Tcopy(type_.id()));
  const std::size_t step = rows_at_once();
  const bool fixed = H5Tis_variable_str(type_.id()) <= 0;
  const std::size_t width = H5Tget_size(type_.id());
  constexpr std::size_t longest = std::size_t{1} << 20;
  if (fixed && width > longest) fail("holds texts of over a million bytes, which are no labels");
  std::vector<char> texts;
  std::vector<char*> pointers;
  for (std::size_t row = 0; row < rows_; row += step) {
    context.check_stop();
    const std::size_t count = std::min(step, rows_ - row);
    for (std::size_t i = 0; fixed && i < count; ++i) {
      // One by one, since all texts together need not fit into memory.
      const SpaceHandle space(H5Dget_space(dataset_.id()));
      const std::array<hsize_t, 2> start = {row + i, 0}, extent = {1, 1};
      const hsize_t one = 1;
      const SpaceHandle target(H5Screate_simple(1, &one, nullptr));
      texts.assign(width, '\0');
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(),
                          nullptr);
      if (H5Dread(dataset_.id(), memory.id(), target.id(), space.id(), H5P_DEFAULT, texts.data()) <
          0)
        fail("cannot be read: " + library_reason() + "; the file is damaged");
      std::string_view text(texts.data(), width);
      text = text.substr(0, text.find('\0'));
      if (H5Tget_strpad(type_.id()) == H5T_STR_SPACEPAD)
        text = text.substr(0, text.find_last_not_of(' ') + 1);
      take(row + i, text);
    }
    if (fixed) continue;
    read_rows(row, count, memory.id(), pointers);
    const hsize_t values = count;
    const SpaceHandle space(H5Screate_simple(1, &values, nullptr));
    std::vector<std::string> owned;
    owned.reserve(count);
    for (const char* text : pointers) owned.emplace_back(text ? text : "");
    H5Dvlen_reclaim(memory.id(), space.id(), H5P_DEFAULT, pointers.data());
    for (std::size_t i = 0; i < count; ++i) take(row + i, owned[i]);
  }
}

void Matrix::each_name(const std::string& what, const TakeText& take, Context& context) const {
  const std::size_t bytes = H5Tget_size(type_.id());
  if (bytes > 8) fail("holds no " + what + "s; store whole numbers or texts");
  const TypeHandle memory(H5Tget_native_type(type_.id(), H5T_DIR_ASCEND));
  std::vector<std::array<unsigned char, 8>> value(1);
  for (std::size_t row = 0; row < rows_; ++row) {
    if (row % 4096 == 0) context.check_stop();
    read_rows(row, 1, memory.id(), value);
    std::array<char, 256> name{};
    if (H5Tenum_nameof(memory.id(), value.data(), name.data(), name.size()) < 0)
      fail_row(row, "the " + what + " is not a value of the enumeration; correct it");
    take(row, name.data());
  }
}

void Matrix::each_text(const std::string& what, const TakeText& take, Context& context) {
  const QuietErrors quiet;
  const H5T_class_t kind = H5Tget_class(type_.id());
  if (kind == H5T_STRING) return each_string(take, context);
  if (kind == H5T_ENUM) return each_name(what, take, context);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Tget_size(type_.id()) > 8)
    fail("holds no " + what + "s; store whole numbers or texts");
  if (kind == H5T_FLOAT) return each_number<double>(H5T_NATIVE_DOUBLE, what, take, context);
  if (H5Tget_sign(type_.id()) == H5T_SGN_NONE)
    return each_number<std::uint64_t>(H5T_NATIVE_UINT64, what, take, context);
  each_number<std::int64_t>(H5T_NATIVE_INT64, what, take, context);
}

std::vector<double> Matrix::numbers(const std::string& what, Context& context) {
  const QuietErrors quiet;
  const H5T_class_t kind = H5Tget_class(type_.id());
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Tget_size(type_.id()) > 8)
    fail("holds no " + what + "s; store numbers of at most 64 bits");
  check_fits(2.0 * sizeof(double) * double(rows_) * double(cols_), what + "s", file_,
             in_quotes(name_), context);
  std::vector<double> all, buffer;
  const std::size_t step = rows_at_once();
  for (std::size_t first = 0; first < rows_; first += step) {
    context.check_stop();
    read_rows(first, std::min(step, rows_ - first), H5T_NATIVE_DOUBLE, buffer);
    for (const double number : buffer) all.push_back(is_missing(number) ? unknown_target : number);
  }
  return all;
}

}  // namespace semblance::sources::hdf5
