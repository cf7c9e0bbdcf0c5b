// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>

#include "semblance/context.hpp"

namespace semblance::python {

/// A call of Python on this thread that ends soon after a stop is requested, also where it does not
/// ask: once a moment has passed, semblance._declare.Stopped is raised in it. Code that is not
/// Python's own (a product of matrices) is not interrupted. Made and destroyed under the
/// interpreter's lock.
class InterruptedCall {
 public:
  InterruptedCall(const Context& context, const std::atomic<bool>& stop_seen);
  ~InterruptedCall();
  InterruptedCall(const InterruptedCall&) = delete;
  InterruptedCall& operator=(const InterruptedCall&) = delete;

 private:
  friend class Interrupter;
  using Clock = std::chrono::steady_clock;

  bool is_due();
  void interrupt(const pybind11::object& stopped);

  const Context& context_;
  const std::atomic<bool>& stop_seen_;
  unsigned long thread_;
  Clock::time_point stopped_ = {};  ///< when the request was noticed
  bool interrupted_ = false;
};

}  // namespace semblance::python
