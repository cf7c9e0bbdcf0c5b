// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "semblance/context.hpp"

namespace semblance::python {

/// A call's context as Python may use it. Once the call is over, every use is an error.
class LentContext {
 public:
  explicit LentContext(Context& context);
  ~LentContext();
  LentContext(const LentContext&) = delete;
  LentContext& operator=(const LentContext&) = delete;

  pybind11::object object() const { return object_; }
  /// The context of the current call on this thread; under the lock. Raises an error of Python if
  /// there is none.
  static Context& current();
  /// Whether Python has seen that a stop was requested.
  bool stop_seen() const noexcept;

 private:
  struct Handle;
  static void define();

  std::shared_ptr<Handle> handle_;
  Context* outer_ = nullptr;  ///< of the call that this one is inside of
  pybind11::object object_;
};

}  // namespace semblance::python
