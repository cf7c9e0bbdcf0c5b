// SPDX-License-Identifier: MIT
#pragma once

#include <hdf5.h>

#include <utility>

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

}  // namespace semblance::sources::hdf5
