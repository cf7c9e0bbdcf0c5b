// SPDX-License-Identifier: MIT
#include "interrupter.hpp"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "interpreter.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// How long a call may go on after a stop was requested: of itself, and once it has asked and so
/// knows that it has to end.
constexpr std::chrono::milliseconds grace(200), grace_if_it_knows(5000), pause(50);

}  // namespace

/// Looks after all calls, on a thread of its own. Whoever takes its mutex and the interpreter's
/// lock takes the latter first.
class Interrupter {
 public:
  /// Of this process: a fork has the object, but not the thread.
  static Interrupter& instance() {
    static std::atomic<Interrupter*> only = nullptr;
    if (Interrupter* there = only.load(); there && there->process_ == ::getpid()) return *there;
    only = new Interrupter;  // under the interpreter's lock; never destroyed
    return *only.load();
  }

  void add(InterruptedCall* call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
  }
  void remove(InterruptedCall* call) {
    const std::lock_guard lock(mutex_);
    std::erase(calls_, call);
  }

 private:
  Interrupter() : process_(::getpid()) {
    std::thread([this] { watch(); }).detach();
  }

  void watch() {
    for (;;) {
      std::this_thread::sleep_for(pause);
      if (any_due()) interrupt_due();
    }
  }

  bool any_due() {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(calls_, [](InterruptedCall* call) { return call->is_due(); });
  }

  void interrupt_due() {
    const py::gil_scoped_acquire python;
    const py::object stopped = part_of_package("_declare").attr("Stopped");  // may run Python
    const std::lock_guard lock(mutex_);
    for (InterruptedCall* call : calls_)
      if (call->is_due()) call->interrupt(stopped);
  }

  const pid_t process_;
  std::mutex mutex_;
  std::vector<InterruptedCall*> calls_;
};

InterruptedCall::InterruptedCall(const Context& context, const std::atomic<bool>& stop_seen)
    : context_(context), stop_seen_(stop_seen), thread_(PyThread_get_thread_ident()) {
  Interrupter::instance().add(this);
}

InterruptedCall::~InterruptedCall() {
  Interrupter::instance().remove(this);
  if (interrupted_) PyThreadState_SetAsyncExc(thread_, nullptr);  // it ended by itself meanwhile
}

bool InterruptedCall::is_due() {
  if (interrupted_ || context_.stop_requested() == StopReason::none) return false;
  const auto now = Clock::now();
  if (stopped_ == Clock::time_point()) stopped_ = now;
  return now - stopped_ >= (stop_seen_ ? grace_if_it_knows : grace);
}

void InterruptedCall::interrupt(const py::object& stopped) {
  interrupted_ = true;
  PyThreadState_SetAsyncExc(thread_, stopped.ptr());
}

}  // namespace semblance::python
