// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5_file.hpp"

namespace semblance::testing {

/// Writes HDF5 files for tests.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path);

  /// Values as `memory`, stored as `stored`; `chunk`: rows of a compressed chunk, or 0.
  void write(const std::string& name, const std::vector<hsize_t>& extents, hid_t stored,
             hid_t memory, const void* values, hsize_t chunk = 0) const;
  template <class T>
  void write(const std::string& name, const std::vector<hsize_t>& extents, hid_t type,
             const std::vector<T>& values, hsize_t chunk = 0) const {
    write(name, extents, type, type, values.data(), chunk);
  }
  /// Makes a data set without values, or with only the first `written` rows.
  void leave_empty(const std::string& name, const std::vector<hsize_t>& extents, hsize_t chunk,
                   hsize_t written) const;
  /// Texts of variable length.
  void write_texts(const std::string& name, const std::vector<const char*>& texts) const;
  /// Texts of a fixed number of bytes, padded with `padding`.
  void write_fixed_texts(const std::string& name, std::size_t width, const std::string& bytes,
                         H5T_str_t padding) const;
  void add_attribute(const std::string& name, const std::string& attribute, double value) const;
  void link_elsewhere(const std::string& name, const std::string& file,
                      const std::string& target) const;
  void make_virtual(const std::string& name, const std::string& file, const std::string& source,
                    hsize_t rows) const;
  hid_t id() const noexcept { return file_.id(); }

 private:
  sources::hdf5::FileHandle file_;
};

}  // namespace semblance::testing
