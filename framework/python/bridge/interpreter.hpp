// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <string>

namespace semblance::python {

/// A Python object that C++ owns. It may be copied and destroyed on any thread, with or without the
/// interpreter's lock; once the interpreter is ending, nothing is released any more.
class Owned {
 public:
  Owned() = default;
  /// Under the lock.
  explicit Owned(pybind11::object object);
  /// Under the lock.
  pybind11::handle get() const { return object_ ? object_->ptr() : nullptr; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  std::shared_ptr<pybind11::object> object_;
};

/// Runs `body` under the interpreter's lock. What Python raises becomes an Error that names file,
/// line and function of the last frame; where a stop was requested, Cancelled.
void in_python(const std::function<void()>& body);

/// The module semblance.NAME; under the lock.
pybind11::module_ part_of_package(const char* name);

}  // namespace semblance::python
